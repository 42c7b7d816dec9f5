import Basics
import People
import Statistics
import WidgetPlatform

extension KeyCatalogue {
    /// Whether a distribution of sessions is as wide as what lies between people.
    static func hasSpread(_ distribution: StatedDistribution, _ spread: Double) -> Bool {
        switch distribution.shape {
        case .family(.lognormalBySigma, let values): values[1].value >= spread
        // ln(p95 / median) is 1.6449 times the sigma; a p95 below its median is reported where it stands.
        case .family(.lognormalByP95, let values):
            values[1].value >= values[0].value * DeterministicMath.exp(1.6448536269514722 * spread)
        case .constant, .family, .quantiles: spread == 0
        }
    }

    static let pickups = Keys<PickupHabits>(mergesByKey: true) {
        Key(
            "unlocks_per_day", \.unlocksPerDay, .distribution(.count), "{shape: 3.1, mean: 80, clip: [8, 300]}", "D3",
            "A person's mean unlocks a day, over people.",
            evidence: "docs/calibration-data.md §2 (shape fitted, level published)")
        Key(
            "days_used", \.daysUsedShare, .number(0.01...1), "1", "D3",
            "The share of days on which the device is used at all; on those its pickups are more in proportion, and sessions shorter where they would fill more than `most_use`.",
            sweep: "0.3 to 1",
            evidence: "assumption: every day")
        Key(
            "daily_k", \.dailyShape, .distribution(.count), "{median: 14.5, sigma: 0.72, clip: [1, 10000]}", "D3",
            "A person's k, over people: the counts of their days have a variance of μ + μ²/k, all levels together.",
            evidence: "docs/calibration-data.md §2 (fitted)")
        Key(
            "day_correlation", \.dayCorrelation, .number(-0.9...0.9), "0.25", "D3",
            "The correlation of the logarithms of two days' counts that follow each other. A short record shows less.",
            evidence:
                "docs/calibration-data.md §2 (fitted): seven weeks of students with 0.25 show 0.12 on average, with their own 0.35 0.14, and recorded ones 0.17 (0.09 to 0.25); a typical adult's counts can have no more than 0.27"
        )
        Key(
            "day_share", \.dayShare, share, "0.5", "D3",
            "How much of the variation beyond chance belongs to whole days; the rest to sixteenths of a waking day.",
            sweep: "0.3 to 0.9",
            evidence: "prior; with it the counts of single hours have the published k of about 1.5")
        Key(
            "hour_correlation", \.hourCorrelation, .number(0...0.95), "0.28", "D3",
            "The correlation of the levels of two sixteenths of a waking day that follow each other.",
            evidence: "docs/calibration-data.md §2 (fitted)")
        Key(
            "first_sixteenth", \.firstSixteenth, .number(0.1...10), "1.29", "D3",
            "The rate of the waking day's first sixteenth over the day's mean.",
            evidence: "docs/calibration-data.md §2 (fitted)")
        Key(
            "burstiness", \.burstiness, .number(-0.5...0.9), "0.27", "D3",
            "(σ − μ) / (σ + μ) of the gaps from lock to next unlock while awake, all levels together; 0 for gaps at random.",
            sweep: "0.15 to 0.5", evidence: "docs/calibration-data.md §2 (fitted)")
        Key(
            "weekday_factors", \.weekdayFactors, .list(.number(0...10), counts: 7...7),
            "[1.02, 1.03, 1.05, 1.02, 1.02, 0.94, 0.92]",
            "D3",
            "Factors of the level, Monday to Sunday, of the whole segment.",
            evidence: "docs/calibration-data.md §2 (fitted)")
        Key(
            "weekday_spread", \.weekdaySpread, .number(0...0.5), "0.1", "D3",
            "How far people's own weekdays differ from those: the standard deviation of a weekday's factor over people, relative to the segment's.",
            sweep: "0 to 0.2", evidence: "students' weekends over weekdays (fitted)")
        Key(
            "quiet_days", \.quietDays, .distribution(.count), "{mean: 0.05, clip: [0, 0.3]}", "D3",
            "The share of a person's days, over people, on which they hardly use the device; some never have one, and some often. A part of the variation that `daily_k` states, and at most seven tenths of that.",
            sweep: "mean 0 to 0.1", evidence: "students' daily counts over their mean (fitted)")
        Key(
            "quiet_level", \.quietLevel, .number(0.05...0.95), "0.3", "D3",
            "The level of such a day over that of the person's other days.",
            sweep: "0.1 to 0.5", evidence: "students' daily counts over their mean (fitted)")
        Key(
            "glances_per_unlock", \.glancesPerUnlock, .number(0...100), "0.42", "D3",
            "Pickups that never unlock, for each that does.",
            sweep: "0.16 to 1.2",
            evidence: "docs/calibration-data.md §2 (fitted, published)")
        Key(
            "session_length", \.sessionLength, .distribution(.duration), "{median: 40s, sigma: 1.74, clip: [1s, 4h]}",
            "D3",
            "The time from the unlock to the lock, over the sessions of all people.",
            evidence: "docs/calibration-data.md §2 (fitted); the clip is an assumption")
        Key(
            "session_spread", \.sessionSpread, .number(0...3),
            .computed(
                "`0.57`; `0` beside a session_length that is not a lognormal of at least that sigma",
                {
                    $0["session_length"].isValid
                        ? (hasSpread($0["session_length"].statedDistribution, 0.57) ? "0.57" : "0") : nil
                }), "D3",
            "How much of that spread lies between people: σ of the logarithm of a person's typical session.",
            evidence: "students' mean sessions (fitted)")
        Key(
            "session_correlation", \.sessionCorrelation, .number(-1...1), "-0.73", "D3",
            "The correlation over people of the logarithms of their typical session and of their unlocks a day, before `most_use`, which makes it stronger by some hundredths.",
            sweep: "-0.85 to -0.6",
            evidence:
                "students' screen time (fitted); about -0.73 comes out, and the -0.82 of docs/calibration-data.md §2 makes people's screen times too much alike"
        )
        Key(
            "most_use", \.mostUse, .number(0.01...0.95), "0.65", "D3",
            "The share of the waking day that sessions fill at most, on average; a person's longer ones are shortened in proportion.",
            sweep: "0.4 to 0.8",
            evidence: "assumption; one student in ten has the screen on for half of the time awake")
        Key(
            "least_gap", \.leastGap, .duration(least: .milliseconds(100), most: .hours(1)), "10s", "D3",
            "No mean gap is shorter, however high the rate.", evidence: "assumption")
        Key(
            "surface_shown", \.surfaceShown,
            .block(
                [
                    KeyEntry(
                        "home_first", share, "0.6", "V2", "The first home page.", sweep: "0.3 to 0.9",
                        evidence: "prior, docs/calibration-data.md §2"),
                    KeyEntry(
                        "home_other", share, "0.1", "V2", "Another home page.", sweep: "0.03 to 0.3",
                        evidence: "prior, docs/calibration-data.md §2"),
                    KeyEntry(
                        "today_view", share, "0.03", "V2", "The today view.", sweep: "0.01 to 0.1",
                        evidence: "prior, docs/calibration-data.md §2"),
                ], mergesByKey: true), "{}", "V2",
            "The probability that a session shows a surface; the lock screen is seen at every pickup."
        ) { value, _ in
            Surface.allCases.map { [.homeFirst, .homeOther, .todayView].contains($0) ? value[$0.name].number : 0 }
        }
        Key(
            "today_view_glances", \.todayViewGlances, share, "0.05", "V2",
            "The share of glances that show the today view, which is reached from the lock screen too; what it shows there is seen on a locked screen.",
            sweep: "0 to 0.3")
        Key(
            "passcode_share", \.passcodeShare, share, "0.9", "D6", "The share of devices with a passcode.",
            sweep: "0.7 to 1")
    } check: { pickups, scenario in
        let factors = pickups[\.weekdayFactors]
        if factors.isValid && !pickups.weekdayFactors.contains(where: { $0 > 0 }) {
            scenario.report(factors, "a factor above 0", "none")
        }
        let (length, spread) = (pickups[\.sessionLength], pickups[\.sessionSpread])
        if length.isValid && spread.isValid && !hasSpread(length.statedDistribution, pickups.sessionSpread) {
            scenario.report(
                spread, "at most the sigma of a lognormal session_length, and 0 beside another distribution",
                "\(FigureText.shortest(pickups.sessionSpread)) beside \(length.statedDistribution.text)")
        }
        let quiet = pickups[\.quietDays]
        let mean = scenario.mean(of: pickups.quietDays)
        if quiet.isValid && !(0...PickupHabits.mostQuietDays).contains(mean) {
            scenario.report(
                quiet, "a mean from 0 to \(FigureText.shortest(PickupHabits.mostQuietDays)) of a person's days",
                FigureText.shortest(mean))
        }
    }
}
