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

    /// It asks for no content while what is there is younger than half an hour.
    struct Sparing: WidgetProvider {
        var usualLife: UsualLife { .minutes(20) }
        var leastReaction: Duration { .minutes(20) }
        func requests(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> Bool {
            guard let content = context.content, context.outcome == .begins, !context.isPreview else { return false }
            return context.date - content.madeAt >= .minutes(30)
        }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(context.date + .minutes(20)))
        }
    }

    /// It asks for nothing in two hours of three, and by default leaves the question to another provider in the third.
    struct Passing: WidgetProvider {
        var passesOn = true
        var usualLife: UsualLife { .minutes(20) }
        var leastReaction: Duration { .minutes(20) }
        func requests(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> Bool {
            if context.date.microseconds / 3_600_000_000 % 3 != 0 { return false }
            return passesOn ? Knowing().requests(in: context, &memory) : true
        }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(context.date + .minutes(20)))
        }
    }

    /// It keeps to the clock times of the built-in policy, and says so; or says so and does not.
    struct Timetable: WidgetProvider {
        var usesContent: Bool { false }
        let schedule = AlignedSchedule(times: [ClockTime(hour: 9, minute: 30), ClockTime(hour: 16, minute: 0)])
        var isLying = false
        var usualLife: UsualLife { .clock(schedule) }
        var onlyAt: AlignedSchedule? { schedule }
        mutating func read(_ with: inout UserParameters) { isLying = with.flag("lies", or: false) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            let date = context.next(of: schedule)
            return ProviderTimeline(policy: isLying ? .after(date + .minutes(1)) : .clock(date))
        }
    }

    /// Five minutes after the person gets up, comes back or has power again; and a minute after each use where nothing
    /// came for two hours.
    struct Listener: WidgetProvider {
        struct Memory: BitwiseCopyable { var heard: Int64 = 0 }
        var usesContent: Bool { false }
        var usualLife: UsualLife { .hours(12) }
        var leastReaction: Duration { .minutes(30) }
        var listens: ProviderContext.Events { [.use, .night, .power, .connection] }
        func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
            memory.heard = 0
            return ProviderTimeline(policy: .after(context.date + .hours(12)))
        }
        func hears(
            _ events: ProviderContext.Events, in context: borrowing ProviderContext, _ memory: inout Memory
        ) -> Instant? {
            memory.heard += 1
            if !events.isDisjoint(with: [.night, .power, .connection]) { return context.date + .minutes(5) }
            return memory.heard % 20 == 0 ? context.date + .minutes(1) : nil
        }
    }

    /// A minute before the next use, if a token is there and no gate is closed: what none can know.
    struct Knowing: WidgetProvider {
        var usesContent: Bool { false }
        var usualLife: UsualLife { .hours(1) }
        var readsHidden: Bool { true }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            guard let hidden = context.hidden, hidden.balance >= 0, hidden.nextUse.map({ $0 > context.date }) ?? true
            else { return ProviderTimeline(entries: -1, policy: .never) }
            let late = context.date + .hours(hidden.closed.contains(.budget) ? 4 : 2)
            let next = hidden.nextUse.map { $0 - .minutes(1) } ?? late
            return ProviderTimeline(policy: .after(max(context.date + .minutes(15), min(next, late))))
        }
    }

    /// Relevant always, or never.
    struct Relevant: WidgetProvider {
        var score = 0.0
        var usesContent: Bool { false }
        var usualLife: UsualLife { .minutes(20) }
        mutating func read(_ with: inout UserParameters) { score = with.number("score", or: score) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(context.date + .minutes(20)), relevance: score)
        }
    }

    static let code: UserCode = {
        var code = UserCode()
        code.add([
            "after": After(), "clock": Clock(), "at_end": AtEnd(), "none": Never(), "entries": OwnEntries(),
            "remembering": Remembering(), "liar": Liar(), "counting": Counting(), "forgetful": Forgetful(),
            "sparing": Sparing(), "passing": Passing(), "third": Passing(passesOn: false), "timetable": Timetable(),
            "listener": Listener(), "knowing": Knowing(),
            "relevant": Relevant(), "far": Far(), "long_ago": LongAgo(), "too_many": TooMany(), "large": Large(),
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

    // MARK: More that it may be asked

    /// Threads, pauses, windows and ranks change nothing of what such a provider leads to.
    @Test(arguments: ["sparing", "listener", "knowing"], [[], [service]])
    func `whoever simulates, its answers lead to the same`(name: String, setting: [String]) throws {
        let own = ["kinds.weather.policy={provider: \(name)}", "kinds.note.policy={provider: \(name)}"]
        let scenario = try Self.scenario(Fixtures.fleet(people: 100), setting + own)
        let run = try ScenarioRun(scenario)
        let whole = try #require(run.run(threads: 1))
        #expect(whole.fingerprint == run.run(threads: 2)?.fingerprint)
        #expect(whole.fingerprint == run.run(threads: 2, keepsWhole: true)?.fingerprint)
        #expect(try whole.fingerprint != Self.run(Fixtures.fleet(people: 100), setting).fingerprint)
        for pause in setting.isEmpty ? [1, 64] : [3, 400] {
            let first = run.begin(threads: 2)
            if first.advance(until: { $0 >= pause }) { continue }
            let second = run.begin(threads: 1)
            try KeptRun.restore(KeptRun.bytes(of: first), into: second)
            #expect(second.advance())
            #expect(second.result().fingerprint == whole.fingerprint, "from \(pause)")
        }
        let ranked = try RankedRun.outcomes(scenario, ranks: 2, threads: [1, 2])
        #expect(ranked[0].result?.fingerprint == whole.fingerprint)
    }

    private static func requests(_ policy: String, _ more: [String] = []) throws -> Double {
        let result = try run(
            Fixtures.fleet(people: 60), ["parameters={gates: none}", "kinds.weather.policy=\(policy)"] + more)
        return Double(result.load.requestsByMinute.reduce(0, +))
    }

    @Test func `a reload that asks for nothing is answered on the device`() throws {
        let sparing = try Self.requests("{provider: sparing}")
        let always = try Self.requests("{provider: after}")
        // Every second one finds content of twenty minutes; openings of the app bring more.
        #expect(sparing < 0.75 * always && sparing > 0.3 * always, "\(sparing) of \(always)")
        let rows = try ScenarioRun(
            Self.scenario(Fixtures.fleet(people: 3), ["kinds.weather.policy={provider: sparing}"])
        ).trace(person: 1).rows.filter { $0.kind == "weather" }
        let ended = rows.count { $0.event == .response }
        #expect(ended > 20 && rows.count { $0.event == .request } < ended)
    }

    @Test func `a provider that passes the question on is asked again`() throws {
        for threads in [1, 2] {
            let fingerprints = try ["passing", "third"].map {
                try Self.run(
                    Fixtures.fleet(people: 60), ["kinds.weather.policy={provider: \($0)}"], threads: threads
                ).fingerprint
            }
            #expect(fingerprints[0] == fingerprints[1])
        }
        #expect(try Self.requests("{provider: passing}") < 0.6 * Self.requests("{provider: after}"))
    }

    @Test func `dates that keep to the clock are those of the built-in policy, with a service too`() throws {
        for setting in [[], [Self.service], [Self.service, "parameters={gates: none}"]] {
            let text = Fixtures.fleet(people: 120)
            let policy = "{after: {at: [\"09:30\", \"16:00\"]}, jitter: {plus_minus: 5m}}"
            for threads in 1...2 {
                let builtIn = try Self.run(text, setting + ["kinds.quote.policy=\(policy)"], threads: threads)
                let own = try Self.run(
                    text, setting + ["kinds.quote.policy={provider: timetable, jitter: {plus_minus: 5m}}"],
                    threads: threads)
                #expect(own.fingerprint == builtIn.fingerprint)
            }
        }
        let lying = try Self.scenario(
            Fixtures.fleet(people: 60), ["kinds.quote.policy={provider: timetable, with: {lies: true}}"])
        let run = try ScenarioRun(lying).begin(threads: 1)
        #expect(!run.advance())
        #expect(run.problem?.description.contains("'timetable' asked for a date that is none of its onlyAt") == true)
    }

    @Test func `a provider that listens names dates after what happens to its device`() throws {
        let rows = try ScenarioRun(
            Self.scenario(
                Fixtures.fleet(people: 3), ["parameters={gates: none}", "kinds.weather.policy={provider: listener}"])
        ).trace(person: 1).rows
        let wakes = rows.filter { $0.event == .wake }
        #expect(wakes.count >= 2)
        for wake in wakes {
            // Unless a reload is under way, or comes within the five minutes.
            let soon = rows.filter {
                $0.kind == "weather" && $0.event == .run && $0.time >= wake.time - .minutes(1)
                    && $0.time <= wake.time + .minutes(7)
            }
            #expect(!soon.isEmpty, "\(wake.time)")
        }
    }

    @Test func `what none can know marks the run`() throws {
        let scenario = try Self.scenario(Fixtures.fleet(people: 30), ["kinds.weather.policy={provider: knowing}"])
        #expect(scenario.userCode == ["provider knowing 1 not implementable"])
        _ = try #require(try ScenarioRun(scenario).run(threads: 2))
        #expect(scenario.answerWarnings.first?.hasPrefix("not implementable: provider 'knowing'") == true)
    }

    @Test func `its relevance turns stacks as the scenario's does`() throws {
        let text = Fixtures.fleet(people: 60).replacing(
            "{id: here, kind: weather, surface: home_first, location: current}",
            with: "{id: here, kind: weather, stack: pile, family: system_medium, location: current}"
        ).replacing(
            "{id: clock, kind: clock, surface: home_other, share: 0.5}",
            with: "{id: clock, kind: clock, stack: pile, family: system_medium}"
        ).replacing("- kind: phone\n", with: "- kind: phone\n      stacks: [{id: pile, surface: home_first}]\n")
        func turned(_ set: [String]) throws -> String {
            try Self.run(text, ["kinds.clock.relevance={base: 3}"] + set).fingerprint
        }
        // The fleet's past goes by what the scenario states (T4), which is the same in all of these.
        let stated = "kinds.weather.relevance={base: 7}"
        func own(_ score: Int) -> String { "kinds.weather.policy={provider: relevant, with: {score: \(score)}}" }
        let plain = try turned([stated, "kinds.weather.policy={provider: after}"])
        #expect(try turned([stated, own(7)]) == plain)
        #expect(try turned([stated, own(0)]) != plain)
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

    @Test func `a trace says what the provider has answered`() throws {
        func details(_ policy: String) throws -> [String] {
            let scenario = try Self.scenario(Fixtures.fleet(people: 3), ["kinds.weather.policy=\(policy)"])
            return try ScenarioRun(scenario).trace(person: 1).rows.filter {
                $0.event == .response && $0.kind == "weather"
            }
            .map(\.detail)
        }
        #expect(try details("{provider: after}").allSatisfy { $0.contains("its provider asks after 20m") })
        let entries = try details("{provider: entries}")
        #expect(entries.allSatisfy { $0.contains("6 entries, 1h apart, its provider asks after 20m") }, "\(entries)")
        #expect(try details("{provider: clock}").allSatisfy { $0.contains("asks by the clock after ") })
        #expect(try details("{provider: long_ago}").contains { $0.contains("before the fetch") })
        #expect(try details("{after: 20m}").allSatisfy { !$0.contains("provider") })
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
