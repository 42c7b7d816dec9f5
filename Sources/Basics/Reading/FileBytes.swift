import Foundation

/// Bytes of files.
package enum FileBytes {
    package struct Unreadable: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    package enum Kind { case file, pipe, folder, device, socket }

    /// The sort of thing that a path leads to, through links; nil if it cannot be looked at: reading it says why.
    package static func kind(of path: String) -> Kind? {
        var status = stat()
        if stat(path, &status) != 0 { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFIFO: .pipe
        case S_IFDIR: .folder
        case S_IFCHR, S_IFBLK: .device
        case S_IFSOCK: .socket
        default: .file
        }
    }

    /// Throws for a path that has no bytes to read, or may never end: a pipe ends with its writer, and a device does
    /// not.
    package static func check(_ path: String) throws(Unreadable) {
        switch kind(of: path) {
        case .file, .pipe: break
        case .folder: throw Unreadable(reason: "a folder")
        case .device: throw Unreadable(reason: "a device")
        case .socket: throw Unreadable(reason: "a socket")
        case nil:
            if FileManager.default.fileExists(atPath: path) { break }
            throw Unreadable(reason: "no such file" + (nearest(to: path).map { "; did you mean '\($0)'?" } ?? ""))
        }
    }

    /// A path that there is, with the nearest name in each of its folders; nil if there is none.
    private static func nearest(to path: String) -> String? {
        var found = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/").map(String.init) {
            if !found.isEmpty && !found.hasSuffix("/") { found += "/" }
            if !FileManager.default.fileExists(atPath: found + name) {
                let names = names(in: found.isEmpty ? "." : found)
                guard let other = Nearest.name(to: name, among: names) else { return nil }
                found += other
            } else {
                found += name
            }
        }
        return kind(of: found) == .file ? found : nil
    }

    /// The names in a folder, in order; none of one that cannot be listed or has very many.
    private static func names(in folder: String) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return names.count <= 2_000 ? names.sorted() : []
        } catch { return [] }
    }

    /// An open file, or standard input for `-`. Of a pipe the first bytes are there: `reloadsim run <(…)` names one.
    package static func opened(_ path: String) throws -> FileHandle {
        if path == "-" { return .standardInput }
        if kind(of: path) == .pipe { return try InputWait.pipe(path) }
        // A URL has the folder's own name, which may not be UTF-8.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw Unreadable(reason: String(cString: strerror(errno))) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The bytes of a file, or of standard input for `-`: at most one more than `limit`, which is enough to see that it
    /// is too large.
    package static func read(_ path: String, limit: Int) throws(Unreadable) -> [UInt8] {
        if path != "-" { try check(path) }
        do {
            let handle = try opened(path)
            var bytes: [UInt8] = []
            while bytes.count <= limit, let chunk = try handle.read(upToCount: min(limit + 1 - bytes.count, 1 << 20)),
                !chunk.isEmpty
            {
                bytes += chunk
            }
            return bytes
        } catch {
            throw Unreadable(reason: "one that cannot be read")
        }
    }
}
