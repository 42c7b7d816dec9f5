import Testing

@testable import ScenarioFiles

/// A refusal proposes a key or a value for the words of people who know WidgetKit, or a unit by its name.
@Suite struct HintTests {
    private static func refusal(_ override: String) -> String {
        do {
            _ = try ScenarioReader.read(
                text: ScenarioReaderTests.head + """
                    kinds: [{id: w, app: one, policy: {after: 30m}}]
                    population:
                      devices: [{instances: [{id: x, kind: w, location: current}]}]

                    """, overrides: [override])
            return "none"
        } catch let problems as ScenarioProblems {
            return "\(problems.problems.first.map { "\($0)" } ?? "none")"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        // A call as Swift writes it, and a key with a blank or nothing round its value.
        ("kinds.w.policy=.after(30m)", "{after: 30m}"), ("kinds.w.policy=after(30m)", "{after: 30m}"),
        ("kinds.w.policy=after 30m", "{after: 30m}"), ("kinds.w.policy='after: 30m'", "{after: 30m}"),
        ("kinds.w.policy=30m", "{after: 30m}"), ("kinds.w.policy=15 minutes", "{after: 15m}"),
        ("kinds.w.timeline=self_updating", "{shape: self_updating}"),
        // Other spellings of a word, and a part of it that no other word has.
        ("kinds.w.policy=atEnd", "at_end"), ("kinds.w.reloadOnOpen=always", "reload_on_open"),
        ("population.devices.0.instances.x.family=systemSmall", "system_small"),
        ("population.devices.0.instances.x.family=medium", "system_medium"),
        // Units in words.
        ("duration=1week", "7d"), ("kinds.w.policy.after=30min", "30m"),
        ("kinds.w.policy.after=1 hour 30 minutes", "1h30m"), ("kinds.w.policy.after=90 secs", "1m30s"),
        // Keys that lie elsewhere, under the same name or another one.
        ("kinds.w.after=15m", "kinds.policy.after' or 'kinds.relevance.bedtime.after"),
        ("kinds.w.policy={afterDate: 30m}", "kinds.policy.after"),
        ("kinds.w.family=x", "population.devices.instances.family' or 'devices.instances.family"),
        ("kinds.w.timeline={entries: 24}", "kinds.timeline.count' or 'kinds.timeline.spacing"),
        ("kinds.w.reloadTimelines=x", "kinds.reload_on_open' or 'kinds.reload_call"),
        ("population.low_power=0.2", "population.power"), ("population.battery=0.2", "population.power"),
    ])
    func `other words for a key, a value and a unit are understood`(override: String, hint: String) {
        let refusal = Self.refusal(override)
        #expect(refusal.hasSuffix("; did you mean '\(hint)'?"), "\(refusal)")
    }

    @Test(arguments: [
        ("kinds.w.timeline=24", "a mapping such as {shape: self_updating}, found '24'"),
        (
            "population.apps.one.location_modes=whenInUse",
            "a mapping with keys denied, while_using, while_using_or_widgets or always, found 'whenInUse'"
        ),
        ("duration=soon", "a duration with a unit, such as 15m or 1h30m, found 'soon'"),
        ("duration=30 lightyears", "a duration with a unit, such as 15m or 1h30m, found '30 lightyears'"),
    ])
    func `a refusal without a hint shows the form`(override: String, words: String) {
        let refusal = Self.refusal(override)
        #expect(refusal.hasSuffix("expected \(words)"), "\(refusal)")
    }
}
