import Foundation
import Synchronization

/// SIGINT and SIGTERM: the first one asks the run to end, the second one ends the process at once. Before there is a
/// run the first one ends it, too.
enum Interruption {
    private static let received = Atomic<Int32>(0)
    /// Whether somebody asks if a signal has come.
    private static let isWatched = Atomic<Bool>(false)
    private static let sentence = StaticString("interrupted\n")

    /// The first thing that a process does: from now on a signal has the status and the sentence that it has later.
    static func begin() {
        // The handler must find the variables made.
        received.store(0, ordering: .relaxed)
        isWatched.store(false, ordering: .relaxed)
        _ = sentence.utf8CodeUnitCount
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                if !Interruption.isWatched.load(ordering: .relaxed) {
                    // Nothing but calls that a handler may make.
                    _ = Foundation.write(2, Interruption.sentence.utf8Start, Interruption.sentence.utf8CodeUnitCount)
                    _exit(number == SIGTERM ? ExitStatus.terminated.rawValue : ExitStatus.interrupted.rawValue)
                }
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

    /// From now on the first signal is only noted: the command asks for it, and says what is still true.
    static func watch() { isWatched.store(true, ordering: .relaxed) }

    static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

    /// Says in one line what is still true, and gives the status of the signal.
    static func status(saying sentence: String) -> ExitStatus {
        Console.plain(sentence)
        return received.load(ordering: .relaxed) == SIGTERM ? .terminated : .interrupted
    }
}
