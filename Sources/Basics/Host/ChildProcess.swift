import Foundation

/// A shell's command under way that answers a line with a line, over pipes. One thread at a time uses it.
package final class ChildProcess: @unchecked Sendable {
    // Safety: whoever made it hands it to one thread at a time.
    private let number: Int32
    /// The ends of the pipes to its standard input and from its output and error; -1 once they are closed.
    private var input, output, error: Int32
    /// What it has said and nobody has read yet.
    private var said: [UInt8] = []
    /// The end of what it has written to standard error.
    private var complaint: [UInt8] = []

    /// Why there is no answer.
    package enum Silence: Error, Hashable {
        /// It has ended, or no longer writes; how, as the rest of a sentence.
        case ended(String)
        /// The time is over.
        case late
        /// A line of more than a mebibyte.
        case tooLong
        /// More than one line for a question, or a line before one.
        case unasked(String)
    }

    private static let mostBytes = 1 << 20
    private static let keptOfComplaints = 4_096

    /// Starts it in a group of processes of its own, so that signals of the terminal do not reach it; nil if the system
    /// starts none.
    package init?(shell command: String) {
        // Neither of two that start at once may have the other's pipes.
        let started = Self.starts.withLock { _ -> (number: Int32, ends: [Int32])? in
            var (own, its): ([Int32], [Int32]) = ([], [])
            defer { for end in its { Foundation.close(end) } }
            for isInput in [true, false, false] {
                guard let (reads, writes) = HostCalls.pipe() else { break }
                own.append(isInput ? writes : reads)
                its.append(isInput ? reads : writes)
            }
            if own.count == 3,
                let number = HostCalls.startShell(command, input: its[0], output: its[1], error: its[2])
            {
                return (number, own)
            }
            for end in own { Foundation.close(end) }
            return nil
        }
        guard let (number, ends) = started else { return nil }
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        self.number = number
        (input, output, error) = (ends[0], ends[1], ends[2])
    }

    private static let starts = LockedValue(())

    deinit { end(within: 0) }

    /// Asks it a question of one line.
    ///
    /// - Parameters:
    ///   - line: without a line end.
    ///   - seconds: the most that it may take.
    package func answer(to line: String, within seconds: Double) throws(Silence) -> String {
        read()
        if !said.isEmpty { throw .unasked(Self.lastLine(said) ?? "") }
        var question = Array(line.utf8) + [10]
        var sent = 0
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let end = said.firstIndex(of: 10) {
                let answer = String(decoding: said[..<end], as: UTF8.self)
                said.removeSubrange(...end)
                if !said.isEmpty { throw .unasked(Self.lastLine(said) ?? "") }
                return answer
            }
            if said.count > Self.mostBytes { throw .tooLong }
            if output < 0 { throw .ended(howItEnded()) }
            let left = (deadline - .now) / .milliseconds(1)
            if left <= 0 { throw .late }
            wait(wantsToSend: sent < question.count, milliseconds: Int32(Int(cutting: min(left, 1_000_000)) + 1))
            if sent < question.count, input >= 0 {
                let count = question.withUnsafeMutableBytes { write(input, $0.baseAddress! + sent, $0.count - sent) }
                if count > 0 { sent += count } else if errno != EAGAIN && errno != EINTR { closeInput() }
            }
            read()
        }
    }

    /// The last line that it has written to standard error, or else to standard output; nil for none.
    package var lastWords: String? {
        read()
        return Self.lastLine(complaint) ?? Self.lastLine(said)
    }

    /// Tells it that there are no more questions: its input ends.
    package func closeInput() { Self.close(&input) }

    /// Ends it: what is there after some seconds is killed with all that it has started.
    package func end(within seconds: Double) {
        if isReaped { return closeAll() }
        closeInput()
        if !isReaped(within: seconds) {
            kill(-number, SIGKILL)
            _ = isReaped(within: 5)
        }
        closeAll()
    }

    // MARK: Reading

    private func wait(wantsToSend: Bool, milliseconds: Int32) {
        // The system passes over those that are closed.
        var asked = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: error, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wantsToSend ? input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        _ = poll(&asked, nfds_t(asked.count), milliseconds)
    }

    /// Takes what is there, without waiting.
    private func read() {
        Self.read(&output, into: &said, most: Self.mostBytes + 1)
        Self.read(&error, into: &complaint, most: .max)
        complaint.removeFirst(max(0, complaint.count - Self.keptOfComplaints))
    }

    private static func read(_ end: inout Int32, into bytes: inout [UInt8], most: Int) {
        var room = [UInt8](repeating: 0, count: 4_096)
        while end >= 0, bytes.count < most {
            let count = Foundation.read(end, &room, room.count)
            if count > 0 {
                bytes += room[..<count]
                if count < room.count { return }
            } else if count < 0 && errno == EINTR {
                continue
            } else if count < 0 && errno == EAGAIN {
                return
            } else {
                close(&end)
            }
        }
    }

    private static func lastLine(_ bytes: [UInt8]) -> String? {
        bytes.split(separator: 10).last { $0.contains { $0 > 32 } }.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Its end

    private var status: Int32?
    private var isReaped: Bool { status != nil }

    private func isReaped(within seconds: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while status == nil {
            var word: Int32 = 0
            let found = waitpid(number, &word, WNOHANG)
            if found == number { status = word } else if found < 0 && errno != EINTR { status = 0 }
            if status != nil || ContinuousClock.now >= deadline { break }
            // One that still writes must not wait for a reader.
            read()
            usleep(2_000)
        }
        return status != nil
    }

    private func howItEnded() -> String {
        guard isReaped(within: 1), let status else { return "closed its output" }
        // A shell that has waited for a command which a signal has ended says so by a status above 128.
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        if signal == 0 && code <= 128 { return "ended with status \(code)" }
        return "was ended by signal \(signal == 0 ? code - 128 : signal)"
    }

    private func closeAll() {
        Self.close(&input)
        Self.close(&output)
        Self.close(&error)
    }

    private static func close(_ end: inout Int32) {
        if end >= 0 { Foundation.close(end) }
        end = -1
    }
}
