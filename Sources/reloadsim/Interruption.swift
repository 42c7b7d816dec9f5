import Foundation
import Synchronization

/// SIGINT and SIGTERM: the first one asks the run to end, the second one ends the process at once.
enum Interruption {
    private static let received = Atomic<Int32>(0)

    /// From now on the first signal is only noted.
    static func watch() {
        // The handler must find the variable made.
        received.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                Interruption.received.store(number, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
        // A parent may have started this process with signals blocked, as a program's worker threads do.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

    /// Says in one line what is still true, and gives the status of the signal.
    static func status(saying sentence: String) -> ExitStatus {
        Console.plain(sentence)
        return received.load(ordering: .relaxed) == SIGTERM ? .terminated : .interrupted
    }
}
