import Basics
import Foundation
import ResultFiles
import Synchronization

/// A command that answers for a provider: as many processes as threads ask at a time, and two at least, which take
/// turns, so that one that goes by what it was asked before is found out.
final class PipedCommand: Sendable {
    let name, command: String
    /// The most seconds that an answer may take.
    let limit: Double
    /// The first fault, as a whole sentence.
    let caught = LockedValue<String?>(nil)
    /// The part that stands in a run's identity beside its name and version: the command, and a digest of the files that its
    /// words name.
    let code: String
    private let processes = LockedValue(Processes())
    private let beginnings = SharedValues<[String: String], PipedBeginning>(most: 1_000)

    private struct Processes {
        /// The one that has rested for the longest time is first.
        var idle: [ChildProcess] = []
        var count = 0
        var areOver = false
    }

    init(name: String, command: String, limit: Double) {
        (self.name, self.command, self.limit) = (name, command, limit)
        code = ([command] + Self.digest(ofFilesIn: command)).joined(separator: " ")
    }

    /// The facts that it says of itself, asked once for each set of parameters.
    func beginning(with: [String: String]) -> PipedBeginning {
        beginnings.value(of: with) {
            do throws(Fault) {
                let said = try answer(["ask": "hello", "protocol": 1, "provider": name, "with": with.inOrder])
                return try PipedBeginning(said)
            } catch { return PipedBeginning(fault: sentence(error)) }
        }
    }

    /// Why there is no answer.
    struct Fault: Error {
        /// The words that follow the name of the provider and its command.
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// Asks a question; nil once there was a fault, which ends the run.
    func ask<Answer>(_ question: JSONMembers, _ read: (inout PipedAnswer) throws(Fault) -> Answer) -> Answer? {
        if caught.withLock({ $0 != nil }) { return nil }
        do throws(Fault) {
            var answer = try answer(question)
            let value = try read(&answer)
            try answer.end()
            return value
        } catch {
            let sentence = sentence(error)
            caught.withLock { if $0 == nil { $0 = sentence } }
            return nil
        }
    }

    private func answer(_ question: JSONMembers) throws(Fault) -> PipedAnswer {
        guard let process = process() else { throw Fault("cannot be started: the system gives no process for it") }
        let line: String
        do throws(ChildProcess.Silence) {
            line = try process.answer(
                to: String(JSONText.object(question).text(.everythingOnOneLine).dropLast()), within: limit)
        } catch {
            let how =
                switch error {
                case .ended(let how): "\(how) before it answered"
                case .late:
                    "gave no answer within \(TimeText.duration(Duration(seconds: limit))) (--provider-limit)"
                case .tooLong: "answered with a line of more than a mebibyte"
                case .unasked(let text): "wrote a line that no question asks for: \(Self.quoted(text))"
                }
            let words = process.lastWords.map { "; its last words: \(Self.quoted($0))" } ?? ""
            process.end(within: 0)
            throw Fault(how + words)
        }
        let answer = PipedAnswer(line)
        let words = answer == nil ? process.lastWords : nil
        processes.withLock { if !$0.areOver { $0.idle.append(process) } }
        guard let answer else {
            throw Fault(
                "answered with what is no object of JSON: \(Self.quoted(line))"
                    + (words.map { "; its last words: \(Self.quoted($0))" } ?? ""))
        }
        if let error = answer.error { throw Fault("says: \(Self.quoted(error))") }
        return answer
    }

    private func process() -> ChildProcess? {
        let (rested, mayStart) = processes.withLock { processes in
            if processes.areOver { return (ChildProcess?.none, false) }
            if processes.count < 2 || processes.idle.isEmpty {
                processes.count += 1
                return (nil, true)
            }
            return (processes.idle.removeFirst(), false)
        }
        return mayStart ? ChildProcess(shell: command) : rested
    }

    private func sentence(_ fault: Fault) -> String { "provider '\(name)' (\(command)) \(fault.text)" }

    static func quoted(_ text: String) -> String {
        let line = text.count > 200 ? text.prefix(200) + "…" : text[...]
        return "'\(line)'"
    }

    /// Ends all processes: their input ends, and what is there a second later is killed.
    func end() {
        let idle = processes.withLock { processes in
            processes.areOver = true
            defer { processes.idle = [] }
            return processes.idle
        }
        for process in idle { process.closeInput() }
        let deadline = ContinuousClock.now + .seconds(1)
        for process in idle { process.end(within: max(0, (deadline - .now) / .seconds(1))) }
    }

    /// 16 hex digits of the contents of all regular files among the words; none without one. A script that has changed
    /// is another program, though nobody has counted up its version.
    private static func digest(ofFilesIn command: String) -> [String] {
        let files = command.split { $0 == " " || $0 == "\t" }.map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        }.filter { FolderPath.isFile($0) }
        let contents = files.compactMap { FileManager.default.contents(atPath: $0) }
        if contents.isEmpty { return [] }
        return [String(SHA256.hash(data: contents.flatMap { SHA256.hash(data: Array($0)) }).hex.prefix(16))]
    }
}

extension [String: String] {
    /// As an object of JSON, in the order of the names.
    var inOrder: JSONText {
        .object(JSONMembers(sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }
}
