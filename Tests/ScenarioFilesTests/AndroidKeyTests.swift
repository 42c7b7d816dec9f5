import Basics
import ScenarioModel
import Simulation
import Statistics
import Testing
import WidgetPlatform

@testable import ScenarioFiles

/// The keys of devices with Android (section 13).
@Suite struct AndroidKeyTests {
    private static func read(_ overrides: [String] = [], kinds: String = kinds, device: String = device) throws
        -> ParsedScenario
    {
        try ScenarioReader.read(
            text: """
                start: "2026-03-02T00:00:00-05:00"
                duration: 1d
                people: 100
                kinds: [\(kinds)]
                population: {devices: [\(device)]}
                """, overrides: overrides)
    }

    private static let kinds = "{id: rain, policy: {after: 30m}}"
    private static let device = "{platform: android, instances: [{id: w, kind: rain}]}"

    private static func problems(_ overrides: [String] = [], kinds: String = kinds, device: String = device) -> [String]
    {
        do {
            _ = try read(overrides, kinds: kinds, device: device)
            return []
        } catch let problems as ScenarioProblems {
            return problems.problems.map { "\($0)" }
        } catch {
            return ["\(error)"]
        }
    }

    private static func refresh(_ kind: String) throws -> AndroidRefresh? {
        try read(kinds: "{id: rain, \(kind)}").scenario.plan.kinds[0].android
    }

    @Test func `a resolved scenario, which states that its messages are plain, is right again`() throws {
        let read = try Self.read(kinds: "{id: rain, policy: never, android: {alarm: 1h}}")
        #expect(read.resolvedText.contains("message: normal"))
        let again = try ScenarioReader.read(text: read.resolvedText)
        #expect(again.scenario.plan.kinds[0].android == read.scenario.plan.kinds[0].android)
    }

    @Test func `the parameters of Android have the published figures, and are there where a device runs it`() throws {
        let android = try #require(try Self.read().scenario.plan.android)
        #expect(android.doze == DozeTimes() && android.jobs == JobLimits() && android.ages == StandbyBucket.Ages())
        #expect(android.idleAlarms == 72 && android.messages == MessageLimits())
        #expect(android.widgetBucket == .always(.active))
        #expect(android.exactAlarmShare == 0 && android.alarmQuota == AlarmQuota())
        #expect(android.killerShare == 0 && android.restrictedShare == 0 && android.loweredShare == 0.5)
        #expect(android.alarmDelay == Distribution(.uniform(min: 0, max: 900)))
        #expect(try Self.read(device: "{instances: [{id: w, kind: rain}]}").scenario.plan.android == nil)
    }

