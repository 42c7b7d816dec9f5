import SimulatedTime
import Stochastics

/// Over the waking day, from lock to unlock, and from unlock to lock.
extension HabitFit {
    // MARK: The waking day

    /// How the levels of a day's sixteenths hang together, and how high the first one is.
    mutating func fitRhythm() {
        let (hourKey, firstKey) = ("pickups.hour_correlation", "pickups.first_sixteenth")
        // A person's counts are taken over what an average sixteenth of theirs has, so that everybody's day counts alike.
        let scales = people.map { $0.meanUnlocks / 16 }
        var counts = Array(repeating: [Double](repeating: 0, count: units.count), count: 16)
        var unitDays = [Double](repeating: 0, count: units.count)
        for (index, unit) in units.enumerated() where scales[unit.person] > 0 {
            for day in days(of: unit) {
                unitDays[index] += 1
                for part in 0..<16 { counts[part][index] += Double(day.parts[part]) / scales[unit.person] }
            }
        }
        let count = Int(unitDays.reduce(0, +))
        let inferred = inferredSleepers > 0 ? "nights inferred: the unlock that ends one is not counted in" : ""
        let sums = counts.indices.map { part in counts[part].reduce(0, +) }
        let total = sums.reduce(0, +)
        guard count >= 10, total > 0 else {
            return omit(hourKey, firstKey, because: "only \(count) whole waking days with unlocks; 10 are the least")
        }
        let whole = units.indices.map { unit in counts.reduce(0) { $0 + $1[unit] } / 16 }
        if let first = ratio(.positive, counts[0], whole) {
            add(firstKey, first.value, first.interval, count: count, of: "person-days", method: "moments", quality: inferred)
            state("pickups", "first_sixteenth", text: FitText.number(bounded(first.value, 0.1...10, firstKey), digits: 3))
        }

        // Products of the counts of two sixteenths, each over its own share of the day: 1 where they know nothing of each other. The day's level is in
        // all of them, and sixteenths far apart have nothing else in common. The first sixteenth is left out.
        let shares = sums.map { $0 * 16 / total }
        guard shares.dropFirst().allSatisfy({ $0 > 0.02 }) else {
            return omit(hourKey, because: "hardly any unlocks in some sixteenth of the waking day")
        }
        var products = Array(repeating: [Double](repeating: 0, count: units.count), count: 3)
        var pairs = 0
        for (index, unit) in units.enumerated() where scales[unit.person] > 0.05 {
            for day in days(of: unit) {
                let levels = (0..<16).map { Double(day.parts[$0]) / (scales[unit.person] * shares[$0]) }
                func mean(_ lags: ClosedRange<Int>) -> Double {
                    var (sum, number) = (0.0, 0.0)
                    for lag in lags { for part in 1..<(16 - lag) { (sum, number) = (sum + levels[part] * levels[part + lag], number + 1) } }
                    return sum / number
                }
                pairs += 14
                products[0][index] += mean(1...1)
                products[1][index] += mean(2...2)
                products[2][index] += mean(6...10)
            }
        }
        let result = moment(.plain) { weights in
            let (near, next, far) = (Self.sum(products[0], weights), Self.sum(products[1], weights), Self.sum(products[2], weights))
            // The covariances at one and two steps: their ratio is the correlation of levels that carry over from one to the next.
            return near > far && far > 0 ? (next - far) / (near - far) : nil
        }
        guard let result, let interval = result.interval, interval.high - interval.low < 1.5 else {
            return omit(hourKey, because: "the levels of a day's parts cannot be told from chance in \(count) person-days")
        }
        add(hourKey, result.value, interval, count: pairs, of: "pairs of sixteenths", method: "moments", quality: inferred)
        state("pickups", "hour_correlation", text: FitText.number(bounded(result.value, 0...0.95, hourKey), digits: 3))
    }

    // MARK: Gaps

