import Foundation

/// A process of this program that tries cases one after another, so that a crash, a hang or a lack of memory is one
/// case's and not the campaign's.
final class Child {
    /// The outcome of a case.
    enum Outcome: Equatable {
        case held
        case broken([String])
        case crashed(status: Int32, said: String)
        case hung
        /// A part of the settings that is not a scenario.
        case unreadable
    }

    /// The longest that a case may take, in seconds.
    static let mostSeconds = 120.0

    private let process = Process()
    private let output = Pipe()
    /// Holds what it writes to standard error.
    private let words = FileManager.default.temporaryDirectory.appending(
        path: "reloadsim-campaign-\(UUID().uuidString)")
    private var buffer = Data()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        // Its backtrace would bury the campaign's own lines: one line is told of it.
        _ = FileManager.default.createFile(atPath: words.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: words)
        try process.run()
    }

    /// The next line that it writes; nil if it has ended, or takes too long and is ended.
    private func line(before deadline: Date) -> (text: String?, isLate: Bool) {
        let descriptor = output.fileHandleForReading.fileDescriptor
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let text = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer = Data(buffer[buffer.index(after: end)...])
                return (text, false)
            }
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            if left <= 0 { return (nil, true) }
            if poll(&poller, 1, Int32(min(left, 1) * 1000) + 1) <= 0 { continue }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return (nil, false) }
            buffer.append(more)
        }
    }

    /// The outcome of the next case, with its settings as far as they are known; nil if there is none left.
    func next() -> (seed: UInt64?, outcome: Outcome)? {
        var seed: UInt64?
        let deadline = Date(timeIntervalSinceNow: Self.mostSeconds)
        while true {
            let (text, isLate) = line(before: deadline)
            guard let text else {
                if isLate { kill(process.processIdentifier, SIGKILL) }
                process.waitUntilExit()
                if isLate { return (seed, .hung) }
                return process.terminationStatus == 0 && process.terminationReason == .exit
                    ? nil : (seed, .crashed(status: process.terminationStatus, said: lastWords))
            }
            let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            switch words[0] {
            case "case": seed = UInt64(words[1])
            case "held": return (seed, .held)
            case "broken": return (seed, .broken(Array(words.dropFirst())))
            case "unreadable": return (seed, .unreadable)
            default: break
            }
        }
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: words)
    }

    /// The line that says why it crashed: a sanitizer's summary, the sentence of a trap, or the last line that it
    /// wrote.
    private var lastWords: String {
        let text = (try? Data(contentsOf: words)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline)
        return String(lines.first { $0.contains("SUMMARY:") || $0.contains("Fatal error") } ?? lines.last ?? "nothing")
    }
}
