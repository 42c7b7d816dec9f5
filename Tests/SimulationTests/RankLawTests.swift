import Foundation
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

/// The ranks that share a run never change a result: how many there are, how many threads each has, and where they were
/// interrupted.
@Suite(.serialized) struct RankLawTests {
    private static func small(_ file: URL, people: Int, duration: String = "1d") throws -> Scenario {
        try ScenarioReader.read(file: file.path, overrides: ["people=\(people)", "warmup=0s", "duration=\(duration)"])
            .scenario
    }

    /// Every shipped scenario with a service, and two without.
    private static let files =
        Fixtures.shipped.filter { file in
            do { return try ScenarioReader.read(file: file.path).scenario.service != nil } catch { return false }
        } + Fixtures.shipped.filter { ["weather-week.yaml", "world-day.yaml"].contains($0.lastPathComponent) }

    /// By turns, so that every number meets services of every sort.
    private static let counts = [2, 3, 7]

    private static func expectEqual(_ a: RunResult, _ b: RunResult, _ what: String) throws {
        #expect(a.fingerprint == b.fingerprint, "\(what)")
        #expect(a.counts == b.counts, "\(what)")
        let (x, y) = (try a.files(), try b.files())
        for (file, content) in x where file != "manifest.json" { #expect(y[file] == content, "\(what): \(file)") }
    }

    @Test(arguments: Array(files.enumerated()).map { ($0.element, counts[$0.offset % counts.count]) })
    func `a shipped scenario has the same reports on any number of ranks and threads`(file: URL, ranks: Int) throws {
        // Five blocks of people, the last of them not full: some of seven ranks have nobody.
        let scenario = try Self.small(
            file, people: 260, duration: file.lastPathComponent == "midnight-news.yaml" ? "1d" : "12h")
        let whole = try #require(ScenarioRun(scenario).run(threads: 1))
        // One thread and two, by turns.
        let outcomes = try RankedRun.outcomes(scenario, ranks: ranks, threads: ranks % 2 == 0 ? [1, 2] : [2, 1])
        #expect(outcomes.allSatisfy { $0.lost == nil })
        try Self.expectEqual(
            whole, #require(outcomes[0].result), "\(file.lastPathComponent) on \(ranks) ranks")
    }

    @Test(arguments: [0, 3, 5].map { ServiceFixtures.clients[$0] })
    func `a service with everything has the same reports on ranks`(clients: String) throws {
        let scenario = try ServiceFixtures.everything(people: 130, clients: clients)
        let whole = try ServiceFixtures.run(scenario, threads: 2)
        // One of the ranks has nobody.
        let outcomes = try RankedRun.outcomes(scenario, ranks: 4, threads: [1, 2])
        try Self.expectEqual(whole, #require(outcomes[0].result), "4 ranks")
    }

    /// So many answers are held that the threads of a rank share them, within each window.
    @Test func `threads of ranks that share their answers change no byte`() throws {
        let scenario = try ServiceFixtures.impatient()
        let whole = try ServiceFixtures.run(scenario, threads: 1)
        let outcomes = try RankedRun.outcomes(scenario, ranks: 2, threads: [2, 1])
        try Self.expectEqual(whole, #require(outcomes[0].result), "2 ranks")
    }

    /// The largest part of what ranks send, and how seldom they meet.
    @Test func `a request of weather-week takes at most 16 bytes, and ranks meet once in five requests at most`() throws
    {
        let file = try #require(Fixtures.shipped.first { $0.lastPathComponent == "weather-week.yaml" })
        let scenario = try ScenarioReader.read(
            file: file.path,
            overrides: [
                "people=3000", "warmup=0s", "duration=6h",
                "service={pools: [{id: o, servers: unlimited, service_time: 20ms}], endpoints: [{id: weather, pool: o}]}",
            ]
        ).scenario
        let outcomes = try RankedRun.outcomes(scenario, ranks: 2, threads: [1])
        let result = try #require(outcomes[0].result)
        let requests = (0..<result.load.endpoints).reduce(0) {
            $0 + result.load.tenths(of: $1).reduce(0) { $0 + Int($1) }
        }
        // Kind, stamp, flag, lower bound, reaction and count: 9 + 1 + 6 + 1 + 1 bytes; the sums at the end are no
        // windows.
        let sums = outcomes[1].sums
        let bytes = outcomes.reduce(0) { $0 + $1.sent.bytes - 18 * $1.sent.messages } - sums
        let each = Double(bytes) / Double(requests)
        #expect(
            requests > 5_000 && (4...16).contains(each),
            "\(each) bytes each of \(requests) requests in \(outcomes[0].sent.messages) messages")
        #expect(outcomes[0].sent.messages < requests / 5)
    }

    // MARK: Interruptions

    @Test func `a run on ranks continues from any window on any number of ranks`() throws {
        let scenario = try ServiceFixtures.everything(people: 70, clients: ServiceFixtures.clients[0])
        let whole = try ServiceFixtures.run(scenario, threads: 2)
        for (number, reportStart) in [1, 333, 2_500].enumerated() {
            let (before, after) = [(3, 2), (1, 4), (2, 3)][number]
            // One rank alone is told to pause.
            let first = try RankedRun.outcomes(
                scenario, ranks: before, threads: [1, 2],
                pauses: { rank, at in rank == before - 1 && at >= reportStart })
            #expect(first.allSatisfy { $0.result == nil && $0.lost == nil && !$0.state.isEmpty })
            let second = try RankedRun.outcomes(scenario, ranks: after, threads: [2, 1], from: first.map(\.state))
            try Self.expectEqual(
                whole, #require(second[0].result), "from window \(reportStart) of \(before) ranks on \(after)")
        }
    }

    @Test func `a run without a service continues from any round on any number of ranks`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 1_500))
        let whole = try #require(ScenarioRun(scenario).run(threads: 2))
        for (number, reportStart) in [1, 300, 500].enumerated() {
            let (before, after) = [(3, 2), (1, 4), (2, 1)][number]
            let first = try RankedRun.outcomes(
                scenario, ranks: before, threads: [1], pauses: { rank, at in rank == 0 && at >= reportStart })
            #expect(first.allSatisfy { $0.result == nil && $0.lost == nil })
            let second = try RankedRun.outcomes(scenario, ranks: after, threads: [2], from: first.map(\.state))
            try Self.expectEqual(
                whole, #require(second[0].result), "from \(reportStart) of \(before) ranks on \(after)")
        }
    }

    @Test func `what ranks have written down is continued in one process, and the other way round`() throws {
        let scenario = try ServiceFixtures.herd(people: 600)
        let run = try ScenarioRun(scenario)
        let whole = try #require(run.run(threads: 2))
        let ranks = try RankedRun.outcomes(scenario, ranks: 3, threads: [1], pauses: { $1 >= 200 })
        let alone = run.begin(threads: 2)
        try KeptRun.restore(ranks.map(\.state), into: alone)
        #expect(alone.advance())
        #expect(alone.result().fingerprint == whole.fingerprint)
        let first = run.begin(threads: 2)
        first.advance { $0 >= 200 }
        let again = try RankedRun.outcomes(scenario, ranks: 3, threads: [1], from: [KeptRun.bytes(of: first)])
        #expect(again[0].result?.fingerprint == whole.fingerprint)
    }

    @Test func `states of different windows are refused`() throws {
        let scenario = try ServiceFixtures.herd(people: 300)
        let (early, late) = (
            try RankedRun.outcomes(scenario, ranks: 2, threads: [1], pauses: { $1 >= 100 }),
            try RankedRun.outcomes(scenario, ranks: 2, threads: [1], pauses: { $1 >= 200 })
        )
        let run = try ScenarioRun(scenario).begin(threads: 1)
        #expect(throws: StateProblem.self) { try KeptRun.restore([early[0].state, late[1].state], into: run) }
    }

    // MARK: Faults

    @Test func `ranks of different runs do not begin, and the different one is named`() throws {
        let scenario = try ServiceFixtures.herd(people: 100)
        let outcomes = try RankedRun.outcomes(scenario, ranks: 3, threads: [1], identity: { $0 == 1 ? "two" : "one" })
        for outcome in outcomes {
            #expect(
                outcome.result == nil
                    && outcome.lost?.description == "rank 1 (thread-1): run two stands for one of rank 0")
            #expect(outcome.lost?.speaker == 0)
        }
    }

    @Test func `a rank that does not come is named by all others`() throws {
        let scenario = try ServiceFixtures.herd(people: 300)
        let exchanges = ThreadExchange.make(3)
        for exchange in exchanges { exchange.patience = .milliseconds(500) }
        let outcomes = try RankedRun.outcomes(
            scenario, ranks: 3, threads: [1],
            exchanges: exchanges.map { $0.rank == 2 ? Deserter($0, after: 200) as any RankExchange : $0 })
        for outcome in outcomes[..<2] {
            #expect(
                outcome.lost?.description.hasPrefix("rank 2 (thread-2): nothing came from it for 0.5 s") == true,
                "\(outcome)")
            #expect(outcome.lost?.status == nil)
        }
    }

