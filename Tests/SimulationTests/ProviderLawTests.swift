import Basics
import Foundation
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Synchronization
import Testing
import WidgetPlatform

/// The built-in policies as providers of a user's own, and providers that do what none may.
private enum Providers {
    struct After: WidgetProvider {
        var usesContent: Bool { false }
        var length = Duration.minutes(20)
        var usualLife: UsualLife { .after(length) }
        var leastReaction: Duration { length }
        mutating func read(_ with: inout UserParameters) { length = with.duration("length", or: length) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(context.date + length))
        }
    }

    struct Clock: WidgetProvider {
        var usesContent: Bool { false }
        let schedule = AlignedSchedule(times: [ClockTime(hour: 9, minute: 30), ClockTime(hour: 16, minute: 0)])
        var usualLife: UsualLife { .clock(schedule) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .clock(context.next(of: schedule)))
        }
    }

    struct AtEnd: WidgetProvider {
        var usesContent: Bool { false }
        var usualLife: UsualLife { .toTheEnd }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .atEnd)
        }
    }

    struct Never: WidgetProvider {
        var usesContent: Bool { false }
        var usualLife: UsualLife { .never }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .never)
        }
    }

    /// Six entries of its own, an hour apart.
    struct OwnEntries: WidgetProvider {
        var usesContent: Bool { false }
        var usualLife: UsualLife { .minutes(20) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(
                entries: 6, spacing: .hours(1), validFor: .hours(1), policy: .after(context.date + .minutes(20)))
        }
    }

    /// Every fourth asking is late by a quarter of an hour, and every failure by a minute for each one before.
    struct Remembering: WidgetProvider {
        struct Memory: BitwiseCopyable {
            var askings: UInt32 = 0
            var isOdd = false
            var failures: Int64 = 0
        }
        var usualLife: UsualLife { .minutes(40) }
        var leastReaction: Duration { .minutes(1) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
            memory.askings += 1
            memory.isOdd.toggle()
            let late: Duration = memory.askings % 4 == 0 ? .minutes(15) : .zero
            let drawn = Duration.seconds(Int64(context.draw(0) * 60))
            return ProviderTimeline(
                entries: memory.isOdd ? 3 : 1, spacing: .minutes(10),
                policy: .after(context.date + .minutes(30) + late + drawn))
        }
        func retry(in context: borrowing ProviderContext, _ memory: inout Memory) -> Instant? {
            memory.failures += 1
            return context.date + .minutes(memory.failures % 7 + 1)
        }
    }

    /// It says that it waits for half an hour, and mostly waits for a second.
    struct Liar: WidgetProvider {
        var usualLife: UsualLife { .minutes(30) }
        var leastReaction: Duration { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(context.date + .seconds(1)))
        }
    }

    /// Its answers follow from how often it was asked in all.
    struct Counting: WidgetProvider {
        final class Count: Sendable { let asked = Atomic(0) }
        let count = Count()
        var usualLife: UsualLife { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            let number = count.count()
            return ProviderTimeline(policy: .after(context.date + .minutes(Int64(20 + number % 30))))
        }
    }

    /// Its memory alone is no function of the question.
    struct Forgetful: WidgetProvider {
        struct Memory: BitwiseCopyable { var number = 0 }
        let count = Counting.Count()
        var usualLife: UsualLife { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
            memory.number = count.count()
            return ProviderTimeline(policy: .after(context.date + .minutes(30)))
        }
    }

    struct Far: WidgetProvider {
        var usualLife: UsualLife { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(Instant(microseconds: .max - 1)))
        }
    }

    struct LongAgo: WidgetProvider {
        var usualLife: UsualLife { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            // Once in a while only: at once is soon.
            ProviderTimeline(
                policy: .after(
                    context.draw(0) < 0.1 ? Instant(microseconds: .min) : context.date + .minutes(30)))
        }
    }

    struct TooMany: WidgetProvider {
        var usualLife: UsualLife { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(entries: 20_000, spacing: .minutes(5), policy: .atEnd)
        }
    }

    struct Large: WidgetProvider {
        struct Memory: BitwiseCopyable { var a, b, c, d, e, f, g, h, i: Double }
        var usualLife: UsualLife { .minutes(30) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
            ProviderTimeline(policy: .never)
        }
    }

    static let code: UserCode = {
        var code = UserCode()
        code.add([
            "after": After(), "clock": Clock(), "at_end": AtEnd(), "none": Never(), "entries": OwnEntries(),
            "remembering": Remembering(), "liar": Liar(), "counting": Counting(), "forgetful": Forgetful(),
            "far": Far(), "long_ago": LongAgo(), "too_many": TooMany(), "large": Large(),
        ])
        return code
    }()
}

