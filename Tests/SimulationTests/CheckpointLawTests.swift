import Basics
import Foundation
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

/// Where a run paused, who went on with it and in how many parts it was done never changes a result.
@Suite struct CheckpointLawTests {
    /// A small run of each shipped scenario.
    private static func small(_ file: URL, people: Int) throws -> Scenario {
        try ScenarioReader.read(file: file.path, overrides: ["people=\(people)", "warmup=0s", "duration=1d"]).scenario
    }

    private static let withService = Fixtures.shipped.filter { file in
        do { return try ScenarioReader.read(file: file.path).scenario.service != nil } catch { return false }
    }

    // MARK: Without a service

    @Test(arguments: [1, 2, 3, 7]) func `shards that are written down and added up are one run`(count: Int) throws {
        for name in ["weather-week.yaml", "world-day.yaml", "banking-privacy.yaml"] {
            let file = try #require(Fixtures.shipped.first { $0.lastPathComponent == name })
            let scenario = try Self.small(file, people: 150)
            let run = try ScenarioRun(scenario)
            let whole = try #require(run.run(threads: 2))
            let merged = run.begin(threads: 1)
            for shard in 0..<count {
                let part = run.begin(threads: shard % 3 + 1, people: 150 * shard / count..<150 * (shard + 1) / count)
                #expect(part.advance())
                try KeptRun.restore(KeptRun.bytes(of: part), into: merged)
            }
            #expect(merged.isOver)
            #expect(merged.result().fingerprint == whole.fingerprint, "\(name)")
            #expect(merged.result().counts == whole.counts)
        }
    }

