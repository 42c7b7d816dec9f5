import Foundation
import Reloadsim
import Testing

/// The library reads, runs and measures as the program does.
@Suite struct LibraryTests {
    private struct Hourly: WidgetProvider {
        var hours = 1.0
        var usualLife: UsualLife { .hours(1) }
        mutating func read(_ with: inout UserParameters) { hours = with.number("hours", or: hours, in: 0.1...24) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            ProviderTimeline(policy: .after(context.date + .seconds(Int64(hours * 3_600))))
        }
    }

    /// How far the value has moved is what the next date goes by.
    private struct Moved: WidgetProvider {
        struct Memory: BitwiseCopyable { var last: Double }
        var usualLife: UsualLife { .hours(1) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
            let value = context.content?.value ?? memory.last
            let moved = (value - memory.last).magnitude
            memory.last = value
            return ProviderTimeline(policy: .after(context.date + .minutes(moved > 1 ? 10 : 60)))
        }
    }

    private static let text = """
        start: "2026-03-02T00:00:00+00:00"
        warmup: 1d
        duration: 1d
        people: 100
        parameters: {gates: none}
        kinds: [{id: widget, app: app, policy: {provider: hourly}, versions: {source: steady, every: 10m}}]
        population:
          zones: {Europe/London: 1}
          devices: [{kind: phone, instances: [{id: first, kind: widget, surface: home_first}]}]
        """

    @Test func `a run has every metric with its range`() async throws {
        let results = try await Scenario(Self.text).run(threads: 1, providers: ["hourly": Hourly()])
        #expect((results.requests_per_instance_day.value / 24 - 1).magnitude < 0.1)
        #expect(results["widget.share_stale"]?.value == results.share_stale.value)
        #expect(results["nothing"] == nil)
        let people = results.reloads_charged
        #expect(people.lower <= people.value && people.value <= people.upper && people.unit == "reloads")
        #expect(results.metrics.contains("share_fresh") && results.tables.contains("reloads"))
        #expect(results.csv("reloads")?.contains(",widget,") == true && results.csv("no") == nil)
        let two = try await Scenario(Self.text).run(threads: 2, providers: ["hourly": Hourly()])
        #expect(two.fingerprint == results.fingerprint)
    }

    @Test func `people stand for many, and each seed is another draw`() async throws {
        let runs = try await Scenario(Self.text, set: ["duration": "6h"]).runs(
            seeds: 1...2, people: 50, represents: 5_000, providers: ["hourly": Hourly()])
        #expect(runs.count == 2 && runs[0].fingerprint != runs[1].fingerprint)
        for run in runs { #expect((run.load_peak_1h.value / 5_000 - 1).magnitude < 0.2, "\(run.load_peak_1h)") }
    }

    @Test func `parameters and values over the scenario's own are those of the program`() async throws {
        let set = ["kinds.widget.policy.with": "{hours: 0.5}"]
        let results = try await Scenario(Self.text, set: set).run(providers: ["hourly": Hourly()])
        #expect((results.requests_per_instance_day.value / 48 - 1).magnitude < 0.1)
        let starter = try await Scenario("stocks", set: ["duration": "1d"]).run(people: 20)
        #expect(starter.views.value > 0)
    }

    @Test func `a walk that moves more is asked for more often`() async throws {
        var reloads: [Double] = []
        for walk in ["0.01", "200"] {
            let set = [
                "kinds.widget.policy": "{provider: moved}",
                "kinds.widget.versions": "{source: steady, every: 10m, value: {walk: \(walk)}}",
            ]
            let results = try await Scenario(Self.text, set: set).run(providers: ["moved": Moved()])
            reloads.append(results.requests_per_instance_day.value)
            // All share the versions: another draw of them moves everybody.
            #expect(results.requests_total.upper == .infinity)
        }
        #expect(reloads[0] < 26 && reloads[1] > 80, "\(reloads)")
    }

    /// Answers that are allowed and probably not meant, by the hour of the day.
    private struct Odd: WidgetProvider {
        var sort = ""
        var usualLife: UsualLife { .hours(1) }
        mutating func read(_ with: inout UserParameters) { sort = with.text("sort", or: sort) }
        func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
            let (hour, later) = (
                context.next(at: ClockTime(hour: (context.local.clock.hour + 1) % 24, minute: 0)),
                context.date + .hours(1)
            )
            return switch sort {
            case "past": ProviderTimeline(policy: .after(context.draw(0) < 0.2 ? context.date - .minutes(3) : later))
            case "close": ProviderTimeline(entries: 10, spacing: .minutes(1), policy: .after(later))
            case "many": ProviderTimeline(entries: 401, spacing: .minutes(5), policy: .after(later))
            case "hour": ProviderTimeline(policy: .after(hour))
            default: ProviderTimeline(entries: 400, spacing: .minutes(5), policy: .after(later))
            }
        }
    }

    @Test(arguments: [
        ("past", "asked for a date before the fetch"), ("close", "had entries closer than 5m"),
        ("many", "had more than 400 entries"), ("hour", "asked for the one second 2026-03-0"), ("none", ""),
    ]) func `answers that are probably not meant are counted and said once`(sort: String, sentence: String) async throws
    {
        func warnings(_ more: [String: String] = [:], threads: Int) async throws -> [String] {
            let set = ["kinds.widget.policy": "{provider: odd, with: {sort: \(sort)}}"].merging(more) { $1 }
            return try await Scenario(Self.text, set: set).run(threads: threads, providers: ["odd": Odd()]).warnings
        }
        let one = try await warnings(threads: 1)
        #expect(one.count == (sort == "none" ? 0 : 1), "\(one)")
        #expect(one.allSatisfy { $0.hasPrefix("provider 'odd': ") && $0.contains(sentence) }, "\(one)")
        let two = try await warnings(threads: 2)
        #expect(two == one)
        if sort == "hour" {
            let spread = ["kinds.widget.policy": "{provider: odd, with: {sort: hour}, jitter: 10m}"]
            #expect(try await warnings(spread, threads: 1).isEmpty)
        }
    }

    @Test func `what is wrong is an error with all problems`() async throws {
        await #expect(throws: ReloadsimError.self) { try await Scenario(Self.text).run() }
        await #expect(throws: ReloadsimError.self) { try await Scenario("nowhere.yaml").run() }
        do {
            _ = try await Scenario(Self.text, set: ["people": "0", "kinds.widget.policy.with": "{hour: 3}"])
                .run(providers: ["hourly": Hourly()])
        } catch let error as ReloadsimError {
            #expect(error.problems.count == 2 && error.description.contains("hours"), "\(error)")
        }
    }

    @Test func `a folder has the tables and the page`() async throws {
        let results = try await Scenario(Self.text).run(people: 10, providers: ["hourly": Hourly()])
        let folder = NSTemporaryDirectory() + "reloadsim-library-" + UUID().uuidString
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        try results.write(to: folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.contains("report.html") && files.contains("summary.csv"))
        #expect(throws: ReloadsimError.self) { try results.write(to: folder) }
        try results.write(to: folder, replacing: true)
    }

    @Test func `at most sixty declarations are public`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Reloadsim")
        let files = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
        let lines = try files.filter { $0.pathExtension == "swift" }
            .flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
        #expect(lines.count { $0.drop { $0 == " " }.hasPrefix("public ") } <= 60)
    }
}