extension Providers.Counting.Count {
    func count() -> Int { asked.add(1, ordering: .relaxed).newValue }
}

/// A provider of a user's own is one more policy: the built-in ones written as such have the same bytes, and where,
/// with whom and in how many pieces a run is done changes none of its results.
///
/// Rules: P9.
@Suite struct ProviderLawTests {
    static func scenario(_ text: String, _ overrides: [String] = []) throws -> Scenario {
        try UserCode.$current.withValue(Providers.code) { try Fixtures.scenario(text, overrides) }
    }

    private static func run(_ text: String, _ overrides: [String] = [], threads: Int = 2) throws -> RunResult {
        try #require(try ScenarioRun(scenario(text, overrides)).run(threads: threads))
    }

    /// Two fleets that differ in who says their policies.
    private static let policies: [(kind: String, builtIn: String, own: String)] = [
        ("weather", "{after: 20m, jitter: 5m}", "{provider: after, jitter: 5m}"),
        (
            "quote", "{after: {at: [\"09:30\", \"16:00\"]}, jitter: {plus_minus: 5m}}",
            "{provider: clock, jitter: {plus_minus: 5m}}"
        ),
        ("note", "never", "{provider: none}"),
        ("clock", "at_end", "{provider: at_end}"),
    ]

    private static func overrides(own: Bool) -> [String] {
        policies.map { "kinds.\($0.kind).policy=\(own ? $0.own : $0.builtIn)" }
    }

    private static let service =
        "service={timeout: 6s, retries: 2, failing: [[30h, 30h20m]], pools: [{id: origin, servers: 1, service_time: {median: 300ms, p95: 2s}, queue: 3, retry_after: 20s}]}"

    private static let settings: [[String]] = [
        [], [service], ["people=60", "report.represents=6000"],
        ["people=60", "report.represents=600", service, "report.ranges=false"],
        ["parameters={gates: none}"], [service, "parameters={gates: none}"],
    ]

