import Basics
import Statistics

/// Over the waking day, from lock to unlock, and looks without an unlock.
extension HabitFit {
    // MARK: The waking day

    /// How the levels of a day's sixteenths hang together, and how high the first one is.
    mutating func fitRhythm() {
        let (hourKey, firstKey) = ("pickups.hour_correlation", "pickups.first_sixteenth")
        // A person's counts are taken over what an average sixteenth of theirs has, so that everybody's day counts
        // alike.
        let scales = people.map { $0.meanUnlocks / 16 }
        var counts = Array(repeating: zeros, count: 16)
        var unitDays = zeros
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
            return omit(
                hourKey, firstKey, because: "only \(count) whole waking days with unlocks; at least 10 are needed")
        }
        let whole = units.indices.map { unit in counts.reduce(0) { $0 + $1[unit] } / 16 }
        if let first = ratio(.positive, counts[0], whole) {
            tell(
                firstKey, first.value, first.interval, within: 0.1...10, count: count, of: "person-days",
                quality: inferred)
        }

        // Products of the counts of two sixteenths, each over its own share of the day: 1 where they know nothing of
        // each other. The day's level is in all of them, and sixteenths far apart have nothing else in common. The
        // first sixteenth is left out.
        let shares = sums.map { $0 * 16 / total }
        guard shares.dropFirst().allSatisfy({ $0 > 0.02 }) else {
            return omit(hourKey, because: "hardly any unlocks in some sixteenth of the waking day")
        }
        var products = Array(repeating: zeros, count: 3)
        var pairs = 0
        for (index, unit) in units.enumerated() where scales[unit.person] > 0.05 {
            for day in days(of: unit) {
                let levels = (0..<16).map { Double(day.parts[$0]) / (scales[unit.person] * shares[$0]) }
                func mean(_ lags: ClosedRange<Int>) -> Double {
                    var (sum, number) = (0.0, 0.0)
                    for lag in lags {
                        for part in 1..<(16 - lag) {
                            (sum, number) = (sum + levels[part] * levels[part + lag], number + 1)
                        }
                    }
                    return sum / number
                }
                pairs += 14
                products[0][index] += mean(1...1)
                products[1][index] += mean(2...2)
                products[2][index] += mean(6...10)
            }
        }
        let result = resampling.estimate(.plain) { weights in
            let (near, next, far) = (
                Self.sum(products[0], weights), Self.sum(products[1], weights), Self.sum(products[2], weights)
            )
            // The covariances at one and two steps: their ratio is the correlation of levels that carry over from one
            // to the next.
            return near > far && far > 0 ? (next - far) / (near - far) : nil
        }
        guard let result, let interval = result.interval, interval.high - interval.low < 1.5 else {
            return omit(
                hourKey, because: "the levels of a day's parts cannot be told from chance in \(count) person-days")
        }
        tell(
            hourKey, result.value, interval, within: 0...0.95, count: pairs, of: "pairs of sixteenths",
            quality: inferred)
    }

    // MARK: Gaps

    mutating func fitGaps() {
        let key = "pickups.burstiness"
        // Few people: each gap over its person's mean. Many: each person's own figure, so that frequent users do not
        // make the result.
        let moments = people.map { person -> (mean: Double, burstiness: Double, logSpread: Double)? in
            guard person.gaps.count >= 30 else { return nil }
            let count = Double(person.gaps.count)
            let mean = person.gaps.reduce(0) { $0 + Double($1.seconds) } / count
            let square =
                person.gaps.reduce(0) { $0 + (Double($1.seconds) - mean) * (Double($1.seconds) - mean) } / (count - 1)
            let logs = person.gaps.map { DeterministicMath.log(max(0.001, Double($0.seconds))) }
            let logMean = logs.reduce(0, +) / count
            let logSquare = logs.reduce(0) { $0 + ($1 - logMean) * ($1 - logMean) } / (count - 1)
            let deviation = square.squareRoot()
            return (mean, (deviation - mean) / (deviation + mean), logSquare.squareRoot())
        }
        let gaps = zip(people, moments).reduce(0) { $0 + ($1.1 == nil ? 0 : $1.0.gaps.count) }
        guard gaps > 0 else {
            return omit(key, because: "nobody has 30 gaps from a lock to an unlock of one waking day")
        }
        let result: Resampling.Result?
        if hasManyPeople {
            let values = moments.map { $0?.burstiness ?? 0 }
            result = ratio(.plain, values, moments.map { $0 == nil ? 0 : 1 })
        } else {
            var sums = Array(repeating: zeros, count: 3)
            for (index, unit) in units.enumerated() {
                guard let own = moments[unit.person] else { continue }
                for gap in people[unit.person].gaps where Int(gap.week) == unit.week {
                    let level = Double(gap.seconds) / own.mean
                    sums[0][index] += 1
                    sums[1][index] += level
                    sums[2][index] += level * level
                }
            }
            result = resampling.estimate(.plain) { weights in
                let (count, sum, square) = (
                    Self.sum(sums[0], weights), Self.sum(sums[1], weights), Self.sum(sums[2], weights)
                )
                guard count > 1, sum > 0 else { return nil }
                let mean = sum / count
                let deviation = max(0, square / count - mean * mean).squareRoot()
                return (deviation - mean) / (deviation + mean)
            }
        }
        guard let result else { return omit(key, because: "the gaps are all alike") }
        let spreads = moments.compactMap { $0?.logSpread }.sorted()
        tell(
            key, result.value, result.interval, within: -0.5...0.9, count: gaps, of: "gaps",
            quality: "σ of the gaps' logarithm, median over people: \(FitText.number(spreads[spreads.count / 2]))")
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
        guard glances > 0 else {
            return omit(key, because: "the record has no glance: nobody glances, or it does not note them")
        }
        guard let result = ratio(.positive, values(\.glancesOfWeek), values(\.unlocksOfWeek)) else { return }
        tell(
            key, result.value, result.interval, within: 0...100, digits: nil, count: unlockCount, of: "unlocks")
    }
}