    @Test func `a kind is refreshed as it says, or as often as its policy suggests`() throws {
        #expect(
            try Self.refresh("policy: {after: 30m}")
                == AndroidRefresh(period: .work(every: .minutes(30), flex: .minutes(30)), freshness: .minutes(30)))
        #expect(
            try Self.refresh("policy: {after: 5m}")
                == AndroidRefresh(period: .work(every: .minutes(15), flex: .minutes(15)), freshness: .minutes(5)))
        #expect(try Self.refresh("policy: never") == AndroidRefresh(period: .none))
        #expect(
            try Self.refresh("policy: at_end, timeline: {shape: series, count: 25, spacing: 1h}")
                == AndroidRefresh(period: .work(every: .days(1), flex: .days(1)), freshness: .days(1)))
        #expect(
            try Self.refresh("policy: never, android: {alarm: 1h}") == AndroidRefresh(period: .alarm(every: .hours(1))))
        var urgent = AndroidRefresh.Messages()
        (urgent.isUrgent, urgent.handler) = (true, .expedited)
        #expect(
            try Self.refresh(
                "policy: at_end, push: true, android: {work: 1h, flex: 10m, message: high, handler: expedited}")
                == AndroidRefresh(
                    period: .work(every: .hours(1), flex: .minutes(10)),
                    messages: urgent))
        #expect(
            try Self.refresh("policy: never, android: {idle_alarm: 5m}")
                == AndroidRefresh(period: .idleAlarm(every: .minutes(5))))
    }

    @Test func `jobs are tried again only where their kind says so, and apps updated where the fleet does`() throws {
        #expect(try Self.refresh("policy: {after: 30m}")?.backOff == nil)
        #expect(try Self.refresh("policy: never, android: {work: 30m}")?.backOff == nil)
        #expect(try Self.refresh("policy: never, android: {work: 30m, back_off: {}}")?.backOff == WorkBackOff())
        #expect(
            try Self.refresh("policy: never, android: {work: 30m, back_off: {form: linear, first: 10s}}")?.backOff
                == WorkBackOff(.linear, first: .seconds(10)))
        for first in ["9s", "6h"] {
            let found = Self.problems(
                kinds: "{id: rain, policy: never, android: {work: 30m, back_off: {first: \(first)}}}")
            #expect(found.count == 1 && found[0].contains("10s") && found[0].contains("5h"), "\(found)")
        }
        #expect(try Self.read().scenario.plan.android?.updateEvery == nil)
        #expect(try Self.read(["parameters.android.update_every=14d"]).scenario.plan.android?.updateEvery == .days(14))
    }

    @Test func `a project's limit is 600,000 a minute, and more than what comes one by one`() throws {
        let sender = try #require(try Self.read(["push_sender.waves=1"]).scenario.plan.pushSender)
        #expect(sender.projectLimit == 600_000)
        let kind =
            "{id: rain, policy: {after: 30m}, push: true, push_on_version: {}, versions: {source: poisson, every: 1m, per: key}}"
        #expect(try Self.read(["push_sender.project_limit=1000"], kinds: kind).scenario.plan.pushSender != nil)
        // 100 devices with a version a minute each.
        let found = Self.problems(["push_sender.project_limit=100"], kinds: kind)
        #expect(found.count == 1 && found[0].contains("a project_limit of more than the 100 pushes"), "\(found)")
    }

    @Test func `what Android does not have is refused, each with one sentence`() throws {
        let cases: [(kinds: String, device: String, expected: String)] = [
            ("{id: rain, policy: at_end}", Self.device, "android: {alarm: 30m}"),
            ("{id: rain, policy: {after: {every: 1h}}}", Self.device, "android: {alarm: 30m}"),
            ("{id: rain, policy: never, android: {alarm: 29m}}", Self.device, "30m"),
            ("{id: rain, policy: never, android: {work: 14m}}", Self.device, "15m"),
            ("{id: rain, policy: never, android: {work: 15m, flex: 20m}}", Self.device, "at most work"),
            ("{id: rain, policy: never, android: {alarm: 30m, flex: 5m}}", Self.device, "work beside flex"),
            ("{id: rain, policy: never, android: {alarm: 30m, work: 15m}}", Self.device, "alarm"),
            ("{id: rain, policy: never, push: true, android: {handler: expedited}}", Self.device, "message: high"),
            (
                "{id: rain, policy: never, android: {message: high}}", Self.device,
                "push: true of the kind beside message"
            ),
            (
                Self.kinds, "{kind: watch, platform: android, instances: [{id: w, kind: rain, surface: watch_face}]}",
                "tiles alone on a watch"
            ),
            (Self.kinds, "{kind: mac, platform: android, instances: [{id: w, kind: rain}]}", "does not run Android"),
            (Self.kinds, "{platform: android, instances: [{id: w, kind: rain, surface: lock_screen}]}", "home_first"),
            (
                Self.kinds, "{platform: android, stacks: [{id: s}], instances: [{id: w, kind: rain, stack: s}]}",
                "no stacks"
            ),
            (Self.kinds, "{platform: windows, instances: [{id: w, kind: rain}]}", "ios or android"),
            (
                Self.kinds, "{handling: {nights: 1}, instances: [{id: w, kind: rain}]}",
                "platform: android beside handling"
            ),
            (Self.kinds, "\(Self.device), {instances: [{id: v, kind: rain}]}", "one platform for all phones"),
        ]
        for (kinds, device, expected) in cases {
            let found = Self.problems(kinds: kinds, device: device)
            #expect(found.contains { $0.contains(expected) }, "\(kinds) \(device): \(found)")
        }
        for (key, value) in [("doze.light_idle_most", "4m"), ("doze.deep_window_most", "1m"), ("demotion.rare", "1h")] {
            let found = Self.problems(["parameters.android.\(key)=\(value)"])
            #expect(found.count >= 1 && found.contains { $0.contains("to be at least") }, "\(key): \(found)")
        }
    }

    @Test func `two platforms stand side by side in two segments`() throws {
        let scenario = try ScenarioReader.read(
            text: """
                start: "2026-03-02T00:00:00-05:00"
                duration: 1d
                people: 100
                kinds: [\(Self.kinds)]
                segments:
                  - {name: a, share: 0.5, devices: [\(Self.device)]}
                  - {name: b, share: 0.5, devices: [{instances: [{id: w, kind: rain}]}]}
                """
        ).scenario
        #expect(scenario.plan.platform(ofSegment: 0, .phone) == .android)
        #expect(scenario.plan.platform(ofSegment: 1, .phone) == .ios)
        #expect(scenario.plan.segments[0].devices[0].habits.charging.nights == 0.8)
    }

    @Test func `events of charging and motion belong to recorded devices with Android`() throws {
        func read(_ platform: String, _ event: String) throws -> ParsedScenario {
            try ScenarioReader.read(
                text: """
                    start: "2026-04-14T08:00:00+00:00"
                    end: 1h
                    kinds: [\(Self.kinds)]
                    devices: [{id: d, zone: UTC, platform: \(platform), instances: [{id: w, kind: rain}]}]
                    """, replay: "d,60,\(event)\n")
        }
        for event in ["charging_on,", "charging_off,", "motion,"] {
            #expect(try read("android", event).scenario.plan.replay[0].events.count == 1)
            #expect(throws: ScenarioProblems.self) { try read("ios", event) }
        }
        #expect(try read("android", "app_update,app").scenario.plan.replay[0].events.count == 1)
    }
}
