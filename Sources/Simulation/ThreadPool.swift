import Basics
import Foundation
import Synchronization

/// Threads that work side by side until all of them are done.
package enum ThreadPool {
    /// Makes one thread that does the work; gives 0, or the number of the system's error. Tests put one in its place
    /// that fails.
    ///
    /// It is a structure around the function: a task-local value that is a function itself ends optimised programs
    /// (Swift 6.3).
    package struct Maker: Sendable {
        let make: @Sendable (_ stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Int32

        package init(_ make: @escaping @Sendable (_ stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Int32) {
            self.make = make
        }

        package func callAsFunction(_ stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Int32 {
            make(stackBytes, work)
        }
    }

    @TaskLocal package static var maker = Maker { HostCalls.startThread(stackBytes: $0, $1) }

    /// The stack of a thread of the engine, whatever the limit for the first thread of a process is.
    package static let stackBytes = 8 << 20

    /// Starts threads and waits for all of them. None works before every one has started, so where one cannot be made
    /// nothing has been done. No thread holds the work once this returns, so what only the work holds, such as the lock
    /// of a folder, is given back by then.
    ///
    /// - Parameters:
    ///   - count: 1 or more.
    ///   - work: takes the thread's number, from 0.
    ///   - waiting: called about five times a second on the calling thread.
    package static func work(_ count: Int, _ work: @escaping @Sendable (Int) -> Void, waiting: () -> Void = {})
        throws(ThreadProblem)
    {
        let gate = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let shared = Shared(work)
        defer { shared.dropWork() }
        for number in 0..<count {
            let code = maker(stackBytes) {
                gate.wait()
                if !shared.isCalledOff.load(ordering: .acquiring) { shared.work(number) }
                ended.signal()
            }
            if code == 0 { continue }
            shared.isCalledOff.store(true, ordering: .releasing)
            for _ in 0..<number { gate.signal() }
            for _ in 0..<number { ended.wait() }
            throw ThreadProblem(count: count, code: code)
        }
        for _ in 0..<count { gate.signal() }
        for _ in 0..<count {
            while ended.wait(timeout: .now() + .milliseconds(200)) == .timedOut { waiting() }
        }
    }

    /// The state that the threads share. The work is set before the first of them is made, and dropped after the last
    /// has done with it, which an atomic count orders.
    private final class Shared: @unchecked Sendable {
        let isCalledOff = Atomic(false)
        private let doneCount = Atomic(0)
        private var body: (@Sendable (Int) -> Void)?

        init(_ body: @escaping @Sendable (Int) -> Void) { self.body = body }

        func work(_ number: Int) {
            perform(number)
            doneCount.add(1, ordering: .releasing)
        }

        /// A function of its own: what it holds of the work goes when it returns.
        @inline(never) private func perform(_ number: Int) { body?(number) }

        /// No thread works any more.
        func dropWork() {
            _ = doneCount.load(ordering: .acquiring)
            body = nil
        }
    }
}

/// Why the threads of a run do not come to its end: the operating system does not give one, or code of a user's own is
/// at fault.
package struct ThreadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether it is code of a user's own.
    package var isUserCode = false

    init(count: Int, code: Int32) {
        description =
            "cannot start \(count == 1 ? "a thread" : "\(count) threads"): \(String(cString: strerror(code))); fewer threads (--threads) need less, "
            + "and limits on processes and memory (ulimit -u, ulimit -v, a container's) set the limit"
    }

    private init(_ description: String) { self.description = description }

    /// - Parameter userCode: the sentence on what code of a user's own has done.
    package init(userCode: String) { (description, isUserCode) = (userCode, true) }

    /// With a further sentence about what is still true.
    package func adding(_ sentence: String) -> ThreadProblem {
        var longer = ThreadProblem("\(description); \(sentence)")
        longer.isUserCode = isUserCode
        return longer
    }
}

/// A wish that threads pause where they can.
package final class PauseRequest: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isMade: Bool { flag.load(ordering: .relaxed) }
    package func make() { flag.store(true, ordering: .relaxed) }
    package func withdraw() { flag.store(false, ordering: .relaxed) }
}
