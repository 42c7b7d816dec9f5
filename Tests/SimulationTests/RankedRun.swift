import Basics
import Foundation
import RunLaws
import ScenarioModel
import Simulation
import Testing

/// Runs on several ranks that are threads of the test.
enum RankedRun {
    /// The end of one rank.
    struct Outcome: Sendable {
        var result: RunResult?
        var lost: RankProblem?
        /// The state that it has written down, if it was told to pause.
        var state: [UInt8] = []
        var sent = (bytes: 0, messages: 0)
        /// The bytes of the counts that it has handed over.
        var sums = 0
    }

    /// Simulates a scenario on ranks to the end, or to a pause.
    ///
    /// - Parameters:
    ///   - threads: of each rank.
    ///   - pauses: asked as a run asks, with the rank.
    ///   - states: what the ranks of a run before have written down.
    ///   - exchanges: those of the ranks, in their order; nil for threads.
    ///   - identity: what a rank takes for the run's.
    static func outcomes(
        _ scenario: Scenario, ranks: Int, threads: [Int], exchanges: [any RankExchange]? = nil,
        from states: [[UInt8]] = [],
        identity: @escaping @Sendable (Int) -> String = { _ in "one" },
        pauses: @escaping @Sendable (_ rank: Int, _ reportStart: Int) -> Bool = { _, _ in false }
    ) throws -> [Outcome] {
        let exchanges = exchanges ?? ThreadExchange.make(ranks)
        let outcomes = LockedValue<[Outcome]>(Array(repeating: Outcome(), count: ranks))
        let problems = LockedValue<[String]>([])
        try ThreadPool.work(ranks) { rank in
            do {
                let outcome = try Self.outcome(
                    scenario, exchanges[rank], threads: threads[rank % threads.count], states: states,
                    identity: identity(rank)
                ) { pauses(rank, $0) }
                outcomes.withLock { $0[rank] = outcome }
            } catch { problems.withLock { $0.append("rank \(rank): \(error)") } }
        }
        #expect(problems.withLock { $0 } == [])
        return outcomes.withLock { $0 }
    }

    private static func outcome(
        _ scenario: Scenario, _ exchange: any RankExchange, threads: Int, states: [[UInt8]], identity: String,
        pauses: @escaping @Sendable (Int) -> Bool
    ) throws -> Outcome {
        let link = RankLink(exchange, identity: [("run", identity)])
        var outcome = Outcome()
        // As the program does with a problem that perhaps no other rank has found.
        defer { if let lost = outcome.lost { link.tell(lost, status: 75) } }
        do throws(RankProblem) { try link.meet() } catch {
            outcome.lost = error
            return outcome
        }
        let run = try ScenarioRun(scenario).begin(threads: threads, link: link)
        if !states.isEmpty { try KeptRun.restore(states, into: run) }
        run.advance(until: pauses)
        outcome.lost = run.lost
        if run.isOver {
            let before = link.sent.bytes
            do throws(RankProblem) { try run.addUp() } catch { outcome.lost = error }
            outcome.sums = link.sent.bytes - before
            if exchange.rank == 0 && outcome.lost == nil { outcome.result = run.result() }
        } else if run.lost == nil && run.canBeKept {
            outcome.state = try KeptRun.bytes(of: run)
        }
        outcome.sent = link.sent
        return outcome
    }
}