    @Test func `a run that pauses anywhere and continues elsewhere on other threads is one run`() throws {
        let run = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 1_000)))
        let whole = try #require(run.run(threads: 2))
        for (frontier, threads) in [(0, (1, 3)), (1, (3, 1)), (64, (1, 1)), (300, (2, 3)), (600, (3, 2))] {
            let first = run.begin(threads: threads.0)
            let isOver = first.advance(until: { $0 >= frontier })
            #expect(!isOver)
            #expect(first.shareDone < 1)
            let second = run.begin(threads: threads.1)
            try KeptRun.restore(KeptRun.bytes(of: first), into: second)
            #expect(second.shareDone == first.shareDone)
            #expect(second.advance())
            #expect(second.result().fingerprint == whole.fingerprint, "from \(frontier)")
            // The run that has written the checkpoint continues, too.
            #expect(first.advance())
            #expect(first.result().fingerprint == whole.fingerprint, "on from \(frontier)")
        }
    }

    @Test func `parts that leave people out, or come twice, are refused`() throws {
        let run = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 30)))
        func part(_ people: Range<Int>) throws -> [UInt8] {
            let part = run.begin(threads: 1, people: people)
            part.advance()
            return try KeptRun.bytes(of: part)
        }
        let merged = run.begin(threads: 1)
        #expect(throws: StateProblem.self) { try KeptRun.restore(part(10..<20), into: merged) }
        try KeptRun.restore(part(0..<10), into: merged)
        #expect(throws: StateProblem.self) { try KeptRun.restore(part(0..<10), into: merged) }
        #expect(throws: StateProblem.self) { try KeptRun.restore(part(20..<30), into: merged) }
        #expect(!merged.isOver)
    }

    @Test func `a state of another shape is refused`() throws {
        let small = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 30))).begin(threads: 1)
        small.advance(until: { $0 > 0 })
        let bytes = try KeptRun.bytes(of: small)
        let long = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 30, duration: "3d"))).begin(threads: 1)
        #expect(throws: StateProblem.self) { try KeptRun.restore(bytes, into: long) }
        for count in [0, 1, 100, bytes.count - 1] {
            let again = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 30))).begin(threads: 1)
            #expect(throws: StateProblem.self) { try KeptRun.restore(Array(bytes.prefix(count)), into: again) }
        }
        let again = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 30))).begin(threads: 1)
        #expect(throws: StateProblem.self) { try KeptRun.restore(bytes + [0], into: again) }
    }

    // MARK: With a service

    /// Simulates with a pause at each of some windows, each time on in a new run with the next number of threads.
    private static func chain(_ scenario: Scenario, pauses: [Int], threads: [Int]) throws -> RunResult {
        let run = try ScenarioRun(scenario)
        var current = run.begin(threads: threads[0])
        for (number, window) in pauses.enumerated() {
            if current.advance(until: { $0 >= window }) { break }
            #expect(current.canBeKept)
            let next = run.begin(threads: threads[(number + 1) % threads.count])
            try KeptRun.restore(KeptRun.bytes(of: current), into: next)
            current = next
        }
        if !current.isOver { #expect(current.advance()) }
        return current.result()
    }

    private static func expectEqual(_ a: RunResult, _ b: RunResult, _ what: String) throws {
        #expect(a.fingerprint == b.fingerprint, "\(what)")
        #expect(a.counts == b.counts, "\(what)")
        let (x, y) = (try a.files(), try b.files())
        for (file, content) in x where file != "manifest.json" { #expect(y[file] == content, "\(what): \(file)") }
    }

    @Test(arguments: withService) func `a shipped fleet with a service continues from any window`(file: URL) throws {
        let scenario = try Self.small(file, people: 60)
        let whole = try ServiceFixtures.run(scenario)
        for window in [1, 7, 333, 4_000] {
            try Self.expectEqual(
                whole, Self.chain(scenario, pauses: [window], threads: [2, 2]),
                "\(file.lastPathComponent) from \(window)")
        }
        // Right after it has been read back: with answers that were held over many windows.
        try Self.expectEqual(
            whole, Self.chain(scenario, pauses: [700, 1, 1, 700, 1, 1, 700, 1], threads: [2, 2]),
            "\(file.lastPathComponent) paused again at once")
    }

    @Test func `devices whose surfaces are open continue from any window`() throws {
        let scenario = try Fixtures.scenario(
            OpeningLawTests.fleet(
                people: 60,
                more:
                    "service: {latency_out: 20ms, latency_back: 20ms, pools: [{id: main, servers: 2, service_time: 200ms}]}"
            ))
        let whole = try ServiceFixtures.run(scenario, threads: 1)
        for window in [1, 300, 1_000, 2_000] {
            try Self.expectEqual(
                whole, Self.chain(scenario, pauses: [window], threads: [1, 3]), "from \(window)")
        }
    }

    @Test(arguments: ServiceFixtures.clients)
    func `a service with everything continues from any window on any number of threads`(
        clients: String
    )
        throws
    {
        let scenario = try ServiceFixtures.everything(people: 60, clients: clients)
        let whole = try ServiceFixtures.run(scenario, threads: 1)
        for window in [1, 2_501, 9_000] {
            let threads = [[1, 3], [3, 1], [2, 2]][window % 3]
            try Self.expectEqual(
                whole, Self.chain(scenario, pauses: [window], threads: threads), "from \(window) on \(threads) threads")
        }
        // Each pause is counted from the one before.
        try Self.expectEqual(
            whole, Self.chain(scenario, pauses: Array(repeating: 600, count: 16), threads: [1, 2, 3]), "a chain")
    }

    @Test func `a herd in the middle of its rush continues`() throws {
        let scenario = try ServiceFixtures.herd(people: 1_500)
        let whole = try ServiceFixtures.run(scenario, threads: 2)
        for window in [10, 150, 400, 900, 1_500] {
            try Self.expectEqual(whole, Self.chain(scenario, pauses: [window], threads: [3, 1]), "from \(window)")
            try Self.expectEqual(whole, Self.chain(scenario, pauses: [window], threads: [1, 3]), "from \(window)")
        }
        try Self.expectEqual(
            whole, Self.chain(scenario, pauses: Array(repeating: 37, count: 60), threads: [2, 3]), "a chain")
    }

    @Test(arguments: ["", ", answer: none"]) func `a run continues from within an outage that has emptied a queue`(
        answer: String
    ) throws {
        var text = ServiceFixtures.herdText(people: 600)
        text += "\n  events: [{outage: {name: o, span: [9h30m20s, 9h31m]\(answer)}}]\n"
        let scenario = try Fixtures.scenario(text)
        let whole = try ServiceFixtures.run(scenario, threads: 2)
        // Some twenty windows a second: a pause in each second or so of the rush and the outage.
        try Self.expectEqual(
            whole, Self.chain(scenario, pauses: Array(repeating: 20, count: 200), threads: [2, 1]), "a chain")
    }

    @Test func `one run continues after many pauses, and its states do not depend on its threads`() throws {
        let scenario = try ServiceFixtures.everything(people: 60, clients: ServiceFixtures.clients[0])
        let run = try ScenarioRun(scenario)
        let whole = try ServiceFixtures.run(scenario, threads: 1)
        let paused = run.begin(threads: 2)
        var borders = 0
        while !paused.advance(until: { [borders] in $0 >= borders + 250 }) {
            borders += 250
            _ = try KeptRun.bytes(of: paused)
        }
        #expect(borders > 1_000)
        #expect(paused.result().fingerprint == whole.fingerprint)
    }

    @Test func `a run cannot be kept before its devices have begun, nor ever with recorded ones or whole ones`() throws
    {
        let scenario = try ServiceFixtures.everything(people: 60, clients: ServiceFixtures.clients[0])
        let run = try ScenarioRun(scenario)
        let early = run.begin(threads: 2)
        let isOver = early.advance(until: { _ in true })
        #expect(!isOver)
        #expect(!early.canBeKept && early.willBeKeepable)
        let whole = run.begin(threads: 2, keepsWhole: true)
        let isWholeOver = whole.advance(until: { $0 >= 3 })
        #expect(!isWholeOver)
        #expect(!whole.canBeKept && !whole.willBeKeepable)
    }

    @Test func `a service's state that is cut is refused`() throws {
        let scenario = try ServiceFixtures.everything(people: 20, clients: ServiceFixtures.clients[0])
        let run = try ScenarioRun(scenario)
        let paused = run.begin(threads: 1)
        let isOver = paused.advance(until: { $0 >= 500 })
        #expect(!isOver)
        let bytes = try KeptRun.bytes(of: paused)
        for share in 0..<40 {
            #expect(throws: StateProblem.self) {
                try KeptRun.restore(Array(bytes.prefix(bytes.count * share / 40)), into: run.begin(threads: 1))
            }
        }
    }
}
