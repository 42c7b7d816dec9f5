import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// When the timelines of a kind ask to be replaced (P3–P6, P9).
extension KeyCatalogue {
    static let policy: Cases<TimelineDates> = .either(
        .word(PlainPolicy.self) { word in
            var dates = TimelineDates()
            switch word {
            case .atEnd: dates.policy = .atEnd
            case .never: dates.policy = .never
            }
            return dates
        },
        .keys(datedPolicy, over: TimelineDates()) { stated, _ in stated.value })

    private static let plainPolicy = "it stands alone, as policy: at_end or policy: never; jitter is for an after date"
    private static let policyDate =
        "write policy: {after: {every: 1h}} for a reload on the hour, or policy: {after: 1h}"

    /// In place of a time, that which the origin states.
    static let served = "served"

    private static let datedPolicy = Keys<TimelineDates>(
        alternatives: ["after", "provider"], requiresAlternative: true,
        unavailable: [
            "at_end": plainPolicy, "never": plainPolicy, "every": policyDate, "aligned": policyDate,
            "at": "clock times stand under after, as in policy: {after: {at: [\"09:30\"]}}",
        ]
    ) {
        Key(
            "after", \.policy,
            .either(
                Cases(form: .durationOr(served, least: .seconds(1))) { value, _ in
                    if case .text(served) = value.content { .served } else { .after(value.duration) }
                },
                .keys(schedule, over: StatedSchedule()) { $0.schedule($1).map { .aligned($0) } ?? .never }), .none,
            "P5, S11",
            "The reload's date: a time after the fetch, the next of some clock times, such as `{every: 1h}`, or after the time that the origin states with its answer: `served`."
        )
        KeyEntry(
            "provider", .name, .none, "P9",
            "A provider of the program's own, by its name: it says the entries and the date.")
        userParameters("P9")
        Key(
            "jitter", \.jitter, jitter, .none, "P5",
            "The provider's own jitter on the date; a plain duration spreads it evenly over so long.")
    } check: { dates, scenario in
        let (after, name, with) = (dates[\.policy], dates.mapping["provider"], dates.mapping["with"])
        if !name.isAbsent {
            dates.policy = provider(name, with: with, scenario)
        } else {
            for field in with.fields { scenario.report(field.value, "provider beside with", "no provider") }
        }
        // It may bring no date before the fetch.
        let width = dates[\.jitter].isMapping ? dates[\.jitter]["plus_minus"] : .absent
        if width.isValid, !width.isAbsent, after.isValid, !after.isAbsent, !after.isMapping,
            width.duration > after.duration
        {
            scenario.report(
                width, "at most \(TimeText.duration(after.duration)), so that no date lies before the fetch",
                "'\(TimeText.duration(width.duration))'")
        }
    }

    private static let jitter: Cases<TimelineDates.Jitter?> = .either(
        .value(.duration()) { (width: Duration) in even(from: .zero, to: width) },
        .oneOf(
            Keys {
                Key(
                    "plus_minus", \.self, .duration(), .none, "P5", "Evenly spread this far to both sides of the date."
                ) { width, _ in even(from: -width.duration, to: width.duration) }
                Key(
                    "sd", \.self, .duration(), .none, "P5", "Normally spread round the date with this standard deviation."
                ) { width, _ in
                    let seconds = width.duration.inSeconds
                    return seconds == 0
                        ? nil : TimelineDates.Jitter(Distribution(.normal(mean: 0, standardDeviation: seconds)))
                }
                Key("mean", \.self, step, .none, "P5", "Exponentially spread after the date with this mean.") { width, _ in
                    TimelineDates.Jitter(Distribution(.exponential(mean: width.duration.inSeconds)))
                }
                Key(
                    "fixed", \.self, .duration(), .none, "P5",
                    "Evenly spread over so long after the date, by an offset that a device keeps for the kind."
                ) { width, _ in even(from: .zero, to: width.duration, isKept: true) }
            }, over: nil))

    private static func even(from least: Duration, to most: Duration, isKept: Bool = false) -> TimelineDates.Jitter? {
        most == .zero
            ? nil
            : TimelineDates.Jitter(
                Distribution(.uniform(min: least.inSeconds, max: most.inSeconds)), isKept: isKept)
    }

    /// A provider of the program's own, with the parameters that are stated.
    private static func provider(
        _ name: CheckedValue, with stated: CheckedValue, _ scenario: ScenarioAssembly
    ) -> ReloadPolicy {
        guard name.isValid, stated.isValid else { return .never }
        let known = UserCode.current.providers
        guard let found = known[name.text] else {
            scenario.log.report(
                name.origin, name.path, expected: UserCode.expected(known.keys, "provider"),
                found: RawNode.quoted(name.text), nearest: Nearest.name(to: name.text, among: known.keys.sorted()))
            return .never
        }
        let fields = stated.fields
        var with = UserParameters(
            Dictionary(fields.map { ($0.key, $0.value.text) }, uniquingKeysWith: { first, _ in first }))
        let provider = found.read(&with)
        if let fault = provider.fault { scenario.report(name, "a provider that can be asked", fault) }
        scenario.check(with, fields, of: "provider '\(name.text)'")
        return .provider(provider)
    }
}
