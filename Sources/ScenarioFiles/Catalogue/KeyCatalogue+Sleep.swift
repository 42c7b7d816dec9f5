import Basics
import People

/// How people sleep, as a scenario states it.
struct StatedSleep {
    var habits = SleepHabits()
    /// All people, where they are not told apart by age.
    var everyone: SleepHabits.AgeGroup = {
        var group = SleepHabits.AgeGroup()
        (group.name, group.share) = ("all", 1)
        return group
    }()
}

extension KeyCatalogue {
    private static let spread = Form.duration(most: .hours(12))
    private static let correlation = Form.number(-1...1)
    private static let source = "NHANES 2017–2020, docs/calibration-data.md §3 (published)"

    /// Times from noon on belong to the evening before.
    static func secondsFromMidnight(_ clock: ClockTime) -> Double {
        let seconds = Double(clock.microseconds) / 1e6
        return seconds >= 43_200 ? seconds - 86_400 : seconds
    }

    /// Usual times over people; without defaults, all four are required.
    static func night(_ defaults: (onset: String, wake: String, onsetSpread: String, wakeSpread: String)?)
        -> Keys<SleepHabits.UsualNight>
    {
        func defaultValue(_ text: String?) -> KeyEntry.DefaultValue { text.map { .value($0) } ?? .required }
        return Keys<SleepHabits.UsualNight>(mergesByKey: true, evidence: defaults.map { _ in source }) {
            Key(
                "onset", \.onset, .clock, defaultValue(defaults.map { "\"\($0.onset)\"" }), "D2",
                "The usual onset of sleep, mean over people; times from noon on belong to the evening."
            ) { value, _ in secondsFromMidnight(value.clock) }
            Key(
                "wake", \.wake, .clock, defaultValue(defaults.map { "\"\($0.wake)\"" }), "D2",
                "The usual wake-up, mean over people."
            ) { value, _ in
                Double(value.clock.microseconds) / 1e6
            }
            Key(
                "onset_sd", \.onsetSpread, spread, defaultValue(defaults?.onsetSpread), "D2",
                "The standard deviation of the usual onset over people.")
            Key(
                "wake_sd", \.wakeSpread, spread, defaultValue(defaults?.wakeSpread), "D2",
                "The standard deviation of the usual wake-up over people.")
        } check: { night, scenario in
            // The mean night must be one that the model does not cut.
            let length = Duration(seconds: night.wake - night.onset)
            guard night.isValid, length < SleepHabits.shortestNight || length > SleepHabits.longestNight else { return }
            let wake = night[\.wake]
            scenario.log.report(
                (wake.isStated ? wake : night[\.onset]).origin, night.mapping.path,
                expected: "a night of 3 to 14 hours", found: "one of \(TimeText.duration(length))")
        }
    }

    static let sleep = Keys<StatedSleep>(
        mergesByKey: true, rivals: (["ages"], ["workday", "free_day", "day_sleepers"])
    ) {
        Key(
            "workday", \.everyone.workday, night(("23:04", "06:43", "2h9m", "2h16m")), "{}", "D2",
            "The night before a workday, of people who are not told apart by age (`ages: []`).")
        Key(
            "free_day", \.everyone.freeDay, night(("23:30", "07:50", "1h49m", "2h4m")), "{}", "D2",
            "The night before a free day, of people who are not told apart by age.")
        Key(
            "day_sleepers", \.everyone.daySleeperShare, share, "0.025", "D2",
            "The share of people who sleep by day before workdays, if they are not told apart by age.",
            sweep: "0 to 0.1", evidence: "docs/calibration-data.md §3 (published)")
        Key(
            "ages", \.habits.ages, .list(.block(ageGroup), counts: 0...100, identifiedBy: "age"),
            .computed(
                "seven age groups of US adults; none if `workday`, `free_day` or `day_sleepers` is stated",
                {
                    $0["workday"].isStated || $0["free_day"].isStated || $0["day_sleepers"].isStated
                        ? "[]" : usAdults
                }), "D2",
            "Age groups with usual times of their own. They win over the three keys before; a segment that states one of those has no age groups.",
            evidence:
                "fitted to the quantiles of NHANES 2017–2020 by age group, docs/calibration-data.md §3; shares: US Census"
        ) { value, scenario in
            value.items.map { scenario.read(ageGroup, of: $0, over: SleepHabits.AgeGroup()) }
        }
        Key(
            "degrees", \.habits.degrees, .number(2.1...10_000), "5", "D2",
            "How heavy the tails of the usual times are over people: degrees of freedom of a Student's t; 1000 for a normal distribution.",
            evidence: "fitted to NHANES, docs/calibration-data.md §3")
        Key(
            "day_sleep", \.habits.daySleep, night(("09:00", "16:00", "2h", "2h")), "{}", "D2",
            "The usual times of day sleepers before workdays; on free days they sleep at night.")
        Key(
            "correlations", \.habits.correlations,
            Keys<SleepHabits.Correlations>(mergesByKey: true, evidence: totals) {
                Key(
                    "onset_wake", \.onsetAndWake, correlation, "0.55", "D2",
                    "The correlation of the usual onset and wake-up of one kind of day.")
                Key(
                    "onset", \.onsets, correlation, "0.85", "D2",
                    "The correlation of the usual onsets of workdays and free days.")
                Key(
                    "wake", \.wakes, correlation, "0.72", "D2",
                    "The correlation of the usual wake-ups of workdays and free days.")
            }, "{}", "D2", "Correlations over people who sleep at night, of normal scores.")
        Key(
            "nights", \.habits.nights,
            Keys<SleepHabits.NightHabits>(mergesByKey: true, evidence: "docs/calibration-data.md §3 (fitted)") {
                Key(
                    "onset_sd", \.onsetSpread, .distribution(.duration),
                    "{median: 1h14m24s, sigma: 0.37, clip: [0s, 6h]}", "D2",
                    "The standard deviation of a person's onsets, over people.")
                Key(
                    "wake_sd", \.wakeSpread, .distribution(.duration),
                    "{median: 1h22m12s, sigma: 0.35, clip: [0s, 6h]}", "D2",
                    "The standard deviation of a person's wake-ups, over people.")
                Key(
                    "degrees", \.degrees, .number(2.1...10_000), "6.5", "D2",
                    "How heavy the tails are: degrees of freedom of a Student's t.")
                Key(
                    "onset_wake", \.onsetAndWake, correlation, "0.45", "D2",
                    "The correlation of the two ends of one night.")
                Key(
                    "carry_over", \.carryOver, .number(-0.9...0.9), "0.14", "D2",
                    "The correlation of one night's deviations with the next one's.",
                    evidence: "students' sleep records (fitted)")
            }, "{}", "D2", "How far a night lies from the person's usual times.")
    } check: { sleep, scenario in
        let (correlations, ages) = (sleep[\.habits.correlations], sleep[\.habits.ages])
        if correlations.isValid && sleep.habits.correlations.factor == nil {
            scenario.report(
                correlations, "correlations that four times can have together", correlations.canonicalText)
        }
        if ages.items.isEmpty { sleep.habits.ages = [sleep.everyone] }
        if ages.isValid {
            scenario.log.checkSum(
                sleep.habits.ages.map(\.share), of: "shares of the age groups", ages.origin, ages.path)
        }
    }

