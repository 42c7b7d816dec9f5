import Basics
import Foundation

/// A file under a temporary name of its own, every write of which is checked. It counts and hashes what it holds.
///
/// It either gets its final name or is removed: nothing else is removed, and no file of the folder is written to. It
/// has the permissions of the file whose name it is going to have, if there is one.
package final class CheckedFile {
    package let folder: String
    package private(set) var size = 0
    private var hash = SHA256()
    /// Under which it stands in the folder; nil once it has its own name, or is removed.
    package private(set) var temporaryName: String?
    private var descriptor: Int32
    /// Its name in problems.
    private let shown: String

    /// Makes the file in a folder.
    ///
    /// - Parameter name: that it is going to have.
    package init(for name: String, in folder: String) throws(OutputProblem) {
        self.folder = folder
        shown = folder + "/" + name
        while true {
            let temporary = TemporaryName.fresh(for: name)
            descriptor = Disk.calls.open(folder + "/" + temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            if descriptor == -EEXIST { continue }
            if descriptor < 0 { throw .system("cannot make \(shown)", -descriptor) }
            temporaryName = temporary
            guard let old = FileStatus(of: shown), old.kind == .file else { return }
            let code = Disk.calls.permit(descriptor, old.permissions)
            if code < 0 {
                _ = Disk.calls.close(descriptor)
                discard()
                throw .system("cannot make \(shown)", -code)
            }
            return
        }
    }

    deinit {
        if descriptor >= 0 { _ = Disk.calls.close(descriptor) }
        discard()
    }

    package func write(_ bytes: [UInt8]) throws(OutputProblem) {
        try bytes.send { (piece) throws(OutputProblem) in try write(piece) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputProblem) {
        try SystemWrite.all(bytes, to: descriptor, named: shown)
        hash.update(bufferPointer: bytes)
        size += bytes.count
    }

    /// The SHA-256 of what was written so far.
    package var digest: [UInt8] { Array(hash.finalize()) }

    /// Hands the bytes to the disk and closes the file; gives the SHA-256 of the whole, in hex.
    package func close() throws(OutputProblem) -> String {
        var code = Disk.calls.synchronise(descriptor)
        while code == -EINTR { code = Disk.calls.synchronise(descriptor) }
        if code < 0 { throw .system("cannot write \(shown)", -code) }
        // An interrupted closing has closed the file, and its bytes are on the disk.
        let status = Disk.calls.close(descriptor)
        descriptor = -1
        if status < 0 && status != -EINTR { throw .system("cannot write \(shown)", -status) }
        return hash.finalize().hex
    }

    /// Gives the file, which is closed, its name; the file that had the name before goes, and nothing else does.
    package func name(_ name: String) throws(OutputProblem) {
        guard let temporaryName else { preconditionFailure("\(shown) has its name already") }
        if let kind = FileStatus(of: folder + "/" + name)?.kind, kind != .file {
            throw FileContent.noFile(folder + "/" + name, kind)
        }
        let code = Disk.calls.rename(folder + "/" + temporaryName, to: folder + "/" + name)
        if code < 0 { throw .system("cannot name \(folder)/\(name)", -code) }
        self.temporaryName = nil
    }

    /// Gives the file, which is closed, a name that nothing has; false if it is taken.
    package func nameIfFree(_ name: String) throws(OutputProblem) -> Bool {
        guard let temporaryName else { preconditionFailure("\(shown) has its name already") }
        // A link, unlike a renaming, refuses a name that is taken.
        let code = Disk.calls.link(folder + "/" + temporaryName, to: folder + "/" + name)
        if code == -EEXIST { return false }
        if code < 0 { throw .system("cannot make \(folder)/\(name)", -code) }
        return true
    }

    /// Removes the file unless it has its final name.
    package func discard() {
        guard let temporaryName else { return }
        _ = Disk.calls.unlink(folder + "/" + temporaryName)
        self.temporaryName = nil
    }
}

package enum SystemWrite {
    /// Writes all bytes, however many calls it takes.
    package static func all(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String)
        throws(OutputProblem)
    {
        var done = 0
        while done < bytes.count {
            let count = Disk.calls.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]))
            if count == -Int(EINTR) { continue }
            if count < 0 { throw .system("cannot write \(name)", Int32(-count)) }
            done += count
        }
    }
}

/// A single file, there in full, or not at all.
public enum NewFile {
    /// Writes a page as UTF-8 to a new file, or in the place of another page.
    ///
    /// - Throws: `OutputProblem` if there is anything else under `path`, or it cannot be written.
    package static func replace(page text: String, to path: String) throws(OutputProblem) {
        try OutputFolder.check(page: text, at: path)
        try put(Array(text.utf8), at: path)
    }

    /// Writes a text as UTF-8 to a file that is new, is empty or has a mark by which reloadsim knows its own, or, with
    /// no such mark, after what the file has.
    ///
    /// - Throws: `OutputProblem` if there is anything else under `path`, or it cannot be written.
    package static func write(_ text: String, to path: String, inPlaceOf mark: String?) throws(OutputProblem) {
        let before = try FileContent.bytes(of: path, limit: largestKept) ?? []
        try check(path, before, inPlaceOf: mark, option: nil)
        try put((mark == nil ? before : []) + Array(text.utf8), at: path)
    }

    /// Refuses a file that may not be written so.
    package static func check(_ path: String, inPlaceOf mark: String?, option: String) throws(OutputProblem) {
        try check(
            path, try FileContent.bytes(of: path, limit: largestKept) ?? [], inPlaceOf: mark, option: option)
    }

    private static func check(
        _ path: String, _ before: [UInt8], inPlaceOf mark: String?, option: String?
    ) throws(OutputProblem) {
        let place = option.map { "\($0) \(path)" } ?? path
        if before.count > largestKept { throw OutputProblem("\(place): the file has more than 64 MiB; choose another") }
        if let mark, !before.isEmpty, !String(decoding: before, as: UTF8.self).contains(mark) {
            throw OutputProblem("\(place) exists and was not written by reloadsim; it was not changed, choose another")
        }
    }

    private static let largestKept = 64 << 20

    /// Writes bytes in the place of what is there, all of them or none.
    private static func put(_ bytes: [UInt8], at path: String) throws(OutputProblem) {
        let (folder, name) = FolderPath.parts(of: path)
        let file = try CheckedFile(for: name, in: folder)
        defer { file.discard() }
        do throws(OutputProblem) {
            try file.write(bytes)
            _ = try file.close()
            try file.name(name)
            try FolderPath.synchronise(folder)
        } catch { throw error.adding("\(path) was not made") }
    }

    /// Writes `text` as UTF-8 to a file that must not exist yet.
    ///
    /// - Throws: `OutputProblem` if `path` exists, which stays as it was, or cannot be written.
    public static func write(_ text: String, to path: String) throws(OutputProblem) {
        let (folder, name) = FolderPath.parts(of: path)
        let file = try CheckedFile(for: name, in: folder)
        defer { file.discard() }
        let isNew: Bool
        do throws(OutputProblem) {
            try file.write(Array(text.utf8))
            _ = try file.close()
            isNew = try file.nameIfFree(name)
            do throws(OutputProblem) { if isNew { try FolderPath.synchronise(folder) } } catch {
                _ = Disk.calls.unlink(path)
                throw error
            }
        } catch { throw error.adding("\(path) was not made") }
        if !isNew { throw OutputProblem("\(path) exists already; it was not changed") }
    }
}
