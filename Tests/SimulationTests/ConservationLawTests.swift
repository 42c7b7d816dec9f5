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
            result.kindSum(KindField.requestsSent, count: MeasureLayout.causes) + result.kindSum(KindField.requestsCarriedIn)
            - result.kindSum(KindField.requestsCarriedOut)
        #expect(ledger == result.tenths.reduce(0) { $0 + Int64($1) }, "\(name)")
        var split: Int64 = 0
        for endpoint in 0..<result.load.endpoints {
            for region in 0..<result.load.regions {
                for cause in 0..<MeasureLayout.causes {
                    split += result.load.minutes(of: endpoint, region: region, cause: cause).reduce(0) { $0 + Int64($1) }
                }
            }
        }
        #expect(split == ledger, "\(name)")
        #expect(ledger > 0, "\(name): nothing was requested")
    }

    @Test(arguments: results.indices) func `tokens are neither lost nor made`(index: Int) {
        let (name, result) = Self.results[index]
        for block in result.kindBlocks {
            for pool in [block + KindField.pools, block + KindField.pools + PoolField.size] {
                func sum(_ field: Int) -> Int64 { result.measures.counts(at: pool + field, count: MeasureLayout.hours).reduce(0, +) }
                let cells = result.measures.cells
                let granted = cells[pool + PoolField.opening] + sum(PoolField.hourAccrued)
                let gone = sum(PoolField.hourSpent) * AllowanceRule.token + sum(PoolField.hourExpired) + cells[pool + PoolField.closing]
                #expect(granted == gone, "\(name)")
            }
        }
    }

    @Test(arguments: results.indices) func `every charged reload spends one token and every reload ends or is under way`(index: Int) {
        let (name, result) = Self.results[index]
        for block in result.kindBlocks {
            let cells = result.measures.cells
            let causes = 0..<MeasureLayout.causes
            let charged = causes.reduce(0) { $0 + cells[block + KindField.started + $1 * 2 + 1] }
            let spent = [KindField.pools, KindField.pools + PoolField.size].reduce(0) { sum, pool in
                sum + result.measures.counts(at: block + pool + PoolField.hourSpent, count: MeasureLayout.hours).reduce(0, +)
            }
            // With open gates every background reload runs and nothing is charged.
            #expect(result.scenario.plan.parameters.gatesOpen ? spent == 0 : charged == spent, "\(name)")
            let started = result.measures.counts(at: block + KindField.started, count: MeasureLayout.causes * 2).reduce(0, +)
            let ended = result.measures.counts(at: block + KindField.ended, count: MeasureLayout.causes * 2 * MeasureLayout.outcomes)
                .reduce(0, +)
            #expect(started + cells[block + KindField.reloadsCarriedIn] == ended + cells[block + KindField.reloadsCarriedOut], "\(name)")
        }
    }

    @Test(arguments: results.indices) func `stale time is part of waking time and ages are counted once a view`(index: Int) {
        let (name, result) = Self.results[index]
        let cells = result.measures.cells
        for block in result.viewBlocks {
            #expect(
                result.measures.wideSum(at: block + ViewField.staleTime) <= result.measures.wideSum(at: block + ViewField.wakingTime),
                "\(name)")
            let ages = result.measures.counts(at: block + ViewField.ages, count: LogHistogram.binCount).reduce(0, +)
            let views = result.measures.counts(at: block + ViewField.states, count: MeasureLayout.states).reduce(0, +)
            let without = cells[block + ViewField.states] + cells[block + ViewField.states + Int(ViewState.alternate.rawValue)]
            #expect(ages <= views && ages >= views - without - cells[block + ViewField.states + 1], "\(name)")
            #expect(cells[block + ViewField.missedViews] <= ages, "\(name)")
            for state in 0..<MeasureLayout.states {
                #expect(cells[block + ViewField.healed + state] <= cells[block + ViewField.states + state], "\(name)")
            }
        }
    }

    @Test(arguments: results.indices) func `views add up by state in every split`(index: Int) {
        let (name, result) = Self.results[index]
        let layout = result.measures.layout
        let cells = result.measures.cells
        for (number, line) in layout.lines.enumerated() {
            for surface in 0..<MeasureLayout.surfaces {
                for state in 0..<MeasureLayout.states {
                    for (byMode, byLook) in [
                        (ViewField.states, PresentationField.views), (ViewField.healed, PresentationField.healed),
                    ] {
                        let views = (0..<MeasureLayout.modes).reduce(0) { sum, mode in
                            sum + cells[layout.viewBlock(number, mode: mode, surface: surface) + byMode + state]
                        }
                        var looks: Int64 = 0
                        for (face, placed) in line.faces.enumerated() where placed.surface == surface {
                            let block = layout.presentationBlock(number, face: face) + byLook
                            for combination in stride(from: state, to: PresentationField.combinations, by: MeasureLayout.states) {
                                looks += cells[block + combination]
                            }
                        }
                        #expect(views == looks, "\(name): line \(number), surface \(surface), state \(state)")
                    }
                }
            }
        }
    }

    @Test func `what a trace prints is what the run counts for the person`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 40))
        let run = try ScenarioRun(scenario)
        let border = Instant.start + scenario.plan.warmup
        for person in 0..<40 {
            let (rows, result) = run.trace(person: person)
            let reported = rows.filter { $0.time >= border }
            func rowCount(_ event: TraceEvent) -> Int64 { Int64(reported.filter { $0.event == event }.count) }
            #expect(rowCount(.granted) == result.kindSum(KindField.started, count: MeasureLayout.causes * 2))
            #expect(rowCount(.request) == result.kindSum(KindField.requestsSent, count: MeasureLayout.causes))
            #expect(rowCount(.response) == result.kindSum(KindField.delayCharged, count: 2 * LogHistogram.binCount))
            #expect(rowCount(.merged) == result.kindSum(KindField.merged, count: MeasureLayout.causes))
            #expect(rowCount(.pickup) == result.segmentSum(SegmentField.sessions))
            #expect(rowCount(.glance) == result.segmentSum(SegmentField.glances))
            #expect(rowCount(.appOpen) == result.segmentSum(SegmentField.appOpenings))
            for state in ViewState.allCases {
                let views = Int64(reported.filter { $0.state == state }.count)
                #expect(views == ViewCounts.sum(ViewField.states + Int(state.rawValue), result), "\(state)")
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