    private static let totals =
        "solved so that the correlations over all people, day sleepers included, come near NHANES's .67, .59 and .53"

    static let ageGroup = Keys<SleepHabits.AgeGroup> {
        Key("age", \.name, .label, .required, "D2", "The group's name.")
        Key("share", \.share, share, .required, "D2", "The share of the people; the groups' shares add up to 1.")
        Key(
            "day_sleepers", \.daySleeperShare, share, "0", "D2",
            "The share of the group who sleep by day before workdays.")
        Key("workday", \.workday, night(nil), .required, "D2", "The night before a workday.")
        Key("free_day", \.freeDay, night(nil), .required, "D2", "The night before a free day.")
    }

    /// Location and spread of the distributions that fit NHANES's quantiles by age: t distributions of five degrees
    /// with these means and standard deviations, beside day sleepers.
    private static let usAdults = """
        - {age: 16-19, share: 0.064, day_sleepers: 0.01, workday: {onset: "23:04", wake: "07:10", onset_sd: 1h31m, wake_sd: 1h52m}, free_day: {onset: "00:28", wake: "09:49", onset_sd: 1h46m, wake_sd: 1h57m}}
        - {age: 20-24, share: 0.083, day_sleepers: 0.04, workday: {onset: "23:21", wake: "07:25", onset_sd: 1h44m, wake_sd: 2h2m}, free_day: {onset: "00:30", wake: "09:12", onset_sd: 1h57m, wake_sd: 1h55m}}
        - {age: 25-34, share: 0.173, day_sleepers: 0.04, workday: {onset: "23:02", wake: "06:40", onset_sd: 1h29m, wake_sd: 1h41m}, free_day: {onset: "00:02", wake: "08:24", onset_sd: 1h47m, wake_sd: 1h59m}}
        - {age: 35-44, share: 0.165, day_sleepers: 0.025, workday: {onset: "22:46", wake: "06:08", onset_sd: 1h28m, wake_sd: 1h36m}, free_day: {onset: "23:32", wake: "07:49", onset_sd: 1h31m, wake_sd: 1h46m}}
        - {age: 45-54, share: 0.155, day_sleepers: 0.025, workday: {onset: "22:38", wake: "06:05", onset_sd: 1h26m, wake_sd: 1h39m}, free_day: {onset: "23:17", wake: "07:31", onset_sd: 1h33m, wake_sd: 1h45m}}
        - {age: 55-64, share: 0.161, day_sleepers: 0.03, workday: {onset: "22:35", wake: "06:01", onset_sd: 1h37m, wake_sd: 1h48m}, free_day: {onset: "23:04", wake: "07:07", onset_sd: 1h39m, wake_sd: 1h52m}}
        - {age: 65+, share: 0.199, day_sleepers: 0.01, workday: {onset: "22:38", wake: "06:37", onset_sd: 1h28m, wake_sd: 1h34m}, free_day: {onset: "22:50", wake: "06:57", onset_sd: 1h30m, wake_sd: 1h45m}}
        """
}