    @Test(arguments: settings, [1, 2])
    func `built-in policies as providers of a user's own have the same bytes`(setting: [String], threads: Int) throws {
        let text = Fixtures.fleet(people: 120)
        let builtIn = try Self.run(text, setting + Self.overrides(own: false), threads: threads)
        let own = try Self.run(text, setting + Self.overrides(own: true), threads: threads)
        #expect(own.fingerprint == builtIn.fingerprint)
        #expect(own.counts == builtIn.counts)
        let (x, y) = try (builtIn.files(), own.files())
        for (file, content) in x where file != "manifest.json" { #expect(y[file] == content, "\(file)") }
        #expect(x.count == y.count)
    }

    @Test(arguments: ["{after: 20m}", "{after: 20m, jitter: {sd: 2m}}", "{after: 20m, jitter: {fixed: 9m}}"])
    func `each jitter is that of the built-in policy`(policy: String) throws {
        let text = Fixtures.fleet(people: 60)
        let builtIn = try Self.run(text, ["kinds.weather.policy=\(policy)"])
        let own = try Self.run(
            text, ["kinds.weather.policy=" + policy.replacing("after: 20m", with: "provider: after")])
        #expect(own.fingerprint == builtIn.fingerprint)
    }

    @Test func `entries of its own are those of the scenario's timeline`() throws {
        let text = Fixtures.fleet(people: 60)
        let series = ["kinds.weather.policy={after: 20m}", "kinds.weather.forecast={error_at_1h: 1, unit: K}"]
        let builtIn = try Self.run(text, series)
        // Its own entries hide those of the scenario.
        let own = try Self.run(
            text,
            [
                "kinds.weather.policy={provider: entries}", "kinds.weather.timeline={shape: single}", series[1],
            ])
        #expect(own.fingerprint == builtIn.fingerprint)
    }

    @Test func `a parameter of the scenario is that of the built-in policy`() throws {
        let text = Fixtures.fleet(people: 60)
        let builtIn = try Self.run(text, ["kinds.weather.policy={after: 50m}"])
        let own = try Self.run(text, ["kinds.weather.policy={provider: after, with: {length: 50m}}"])
        #expect(own.fingerprint == builtIn.fingerprint)
    }

    // MARK: Memory

    private static let remembering = ["kinds.weather.policy={provider: remembering}"]

    @Test(arguments: [[], [service]]) func `what a provider remembers is kept whoever simulates`(setting: [String])
        throws
    {
        let run = try ScenarioRun(Self.scenario(Fixtures.fleet(people: 150), setting + Self.remembering))
        let whole = try #require(run.run(threads: 1))
        #expect(whole.fingerprint == run.run(threads: 2)?.fingerprint)
        #expect(whole.fingerprint == run.run(threads: 2, keepsWhole: true)?.fingerprint)
        let plain = try Self.run(Fixtures.fleet(people: 150), setting)
        #expect(whole.fingerprint != plain.fingerprint)
        for pause in setting.isEmpty ? [1, 64, 100] : [3, 200, 4_000] {
            let first = run.begin(threads: 2)
            if first.advance(until: { $0 >= pause }) { continue }
            let second = run.begin(threads: 1)
            try KeptRun.restore(KeptRun.bytes(of: first), into: second)
            #expect(second.advance())
            #expect(second.result().fingerprint == whole.fingerprint, "from \(pause)")
        }
    }

    @Test func `shards and ranks add up to one run`() throws {
        let scenario = try Self.scenario(Fixtures.fleet(people: 150), Self.remembering)
        let run = try ScenarioRun(scenario)
        let whole = try #require(run.run(threads: 2))
        let merged = run.begin(threads: 1)
        for shard in 0..<3 {
            let part = run.begin(threads: 1, people: 50 * shard..<50 * (shard + 1))
            #expect(part.advance())
            try KeptRun.restore(KeptRun.bytes(of: part), into: merged)
        }
        #expect(merged.result().fingerprint == whole.fingerprint)
        let served = try Self.scenario(Fixtures.fleet(people: 150), [Self.service] + Self.remembering)
        for scenario in [scenario, served] {
            let whole = try #require(try ScenarioRun(scenario).run(threads: 1))
            let ranked = try RankedRun.outcomes(scenario, ranks: 2, threads: [1, 2])
            #expect(ranked[0].result?.fingerprint == whole.fingerprint)
        }
    }

    // MARK: Faults

    private static func fault(_ name: String, _ more: [String] = [], threads: Int = 2) throws -> String? {
        let scenario = try scenario(
            Fixtures.fleet(people: 300), ["kinds.weather.policy={provider: \(name)}"] + more)
        let run = try ScenarioRun(scenario).begin(threads: threads)
        #expect(!run.advance())
        return run.problem?.description
    }

    @Test(arguments: [
        ("liar", "asked for a date sooner after its fetch than its leastReaction of 30m"),
        ("counting", "answered one question in two ways"), ("forgetful", "answered one question in two ways"),
        ("far", "asked for a date more than 3660 days after its fetch"), ("too_many", "answered with 20000 entries"),
    ]) func `a provider at fault ends the run with a sentence`(name: String, sentence: String) throws {
        for more in [[], [Self.service]] {
            let problem = try #require(try Self.fault(name, more))
            #expect(problem.hasPrefix("provider '\(name)' \(sentence)"), "\(problem)")
        }
    }

    @Test func `a date that has passed is at once`() throws {
        let text = Fixtures.fleet(people: 60)
        let some = try Self.run(text, ["kinds.weather.policy={provider: long_ago}"])
        let none = try Self.run(text, ["kinds.weather.policy={provider: after, with: {length: 30m}}"])
        #expect(some.load.requestsByMinute.reduce(0, +) > none.load.requestsByMinute.reduce(0, +))
    }

    // MARK: Names and parameters

    private static func problems(_ policy: String, _ code: UserCode = Providers.code) -> String {
        do {
            _ = try UserCode.$current.withValue(code) {
                try Fixtures.scenario(Fixtures.fleet(), ["kinds.weather.policy=\(policy)"])
            }
            return ""
        } catch { return "\(error)" }
    }

    @Test func `names and parameters that a program does not have are refused with place and cure`() {
        let unknown = Self.problems("{provider: aftr}")
        #expect(unknown.contains("kinds.weather.policy.provider"))
        #expect(unknown.contains("after, at_end, clock") && unknown.contains("did you mean 'after'"), "\(unknown)")
        let plain = Self.problems("{provider: quote}", UserCode())
        #expect(plain.contains("this one has none of its own") && plain.contains("docs/own-widgets.md"), "\(plain)")
        let key = Self.problems("{provider: after, with: {lenght: 1h}}")
        #expect(key.contains("kinds.weather.policy.with.lenght") && key.contains("'length'"), "\(key)")
        #expect(Self.problems("{provider: none, with: {length: 1h}}").contains("takes no parameters"))
        #expect(Self.problems("{provider: after, with: {length: 7}}").contains("a length of time"))
        #expect(Self.problems("{after: 1h, with: {length: 1h}}").contains("provider beside with"))
        #expect(Self.problems("{provider: large}").contains("72 bytes"))
        #expect(Self.problems("{provider: after, with: {length: 7m}}") == "")
    }

    @Test func `name and version of what a scenario names stand in its identity`() throws {
        let scenario = try Self.scenario(Fixtures.fleet(), Self.remembering)
        #expect(scenario.userCode == ["provider remembering 1"])
        #expect(try Fixtures.scenario(Fixtures.fleet()).userCode.isEmpty)
    }
}