/// How often people unlock their phones: over people, from day to day, by weekday.
extension HabitFit {
    // MARK: Weekdays

    /// The factors of Monday to Sunday, with the mean 1; all 1 if the record cannot tell them.
    mutating func fitWeekdays() -> [Double] {
        let even = Array(repeating: 1.0, count: 7)
        let key = "pickups.weekday_factors"
        let counts = people.reduce(into: [Int](repeating: 0, count: 7)) { counts, person in
            for day in person.days { counts[day.date.weekday] += 1 }
        }
        guard counts.min()! >= 2, dayCount >= 14 else {
            omit(key, because: "a weekday has fewer than two whole days in the record")
            return even
        }
        let statistic = { (weekday: Int, sums: [[Double]], weights: [UInt8]) -> Double? in
            // Each person-day counts alike, over what the person has on an average day.
            let means = (0..<7).map { Self.sum(sums[$0], weights) / max(1e-9, Self.sum(sums[7 + $0], weights)) }
            let total = means.reduce(0, +)
            return total > 0 ? 7 * means[weekday] / total : nil
        }
        var factors = even
        var results: [Resampling.Result?] = []
        // A person's mean depends on which weekdays they have, and those on the factors.
        for round in 0..<3 {
            var sums = Array(repeating: zeros, count: 14)
            for (index, unit) in units.enumerated() {
                let mean = levelled(people[unit.person], factors)
                guard mean > 0 else { continue }
                for day in days(of: unit) {
                    sums[day.date.weekday][index] += Double(day.unlocks) / mean
                    sums[7 + day.date.weekday][index] += 1
                }
            }
            if round < 2 {
                factors = (0..<7).map { statistic($0, sums, [UInt8](repeating: 1, count: units.count)) ?? 1 }
            } else {
                results = (0..<7).map { weekday in resampling.estimate(.plain) { statistic(weekday, sums, $0) } }
                factors = results.map { $0?.value ?? 1 }
            }
        }
        for (weekday, name) in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            .enumerated()
        {
            add(
                "\(key).\(name)", factors[weekday], results[weekday]?.interval, count: counts[weekday],
                of: "person-days", method: "moments"
            )
        }
        state(key, "[" + factors.map { FitText.number(min(10, $0), digits: 3) }.joined(separator: ", ") + "]")
        return factors
    }

