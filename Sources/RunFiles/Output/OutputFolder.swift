import Foundation
import PlainText

/// The folder that takes the files of one run, all or none of them.
///
/// Every file is written in full under a temporary name in the same folder. Only when all are on the disk do they get their final names, `manifest.json`
/// last: a folder without a manifest holds no complete results. After a failure no file of this run stands under a final name.
public final class OutputFolder {
    /// What the manifest says about a file.
    package struct WrittenFile: Hashable, Sendable {
        package let name: String
        package let bytes: Int
        /// Hex.
        package let sha256: String
    }

    package static let manifestName = "manifest.json"
    /// The scenario with all its defaults: what a run's identity is made from.
    package static let resolvedScenarioName = "scenario.resolved.yaml"

    /// The name under which a file is written before it is complete.
    package static func temporaryName(_ name: String) -> String { ".\(name).partial" }

    package let path: String
    /// The files that are complete under their temporary names, in the order of writing.
    package private(set) var files: [WrittenFile] = []
    /// The folders that this run made, the innermost last; they go again if the run fails.
    private let made: [String]
    private let isInterrupted: () -> Bool

    /// Opens the folder and makes it if it is missing.
    ///
    /// - Parameters:
    ///   - replacing: whether the folder may hold something already; files of the same names are replaced, and what is named at the end goes; others stay.
    ///   - isInterrupted: asked between files; once true, nothing gets its final name.
    ///   - ignoring: whether a file of this name may be in the folder already, though nothing is replaced.
    public init(
        path: String, replacing: Bool, isInterrupted: @escaping () -> Bool = { false }, ignoring: (String) -> Bool = { _ in false }
    ) throws(OutputProblem) {
        self.path = path
        self.isInterrupted = isInterrupted
        let present: [String]?
        do throws(OutputProblem) { present = try FolderPath.contents(of: path) } catch { throw error.adding("nothing was changed") }
        if let present {
            made = []
            if !replacing && !present.allSatisfy(ignoring) {
                throw OutputProblem("the output folder \(path) is not empty; nothing was changed (--force replaces the results in it)")
            }
            if access(path, W_OK | X_OK) != 0 {
                throw .system("cannot write to the output folder \(path)", errno).adding("nothing was changed")
            }
        } else {
            do throws(OutputProblem) { made = try FolderPath.make(path) } catch { throw error.adding("nothing was written") }
        }
    }

    /// Writes one file under its temporary name. A failure removes all that this run has written.
    package func write(_ name: String, _ body: (ByteSink) throws(OutputProblem) -> Void) throws(OutputProblem) {
        do throws(OutputProblem) {
            if isInterrupted() { throw OutputProblem("interrupted", isInterruption: true) }
            let file = try CheckedFile(path: temporary(name))
            files.append(WrittenFile(name: name, bytes: 0, sha256: ""))
            try body { (bytes) throws(OutputProblem) in try file.write(bytes) }
            files[files.count - 1] = WrittenFile(name: name, bytes: file.size, sha256: try file.close())
        } catch {
            discard()
            throw error.adding("nothing of this run was left in \(path)" + (made.isEmpty ? ", and what it held before is unchanged" : ""))
        }
    }

    package func write(_ name: String, text: String) throws(OutputProblem) {
        try write(name) { (sink) throws(OutputProblem) in try Array(text.utf8).send(to: sink) }
    }

    /// Writes the manifest and gives every file its final name, the manifest last.
    ///
    /// - Parameters:
    ///   - members: what the manifest says of the results; status, version and files are put in.
    ///   - removing: files that an earlier run may have left and this one does not have: beside this manifest they would pass for its own.
    package func complete(_ members: [(String, JSONText)], status: String = Manifest.complete, removing stale: [String] = [])
        throws(OutputProblem)
    {
        try write(Self.manifestName, text: Manifest.text(members, status: status, files: files))
        if isInterrupted() {
            discard()
            throw OutputProblem("interrupted; nothing of this run was left in \(path)", isInterruption: true)
        }
        var named: [String] = []
        do throws(OutputProblem) {
            // An earlier run's manifest would vouch for a mixture.
            for name in [Self.manifestName] + stale where unlink(final(name)) != 0 && errno != ENOENT {
                throw .system("cannot replace \(final(name))", errno)
            }
            try FolderPath.synchronise(path)
            for file in files.dropLast() {
                try rename(file.name)
                named.append(file.name)
            }
            try FolderPath.synchronise(path)
            try rename(Self.manifestName)
            named.append(Self.manifestName)
            try FolderPath.synchronise(path)
        } catch {
            for name in named { _ = unlink(final(name)) }
            discard()
            throw error.adding("\(path) holds no complete results")
        }
    }

    /// Removes everything that this run wrote under temporary names, and the folder if the run made it.
    package func discard() {
        for file in files { _ = unlink(temporary(file.name)) }
        files = []
        FolderPath.remove(made)
    }

    private func final(_ name: String) -> String { path + "/" + name }
    private func temporary(_ name: String) -> String { path + "/" + Self.temporaryName(name) }

    private func rename(_ name: String) throws(OutputProblem) {
        if Foundation.rename(temporary(name), final(name)) != 0 { throw .system("cannot name \(final(name))", errno) }
    }
}