    @Test func `a rank that ends by itself tells the others why`() throws {
        let exchanges = ThreadExchange.make(2)
        try ThreadPool.work(2) { rank in
            let link = RankLink(exchanges[rank], identity: [("run", "one")])
            do throws(RankProblem) {
                try link.meet()
                if rank == 1 { return link.leave(status: 74, sentence: "the disk is full") }
                _ = try link.vote(false)
                Issue.record("rank 0 went on")
            } catch {
                #expect(
                    error.status == 74 && error.speaker == 0
                        && error.description == "rank 1 (thread-1) has ended: the disk is full")
            }
        }
    }
}

/// A rank that stays away after some messages.
private final class Deserter: RankExchange, @unchecked Sendable {
    // Safety: one thread at a time uses it, as every exchange.
    private let exchange: any RankExchange
    private var left: Int

    init(_ exchange: any RankExchange, after count: Int) { (self.exchange, left) = (exchange, count) }

    var rank: Int { exchange.rank }
    var ranks: Int { exchange.ranks }
    var machine: String { exchange.machine }
    var patience: Swift.Duration {
        get { exchange.patience }
        set { exchange.patience = newValue }
    }

    func all(_ mine: [UInt8]) throws -> [[UInt8]] {
        try count()
        return try exchange.all(mine)
    }

    func begin(_ mine: [UInt8]) throws {
        try count()
        try exchange.begin(mine)
    }

    private func count() throws {
        left -= 1
        if left < 0 { throw ExchangeProblem(missing: [], clause: "it has left") }
    }

    func ended(waiting: Bool) throws -> [[UInt8]]? { try exchange.ended(waiting: waiting) }
    func group(_ ranks: Range<Int>) throws -> any RankExchange { try exchange.group(ranks) }
}
