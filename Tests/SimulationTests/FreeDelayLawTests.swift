import Basics
import Foundation
import RunLaws
import ScenarioFiles
import Simulation
import Testing
import WidgetPlatform

/// How a change of the environment reaches many devices in use: in one tick without delays, spread out with them (F4).
///
/// Rules: F1, F2.
@Suite struct FreeDelayLawTests {
    private static let devices = 1_500

    /// Requests by the tenth of a second, of devices all of which are in use as their language changes, a minute after
    /// the start.
    private static func tenths(_ parameters: String) throws -> [Int] {
        let scenario = """
            start: "2026-03-02T12:00:00Z"
            end: 10m
            parameters: {\(parameters)}
            kinds: [{id: k, policy: never}]
            devices:
            \((0..<devices).map { "  - {id: d\($0), zone: UTC, instances: [{id: i, kind: k, initial: {fetched: \"2026-03-02T11:00:00Z\"}}]}" }.joined(separator: "\n"))
            replay: events.csv
            """
        let events = (0..<devices).map { "d\($0),30,pickup,\nd\($0),60,environment,language\n" }.joined()
        let result = try #require(
            try ScenarioRun(try ScenarioReader.read(text: scenario, replay: events).scenario).run(threads: 2))
        #expect(result.reloads[.started(.environment, charged: false)] == Int64(devices))
        return result.load.tenths(of: 0).map { Int($0) }
    }

    @Test func `without delays every device in use asks in one tick`() throws {
        let tenths = try Self.tenths("")
        #expect(tenths[600] == Self.devices && tenths.reduce(0, +) == Self.devices)
    }

    @Test func `a change that spreads evenly over a minute makes a herd of a minute, and its delay moves it`() throws {
        let tenths = try Self.tenths("environment_spread: {min: 0s, max: 60s}, free_delay: 5s")
        #expect(tenths[..<650].reduce(0, +) == 0 && tenths[650..<1_251].reduce(0, +) == Self.devices)
        let seconds = stride(from: 650, to: 1_250, by: 10).map { start in tenths[start..<start + 10].reduce(0, +) }
        let expected = HerdOracleTests.expectedMaximum(mean: Double(Self.devices) / 60, bins: 60)
        #expect(
            abs(Double(seconds.max() ?? 0) - expected.mean) < 5 * expected.sd,
            "\(seconds.max() ?? 0), expected \(expected.mean) ± \(expected.sd)")
    }

    @Test func `half of free reloads have run by the median of their delay, and a twentieth not by its 95 % quantile`()
        throws
    {
        let tenths = try Self.tenths("free_delay: {median: 5s, p95: 20s}")
        let share = { (end: Int) in Double(tenths[600..<end].reduce(0, +)) / Double(Self.devices) }
        let sd = { (p: Double) in (p * (1 - p) / Double(Self.devices)).squareRoot() }
        #expect(abs(share(650) - 0.5) < 5 * sd(0.5), "\(share(650))")
        #expect(abs(share(800) - 0.95) < 5 * sd(0.95), "\(share(800))")
    }

    /// Kathmandu is a quarter of an hour off the half hours: its midnight is 18:15 UTC.
    @Test func `each local midnight reloads every instance once, if a new day is a change of the environment`() throws {
        func count(_ midnight: String) throws -> (changes: Int64, reloads: Int64) {
            let scenario = """
                start: "2026-03-02T12:00:00Z"
                end: 3d
                parameters: {midnight: \(midnight)}
                kinds: [{id: k, policy: never}]
                devices: [{id: d, zone: Asia/Kathmandu, instances: [{id: i, kind: k}, {id: j, kind: k}]}]
                replay: events.csv
                """
            let nights = (0..<3).map { "d,\(3_600 * (6 + 24 * $0)),pickup,\nd,\(3_600 * (7 + 24 * $0)),lock,\n" }
                .joined()
            let result = try #require(
                try ScenarioRun(try ScenarioReader.read(text: scenario, replay: nights).scenario).run(threads: 1))
            return (result.devices[.environmentChanges], result.reloads[.started(.environment, charged: false)])
        }
        #expect(try count("none") == (0, 0))
        #expect(try count("reload") == (3, 6))
    }
}
