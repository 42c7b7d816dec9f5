import ResultFiles
import Basics
import Foundation
import RefreshService
import Reporting
import Simulation
import Statistics
import Testing

@testable import Reporting

/// The requests that a tap sees are those that the load counts, whoever simulates them.
@Suite struct ArrivalLawTests {
    /// A fleet alone, one behind a cache with outages, one with everything that asks from outside and in the
    /// background, and recorded devices.
    static let fleets = [
        ("first-look", ["people=300"]), news, ("everything", ["people=60", "duration=2d"]),
        ("market-open", ["people=300", "duration=1d"]),
        ("replay/recorded-days", []),
    ]

    private static let news = (
        "midnight-news",
        [
            "people=400", "service.background=[{id: web, endpoint: edition, rate: 0.05, keys: 30, zipf: 0.8}]",
            "population.apps.news.background_fetch={every: 2h}",
        ]
    )

    struct Cell: Hashable { let minute, endpoint, region, cause: Int }

    private func arrivals(_ run: ScenarioRun, threads: Int, atOrigin: Bool, span: Range<Instant>) throws -> (
        arrivals: [Arrival], result: RunResult
    ) {
        let kept = Kept()
        let result = try run.run(
            threads: threads, atOrigin: atOrigin, span: span, takers: { { kept.add($0) } }, cancelled: { false },
            progress: { _, _ in })
        return (kept.all.sorted(by: Arrival.precedes), try #require(result))
    }

    private final class Kept: Sendable {
        private let arrivals = LockedValue<[Arrival]>([])
        func add(_ arrival: Arrival) { arrivals.withLock { $0.append(arrival) } }
        var all: [Arrival] { arrivals.withLock { $0 } }
    }

    @Test(arguments: fleets) func `every request is seen once, at the edge and at the origin`(
        name: String, overrides: [String]
    ) throws {
        let scenario = try Shipped.scenario(name, overrides).scenario
        let run = try ScenarioRun(scenario)
        let report = Instant.start + scenario.plan.warmup..<scenario.plan.end
        let plain = try #require(run.run(threads: 2))
        for atOrigin in [false, true] {
            let (seen, result) = try arrivals(run, threads: 2, atOrigin: atOrigin, span: report)
            #expect(result.fingerprint == plain.fingerprint, "somebody who sees requests changes nothing")
            let load = atOrigin ? result.service?.originLoad ?? result.load : result.load
            var own: [Cell: UInt32] = [:]
            for arrival in seen {
                let minute = Int((arrival.at - report.lowerBound).microseconds / 60_000_000)
                own[
                    Cell(
                        minute: minute, endpoint: Int(arrival.endpoint), region: Int(arrival.region),
                        cause: Int(arrival.cause)),
                    default: 0] += 1
            }
            var counted: [Cell: UInt32] = [:]
            for endpoint in 0..<load.endpoints {
                for region in 0..<load.regions {
                    for cause in 0..<load.causes {
                        for (minute, requests) in load.minutes(of: endpoint, region: region, cause: cause).enumerated()
                        where requests > 0 {
                            counted[Cell(minute: minute, endpoint: endpoint, region: region, cause: cause)] = requests
                        }
                    }
                }
            }
            #expect(own == counted)
            #expect(!seen.isEmpty)
            let (others, _) = try arrivals(run, threads: 3, atOrigin: atOrigin, span: report)
            #expect(seen.elementsEqual(others, by: Self.isSame), "the threads are not told apart")
        }
    }

    @Test(arguments: fleets) func `a request's identity is its own`(name: String, overrides: [String]) throws {
        let scenario = try Shipped.scenario(name, overrides).scenario
        let run = try ScenarioRun(scenario)
        let (seen, _) = try arrivals(
            run, threads: 2, atOrigin: false, span: .start + scenario.plan.warmup..<scenario.plan.end)
        var known: Set<[UInt32]> = []
        for arrival in seen {
            #expect(known.insert([arrival.person, UInt32(arrival.slot), arrival.sequence]).inserted)
        }
        #expect(Set(seen.map(IdentityHash.of)).count == seen.count, "the hashes of so few are different, too")
    }

    @Test func `a request that goes to the origin is the one that came to the edge`() throws {
        let scenario = try Shipped.scenario(Self.news.0, Self.news.1).scenario
        let run = try ScenarioRun(scenario)
        let report = Instant.start + scenario.plan.warmup..<scenario.plan.end
        let edge = try arrivals(run, threads: 1, atOrigin: false, span: report).arrivals
        let origin = try arrivals(run, threads: 1, atOrigin: true, span: report).arrivals
        let known = Dictionary(
            edge.map { ([$0.person, UInt32($0.slot), $0.sequence], $0) }, uniquingKeysWith: { first, _ in first })
        // The first ones may have reached the edge before the report.
        let later = origin.filter { $0.at >= report.lowerBound + .seconds(3_600) && !$0.isOutside }
        #expect(later.count > 50)
        for arrival in later {
            let first = try #require(known[[arrival.person, UInt32(arrival.slot), arrival.sequence]])
            #expect(
                first.key == arrival.key && first.endpoint == arrival.endpoint && first.region == arrival.region
                    && first.cause == arrival.cause)
            #expect(first.isPersonal == arrival.isPersonal && first.at <= arrival.at)
        }
        #expect(
            edge.allSatisfy { !$0.isOutside } && origin.contains(where: \.isOutside)
                && origin.contains(where: \.isPersonal))
    }

    @Test func `more lines than the most are refused, and nothing is written`() throws {
        let read = try Shipped.scenario("first-look", ["people=100"])
        let run = try ScenarioRun(read.scenario)
        let source = ExportSource(name: "first-look.yaml", scenario: read)
        let path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        for most in [100, nil] {
            let settings = try Shipped.settings(.h2load, Shipped.span(read.scenario, 0, 86_400), mostLines: most)
            let export = try #require(
                try LoadExporter(run, of: source, settings, threads: 2, cancelled: { false }, progress: { _, _ in }))
            let folder = try OutputFolder(path: path, replacing: false)
            if most == nil {
                #expect(try export.writeFiles(into: folder, source: source, command: []) == ["requests.tsv"])
                try FileManager.default.removeItem(atPath: path)
            } else {
                let problem = #expect(throws: ExportProblem.self) {
                    try export.writeFiles(into: folder, source: source, command: [])
                }
                #expect(
                    problem?.description.contains(
                        "lines, more than 100; nothing was written (a shorter --span, a smaller --scale, or --force)")
                        == true)
                folder.discard()
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    private static func isSame(_ one: Arrival, _ other: Arrival) -> Bool {
        one.at == other.at && one.key == other.key && one.person == other.person && one.sequence == other.sequence
            && one.slot == other.slot
            && one.endpoint == other.endpoint && one.region == other.region && one.cause == other.cause
            && one.isPersonal == other.isPersonal
    }
}
