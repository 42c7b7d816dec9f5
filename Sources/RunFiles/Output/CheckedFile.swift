import Crypto
import Foundation
import PlainText

/// A file under a temporary name, every write of which is checked. It counts and hashes what it holds.
final class CheckedFile {
    let path: String
    private(set) var size = 0
    private var hash = SHA256()
    private var descriptor: Int32

    /// Makes the file, or empties what an interrupted run left under the temporary name.
    init(path: String) throws(OutputProblem) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw .system("cannot make \(path)", errno) }
    }

    deinit { if descriptor >= 0 { _ = Foundation.close(descriptor) } }

    func write(_ bytes: [UInt8]) throws(OutputProblem) {
        try bytes.send { (piece) throws(OutputProblem) in try write(piece) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputProblem) {
        try SystemWrite.all(bytes, to: descriptor, named: path)
        hash.update(bufferPointer: bytes)
        size += bytes.count
    }

    /// The SHA-256 of what was written so far.
    var digest: [UInt8] { Array(hash.finalize()) }

    /// Hands the bytes to the disk and closes the file; gives the SHA-256 of the whole, in hex.
    func close() throws(OutputProblem) -> String {
        if fsync(descriptor) != 0 { throw .system("cannot write \(path)", errno) }
        let status = Foundation.close(descriptor)
        let code = errno
        descriptor = -1
        if status != 0 { throw .system("cannot write \(path)", code) }
        return hash.finalize().hex
    }
}

enum SystemWrite {
    /// Writes all bytes, however many calls it takes.
    static func all(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String) throws(OutputProblem) {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count < 0 {
                if errno == EINTR { continue }
                throw .system("cannot write \(name)", errno)
            }
            done += count
        }
    }
}
