import Foundation
import RunLaws
import Reporting
import ScenarioFiles
import Statistics
import Testing

@testable import Simulation

/// The announcement before a run against the run: within a factor of 1.5.
@Suite struct EstimateTests {
    /// In debug a run is many times slower.
    #if DEBUG
        private static let people = (shipped: 40, random: 25)
    #else
        private static let people = (shipped: 300, random: 400)
    #endif

    private struct Comparison {
        let name: String
        let reloads, requests, events: (estimated: Double, measured: Double)

        /// Whether reloads and requests are within a factor of each other; a few more or less are chance.
        func isWithin(_ factor: Double) -> Bool {
            [reloads, requests].allSatisfy { pair in
                let slack = 2 * max(pair.estimated, pair.measured).squareRoot() + 5
                return pair.estimated < factor * pair.measured + slack
                    && pair.measured < factor * pair.estimated + slack
            }
        }
    }

    /// Compares a run, all of which is reported, with its estimate.
    private static func compare(_ name: String, _ text: String, people: Int) throws -> Comparison {
        var scenario = try Fixtures.scenario(text, ["people=\(people)", "thresholds=[]"])
        (scenario.plan.lead, scenario.plan.warmup) = (.zero, .zero)
        let estimate = ScenarioEstimate(scenario)
        let result = try #require(try ScenarioRun(scenario).run(threads: 2))
        let comparison = Comparison(
            name: name, reloads: (estimate.reloads, Double(result.reloads.sum(.started.all))),
            requests: (
                estimate.requests,
                // Providers that read their app make none, and its fetches are all there are.
                Double(
                    scenario.plan.kinds.allSatisfy(\.readsApp)
                        ? result.devices[.fetchRequests] : result.reloads.sum(.requestsSent.all))
            ),
            events: (estimate.events, Double(result.devices[.events])))
        print("ESTIMATE \(name) reloads: \(Int(comparison.reloads.estimated)) for \(Int(comparison.reloads.measured))")
        return comparison
    }

    @Test(arguments: Fixtures.shipped) func `a shipped scenario has the reloads and requests that are announced`(
        file: URL
    ) throws {
        let comparison = try Self.compare(
            file.lastPathComponent, String(contentsOf: file, encoding: .utf8), people: Self.people.shipped)
        #expect(comparison.isWithin(1.5), "\(comparison)")
        let events = comparison.events
        #expect(events.estimated < 2.5 * events.measured && events.measured < 1.5 * events.estimated, "\(comparison)")
    }

    @Test func `a hundred random scenarios have the reloads and requests that are announced`() throws {
        let comparisons = try (0..<100).map {
            try Self.compare("random-\($0)", Self.random($0), people: Self.people.random)
        }
        #expect(comparisons.allSatisfy { $0.isWithin(1.5) }, "\(comparisons.filter { !$0.isWithin(1.5) })")
    }

