import Crypto
import Foundation
import PlainText

/// What stands in a file, read with checked calls.
enum FileContent {
    /// The size of a file in bytes and its SHA-256 in hex; nil if there is no file of this name.
    static func measure(_ path: String) throws(OutputProblem) -> (bytes: Int, sha256: String)? {
        var hash = SHA256()
        var count = 0
        let isThere = try read(path) { chunk in
            hash.update(bufferPointer: chunk)
            count += chunk.count
            return true
        }
        return isThere ? (count, hash.finalize().hex) : nil
    }

    /// The bytes of a file, at most one more than `limit`; nil if there is no file of this name.
    static func bytes(of path: String, limit: Int) throws(OutputProblem) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isThere = try read(path) { chunk in
            bytes += chunk.prefix(limit + 1 - bytes.count)
            return bytes.count <= limit
        }
        return isThere ? bytes : nil
    }

    private static let chunk = 1 << 20

    /// Hands a file on in chunks until it is over or the reader has enough; false if there is no file of this name.
    private static func read(_ path: String, _ body: (UnsafeRawBufferPointer) -> Bool) throws(OutputProblem) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw .system("cannot read \(path)", errno)
        }
        defer { _ = close(descriptor) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { memory.deallocate() }
        while true {
            let count = try SystemRead.some(of: descriptor, into: memory, named: path)
            if count == 0 || !body(UnsafeRawBufferPointer(rebasing: memory[..<count])) { return true }
        }
    }
}

enum SystemRead {
    /// Reads what is there next, at most as many bytes as there is room for; 0 at the end.
    static func some(of descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, named name: String) throws(OutputProblem) -> Int {
        while true {
            let count = read(descriptor, memory.baseAddress!, memory.count)
            if count >= 0 { return count }
            if errno != EINTR { throw .system("cannot read \(name)", errno) }
        }
    }
}