    mutating func fitGaps() {
        let key = "pickups.burstiness"
        // Few people: each gap over its person's mean. Many: each person's own figure, so that frequent users do not make the result.
        let moments = people.map { person -> (mean: Double, burstiness: Double, logSpread: Double)? in
            guard person.gaps.count >= 30 else { return nil }
            let count = Double(person.gaps.count)
            let mean = person.gaps.reduce(0) { $0 + Double($1.seconds) } / count
            let square = person.gaps.reduce(0) { $0 + (Double($1.seconds) - mean) * (Double($1.seconds) - mean) } / (count - 1)
            let logs = person.gaps.map { DeterministicMath.log(max(0.001, Double($0.seconds))) }
            let logMean = logs.reduce(0, +) / count
            let logSquare = logs.reduce(0) { $0 + ($1 - logMean) * ($1 - logMean) } / (count - 1)
            let deviation = square.squareRoot()
            return (mean, (deviation - mean) / (deviation + mean), logSquare.squareRoot())
        }
        let gaps = zip(people, moments).reduce(0) { $0 + ($1.1 == nil ? 0 : $1.0.gaps.count) }
        guard gaps > 0 else { return omit(key, because: "nobody has 30 gaps from a lock to an unlock of one waking day") }
        let result: Resampling.Result?
        if hasManyPeople {
            let values = moments.map { $0?.burstiness ?? 0 }
            result = ratio(.plain, values, moments.map { $0 == nil ? 0 : 1 })
        } else {
            var sums = Array(repeating: [Double](repeating: 0, count: units.count), count: 3)
            for (index, unit) in units.enumerated() {
                guard let own = moments[unit.person] else { continue }
                for gap in people[unit.person].gaps where Int(gap.week) == unit.week {
                    let level = Double(gap.seconds) / own.mean
                    sums[0][index] += 1
                    sums[1][index] += level
                    sums[2][index] += level * level
                }
            }
            result = moment(.plain) { weights in
                let (count, sum, square) = (Self.sum(sums[0], weights), Self.sum(sums[1], weights), Self.sum(sums[2], weights))
                guard count > 1, sum > 0 else { return nil }
                let mean = sum / count
                let deviation = max(0, square / count - mean * mean).squareRoot()
                return (deviation - mean) / (deviation + mean)
            }
        }
        guard let result else { return omit(key, because: "the gaps are all alike") }
        let spreads = moments.compactMap { $0?.logSpread }.sorted()
        add(
            key, result.value, result.interval, count: gaps, of: "gaps", method: "moments",
            quality: "σ of the gaps' logarithm, median over people: \(FitText.number(spreads[spreads.count / 2]))")
        state("pickups", "burstiness", text: FitText.number(bounded(result.value, -0.5...0.9, key), digits: 3))
    }

    // MARK: Glances

    mutating func fitGlances() {
        let key = "pickups.glances_per_unlock"
        func values(_ counts: (PersonSummary) -> [Int]) -> [Double] {
            units.map { unit in
                let weeks = counts(people[unit.person])
                return Double(unit.week.map { weeks[$0] } ?? weeks.reduce(0, +))
            }
        }
        let glances = people.reduce(0) { $0 + $1.glances }
        guard glances > 0 else { return omit(key, because: "the record has no glance: nobody glances, or it does not note them") }
        guard let result = ratio(.positive, values(\.glancesOfWeek), values(\.unlocksOfWeek)) else { return }
        add(key, result.value, result.interval, count: unlockCount, of: "unlocks", method: "moments")
        state("pickups", "glances_per_unlock", text: FitText.number(bounded(result.value, 0...100, key)))
    }

    // MARK: Sessions

