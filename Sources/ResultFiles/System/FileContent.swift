import Basics
import Foundation

/// The bytes of a file, read with checked calls.
package enum FileContent {
    /// The size of a file in bytes and its SHA-256 in hex; nil if there is no file of this name.
    package static func measure(_ path: String) throws(OutputProblem) -> (bytes: Int, sha256: String)? {
        var hash = SHA256()
        var count = 0
        let isThere = try read(path) { chunk in
            hash.update(bufferPointer: chunk)
            count += chunk.count
            return true
        }
        return isThere ? (count, hash.finalize().hex) : nil
    }

    /// The SHA-256 of a file, hex; nil if there is no file of this name.
    package static func sha256(of path: String) throws(OutputProblem) -> String? { try measure(path)?.sha256 }

    /// The bytes of a file, at most one more than `limit`; nil if there is no file of this name.
    package static func bytes(of path: String, limit: Int) throws(OutputProblem) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isThere = try read(path) { chunk in
            bytes += chunk.prefix(limit + 1 - bytes.count)
            return bytes.count <= limit
        }
        return isThere ? bytes : nil
    }

    /// Opens a file for reading; nil if there is none of this name. A pipe or a device, which could keep the program
    /// waiting for ever, is refused.
    package static func open(_ path: String) throws(OutputProblem) -> Int32? {
        let descriptor = Disk.calls.open(path, O_RDONLY | O_NONBLOCK)
        if descriptor == -ENOENT || descriptor == -ENOTDIR { return nil }
        if descriptor < 0 { throw .system("cannot read \(path)", -descriptor) }
        let kind = FileStatus(of: descriptor)?.kind ?? .other
        if kind == .file { return descriptor }
        _ = Disk.calls.close(descriptor)
        throw noFile(path, kind)
    }

    package static func noFile(_ path: String, _ kind: FileStatus.Kind) -> OutputProblem {
        OutputProblem("\(path) is \(kind.rawValue) and not a file: remove it, or choose another folder")
    }

    private static let chunk = 1 << 20

    /// Hands a file on in chunks until it is over or the reader has enough; false if there is no file of this name.
    package static func read(_ path: String, _ body: (UnsafeRawBufferPointer) -> Bool) throws(OutputProblem) -> Bool {
        guard let descriptor = try open(path) else { return false }
        defer { _ = Disk.calls.close(descriptor) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { memory.deallocate() }
        while true {
            let count = try SystemRead.some(of: descriptor, into: memory, named: path)
            if count == 0 || !body(UnsafeRawBufferPointer(rebasing: memory[..<count])) { return true }
        }
    }
}

package enum SystemRead {
    /// Reads what is there next, at most as many bytes as there is room for; 0 at the end.
    package static func some(of descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, named name: String)
        throws(OutputProblem) -> Int
    {
        while true {
            let count = Disk.calls.read(descriptor, into: memory)
            if count >= 0 { return count }
            if count != -Int(EINTR) { throw .system("cannot read \(name)", Int32(-count)) }
        }
    }
}