    /// A person's mean unlocks a day, had they every weekday alike.
    func levelled(_ person: PersonSummary, _ factors: [Double]) -> Double {
        let expected = person.days.reduce(0) { $0 + factors[$1.date.weekday] }
        return expected > 0 ? Double(person.days.reduce(0) { $0 + $1.unlocks }) / expected : 0
    }

    /// The k of an ordinary person: the median of the default of `pickups.daily_k` (D3).
    static let ordinaryShape = 14.5

    /// The variance of that mean by chance: of the days' own variance, or of that of an ordinary person where there are
    /// few days.
    func errorOfMean(_ person: PersonSummary) -> Double {
        let count = Double(person.days.count)
        let mean = person.meanUnlocks
        guard count > 0 else { return 0 }
        let ordinary = mean + mean * mean / Self.ordinaryShape
        guard count >= 8 else { return ordinary / count }
        let variance =
            person.days.reduce(0) { $0 + (Double($1.unlocks) - mean) * (Double($1.unlocks) - mean) } / (count - 1)
        return max(variance, 0.1 * ordinary) / count
    }

    /// How people's own weekdays differ: the variance between a person's weekdays, less what their days vary by
    /// themselves.
    mutating func fitWeekdaySpread(_ factors: [Double]) {
        let key = "pickups.weekday_spread"
        guard hasManyPeople else { return omit(key, because: tooFewPeople) }
        var excess = zeros
        var weight = excess
        var told = 0
        for (index, unit) in units.enumerated() {
            let mean = levelled(people[unit.person], factors)
            guard mean > 0 else { continue }
            var (counts, sums, squares) = (Array(repeating: 0.0, count: 7), Array(repeating: 0.0, count: 7), 0.0)
            for day in days(of: unit) where factors[day.date.weekday] > 0 {
                let level = Double(day.unlocks) / (mean * factors[day.date.weekday])
                counts[day.date.weekday] += 1
                sums[day.date.weekday] += level
                squares += level * level
            }
            guard counts.min()! >= 2 else { continue }
            let (count, sum) = (counts.reduce(0, +), sums.reduce(0, +))
            let ofWeekdays = (0..<7).reduce(0) { $0 + sums[$1] * sums[$1] / counts[$1] }
            let between = (ofWeekdays - sum * sum / count) / 6
            let within = (squares - ofWeekdays) / (count - 7)
            excess[index] = between - within
            weight[index] = (count - counts.reduce(0) { $0 + $1 * $1 } / count) / 6
            told += 1
        }
        guard told >= Self.fewestPeople, let result = ratio(.plain, excess, weight) else {
            return omit(
                key, because: "only \(told) people have every weekday twice; at least \(Self.fewestPeople) are needed")
        }
        func spread(_ variance: Double) -> Double { max(0, variance).squareRoot() }
        let interval = result.interval.map { (low: spread($0.low), high: spread($0.high)) }
        tell(key, spread(result.value), interval, within: 0...0.5, count: told, of: "people")
    }

    // MARK: Unlocks over people

