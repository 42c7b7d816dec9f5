import Basics
import Statistics

/// How people's nights vary round their usual times.
extension HabitFit {
    /// A person's nights round their usual times.
    struct Deviations {
        /// Onsets and wake-ups of one kind of day, hours.
        var onset: [(date: Int64, value: Double)] = []
        var wake: [(date: Int64, value: Double)] = []
        var freedom = 0
        var onsetVariance = 0.0
        var wakeVariance = 0.0
        var covariance = 0.0

        init(_ nights: [PersonSummary.Night]) {
            for isWorkday in [true, false] {
                let kind = nights.filter { $0.isBeforeWorkday == isWorkday }
                let usual = MeanNight(kind)
                freedom += max(0, kind.count - 1)
                for night in kind {
                    let (a, b) = (night.onset - usual.onset, night.wake - usual.wake)
                    onset.append((night.date.dayNumber, a))
                    wake.append((night.date.dayNumber, b))
                    onsetVariance += a * a
                    wakeVariance += b * b
                    covariance += a * b
                }
            }
            onset.sort { $0.date < $1.date }
            wake.sort { $0.date < $1.date }
            let count = Double(max(1, freedom))
            (onsetVariance, wakeVariance, covariance) = (
                onsetVariance / count, wakeVariance / count, covariance / count
            )
        }
    }

    mutating func fitNights() {
        let deviations = people.map { Deviations($0.nights) }
        let present = deviations.indices.filter { deviations[$0].freedom >= 8 }
        let nights = present.reduce(0) { $0 + deviations[$1].onset.count }
        let (onsetKey, wakeKey) = ("sleep.nights.onset_sd", "sleep.nights.wake_sd")
        guard !present.isEmpty else {
            return omit(
                onsetKey, wakeKey, "sleep.nights.onset_wake", "sleep.nights.carry_over",
                because: "nobody has ten nights")
        }
        for (key, series, variance) in [
            (onsetKey, \Deviations.onset, \Deviations.onsetVariance),
            (wakeKey, \Deviations.wake, \Deviations.wakeVariance),
        ] {
            if present.count < Self.fewestPeople {
                let pooled =
                    present.reduce(0) { $0 + deviations[$1][keyPath: variance] * Double(deviations[$1].freedom) }
                    / present.reduce(0) { $0 + Double(deviations[$1].freedom) }
                let spread = pooled.squareRoot()
                let reach = Likelihood.reach(degrees: nights - 1) / Double(nights).squareRoot()
                add(
                    key, spread,
                    widened((spread * DeterministicMath.exp(-reach), spread * DeterministicMath.exp(reach))),
                    unit: .duration,
                    count: nights,
                    of: "nights", method: "moments", quality: "one value for all, not a distribution over people")
                state(key, FitText.duration(hours: min(6, spread)))
                continue
            }
            // How far chance moves the logarithm of a person's spread: told by two halves of their nights, in turns of
            // a week.
            var (halves, pairs) = (0.0, 0.0)
            for index in present {
                let own = deviations[index][keyPath: series]
                let first = own.filter { $0.date / 7 % 2 == 0 }.map(\.value)
                let second = own.filter { $0.date / 7 % 2 != 0 }.map(\.value)
                guard first.count >= 4, second.count >= 4 else { continue }
                func log(_ part: [Double]) -> Double {
                    DeterministicMath.log(max(1e-4, part.reduce(0) { $0 + $1 * $1 } / Double(part.count))) / 2
                }
                let difference = log(first) - log(second)
                // Scaled to one night: the halves have these numbers of nights.
                halves += difference * difference / (1 / Double(first.count) + 1 / Double(second.count))
                pairs += 1
            }
            let unit = pairs > 0 ? halves / pairs : 1.1
            let errors = present.map { unit / Double(deviations[$0].freedom) }
            let logs = zip(present, errors).map {
                DeterministicMath.log(max(1e-3, deviations[$0][keyPath: variance].squareRoot())) + $1
            }
            let spreads = NormalOverPeople(logs, errors: errors)
            let median = DeterministicMath.exp(spreads.mean)
            add(
                "\(key).median", median,
                widened(spreads.meanInterval.map { (DeterministicMath.exp($0.low), DeterministicMath.exp($0.high)) }),
                unit: .duration,
                count: present.count, of: "people", method: "ML", quality: inference)
            add(
                "\(key).sigma", spreads.spread, widened(spreads.spreadInterval).map { (max(0, $0.low), $0.high) },
                count: present.count,
                of: "people", method: "ML",
                quality: inference)
            state(
                key,
                "{median: \(FitText.duration(hours: median)), sigma: \(FitText.number(spreads.spread)), clip: [0s, 6h]}"
            )
        }
        fitNightCorrelations(deviations, present, nights)
    }

