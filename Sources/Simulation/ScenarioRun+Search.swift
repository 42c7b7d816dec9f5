import Basics
import Synchronization

/// Simulations that show a moment asked for.
extension ScenarioRun {
    /// The people in whose lives some moment is as asked, in the order of their numbers: the first ones of those looked
    /// at.
    ///
    /// Without a service the people are simulated one after another, each alone. With one everybody is simulated each
    /// time, because everybody's requests meet there.
    ///
    /// - Parameters:
    ///   - people: who is looked at.
    ///   - most: how many are looked for.
    ///   - matches: asked on any thread.
    ///   - cancelled: asked now and then, on any thread.
    ///   - progress: how many people were looked at.
    /// - Returns: each person's first moment that is as asked; nil if it was cancelled.
    package func find(
        among people: Range<Int>, most: Int, threads: Int, matches: @escaping @Sendable (TraceRow) -> Bool,
        cancelled: @escaping @Sendable () -> Bool, progress: (Int) -> Void
    ) throws(ThreadProblem) -> (found: [TraceRow], looked: Int)? {
        var found: [TraceRow] = []
        var next = people.lowerBound
        // A part of the people after another, so that those who are found are the first, whatever the threads.
        let part = scenario.service == nil ? Self.batch * threads : 1
        while next < people.upperBound, found.count < most {
            let first = next
            next = min(people.upperBound, first + part)
            if scenario.service == nil {
                let taken = Atomic(first)
                let last = next
                let rows = LockedValue<[TraceRow]>([])
                try ThreadPool.work(threads) { [self] _ in
                    while !cancelled() {
                        let person = taken.add(1, ordering: .relaxed).oldValue
                        if person >= last { break }
                        if let row = trace(person: person).rows.first(where: matches) {
                            rows.withLock { $0.append(row) }
                        }
                    }
                }
                found += rows.withLock { $0 }.sorted { $0.person < $1.person }
            } else if let trace = try trace(
                person: first, threads: threads, cancelled: cancelled, progress: { _, _ in })
            {
                found += trace.rows.first(where: matches).map { [$0] } ?? []
            }
            if cancelled() { return nil }
            progress(next - people.lowerBound)
        }
        return (Array(found.prefix(most)), next - people.lowerBound)
    }

    /// People of a thread between two looks at how many are found.
    private static let batch = 32
}
