import Foundation

/// Paths and folders as the operating system has them.
package enum FolderPath {
    /// Whether there is anything under the path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    package static func isFolder(_ path: String) -> Bool { isSort(S_IFDIR, path) }

    /// Whether there is a file under the path, and no folder, pipe or device.
    package static func isFile(_ path: String) -> Bool { isSort(S_IFREG, path) }

    private static func isSort(_ sort: mode_t, _ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == sort
    }

    /// The names in a folder; nil if there is nothing under the path.
    package static func contents(of path: String) throws(OutputProblem) -> [String]? {
        var status = stat()
        if stat(path, &status) != 0 {
            if errno == ENOENT { return nil }
            throw .system("cannot use the folder \(path)", errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputProblem("\(path) is not a folder") }
        if access(path, R_OK) != 0 { throw .system("cannot read the folder \(path)", errno) }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw OutputProblem("cannot read the folder \(path)")
        }
    }

    /// The folder of a file's path and its name in it.
    package static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// Makes a folder and those above it that are missing; gives what it made, the innermost last.
    package static func make(_ path: String) throws(OutputProblem) -> [String] {
        var made: [String] = []
        var tries = 0
        var partial = path.hasPrefix("/") ? "/" : ""
        var names = path.split(separator: "/")[...]
        while let name = names.popFirst() {
            partial += (partial.isEmpty || partial.hasSuffix("/") ? "" : "/") + name
            let code = Disk.calls.makeFolder(partial)
            if code >= 0 {
                made.append(partial)
                do throws(OutputProblem) { try synchronise(parts(of: partial).folder) } catch {
                    remove(made)
                    throw error
                }
            } else if code == -ENOENT && tries < 3 {
                // Another command, which had made the folder above, has just removed it again.
                tries += 1
                partial = path.hasPrefix("/") ? "/" : ""
                names = path.split(separator: "/")[...]
            } else if code != -EEXIST && code != -EISDIR {
                remove(made)
                throw .system("cannot make the folder \(path)", -code)
            }
        }
        return made
    }

    /// Removes folders that were made, the innermost last, as far as nothing is in them.
    package static func remove(_ made: [String]) {
        for folder in made.reversed() { _ = Disk.calls.removeFolder(folder) }
    }

    /// Makes the names in a folder as durable as the bytes.
    package static func synchronise(_ path: String) throws(OutputProblem) {
        let folder = Disk.calls.open(path, O_RDONLY | O_DIRECTORY)
        // One that may be written to and not read cannot be synchronised.
        if folder == -EACCES { return }
        if folder < 0 { throw .system("cannot open \(path)", -folder) }
        defer { _ = Disk.calls.close(folder) }
        var code = Disk.calls.synchronise(folder)
        while code == -EINTR { code = Disk.calls.synchronise(folder) }
        // Some file systems cannot synchronise a folder and say so with EINVAL; the bytes are on the disk all the same.
        if code < 0 && code != -EINVAL { throw .system("cannot write \(path)", -code) }
    }

    /// Removes what killed processes have left of files of these names, under temporary names. The caller has the lock
    /// of the folder, or of the names, so nothing of these names is being written.
    ///
    /// - Parameter kept: temporary names of the caller's own.
    package static func removeLeftovers(of names: [String], besides kept: [String] = [], in path: String) {
        let present: [String]
        do throws(OutputProblem) { present = try contents(of: path) ?? [] } catch { return }
        for name in present {
            guard let original = TemporaryName.original(of: name)?.name, names.contains(original), !kept.contains(name)
            else { continue }
            if FileStatus(of: path + "/" + name)?.kind == .file { _ = Disk.calls.unlink(path + "/" + name) }
        }
    }
}