    mutating func fitSessions(_ factors: [Double]) {
        let (key, spreadKey, correlationKey) = ("pickups.session_length", "pickups.session_spread", "pickups.session_correlation")
        let fits = people.map { $0.sessions.count >= 10 ? SessionFit($0.sessions.map { Double($0.log) }) : nil }
        let present = people.indices.filter { fits[$0] != nil }
        let sessions = present.reduce(0) { $0 + people[$1].sessions.count }
        guard !present.isEmpty else { return omit(key, spreadKey, correlationKey, because: "nobody has ten sessions with a known end") }
        // Within people: the variances of their own logarithms, each session alike.
        let freedom = present.reduce(0) { $0 + Double(people[$1].sessions.count - 1) }
        let within = present.reduce(0) { $0 + Double(people[$1].sessions.count - 1) * fits[$1]!.deviation * fits[$1]!.deviation } / freedom
        let shape = sessionShape(present, fits, deviation: within.squareRoot())
        // The longest, had everybody the same typical session: a scenario clips before it scales a person's sessions.
        let typical = present.reduce(0) { $0 + fits[$1]!.mean } / Double(present.count)
        let longest =
            DeterministicMath.exp(
                typical + (present.map { Double(people[$0].sessions.lazy.map(\.log).max() ?? 0) - fits[$0]!.mean }.max() ?? 0)) / 3_600
        let clip = "[1s, \(max(4, Int(longest.rounded(.up))))h]"

        guard hasManyPeople, present.count >= Self.fewestPeople else {
            let median = DeterministicMath.exp(typical) / 3_600
            let reach = Likelihood.reach(degrees: sessions - 1) * (within / Double(sessions)).squareRoot()
            let spread = Likelihood.reach(degrees: sessions - 1) * (within / Double(2 * sessions)).squareRoot()
            add(
                "\(key).median", median, (median * DeterministicMath.exp(-reach), median * DeterministicMath.exp(reach)), unit: .duration,
                count: sessions, of: "sessions", method: "ML", quality: shape)
            add(
                "\(key).sigma", within.squareRoot(), (within.squareRoot() - spread, within.squareRoot() + spread), count: sessions,
                of: "sessions", method: "ML")
            omit(spreadKey, correlationKey, because: tooFewPeople)
            notes.append(
                "\(key): the spread is that within a person, not that over the sessions of all people; use it with `session_spread: 0`")
            state(
                "pickups", "session_length",
                text: "{median: \(FitText.duration(hours: median)), sigma: \(FitText.number(within.squareRoot())), clip: \(clip)}")
            return
        }

        let between = SpreadOverPeople(present.map { fits[$0]!.mean }, errors: present.map { fits[$0]!.errorOfMean })
        let sigma = (within + between.spread * between.spread).squareRoot()
        // Over the sessions of all people, to which frequent users add more; the interval is that of people, who are drawn as a whole.
        let counts = present.map { Double(people[$0].sessions.count) }
        let total = counts.reduce(0, +)
        let mean = zip(present, counts).reduce(0) { $0 + $1.1 * fits[$1.0]!.mean } / total
        let error = zip(present, counts).reduce(0) { sum, one in
            let part = one.1 / total * (fits[one.0]!.mean - mean)
            return sum + part * part
        }.squareRoot()
        let half = Likelihood.reach(degrees: present.count - 1) * error
        let median = DeterministicMath.exp(mean) / 3_600
        add(
            "\(key).median", median, (median * DeterministicMath.exp(-half), median * DeterministicMath.exp(half)), unit: .duration,
            count: sessions, of: "sessions", method: "ML", quality: shape)
        // The total of two parts: their intervals' squares add.
        let sigmaInterval = between.spreadInterval.map { interval in
            let own = 1.96 * variation(of: present.map { fits[$0]!.deviation * fits[$0]!.deviation })
            let reach = (max(interval.high - between.spread, between.spread - interval.low) * 2 * between.spread, own)
            let half = (reach.0 * reach.0 + reach.1 * reach.1).squareRoot() / (2 * sigma)
            return (low: sigma - half, high: sigma + half)
        }
        add("\(key).sigma", sigma, sigmaInterval, count: sessions, of: "sessions", method: "ML")
        add(spreadKey, between.spread, between.spreadInterval, count: present.count, of: "people", method: "ML")
        state(
            "pickups", "session_length",
            text: "{median: \(FitText.duration(hours: median)), sigma: \(FitText.number(sigma)), clip: \(clip)}")
        state("pickups", "session_spread", text: FitText.number(bounded(between.spread, 0...3, spreadKey)))
        fitSessionCorrelation(correlationKey, present, fits, factors)
    }

