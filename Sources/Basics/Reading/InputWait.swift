import Foundation

/// Whoever is told that the program waits.
package protocol InputListener: Sendable {
    func hears(_ sentence: String)
}

private struct NoListener: InputListener {
    package func hears(_ sentence: String) {}
}

/// Pipes that are named as files: their first bytes come when their writer likes, or never, and meanwhile nothing else
/// can be done.
package enum InputWait {
    /// The listener in use: nobody, unless a program puts its terminal here. A type and not a function, with which the
    /// compiler (6.3) ends the program.
    @TaskLocal package static var listener: any InputListener = NoListener()

    /// Milliseconds, long enough for a writer that is there already.
    private static let patience: Int32 = 1_000

    /// A pipe with its first bytes there, or its end. Says so once if there are none for a second.
    package static func pipe(_ path: String) throws(FileBytes.Unreadable) -> FileHandle {
        // Opening it as a file would wait for a writer without a word.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { throw FileBytes.Unreadable(reason: "one that cannot be read") }
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var limit = patience
        while true {
            let count = poll(&asked, 1, limit)
            if count > 0 || count < 0 && errno != EINTR { break }
            if count == 0 {
                listener.hears("waiting   for \(path), a pipe into which nobody has written yet")
                limit = -1
            }
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
