import Basics
import Statistics

/// From unlock to lock.
extension HabitFit {
    mutating func fitSessions(_ factors: [Double]) {
        let (key, spreadKey, correlationKey) = (
            "pickups.session_length", "pickups.session_spread", "pickups.session_correlation"
        )
        let fits = people.map { $0.sessions.count >= 10 ? SessionFit($0.sessions.map { Double($0.log) }) : nil }
        let present = people.indices.filter { fits[$0] != nil }
        let sessions = present.reduce(0) { $0 + people[$1].sessions.count }
        guard !present.isEmpty else {
            return omit(key, spreadKey, correlationKey, because: "nobody has ten sessions with a known end")
        }
        // Within people: the variances of their own logarithms, each session alike.
        let freedom = present.reduce(0) { $0 + Double(people[$1].sessions.count - 1) }
        let within =
            present.reduce(0) { $0 + Double(people[$1].sessions.count - 1) * fits[$1]!.deviation * fits[$1]!.deviation }
            / freedom
        let shape = sessionShape(present, fits, deviation: within.squareRoot())
        // The longest and the shortest, had everybody the same typical session: a scenario clips before it scales a
        // person's sessions.
        let typical = present.reduce(0) { $0 + fits[$1]!.mean } / Double(present.count)
        let longest =
            DeterministicMath.exp(
                typical
                    + (present.map { Double(people[$0].sessions.lazy.map(\.log).max() ?? 0) - fits[$0]!.mean }.max()
                        ?? 0)) / 3_600
        let shortest = DeterministicMath.exp(
            typical
                + (present.map { Double(people[$0].sessions.lazy.map(\.log).min() ?? 0) - fits[$0]!.mean }.min() ?? 0))
        let least = Int64((min(1, shortest) * 1_000).rounded())
        let clip = "[\(TimeText.duration(.milliseconds(max(1, least)))), \(max(4, Int(longest.rounded(.up))))h]"

        guard hasManyPeople, present.count >= Self.fewestPeople else {
            let median = DeterministicMath.exp(typical) / 3_600
            let reach = Likelihood.reach(degrees: sessions - 1) * (within / Double(sessions)).squareRoot()
            let spread = Likelihood.reach(degrees: sessions - 1) * (within / Double(2 * sessions)).squareRoot()
            add(
                "\(key).median", median,
                (median * DeterministicMath.exp(-reach), median * DeterministicMath.exp(reach)), unit: .duration,
                count: sessions, of: "sessions", method: "ML", quality: shape)
            add(
                "\(key).sigma", within.squareRoot(), (within.squareRoot() - spread, within.squareRoot() + spread),
                count: sessions,
                of: "sessions", method: "ML")
            omit(spreadKey, correlationKey, because: tooFewPeople)
            notes.append(
                "\(key): the spread is that within a person, not that over the sessions of all people; use it with `session_spread: 0`"
            )
            state(
                key,
                "{median: \(FitText.duration(hours: median)), sigma: \(FitText.number(within.squareRoot())), clip: \(clip)}"
            )
            return
        }

        let between = NormalOverPeople(present.map { fits[$0]!.mean }, errors: present.map { fits[$0]!.errorOfMean })
        let sigma = (within + between.spread * between.spread).squareRoot()
        // Over the sessions of all people, to which frequent users add more; the interval is that of people, who are
        // drawn as a whole.
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
            "\(key).median", median, (median * DeterministicMath.exp(-half), median * DeterministicMath.exp(half)),
            unit: .duration,
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
        state(key, "{median: \(FitText.duration(hours: median)), sigma: \(FitText.number(sigma)), clip: \(clip)}")
        state(spreadKey, FitText.number(bounded(between.spread, 0...3, spreadKey)))
        fitSessionCorrelation(correlationKey, present, fits, factors)
    }

    /// The standard error of the mean of some values.
    private func variation(of values: [Double]) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count * max(1, count - 1))).squareRoot()
    }

    private mutating func fitSessionCorrelation(
        _ key: String, _ present: [Int], _ fits: [SessionFit?], _ factors: [Double]
    ) {
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
            let result = correlation(
                lengths, lengthErrors, logs, errors, shared: [Double](repeating: 0, count: people.count), of: weights)
        else { return omit(key, because: "too few people have both sessions and whole days, or they are all alike") }
        tell(key, result.value, result.interval, within: -1...1, count: known.count, of: "people")
    }

    /// How well the lognormal fits, each person's typical session taken out: against the normal distribution, and
    /// against a gamma distribution's likelihood.
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
        if gamma.logLikelihood > lognormal {
            notes.append("pickups.session_length: a gamma distribution would fit better than a lognormal")
        }
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
    /// Mean and standard deviation of the logarithms.
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

/// A gamma distribution of exact values, by maximum likelihood, from their count, sum and sum of logarithms.
struct GammaFit {
    let shape, mean, logLikelihood: Double

    init(count: Double, sum: Double, sumOfLogs: Double) {
        precondition(count > 0 && sum > 0, "a gamma distribution of nothing")
        let mean = sum / count
        func value(_ shape: Double) -> Double {
            count * (shape * DeterministicMath.log(shape / mean) - SpecialFunctions.logGamma(shape)) + (shape - 1)
                * sumOfLogs - shape
                * count
        }
        // Minka's start, from the difference of the two means.
        let distance = max(1e-9, DeterministicMath.log(mean) - sumOfLogs / count)
        let start = (3 - distance + ((distance - 3) * (distance - 3) + 24 * distance).squareRoot()) / (12 * distance)
        let minimum = Minimum(
            of: { -value(DeterministicMath.exp(min(20, max(-10, $0[0])))) / count },
            from: [DeterministicMath.log(start)], steps: [0.1],
            size: 1e-7)
        shape = DeterministicMath.exp(minimum.point[0])
        self.mean = mean
        logLikelihood = value(shape)
    }
}