    @Test func `an estimate depends on the scenario, not on its seed, and is the same each time`() throws {
        let text = Self.random(3)
        let estimates = try ["seed=1", "seed=2", "seed=1"].map { ScenarioEstimate(try Fixtures.scenario(text, [$0])) }
        for other in estimates.dropFirst() {
            #expect(
                other.events == estimates[0].events && other.reloads == estimates[0].reloads
                    && other.requests == estimates[0].requests)
        }
    }

    /// A year is not lived through, and a segment of one person in a thousand is not left out.
    @Test func `the estimate of a long run is that of a short one times its length, and small segments count`() throws {
        func estimate(_ duration: String, _ share: String) throws -> ScenarioEstimate {
            ScenarioEstimate(
                try Fixtures.scenario(
                    """
                    start: "2026-03-02T00:00:00Z"
                    warmup: 0s
                    duration: \(duration)
                    people: 1000
                    kinds:
                      - {id: rare, policy: {after: 10m}}
                      - {id: usual, policy: never}
                    segments:
                      - {name: many, share: \(1 - Double(share)!), devices: [{kind: phone, instances: [{id: x, kind: usual, surface: home_first}]}]}
                      - {name: few, share: \(share), devices: [{kind: phone, instances: [{id: x, kind: rare, surface: home_first}]}]}
                    """))
        }
        let (month, years) = (try estimate("28d", "0.001"), try estimate("1400d", "0.001"))
        #expect(
            years.reloads / month.reloads > 50 / 1.5 && years.reloads / month.reloads < 50 * 1.5,
            "\(month.reloads) and \(years.reloads)")
        #expect(try estimate("28d", "0.002").reloads > month.reloads)
    }

    @Test func `the sample of a few people is a part of what they do`() throws {
        let scenario = try Fixtures.scenario(
            """
            start: "2026-03-02T00:00:00Z"
            duration: 28d
            people: 10
            kinds: [{id: usual, policy: {after: 1h}}]
            segments:
              - {name: all, share: 1, devices: [{kind: phone, instances: [{id: x, kind: usual, surface: home_first}]}]}
            """, [])
        let sample = try FleetSample(scenario, servedFrom: nil, measuresSnapshots: false)
        #expect(sample.people > 0 && sample.events < 0.4 * ScenarioEstimate(scenario).events, "\(sample.events)")
    }

    /// A small scenario drawn from the keys that decide how often widgets reload.
    private static func random(_ number: Int) -> String {
        var stream = RandomStream(seed: 16, person: UInt64(number), purpose: .resampling)
        func below(_ count: Int) -> Int { Int(stream.nextIndex(below: UInt64(count))) }
        func one(_ list: [String]) -> String { list[below(list.count)] }
        func kind(_ id: String) -> String {
            let policy = one([
                "{after: 10m}", "{after: 20m, jitter: 10m}", "{after: 30m}", "{after: 1h, jitter: {plus_minus: 10m}}",
                "{after: 2h, jitter: {mean: 30m}}",
                "{after: 6h}", "{after: 30h}", "at_end", "never",
                "{after: {at: [\"07:30\", \"12:00\", \"18:00\"], zone: local}, jitter: 20m}",
                "{after: {at: [\"09:30\"], zone: America/New_York, days: weekdays}}",
            ])
            let shape = one([
                "{shape: single}", "{shape: series, count: 6, spacing: 1h}", "{shape: series, count: 13, spacing: 5m}",
                "{shape: until_midnight, spacing: 1h}", "{shape: self_updating, good_for: 4h}",
            ])
            let more = one([
                "", "", ", reload_on_open: always",
                ", reload_on_open: if_changed, versions: {source: poisson, every: 2h}", ", wake_ups_per_day: 12",
                ", interactions_per_view: 0.05", ", requests_per_reload: 3", ", data_protection: complete",
                ", push: true, push_on_version: {share: 0.5}, versions: {source: steady, every: 20m}",
            ])
            return "  - {id: \(id), policy: \(policy), timeline: \(shape)\(more)}\n"
        }
        let devices = one([
            "{kind: phone, instances: [{id: x, kind: a, surface: home_first}, {id: y, kind: b, surface: home_other}]}",
            "{kind: phone, instances: [{id: x, kind: a, surface: lock_screen}, {id: y, kind: b, surface: today_view, share: 0.5}]}",
            "{kind: phone, instances: [{id: x, kind: a, surface: home_first, location: current}]}",
            "{kind: tablet, instances: [{id: x, kind: a, surface: home_first}, {id: y, kind: b, surface: home_first}]}",
            "{kind: watch, instances: [{id: x, kind: a}]}",
        ])
        return """
            start: "2026-03-0\(1 + below(7))T\(one(["00", "06", "15"])):00:00Z"
            warmup: \(one(["0s", "12h", "1d"]))
            duration: \(one(["12h", "1d", "3d"]))
            people: 10
            seed: \(number)
            parameters: {min_gap: \(one(["0s", "1m", "5m", "15m"])), burst_share: \(one(["0.1", "0.25", "1"])), a_max: \(one(["20", "40", "75"])), gates: \(one(["all", "all", "all", "none"]))}
            kinds:
            \(kind("a"))\(kind("b"))population:
              zones: {\(one(["America/New_York", "Europe/London", "Asia/Tokyo"])): 1}
              pickups: {unlocks_per_day: \(one(["15", "50", "{shape: 3, mean: 80}", "120"]))}
              apps: {app: {openings_per_day: \(one(["0.5", "2", "8"]))}}
              devices: [\(devices)]
            """
    }
}
