import Foundation
import Testing

/// The built command, run as a user runs it.
struct BuiltCommand {
    /// The exit status and output of a command.
    struct Outcome {
        let status: Int32
        let output: String
        let error: String

        var lastErrorLine: String { error.split(separator: "\n").last.map(String.init) ?? "" }
    }

    /// It stands beside the tests' own binary.
    static var path: String {
        get throws {
            let beside = URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
                .deletingLastPathComponent()
                .appending(path: "reloadsim").path
            try #require(FileManager.default.isExecutableFile(atPath: beside), "no built command at \(beside)")
            return beside
        }
    }

    /// Runs it to its end.
    ///
    /// - Parameter shell: a text of bash in which `"$@"` is the command; for redirections and limits.
    static func run(_ arguments: [String], shell: String = "\"$@\"", input: String? = nil, in folder: String? = nil)
        throws -> Outcome
    {
        let running = try Running(["/bin/bash", "-c", shell, "bash", path] + arguments, input: input, in: folder)
        return running.end()
    }

    /// A command under way, with its standard error in a file that can be looked at meanwhile.
    final class Running {
        let process = Process()
        private let scratch = Scratch()

        init(_ words: [String], input: String? = nil, in folder: String? = nil) throws {
            process.executableURL = URL(filePath: words[0])
            process.arguments = Array(words.dropFirst())
            process.environment = [
                "COLUMNS": "80", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            ]
            if let folder { process.currentDirectoryURL = URL(filePath: folder) }
            try (input ?? "").write(toFile: scratch.path + "/in", atomically: false, encoding: .utf8)
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: scratch.path + "/in"))
            for name in ["out", "err"] {
                try #require(FileManager.default.createFile(atPath: scratch.path + "/" + name, contents: nil))
            }
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: scratch.path + "/out"))
            process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.path + "/err"))
            try process.run()
        }

        var errorSoFar: String { text("err") }

        /// Waits for its end; one that takes minutes is stuck and is killed.
        func end() -> Outcome {
            let deadline = ContinuousClock.now + .seconds(180)
            while process.isRunning, ContinuousClock.now < deadline { usleep(5_000) }
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            return Outcome(status: process.terminationStatus, output: text("out"), error: text("err"))
        }

        private func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: scratch.path + "/" + name) ?? Data(), as: UTF8.self)
        }
    }
}

/// A folder for one test; it goes with its last user.
final class Scratch {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            fatalError("no scratch folder: \(error)")
        }
    }

    deinit { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(error)") } }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
