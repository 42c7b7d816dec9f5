import Foundation

/// Paths and folders as the operating system has them.
package enum FolderPath {
    /// Whether there is anything under the path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder; nil if there is nothing under the path.
    static func contents(of path: String) throws(OutputProblem) -> [String]? {
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

    /// Makes a folder and those above it that are missing; gives what it made, the innermost last.
    static func make(_ path: String) throws(OutputProblem) -> [String] {
        var made: [String] = []
        var partial = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            partial += (partial.isEmpty || partial.hasSuffix("/") ? "" : "/") + name
            if mkdir(partial, 0o755) == 0 {
                made.append(partial)
            } else if errno != EEXIST && errno != EISDIR {
                let problem = OutputProblem.system("cannot make the folder \(path)", errno)
                remove(made)
                throw problem
            }
        }
        return made
    }

    /// Removes folders that were made, the innermost last, as far as nothing is in them.
    static func remove(_ made: [String]) {
        for folder in made.reversed() { _ = rmdir(folder) }
    }

    /// Makes the names in a folder as durable as the bytes.
    static func synchronise(_ path: String) throws(OutputProblem) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder < 0 { throw .system("cannot open \(path)", errno) }
        defer { _ = close(folder) }
        // Some file systems cannot synchronise a folder and say so with EINVAL; the bytes are on the disk all the same.
        if fsync(folder) != 0 && errno != EINVAL { throw .system("cannot write \(path)", errno) }
    }
}
