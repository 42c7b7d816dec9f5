import Basics
import Fleet
import Foundation
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Facts that are counted twice must agree, and nothing is lost: on the fixture and on every shipped scenario with few
/// people.
///
/// Rules: T4, D3, V2, P7, B1, B4, B6, G8, G9, S1, S6.
@Suite struct ConservationLawTests {
    static let results: [(String, RunResult)] = {
        var results = [("fixture", try! Fixtures.run(Fixtures.fleet()))]
        for file in Fixtures.shipped {
            let text = try! String(contentsOf: file, encoding: .utf8)
            results.append((file.lastPathComponent, try! Fixtures.run(text, ["people=300"])))
        }
        return results
    }()

    @Test(arguments: RunLaw.all, results.indices) func `every law of a run's measures holds`(law: RunLaw, index: Int) {
        let (name, result) = Self.results[index]
        let breaches = law.breaches(result)
        #expect(breaches.isEmpty, "\(name)")
        let asksNobody = result.scenario.plan.kinds.allSatisfy(\.readsApp)
        #expect(asksNobody || result.reloads.sum(.requestsSent.all) > 0, "\(name): nothing was requested")
    }

    @Test
    func
        `a view stands under the hour that its device's clock shows, also over a change of the clocks and in another zone`()
        throws
    {
        let text = """
            start: "2026-03-06T00:00:00-05:00"
            warmup: 0s
            duration: 4d
            people: 40
            kinds: [{id: k, policy: {after: 1h}}]
            population:
              zones: {America/New_York: 0.5, America/Los_Angeles: 0.5}
              movement: {travel: {per_year: 300}}
              devices: [{instances: [{id: i, kind: k, surface: lock_screen}]}]
            """
        let scenario = try Fixtures.scenario(text)
        let run = try ScenarioRun(scenario)
        var expected = [WeekHour: Int64]()
        var counted = expected
        var crossings: Int64 = 0
        for person in 0..<40 {
            let (rows, result) = run.trace(person: person)
            for row in rows where row.state != nil {
                let time = scenario.plan.zones[row.zone].localTime(at: row.time)
                expected[WeekHour(weekday: time.date.weekday, hour: time.clock.hour), default: 0] += 1
            }
            let byHour = BlockSum(result.measures, at: result.measures.layout.hourPlace(ofStratum: 0))
            for hour in WeekHour.allCases where byHour.sum(.views(at: hour).all) > 0 {
                counted[hour, default: 0] += byHour.sum(.views(at: hour).all)
            }
            crossings += result.devices[.zoneCrossings]
        }
        #expect(counted == expected)
        #expect(crossings > 5)
    }

    @Test func `what a trace prints is what the run counts for the person`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 40))
        let run = try ScenarioRun(scenario)
        let reportStart = Instant.start + scenario.plan.warmup
        for person in 0..<40 {
            let (rows, result) = run.trace(person: person)
            let reported = rows.filter { $0.time >= reportStart }
            func rowCount(_ event: TraceEvent) -> Int64 { Int64(reported.filter { $0.event == event }.count) }
            #expect(rowCount(.granted) == result.reloads.sum(.started.all))
            #expect(rowCount(.request) == result.reloads.sum(.requestsSent.all))
            #expect(rowCount(.response) == result.reloads.sum(.delays))
            #expect(rowCount(.merged) == result.reloads.sum(.merged.all))
            #expect(rowCount(.pickup) == result.devices[.sessions])
            #expect(rowCount(.glance) == result.devices[.glances])
            #expect(rowCount(.appOpen) == result.devices[.appOpenings])
            for state in ViewState.allCases {
                let views = Int64(reported.filter { $0.state == state }.count)
                #expect(views == result.views[.views(state)], "\(state)")
            }
            #expect(reported.allSatisfy { ($0.age ?? .zero) >= .zero }, "content older than its view")
        }
    }

    @Test func `payment is one thing where reloads start, where they end, in their delays and in traces`() throws {
        for gates in ["all", "none"] {
            let scenario = try Fixtures.scenario(
                Fixtures.fleet(people: 40), ["parameters.gates=\(gates)", "warmup=0s"])
            let run = try ScenarioRun(scenario)
            for person in 0..<40 {
                let (rows, result) = run.trace(person: person)
                for charged in [true, false] {
                    func rowCount(_ event: TraceEvent) -> Int64 {
                        Int64(rows.count { $0.event == event && $0.isCharged == charged })
                    }
                    let started = ReloadCause.allCases.reduce(0) { $0 + result.reloads[.started($1, charged: charged)] }
                    let brought = ReloadCause.allCases.reduce(0) {
                        $0 + result.reloads[.ended($1, charged: charged, .ok)]
                    }
                    #expect(rowCount(.granted) == started, "gates \(gates), charged \(charged)")
                    #expect(
                        rowCount(.response) == brought && result.reloads.sum(.delays(charged: charged)) == brought,
                        "gates \(gates), charged \(charged)")
                }
                if gates == "none" { #expect(rows.allSatisfy { $0.isCharged != true }) }
            }
        }
    }

    @Test func `the sum of all traces is the run`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 30))
        let run = try ScenarioRun(scenario)
        let traces = (0..<30).map { run.trace(person: $0).measures }
        for trace in traces.dropFirst() {
            traces[0].measures.merge(trace.measures)
            traces[0].load.merge(trace.load)
        }
        // Groups of people are counted by a run alone.
        let whole = try #require(run.run(threads: 2))
        #expect(
            traces[0].measures.fingerprint(with: traces[0].load) == whole.measures.fingerprint(with: whole.load))
    }
}
