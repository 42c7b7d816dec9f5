import Basics
import People
import Statistics

/// When people usually sleep.
extension HabitFit {
    /// A person's nights of one kind of day, summed up.
    struct MeanNight {
        var count = 0
        var onset = 0.0
        var wake = 0.0

        init(_ nights: [PersonSummary.Night]) {
            count = nights.count
            guard count > 0 else { return }
            onset = nights.reduce(0) { $0 + $1.onset } / Double(count)
            wake = nights.reduce(0) { $0 + $1.wake } / Double(count)
        }
    }

    /// Whether a person sleeps by day before workdays: the middle of their usual sleep lies at 10:00 or later.
    private static func isDaySleeper(_ person: PersonSummary) -> Bool {
        let middles = person.nights.filter(\.isBeforeWorkday).map { ($0.onset + $0.wake) / 2 }.sorted()
        return !middles.isEmpty && middles[middles.count / 2] >= 10
    }

    private var isInferred: Bool { inferredSleepers > 0 }

    /// How long before the inferred onset, and after the inferred wake-up, the phone is not in use anyway: the mean gap
    /// awake, hours.
    private var residual: Double {
        let means = people.filter { $0.isSleepInferred && !$0.gaps.isEmpty }
            .map { person in person.gaps.reduce(0) { $0 + Double($1.seconds) } / Double(person.gaps.count) / 3_600 }
        return means.isEmpty ? 0 : means.reduce(0, +) / Double(people.count)
    }

    func widened(_ interval: (low: Double, high: Double)?, by reach: Double = 0) -> (low: Double, high: Double)? {
        guard isInferred, let interval else { return interval }
        let quarter = (interval.high - interval.low) / 4
        return (interval.low - quarter - reach, interval.high + quarter + reach)
    }

    var inference: String { isInferred ? "nights inferred, interval widened" : "" }

    mutating func fitUsualSleep() {
        if isInferred {
            notes.append(
                "sleep: the nights of \(FigureText.grouped(inferredSleepers)) of \(FigureText.grouped(people.count)) people are inferred, from the longest time without an unlock between 18:00 and 14:00; "
                    + "usual times are moved by the mean gap awake (\(FitText.duration(hours: residual))), and intervals are widened by half of it and by half of themselves"
            )
        }
        guard hasManyPeople else {
            return omit("sleep.workday", "sleep.free_day", "sleep.correlations", because: tooFewPeople)
        }
        let sleepers = people.map(Self.isDaySleeper)
        fitDaySleepers(sleepers)

        var deviations = people.map { Deviations($0.nights) }
        for index in deviations.indices where deviations[index].freedom < 2 { deviations[index].freedom = 0 }
        let known = deviations.indices.filter { deviations[$0].freedom >= 2 }
        guard !known.isEmpty else {
            return omit(
                "sleep.workday", "sleep.free_day", "sleep.correlations", because: "nobody has three nights of one kind")
        }
        // A person with few nights has the ordinary person's variance.
        func mean(_ value: (Deviations) -> Double) -> Double {
            known.reduce(0) { $0 + value(deviations[$1]) } / Double(known.count)
        }
        let ordinary = (onset: mean(\.onsetVariance), wake: mean(\.wakeVariance), both: mean(\.covariance))
        func variances(_ index: Int) -> (onset: Double, wake: Double, both: Double) {
            let own = deviations[index]
            return own.freedom >= 8 ? (own.onsetVariance, own.wakeVariance, own.covariance) : ordinary
        }

        var usual: [String: [MeanNight?]] = [:]
        for (name, isWorkday) in [("workday", true), ("free_day", false)] {
            let times = people.indices.map { index -> MeanNight? in
                let nights = people[index].nights.filter { $0.isBeforeWorkday == isWorkday }
                return nights.count < 2 || sleepers[index] ? nil : MeanNight(nights)
            }
            usual[name] = times
            let present = times.indices.filter { times[$0] != nil }
            guard present.count >= Self.fewestPeople else {
                omit(
                    "sleep.\(name)",
                    because:
                        "only \(FigureText.counted(present.count, "person has", "people have")) two such nights; at least \(Self.fewestPeople) are needed"
                )
                continue
            }
            fitUsualTimes(name, times, present) { variances($0) }
        }
        fitUsualCorrelations(usual) { variances($0) }
    }

    /// The share of people who sleep by day, of those with nights before workdays.
    private mutating func fitDaySleepers(_ sleepers: [Bool]) {
        let withNights = people.indices.filter { people[$0].nights.contains(where: \.isBeforeWorkday) }
        guard !withNights.isEmpty, !isInferred else { return }
        let count = Double(withNights.count)
        let share = Double(withNights.count { sleepers[$0] }) / count
        let interval = ShareInterval.wilson(share, of: withNights.count)
        add(
            "sleep.day_sleepers", share, (interval.lowerBound, interval.upperBound), count: withNights.count,
            of: "people",
            method: "moments",
            quality: "people whose sleep before workdays has its middle at 10:00 or later")
        state("sleep.day_sleepers", FitText.number(share, digits: 3))
    }

