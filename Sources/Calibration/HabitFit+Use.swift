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
