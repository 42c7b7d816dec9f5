import Synchronization

/// Where the threads of a run wait for one another.
final class Barrier: Sendable {
    private let threads: Int
    private let waiting = Atomic<Int>(0)
    private let round = Atomic<Int>(0)

    init(threads: Int) { self.threads = threads }

    /// Returns when every thread has called it. Every thread then sees all that was written before.
    func wait() {
        if threads == 1 { return }
        let mine = round.load(ordering: .acquiring)
        if waiting.add(1, ordering: .acquiringAndReleasing).newValue == threads {
            waiting.store(0, ordering: .relaxed)
            round.store(mine + 1, ordering: .releasing)
            return
        }
        Spin.wait { round.load(ordering: .acquiring) != mine }
    }
}
