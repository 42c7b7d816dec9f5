import Basics
import WidgetPlatform

/// Makes how relevant a kind's entries are (V3).
struct RelevanceAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue
    /// The kind's versions.
    let versions: CheckedValue

    var rule: RelevanceRule {
        guard value.isMapping else { return .none }
        checkEvent()
        let new = value["new_version"]
        var rule = RelevanceRule(
            base: value["base"].number,
            newVersion: new.isMapping ? .init(score: new["score"].number, duration: new["for"].duration) : nil,
            event: value["event"].isAbsent ? nil : value["event"].number,
            hours: value["hours"].items.map {
                .init(
                    span: ClockSpan(from: $0["from"].clock, to: $0["to"].clock),
                    weekdays: scenario.weekdays($0["days"]),
                    score: $0["score"].number)
            })
        func score(_ key: String) -> Double? { value[key].isAbsent ? nil : value[key].number }
        rule.clues.home = score("home")
        rule.clues.work = score("work")
        rule.clues.elsewhere = score("elsewhere")
        rule.clues.workout = score("workout")
        let bedtime = value["bedtime"]
        if bedtime.isMapping {
            rule.clues.bedtime = RelevanceRule.Bedtime(
                score: bedtime["score"].number, before: bedtime["before"].duration, after: bedtime["after"].duration)
        }
        return rule
    }

    /// Only some sources have events that are on for a while.
    private func checkEvent() {
        let event = value["event"]
        guard !event.isAbsent, versions.isValid else { return }
        let found: String
        if versions.isMapping {
            let source = versions["source"].choice(VersionSourceKind.self)
            if source.hasEvents { return }
            found = "'\(source.name)'"
        } else {
            found = "a list of instants"
        }
        scenario.log.report(event, expected: "versions of games or of a market beside event", found: found)
    }
}
