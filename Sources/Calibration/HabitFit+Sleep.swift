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
        // Wilson's interval.
        let square = 1.96 * 1.96
        let middle = (share + square / (2 * count)) / (1 + square / count)
        let reach =
            1.96 * (share * (1 - share) / count + square / (4 * count * count)).squareRoot() / (1 + square / count)
        add(
            "sleep.day_sleepers", share, (max(0, middle - reach), middle + reach), count: withNights.count,
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
