import Synchronization

/// The threads of a run as they work through its lanes.
///
/// The first thread hands lanes out, whenever one has enough to do, and takes them back once they are done; meanwhile it does other work. The others take lanes that
/// are handed out, their own first, so that what a lane has in the caches mostly stays there. The first thread helps where it has to wait.
final class LaneCrew: @unchecked Sendable {
    // Safety: the orders are only read, and states are atomic.
    private let orders: [[Int]]
    private let states: UnsafeMutablePointer<LaneState>
    private let lanes: Int
    /// How many lanes were handed out so far.
    private let handedOut = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    private enum Step {
        static let idle = 0, ready = 1, taken = 2, done = 3
    }

    /// A line of the cache, so that two lanes do not disturb each other.
    private struct LaneState: ~Copyable {
        let step = Atomic<Int>(Step.idle)
        private let rest = (0, 0, 0, 0, 0, 0, 0)
    }

    init(threads: Int, lanes: Int) {
        self.lanes = lanes
        orders = (0..<threads).map { thread in
            let own = Self.own(thread, of: threads, lanes: lanes)
            return own + (0..<lanes).reversed().filter { !own.contains($0) }
        }
        states = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<LaneState>.stride * lanes, alignment: MemoryLayout<LaneState>.stride)
            .bindMemory(to: LaneState.self, capacity: lanes)
        for lane in 0..<lanes { (states + lane).initialize(to: LaneState()) }
    }

    deinit {
        states.deinitialize(count: lanes)
        states.deallocate()
    }

    /// The lanes that a thread takes first, and that are its alone while none is handed out.
    static func own(_ thread: Int, of threads: Int, lanes: Int) -> [Int] { Array(stride(from: thread, to: lanes, by: threads)) }

    // MARK: The first thread

    /// Hands a lane out: whoever takes it sees all that was written before.
    func handOut(_ lane: Int) {
        states[lane].step.store(Step.ready, ordering: .releasing)
        handedOut.add(1, ordering: .releasing)
    }

    /// Takes a lane back if it is done; then all that was written for it is seen.
    func takeBack(_ lane: Int) -> Bool {
        if states[lane].step.load(ordering: .acquiring) != Step.done { return false }
        states[lane].step.store(Step.idle, ordering: .relaxed)
        return true
    }

    /// Takes a lane that is handed out back, done by this thread or, while others are done, by the one that has it.
    func finish(_ lane: Int, _ body: (_ lane: Int) -> Void) {
        if !take(lane, body) { while states[lane].step.load(ordering: .acquiring) != Step.done, help(body) {} }
        Spin.wait { states[lane].step.load(ordering: .acquiring) == Step.done }
        states[lane].step.store(Step.idle, ordering: .relaxed)
    }

    /// Does a lane that is handed out and that nobody has taken; false if there is none.
    func help(_ body: (_ lane: Int) -> Void) -> Bool {
        for lane in orders[0] where take(lane, body) { return true }
        return false
    }

    /// Lets the other threads go. No lane is handed out.
    func dismiss() { isOver.store(true, ordering: .releasing) }

    /// The others are to follow again.
    func gather() { isOver.store(false, ordering: .releasing) }

    // MARK: The others

    /// Does lanes that are handed out, until the crew is dismissed.
    func follow(thread: Int, _ body: (_ lane: Int) -> Void) {
        while true {
            let seen = handedOut.load(ordering: .acquiring)
            for lane in orders[thread] { _ = take(lane, body) }
            Spin.wait { handedOut.load(ordering: .acquiring) != seen || isOver.load(ordering: .acquiring) }
            if isOver.load(ordering: .acquiring) { return }
        }
    }

    @inline(__always) private func take(_ lane: Int, _ body: (_ lane: Int) -> Void) -> Bool {
        // Looked at first: a line that nobody writes stays in every cache.
        guard states[lane].step.load(ordering: .relaxed) == Step.ready,
            states[lane].step.compareExchange(expected: Step.ready, desired: Step.taken, ordering: .acquiring).exchanged
        else { return false }
        body(lane)
        states[lane].step.store(Step.done, ordering: .releasing)
        return true
    }
}