    mutating func fitUnlocks(_ factors: [Double]) {
        let key = "pickups.unlocks_per_day"
        guard hasManyPeople else { return omit(key, because: tooFewPeople) }
        let sample = people.filter { !$0.days.isEmpty && $0.meanUnlocks > 0 }.map {
            (mean: levelled($0, factors), error: errorOfMean($0))
        }
        guard sample.count >= Self.fewestPeople else {
            return omit(
                key,
                because:
                    "only \(sample.count) people have a whole waking day with an unlock; at least \(Self.fewestPeople) are needed"
            )
        }
        let gamma = GammaOverPeople(sample.map(\.mean), errors: sample.map(\.error))
        let rival = NormalOverPeople(
            sample.map { DeterministicMath.log($0.mean) },
            errors: sample.map { min(0.5, $0.error / ($0.mean * $0.mean)) })
        let rivalAIC = Self.lognormalAIC(sample, mean: rival.mean, spread: rival.spread)
        let distance = Distance(
            sample.map { SpecialFunctions.gammaBelow($0.mean, shape: gamma.shape, mean: gamma.mean) })
        let quality =
            (distance?.text ?? "")
            + "; AIC \(FitText.number(gamma.aic, digits: 1)), lognormal \(FitText.number(rivalAIC, digits: 1))"
        // The record may have those unlocks alone that show the widgets' page.
        let scale = 1 / (widgets?.shownShare ?? 1)
        add(
            "\(key).shape", gamma.shape, gamma.shapeInterval, count: sample.count, of: "people", method: "ML",
            quality: quality)
        add(
            "\(key).mean", gamma.mean * scale, gamma.meanInterval.map { ($0.low * scale, $0.high * scale) },
            count: sample.count, of: "people", method: "ML")
        if distance?.isBad == true { notes.append("\(key): a gamma distribution fits badly (\(distance!.text))") }
        if rivalAIC < gamma.aic - 6 {
            notes.append(
                "\(key): a lognormal would fit better, by \(FitText.number(gamma.aic - rivalAIC, digits: 1)) of AIC")
        }
        let least = min(8, ((sample.map(\.mean).min() ?? 8) * scale).rounded(.down))
        let most = max(300, ((sample.map(\.mean).max() ?? 300) * scale).rounded(.up))
        let shape = bounded(gamma.shape, 0.2...1_000, "\(key).shape")
        state(
            key,
            "{shape: \(FitText.number(shape)), mean: \(FitText.number(gamma.mean * scale)), clip: [\(FitText.number(least, digits: 0)), \(FitText.number(most, digits: 0))]}"
        )
    }

    /// Akaike's criterion of the same values with the same errors, under a lognormal distribution.
    private static func lognormalAIC(_ sample: [(mean: Double, error: Double)], mean: Double, spread: Double) -> Double
    {
        let fit = Likelihood(
            sample.map(\.mean), errors: sample.map(\.error), start: [mean, DeterministicMath.log(max(spread, 0.01))]
        ) {
            (u, point) in
            let deviation = DeterministicMath.exp(point[1])
            let score = (DeterministicMath.log(u) - point[0]) / deviation
            return -0.5 * score * score - DeterministicMath.log(deviation * u) - 0.9189385332046727
        }
        return fit.aic
    }

    // MARK: Daily counts

