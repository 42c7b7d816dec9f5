/// Finds where a condition begins to hold along a row of candidates, for several replications, each by division of the
/// whole row into equal parts.
///
/// The condition is taken to change once along the row. That it does so at the root is known, since both neighbours
/// were asked; a condition that changes several times has several roots, of which this finds one. No replication begins
/// near the root of another: where the condition is rough that would find the crossing beside it, and roots that follow
/// each other have too short an interval.
struct RootSearch: Sendable {
    /// One question: does the condition hold for a candidate in a replication? Both counted from 0.
    struct Probe: Hashable, Sendable {
        let candidate, replication: Int
    }

    enum Finding: Hashable, Sendable {
        /// For each replication the first candidate with which it holds: the least if it holds for large ones. Where it
        /// holds with none, the last.
        case roots([Int], holdsAbove: Bool)
        /// It holds at both ends, and at the first candidate in every replication.
        case everywhere
        /// It holds at neither end in the first replication.
        case nowhere
    }

    /// Each 1 or more.
    let candidates, replications: Int
    /// Questions that are worth asking at a time, 1 or more.
    let width: Int

    /// - Parameter ask: answers questions, in their order; they are asked several at a time, so that they can be
    ///   answered side by side.
    func find(_ ask: ([Probe]) throws -> [Bool]) throws -> Finding {
        precondition(
            candidates >= 1 && replications >= 1 && width >= 1,
            "a search over \(candidates) candidates, \(replications) times")
        let last = candidates - 1
        let ends = try ask(
            last == 0 ? [Probe(candidate: 0, replication: 0)] : [0, last].map { Probe(candidate: $0, replication: 0) })
        let (low, high) = (ends[0], ends[ends.count - 1])
        if !low && !high { return .nowhere }
        // Candidates are numbered from the end where it does not hold, so that it holds from the root on.
        let holdsAbove = high
        func candidate(_ number: Int) -> Int { holdsAbove ? number : last - number }
        // The ends' answers for the first replication are known; those for the others are found out if they matter.
        var brackets = [Bracket(fails: low && high ? -1 : 0, holds: low && high ? 0 : last)]
        brackets += (1..<max(1, replications)).map { _ in Bracket(fails: -1, holds: candidates) }
        while true {
            let open = brackets.indices.filter { brackets[$0].isOpen }
            if open.isEmpty { break }
            let asked = open.flatMap { replication in
                brackets[replication].next(max(1, width / open.count)).map { (replication: replication, number: $0) }
            }
            let answers = try ask(asked.map { Probe(candidate: candidate($0.number), replication: $0.replication) })
            for (question, holds) in zip(asked, answers) {
                brackets[question.replication].learn(question.number, holds)
            }
        }
        let roots = brackets.map { min($0.holds, last) }
        if brackets.allSatisfy({ $0.holds == 0 }) { return .everywhere }
        return .roots(roots.map(candidate), holdsAbove: holdsAbove)
    }

    /// Between two numbers: one that fails, or -1, and one above it that holds, or the number after the last.
    private struct Bracket {
        private(set) var fails, holds: Int

        var isOpen: Bool { holds - fails > 1 }

        /// Some numbers that divide it into equal parts, in order.
        func next(_ most: Int) -> [Int] {
            let count = min(most, holds - fails - 1)
            let step = Double(holds - fails) / Double(count + 1)
            return (1...count).map { fails + max($0, Int((Double($0) * step).rounded())) }
        }

        /// An answer for a number beyond one that is known already is left alone.
        mutating func learn(_ number: Int, _ answer: Bool) {
            guard fails < number && number < holds else { return }
            if answer { holds = number } else { fails = number }
        }
    }
}