    /// The standard error of the mean of some values.
    private func variation(of values: [Double]) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count * max(1, count - 1))).squareRoot()
    }

    private mutating func fitSessionCorrelation(_ key: String, _ present: [Int], _ fits: [SessionFit?], _ factors: [Double]) {
        let known = present.filter { !people[$0].days.isEmpty && people[$0].meanUnlocks > 0 }
        var weights = [Double](repeating: 0, count: people.count)
        var (logs, errors, lengths, lengthErrors) = (weights, weights, weights, weights)
        for index in known {
            let mean = levelled(people[index], factors)
            weights[index] = 1
            let relative = min(0.5, errorOfMean(people[index]) / (mean * mean))
            // The mean of a logarithm lies lower by half the relative variance.
            logs[index] = DeterministicMath.log(mean) + relative / 2
            errors[index] = relative
            lengths[index] = fits[index]!.mean
            lengthErrors[index] = fits[index]!.errorOfMean
        }
        guard known.count >= Self.fewestPeople,
            let result = correlation(lengths, lengthErrors, logs, errors, shared: [Double](repeating: 0, count: people.count), of: weights)
        else { return omit(key, because: "too few people have both sessions and whole days, or they are all alike") }
        add(key, result.value, result.interval, count: known.count, of: "people", method: "moments")
        state("pickups", "session_correlation", text: FitText.number(bounded(result.value, -1...1, key), digits: 3))
    }

    /// The correlation over people of two measured values with their errors taken out. Units are people.
    ///
    /// - Parameters:
    ///   - shared: the covariances of the two errors.
    ///   - present: 1 for people that have both values, 0 for others.
    func correlation(
        _ a: [Double], _ aErrors: [Double], _ b: [Double], _ bErrors: [Double], shared: [Double], of present: [Double]
    ) -> Resampling.Result? {
        func products(_ x: [Double], _ y: [Double]) -> [Double] { x.indices.map { x[$0] * y[$0] * present[$0] } }
        let ones = present.map { _ in 1.0 }
        let (aSum, bSum) = (products(a, ones), products(b, ones))
        let (aa, bb, ab) = (products(a, a), products(b, b), products(a, b))
        let (aError, bError, both) = (products(aErrors, ones), products(bErrors, ones), products(shared, ones))
        return moment(.correlation) { weights in
            let count = Self.sum(present, weights)
            guard count > 2 else { return nil }
            let (aMean, bMean) = (Self.sum(aSum, weights) / count, Self.sum(bSum, weights) / count)
            let unbiased = count / (count - 1)
            let aVariance = (Self.sum(aa, weights) / count - aMean * aMean) * unbiased - Self.sum(aError, weights) / count
            let bVariance = (Self.sum(bb, weights) / count - bMean * bMean) * unbiased - Self.sum(bError, weights) / count
            let covariance = (Self.sum(ab, weights) / count - aMean * bMean) * unbiased - Self.sum(both, weights) / count
            guard aVariance > 0, bVariance > 0 else { return nil }
            return max(-1, min(1, covariance / (aVariance * bVariance).squareRoot()))
        }
    }

    /// How well the lognormal fits, each person's typical session taken out: against the normal law, and against a gamma law's likelihood.
    private mutating func sessionShape(_ present: [Int], _ fits: [SessionFit?], deviation: Double) -> String {
        var places: [Double] = []
        var (logSum, lengthSum, lengthLogs) = (0.0, 0.0, 0.0)
        for index in present {
            for session in people[index].sessions {
                let own = Double(session.log) - fits[index]!.mean
                places.append(SpecialFunctions.normalBelow(own / deviation))
                logSum += own * own
                lengthSum += DeterministicMath.exp(own)
                lengthLogs += own
            }
        }
        let count = Double(places.count)
        let variance = max(1e-9, logSum / count)
        let lognormal = -0.5 * count * (DeterministicMath.log(2 * Double.pi * variance) + 1) - lengthLogs
        let gamma = GammaFit(count: count, sum: lengthSum, sumOfLogs: lengthLogs)
        let distance = Distance(places)!
        if distance.isBad { notes.append("pickups.session_length: a lognormal fits badly (\(distance.text))") }
        if gamma.logLikelihood > lognormal { notes.append("pickups.session_length: a gamma law would fit better than a lognormal") }
        var lengths = present.flatMap { people[$0].sessions.map(\.log) }
        lengths.sort()
        let pooled = FitText.duration(hours: DeterministicMath.exp(Double(lengths[lengths.count / 2])) / 3_600)
        return
            "\(distance.text); median of all sessions together \(pooled); AIC \(FitText.number(4 - 2 * lognormal, digits: 0)), gamma \(FitText.number(4 - 2 * gamma.logLikelihood, digits: 0))"
    }
}

