import Fleet
import Foundation
import Measures
import SimulatedTime
import Simulation
import Testing
import WidgetPlatform

/// What is counted twice must agree, and nothing is lost: on the fixture and on every shipped scenario with few people.
@Suite struct ConservationLawTests {
    static let results: [(String, RunResult)] = {
        var results = [("fixture", try! Fixtures.run(Fixtures.fleet()))]
        for file in Fixtures.shipped {
            let text = try! String(contentsOf: file, encoding: .utf8)
            results.append((file.lastPathComponent, try! Fixtures.run(text, ["people=300"])))
        }
        return results
    }()

    @Test(arguments: results.indices) func `requests of the ledger are requests of the load curve`(index: Int) {
        let (name, result) = Self.results[index]
        let ledger =
            result.reloads.sum(.requestsSent) + result.reloads[.requestsCarriedIn] - result.reloads[.requestsCarriedOut]
            + result.devices[.fetchRequests] + result.devices[.fetchRequestsCarriedIn] - result.devices[.fetchRequestsCarriedOut]
        #expect(ledger == result.tenths.reduce(0) { $0 + Int64($1) }, "\(name)")
        var split: Int64 = 0
        for endpoint in 0..<result.load.endpoints {
            for region in 0..<result.load.regions {
                for cause in 0..<result.load.causes {
                    split += result.load.minutes(of: endpoint, region: region, cause: cause).reduce(0) { $0 + Int64($1) }
                }
            }
        }
        #expect(split == ledger, "\(name)")
        #expect(ledger > 0, "\(name): nothing was requested")
    }

    @Test(arguments: results.indices) func `tokens are neither lost nor made`(index: Int) {
        let (name, result) = Self.results[index]
        for reloads in result.reloadBlocks {
            for pool in BudgetPool.allCases.map(reloads.pool) {
                let granted = pool[.opening] + pool.sum(.accrued)
                let gone = pool.sum(.spent) * AllowanceRule.token + pool.sum(.expired) + pool[.closing]
                #expect(granted == gone, "\(name)")
            }
        }
    }

    @Test(arguments: results.indices) func `every charged reload spends one token and every reload ends or is under way`(index: Int) {
        let (name, result) = Self.results[index]
        for reloads in result.reloadBlocks {
            let charged = ReloadCause.allCases.reduce(0) { $0 + reloads[.started($1, charged: true)] }
            let spent = reloads.allPools.sum(.spent)
            // With open gates every background reload runs and nothing is charged.
            #expect(result.scenario.plan.parameters.gatesOpen ? spent == 0 : charged == spent, "\(name)")
            #expect(reloads.sum(.started) + reloads[.carriedIn] == reloads.sum(.ended) + reloads[.carriedOut], "\(name)")
        }
    }

    @Test(arguments: results.indices) func `stale time is part of waking time and ages are counted once a view`(index: Int) {
        let (name, result) = Self.results[index]
        for counts in result.viewBlocks {
            #expect(counts.wide(.staleTime) <= counts.wide(.wakingTime), "\(name)")
            let (ages, views) = (counts.sum(.ages), counts.sum(.states))
            let without = counts[.views(.placeholder)] + counts[.views(.alternate)]
            #expect(ages <= views && ages >= views - without - counts[.views(.redacted)], "\(name)")
            #expect(counts[.missedViews] <= ages, "\(name)")
            for state in ViewState.allCases { #expect(counts[.healed(state)] <= counts[.views(state)], "\(name)") }
        }
    }

    @Test(arguments: results.indices) func `views add up by state in every split`(index: Int) {
        let (name, result) = Self.results[index]
        let layout = result.measures.layout
        for (number, line) in layout.lines.enumerated() {
            for surface in MeasureLayout.surfaces(of: line.device) {
                let byMode = BlockSum(
                    result.measures, at: CountedMode.allCases.map { layout.viewPlace(ofLine: number, mode: $0, surface: surface) })
                let byLook = BlockSum(
                    result.measures,
                    at: line.faces.indices.filter { line.faces[$0].surface == surface }.map { layout.facePlace(ofLine: number, face: $0) })
                for state in ViewState.allCases {
                    let looks = Presentation.allCases.filter { $0.state == state }
                    let views = looks.reduce(0) { $0 + byLook[.views($1)] }
                    let healed = looks.reduce(0) { $0 + byLook[.healed($1)] }
                    #expect(byMode[.views(state)] == views, "\(name): line \(number), surface \(surface), state \(state)")
                    #expect(byMode[.healed(state)] == healed, "\(name): line \(number), surface \(surface), state \(state)")
                }
            }
        }
    }

    @Test(arguments: results.indices) func `views by hour are the views of their line, state by state`(index: Int) {
        let (name, result) = Self.results[index]
        let layout = result.measures.layout
        for line in layout.lines.indices {
            let byHour = BlockSum(result.measures, at: layout.hourPlace(ofLine: line))
            let views = BlockSum(
                result.measures,
                at: CountedMode.allCases.flatMap { mode in
                    MeasureLayout.surfaces(of: layout.lines[line].device).map { layout.viewPlace(ofLine: line, mode: mode, surface: $0) }
                })
            for state in ViewState.allCases {
                let sum = (0..<HourCounts.hours).reduce(0) { $0 + byHour[.views(state, atHour: $1)] }
                #expect(sum == views[.views(state)], "\(name): line \(line), state \(state)")
            }
        }
    }

    @Test func `a view stands under the hour that its device's clock shows, also over a change of the clocks and in another zone`() throws {
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
        var expected = [Int64](repeating: 0, count: HourCounts.hours)
        var counted = expected
        var crossings: Int64 = 0
        for person in 0..<40 {
            let (rows, result) = run.trace(person: person)
            for row in rows where row.state != nil { expected[scenario.plan.zones[row.zone].localTime(at: row.time).clock.hour] += 1 }
            let byHour = BlockSum(result.measures, at: result.measures.layout.hourPlace(ofLine: 0))
            for hour in 0..<HourCounts.hours { counted[hour] += byHour.sum(.views(atHour: hour)) }
            crossings += result.devices[.zoneCrossings]
        }
        #expect(counted == expected)
        #expect(crossings > 5)
    }

    @Test func `what a trace prints is what the run counts for the person`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 40))
        let run = try ScenarioRun(scenario)
        let border = Instant.start + scenario.plan.warmup
        for person in 0..<40 {
            let (rows, result) = run.trace(person: person)
            let reported = rows.filter { $0.time >= border }
            func rowCount(_ event: TraceEvent) -> Int64 { Int64(reported.filter { $0.event == event }.count) }
            #expect(rowCount(.granted) == result.reloads.sum(.started))
            #expect(rowCount(.request) == result.reloads.sum(.requestsSent))
            #expect(rowCount(.response) == result.reloads.sum(.delays))
            #expect(rowCount(.merged) == result.reloads.sum(.merged))
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

    @Test func `the sum of all traces is the run`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 30))
        let run = try ScenarioRun(scenario)
        let traces = (0..<30).map { run.trace(person: $0).measures }
        for trace in traces.dropFirst() {
            traces[0].measures.merge(trace.measures)
            traces[0].load.merge(trace.load)
        }
        #expect(try traces[0].fingerprint == #require(run.run(threads: 2)).fingerprint)
    }
}
