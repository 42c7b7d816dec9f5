import Foundation

/// A process of this program that tries cases one after another, so that a crash, a hang or a lack of memory is one case's and not the campaign's.
final class Child {
    /// The outcome of a case.
    enum Outcome: Equatable {
        case held
        case broken([String])
        case crashed(status: Int32)
        case hung
        /// A part of the settings that is not a scenario.
        case unreadable
    }

    /// The longest that a case may take, in seconds.
    static let mostSeconds = 120.0

    private let process = Process()
    private let output = Pipe()
    private var buffer = Data()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        // The crash is told by its status; its backtrace would bury the campaign's own lines.
        process.standardError = FileHandle.nullDevice
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
                    ? nil : (seed, .crashed(status: process.terminationStatus))
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
    }
}