    mutating func fitDailyShape() {
        let key = "pickups.daily_k"
        let sample = people.filter { $0.days.count >= 5 && $0.meanUnlocks >= 1 }.map { $0.days.map(\.unlocks) }
        guard !sample.isEmpty else {
            return omit(key, because: "nobody has five whole waking days with an unlock a day")
        }
        let profiles = sample.map(DailyShapeProfile.init)
        let days = sample.reduce(0) { $0 + $1.count }
        let poisson = profiles.reduce(0) { $0 + $1.gainOverPoisson }
        let quality = "log-likelihood \(FitText.number(poisson, digits: 1)) above Poisson's"
        if sample.count < Self.fewestPeople {
            let fit = DailyShapeProfile.common(profiles)
            add(
                key, fit.k, fit.interval, count: days, of: "person-days", method: "ML",
                quality: quality + "; one k for all, not a distribution over people")
            state(key, FitText.number(boundedShape(fit.k, key)))
            return
        }
        let fit = DailyShapeOverPeople(profiles)
        add(
            "\(key).median", fit.median, fit.medianInterval, count: sample.count, of: "people", method: "ML",
            quality: quality)
        add("\(key).sigma", fit.sigma, fit.sigmaInterval, count: sample.count, of: "people", method: "ML")
        if fit.isSigmaLeast {
            notes.append(
                "\(key).sigma: people differ by no more than \(FitText.number(fit.sigma)), the smallest value in the search"
            )
        }
        if poisson < 4 { notes.append("\(key): the days vary hardly more than by chance; any large k fits") }
        let median = boundedShape(fit.median, "\(key).median")
        // A clip at or above the median would make k one number for everybody.
        let least = FitText.number(min(1, median / 10))
        state(key, "{median: \(FitText.number(median)), sigma: \(FitText.number(fit.sigma)), clip: [\(least), 10000]}")
    }

    /// k where it is looked for; a note says if it lies at the end of that, or beyond.
    private mutating func boundedShape(_ k: Double, _ key: String) -> Double {
        let range = DailyShapeProfile.leastK...10_000
        let limit =
            "the range of the search for k, \(FitText.number(range.lowerBound)) to \(FitText.number(range.upperBound))"
        if k == range.lowerBound || k == range.upperBound { notes.append("\(key) is fitted at the end of \(limit)") }
        return bounded(k, range, key, limit: limit)
    }

    // MARK: From day to day

    mutating func fitDayCorrelation(_ factors: [Double]) {
        let key = "pickups.day_correlation"
        func levels(_ days: [PersonSummary.Day]) -> [(date: Int64, value: Double)] {
            days.map {
                (
                    $0.date.dayNumber,
                    DeterministicMath.log(max(0.5, Double($0.unlocks)) / max(0.05, factors[$0.date.weekday]))
                )
            }
        }
        // Half the mean square of the difference of two days: near ones against far ones. A mean is not taken, so short
        // records are not biased.
        var near = zeros
        var far = near
        var weight = near
        var pairs = 0
        for (index, unit) in units.enumerated() {
            // Within a week there are no far pairs: the person's other weeks have them.
            let (own, all) = (levels(days(of: unit)), levels(people[unit.person].days))
            let (first, second) = (Variogram(own, all, lags: 1...1), Variogram(own, all, lags: 6...20))
            guard first.pairs > 0, second.pairs > 0 else { continue }
            pairs += first.pairs
            weight[index] = Double(first.pairs)
            near[index] = first.mean * weight[index]
            far[index] = second.mean * weight[index]
        }
        guard pairs >= 10, let result = ratio(.plain, near, far) else {
            return omit(
                key,
                because:
                    "too few days follow each other: \(pairs) pairs with days a week or more apart; at least 10 are needed"
            )
        }
        let interval = result.interval.map { (low: 1 - $0.high, high: 1 - $0.low) }
        tell(key, 1 - result.value, interval, within: -0.9...0.9, count: pairs, of: "pairs of days")
    }
}

/// Half the mean square of the differences of a series over some lags: the variance less the covariance at that lag.
struct Variogram {
    private(set) var pairs = 0
    private var sum = 0.0

    var mean: Double { pairs == 0 ? 0 : sum / Double(pairs) }

    /// - Parameter later: what the series is compared with, in order; the series itself, or one that holds it.
    init(_ series: [(date: Int64, value: Double)], _ later: [(date: Int64, value: Double)], lags: ClosedRange<Int64>) {
        var from = 0
        for (date, value) in series {
            while from < later.count, later[from].date < date + lags.lowerBound { from += 1 }
            var at = from
            while at < later.count, later[at].date <= date + lags.upperBound {
                let difference = later[at].value - value
                sum += difference * difference / 2
                pairs += 1
                at += 1
            }
        }
    }
}