    /// Usual times of one kind of day, from the mean nights of the people at `present`.
    private mutating func fitUsualTimes(
        _ name: String, _ times: [MeanNight?], _ present: [Int],
        _ variances: (Int) -> (onset: Double, wake: Double, both: Double)
    ) {
        let onset = NormalOverPeople(
            present.map { times[$0]!.onset }, errors: present.map { variances($0).onset / Double(times[$0]!.count) }
        )
        let wake = NormalOverPeople(
            present.map { times[$0]!.wake }, errors: present.map { variances($0).wake / Double(times[$0]!.count) })
        let shift = residual
        var texts: [String] = []
        for (end, fit, by) in [("onset", onset, shift), ("wake", wake, -shift)] {
            let place =
                fit.spread > 0
                ? Distance(
                    present.map {
                        SpecialFunctions.normalBelow(
                            ((end == "onset" ? times[$0]!.onset : times[$0]!.wake) - fit.mean) / fit.spread)
                    }) : nil
            add(
                "sleep.\(name).\(end)", fit.mean + by,
                widened(fit.meanInterval.map { ($0.low + by, $0.high + by) }, by: shift / 2),
                unit: .clock, count: present.count, of: "people", method: "ML",
                quality: [place?.text ?? "", inference].filter { !$0.isEmpty }.joined(separator: "; "))
            if place?.isBad == true {
                notes.append(
                    "sleep.\(name).\(end): a normal distribution over people fits badly (\(place!.text)); see `sleep.degrees`"
                )
            }
            texts.append("\(end): \"\(FitText.clock(hours: fit.mean + by))\"")
        }
        for (end, fit) in [("onset_sd", onset), ("wake_sd", wake)] {
            add(
                "sleep.\(name).\(end)", fit.spread, widened(fit.spreadInterval).map { (max(0, $0.low), $0.high) },
                unit: .duration,
                count: present.count, of: "people", method: "ML", quality: inference)
            let spread = bounded(fit.spread, 0...12, "sleep.\(name).\(end)")
            texts.append("\(end): \(TimeText.duration(.minutes(Int64((spread * 60).rounded()))))")
        }
        state("sleep.\(name)", "{" + texts.joined(separator: ", ") + "}")
    }

    private mutating func fitUsualCorrelations(
        _ usual: [String: [MeanNight?]], _ variances: (Int) -> (onset: Double, wake: Double, both: Double)
    ) {
        let (work, free) = (usual["workday"]!, usual["free_day"]!)
        func values(_ times: [MeanNight?], _ value: (MeanNight) -> Double) -> [Double] {
            times.map { $0.map(value) ?? 0 }
        }
        func errors(_ times: [MeanNight?], _ part: ((onset: Double, wake: Double, both: Double)) -> Double) -> [Double]
        {
            times.indices.map { times[$0] == nil ? 0 : part(variances($0)) / Double(times[$0]!.count) }
        }
        func present(_ times: [MeanNight?]...) -> [Double] {
            people.indices.map { index in times.allSatisfy { $0[index] != nil } ? 1 : 0 }
        }
        func count(_ present: [Double]) -> Double { present.reduce(0, +) }
        let (onWork, onFree, both) = (present(work), present(free), present(work, free))
        let none = [Double](repeating: 0, count: people.count)
        func ofDays(
            _ end: (MeanNight) -> Double, _ part: ((onset: Double, wake: Double, both: Double)) -> Double
        ) -> [Resampling.Result?] {
            [
                correlation(
                    values(work, end), errors(work, part), values(free, end), errors(free, part), shared: none, of: both
                )
            ]
        }
        let found: [(String, [Resampling.Result?], Double)] = [
            (
                "onset_wake",
                [(work, onWork), (free, onFree)].map { times, present in
                    correlation(
                        values(times, \.onset), errors(times, \.onset), values(times, \.wake), errors(times, \.wake),
                        shared: errors(times, \.both), of: present)
                }, max(count(onWork), count(onFree))
            ),
            ("onset", ofDays(\.onset, \.onset), count(both)), ("wake", ofDays(\.wake, \.wake), count(both)),
        ]
        var told: [(name: String, value: Double)] = []
        for (name, results, count) in found {
            let key = "sleep.correlations.\(name)"
            let parts = results.compactMap { $0 }
            guard count >= 10, !parts.isEmpty else {
                omit(
                    key,
                    because:
                        "only \(FigureText.counted(Int(count), "person has", "people have")) both times, or they differ no more than their nights do; at least 10 are needed"
                )
                continue
            }
            let scale = Resampling.Scale.correlation
            let value = parts.reduce(0) { $0 + $1.value } / Double(parts.count)
            // Two kinds of day of the same people: no narrower than one of them.
            let reach = parts.compactMap { result in result.interval.map { (scale.up($0.high) - scale.up($0.low)) / 2 }
            }.max()
            let interval = reach.map { (low: scale.down(scale.up(value) - $0), high: scale.down(scale.up(value) + $0)) }
            add(
                key, value, widened(interval).map { (max(-1, $0.low), min(1, $0.high)) }, count: Int(count),
                of: "people",
                method: "moments", quality: inference)
            told.append((name, bounded(value, -0.99...0.99, key, limit: "what the fragment states")))
        }
        stateUsualCorrelations(told)
    }

    /// States those correlations that were fitted, lowered where no four usual times can have all of them.
    private mutating func stateUsualCorrelations(_ fitted: [(name: String, value: Double)]) {
        if fitted.isEmpty { return }
        var told = fitted
        // With one of them at its default nothing is known of the three together.
        if told.count == 3 {
            let together = SleepHabits.Correlations(
                onsetAndWake: told[0].value, onsets: told[1].value, wakes: told[2].value)
            let (possible, factor) = together.madePossible()
            if factor < 1 {
                notes.append(
                    "sleep.correlations: no four usual times can have the three fitted ones together; the fragment has \(FitText.number(factor, digits: 2)) of each"
                )
            }
            for (index, value) in [possible.onsetAndWake, possible.onsets, possible.wakes].enumerated() {
                told[index].value = value
            }
        }
        let texts = told.map { "\($0.name): \(FitText.number($0.value, digits: 3))" }
        state("sleep.correlations", "{" + texts.joined(separator: ", ") + "}")
    }
}

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