    private mutating func fitNightCorrelations(_ deviations: [Deviations], _ present: [Int], _ nights: Int) {
        // In units of the person's own spread, so that restless people do not make the result.
        var (both, onsets, wakes) = (
            zeros, zeros,
            zeros
        )
        var (near, far) = (onsets, onsets)
        var pairs = 0
        let kinds = people.map { person in
            Dictionary(
                person.nights.map { ($0.date.dayNumber, $0.isBeforeWorkday) }, uniquingKeysWith: { first, _ in first })
        }
        let isPresent = Set(present)
        for (index, unit) in units.enumerated() where isPresent.contains(unit.person) {
            let own = deviations[unit.person]
            guard own.onsetVariance > 1e-6, own.wakeVariance > 1e-6 else { continue }
            let week = unit.week
            func scaled(_ series: [(date: Int64, value: Double)], _ variance: Double, all: Bool) -> [(
                date: Int64, value: Double
            )] {
                series.filter {
                    all || week == nil || people[unit.person].week(of: CivilDate(dayNumber: $0.date)) == week
                }
                .map { ($0.date, $0.value / variance.squareRoot()) }
            }
            for (a, b) in zip(
                scaled(own.onset, own.onsetVariance, all: false), scaled(own.wake, own.wakeVariance, all: false))
            {
                both[index] += a.value * b.value
                onsets[index] += a.value * a.value
                wakes[index] += b.value * b.value
            }
            var (nearPairs, farPairs, nearSum, farSum) = (0, 0, 0.0, 0.0)
            for (series, variance) in [(own.onset, own.onsetVariance), (own.wake, own.wakeVariance)] {
                // Nights of one kind: the usual times of the two kinds are each measured with an error of their own.
                for kind in [true, false] {
                    let some = scaled(series, variance, all: false).filter { kinds[unit.person][$0.date] == kind }
                    let all = scaled(series, variance, all: true).filter { kinds[unit.person][$0.date] == kind }
                    let (first, second) = (Variogram(some, all, lags: 1...1), Variogram(some, all, lags: 6...22))
                    nearPairs += first.pairs
                    farPairs += second.pairs
                    nearSum += first.mean * Double(first.pairs)
                    farSum += second.mean * Double(second.pairs)
                }
            }
            guard nearPairs > 0, farPairs > 0 else { continue }
            pairs += nearPairs / 2
            near[index] = nearSum
            far[index] = farSum / Double(farPairs) * Double(nearPairs)
        }
        let link = resampling.estimate(.correlation) { weights in
            let (a, b) = (Self.sum(onsets, weights), Self.sum(wakes, weights))
            return a > 0 && b > 0 ? Self.sum(both, weights) / (a * b).squareRoot() : nil
        }
        if let link, nights >= 10 {
            let key = "sleep.nights.onset_wake"
            add(
                key, link.value, widened(link.interval), count: nights, of: "nights", method: "moments",
                quality: inference)
            state(key, FitText.number(link.value, digits: 3))
        } else {
            omit("sleep.nights.onset_wake", because: "too few nights differ from the usual ones")
        }
        guard pairs >= 20, let result = ratio(.plain, near, far) else {
            return omit(
                "sleep.nights.carry_over",
                because: "too few nights follow each other: \(pairs) pairs; at least 20 are needed")
        }
        tell(
            "sleep.nights.carry_over", 1 - result.value, widened(result.interval.map { (1 - $0.high, 1 - $0.low) }),
            within: -0.9...0.9, count: pairs, of: "pairs of nights", quality: inference)
    }
}
