import Synchronization

/// The threads of a run as they work through its partitions.
///
/// The first thread hands partitions out, whenever one has enough to do, and takes them back once they are done;
/// meanwhile it does other work. The others take partitions that are handed out, their own first, so that what a
/// partition has in the caches mostly stays there. The first thread helps where it has to wait.
final class WorkerPool: @unchecked Sendable {
    // Safety: the orders are only read, and states are atomic.
    private let orders: [[Int]]
    private let states: UnsafeMutablePointer<PartitionState>
    private let partitions: Int
    /// How many partitions were handed out so far.
    private let handedOut = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    private enum Step {
        static let idle = 0, ready = 1, taken = 2, done = 3
    }

    /// A line of the cache, so that two partitions do not disturb each other.
    private struct PartitionState: ~Copyable {
        let step = Atomic<Int>(Step.idle)
        private let rest = (0, 0, 0, 0, 0, 0, 0)
    }

    init(threads: Int, partitions: Int) {
        self.partitions = partitions
        orders = (0..<threads).map { thread in
            let own = Self.own(thread, of: threads, partitions: partitions)
            return own + (0..<partitions).reversed().filter { !own.contains($0) }
        }
        states = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<PartitionState>.stride * partitions, alignment: MemoryLayout<PartitionState>.stride
        )
        .bindMemory(to: PartitionState.self, capacity: partitions)
        for partition in 0..<partitions { (states + partition).initialize(to: PartitionState()) }
    }

    deinit {
        states.deinitialize(count: partitions)
        states.deallocate()
    }

    /// The partitions that a thread takes first, and that are its alone while none is handed out.
    static func own(_ thread: Int, of threads: Int, partitions: Int) -> [Int] {
        Array(stride(from: thread, to: partitions, by: threads))
    }

    // MARK: The first thread

    /// Hands a partition out: whoever takes it sees all that was written before.
    func handOut(_ partition: Int) {
        states[partition].step.store(Step.ready, ordering: .releasing)
        handedOut.add(1, ordering: .releasing)
    }

    /// Takes a partition back if it is done; then all that was written for it is seen.
    func takeBack(_ partition: Int) -> Bool {
        if states[partition].step.load(ordering: .acquiring) != Step.done { return false }
        states[partition].step.store(Step.idle, ordering: .relaxed)
        return true
    }

    /// Takes a partition that is handed out back, done by this thread or, while others are done, by the one that has
    /// it.
    func finish(_ partition: Int, _ body: (_ partition: Int) -> Void) {
        if !take(partition, body) {
            while states[partition].step.load(ordering: .acquiring) != Step.done, help(body) {}
        }
        Spin.wait { states[partition].step.load(ordering: .acquiring) == Step.done }
        states[partition].step.store(Step.idle, ordering: .relaxed)
    }

    /// Does a partition that is handed out and that nobody has taken; false if there is none.
    func help(_ body: (_ partition: Int) -> Void) -> Bool {
        for partition in orders[0] where take(partition, body) { return true }
        return false
    }

    /// Lets the other threads go. No partition is handed out.
    func dismiss() { isOver.store(true, ordering: .releasing) }

    /// The others are to follow again.
    func gather() { isOver.store(false, ordering: .releasing) }

    // MARK: The others

    /// Does partitions that are handed out, until the pool is dismissed.
    func follow(thread: Int, _ body: (_ partition: Int) -> Void) {
        while true {
            let seen = handedOut.load(ordering: .acquiring)
            for partition in orders[thread] { _ = take(partition, body) }
            Spin.wait { handedOut.load(ordering: .acquiring) != seen || isOver.load(ordering: .acquiring) }
            if isOver.load(ordering: .acquiring) { return }
        }
    }

    @inline(__always) private func take(_ partition: Int, _ body: (_ partition: Int) -> Void) -> Bool {
        // Looked at first: a line that nobody writes stays in every cache.
        guard states[partition].step.load(ordering: .relaxed) == Step.ready,
            states[partition].step.compareExchange(expected: Step.ready, desired: Step.taken, ordering: .acquiring)
                .exchanged
        else { return false }
        body(partition)
        states[partition].step.store(Step.done, ordering: .releasing)
        return true
    }
}
