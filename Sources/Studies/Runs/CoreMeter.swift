import Basics
import Foundation
import Reporting
import Simulation
import Synchronization

/// The core time of one run among others of a process: that of the thread which has it made, and of the threads that
/// are started for it.
final class CoreMeter: Sendable {
    private let nanosecondsOfEnded = Atomic<Int64>(0)
    private let running = DispatchGroup()
    private let start = HostCalls.nanosecondsOfThread

    /// Does something whose threads count. They are those that the calling thread has started by a `ThreadPool`.
    func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let maker = ThreadPool.maker
        let counted = ThreadPool.Maker { [self] stackBytes, work in
            running.enter()
            let code = maker(stackBytes) { [self] in
                work()
                // The thread does nothing else: all of its time is this run's.
                nanosecondsOfEnded.add(HostCalls.nanosecondsOfThread, ordering: .relaxed)
                running.leave()
            }
            if code != 0 { running.leave() }
            return code
        }
        return try ThreadPool.$maker.withValue(counted, operation: body)
    }

    /// Seconds so far. It is asked on the thread that has made the meter, while no other works: threads that have done
    /// their work may still be about to say so.
    var seconds: Double {
        running.wait()
        return Double(nanosecondsOfEnded.load(ordering: .relaxed) + HostCalls.nanosecondsOfThread - start) / 1e9
    }
}