/// The lognormal of one person's sessions, where the shortest may be only as short as the clock or a limit can tell.
///
/// If several lengths are exactly the shortest one, they stand for lengths up to it: they are censored there.
struct SessionFit {
    /// Of the logarithms.
    let mean, deviation: Double
    let errorOfMean: Double

    /// - Parameter logs: natural logarithms of seconds, two or more.
    init(_ logs: [Double]) {
        precondition(logs.count > 1, "\(logs.count) sessions")
        let least = logs.min()!
        let atLeast = logs.count { $0 == least }
        let isCensored = atLeast >= 2 && atLeast < logs.count - 1 && Double(atLeast) > 0.001 * Double(logs.count)
        let free = isCensored ? logs.filter { $0 != least } : logs
        let count = Double(free.count)
        let middle = free.reduce(0, +) / count
        let square = free.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
        let start = max(1e-3, (square / max(1, count - 1)).squareRoot())
        if !isCensored {
            (mean, deviation) = (middle, start)
            errorOfMean = start * start / Double(logs.count)
            return
        }
        let minimum = Minimum(
            of: { point in
                let spread = DeterministicMath.exp(min(4, max(-8, point[1])))
                let shift = middle - point[0]
                return count * DeterministicMath.log(spread) + (square + count * shift * shift) / (2 * spread * spread)
                    - Double(atLeast) * SpecialFunctions.logNormalBelow((least - point[0]) / spread)
            }, from: [middle, DeterministicMath.log(start)], steps: [0.1, 0.1])
        mean = minimum.point[0]
        deviation = DeterministicMath.exp(minimum.point[1])
        errorOfMean = deviation * deviation / Double(logs.count)
    }
}

/// A gamma law of exact values, by maximum likelihood, from their count, sum and sum of logarithms.
struct GammaFit {
    let shape, mean: Double
    let logLikelihood: Double

    init(count: Double, sum: Double, sumOfLogs: Double) {
        precondition(count > 0 && sum > 0, "a gamma law of nothing")
        let mean = sum / count
        func value(_ shape: Double) -> Double {
            count * (shape * DeterministicMath.log(shape / mean) - SpecialFunctions.logGamma(shape)) + (shape - 1) * sumOfLogs - shape
                * count
        }
        // Minka's start, from the difference of the two means.
        let distance = max(1e-9, DeterministicMath.log(mean) - sumOfLogs / count)
        let start = (3 - distance + ((distance - 3) * (distance - 3) + 24 * distance).squareRoot()) / (12 * distance)
        let minimum = Minimum(
            of: { -value(DeterministicMath.exp(min(20, max(-10, $0[0])))) / count }, from: [DeterministicMath.log(start)], steps: [0.1],
            size: 1e-7)
        shape = DeterministicMath.exp(minimum.point[0])
        self.mean = mean
        logLikelihood = value(shape)
    }
}
