import Foundation

/// The results that new ones are about to replace, kept under names of their own until the new ones are complete.
///
/// The manifest is set aside first and comes back last, so whenever the process ends the folder can be told to be in
/// one of three states: the old results stand; none stand, and those set aside are the old ones; the new ones stand.
/// `recover` brings back the first from the second.
package struct PreviousFiles {
    private let folder: String
    private let mark = TemporaryName.mark
    private var names: [String] = []

    package init(in folder: String) { self.folder = folder }

    /// Whether a manifest was among them.
    package var holdResults: Bool { names.contains(OutputFolder.manifestName) }

    /// Sets a file aside if it is there.
    package mutating func setAside(_ name: String) throws(OutputProblem) {
        guard let status = FileStatus(of: folder + "/" + name) else { return }
        if status.kind != .file { throw FileContent.noFile(folder + "/" + name, status.kind) }
        let code = Disk.calls.rename(folder + "/" + name, to: path(name))
        if code < 0 { throw .system("cannot replace \(folder)/\(name)", -code) }
        names.append(name)
    }

    /// Brings all of them back; false if one could not be.
    package mutating func putBack() -> Bool {
        while let name = names.last {
            if name == OutputFolder.manifestName {
                // A disk that fails here too is told of already, by what has failed before.
                do throws(OutputProblem) { try FolderPath.synchronise(folder) } catch {}
            }
            if Disk.calls.rename(path(name), to: folder + "/" + name) < 0 { return false }
            names.removeLast()
        }
        return true
    }

    /// Removes them, once the new ones are complete.
    package mutating func remove() {
        while let name = names.popLast() { _ = Disk.calls.unlink(path(name)) }
    }

    private func path(_ name: String) -> String {
        folder + "/" + TemporaryName.full(name, mark, TemporaryName.previousSuffix)
    }

    /// Brings back the results that a process had set aside when it was killed, or removes them if it was done. The
    /// caller has the folder's lock.
    package static func recover(in folder: String) throws(OutputProblem) {
        var marks: [String] = []
        var aside: [String: [(name: String, path: String)]] = [:]
        for entry in try (FolderPath.contents(of: folder) ?? []).sorted() {
            guard let (name, mark) = TemporaryName.original(of: entry, suffix: TemporaryName.previousSuffix) else {
                continue
            }
            if aside[mark] == nil { marks.append(mark) }
            aside[mark, default: []].append((name, folder + "/" + entry))
        }
        if marks.isEmpty { return }
        let isComplete = FileStatus(of: folder + "/" + OutputFolder.manifestName) != nil
        // Where there are several, which only a folder that was copied by hand has, one is as good as another.
        for mark in marks {
            let files = aside[mark] ?? []
            let hasManifest = files.contains { $0.name == OutputFolder.manifestName }
            for file in files where file.name != OutputFolder.manifestName {
                try recover(file.path, to: isComplete ? nil : folder + "/" + file.name)
            }
            if hasManifest { try FolderPath.synchronise(folder) }
            for file in files where file.name == OutputFolder.manifestName {
                try recover(file.path, to: isComplete ? nil : folder + "/" + file.name)
            }
        }
        try FolderPath.synchronise(folder)
    }

    /// Gives a file its name, or removes it if it gets none.
    private static func recover(_ path: String, to name: String?) throws(OutputProblem) {
        let code = name.map { Disk.calls.rename(path, to: $0) } ?? Disk.calls.unlink(path)
        if code < 0 { throw .system("cannot bring back \(name ?? path)", -code) }
    }
}
