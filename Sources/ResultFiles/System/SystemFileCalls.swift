import Foundation

/// The operating system's own calls: the only place in the program that makes those that write.
package struct SystemFileCalls: FileCalls {
    package init() {}

    package func open(_ path: String, _ flags: Int32) -> Int32 {
        Self.result(Foundation.open(path, flags | O_CLOEXEC, 0o644))
    }
    package func close(_ descriptor: Int32) -> Int32 { Self.result(Foundation.close(descriptor)) }

    package func read(_ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer) -> Int {
        Self.result(Foundation.read(descriptor, memory.baseAddress, memory.count))
    }

    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        Self.result(Foundation.write(descriptor, bytes.baseAddress, bytes.count))
    }

    package func seek(_ descriptor: Int32, to place: Int) -> Int {
        Int(Self.result(lseek(descriptor, off_t(place), SEEK_SET)))
    }
    package func synchronise(_ descriptor: Int32) -> Int32 { Self.result(fsync(descriptor)) }

    package func lock(_ descriptor: Int32, isShared: Bool) -> Int32 {
        Self.result(flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB))
    }

    package func unlock(_ descriptor: Int32) -> Int32 { Self.result(flock(descriptor, LOCK_UN)) }

    package func permit(_ descriptor: Int32, _ permissions: UInt32) -> Int32 {
        Self.result(fchmod(descriptor, permissions))
    }

    package func rename(_ from: String, to: String) -> Int32 { Self.result(Foundation.rename(from, to)) }
    package func link(_ from: String, to: String) -> Int32 { Self.result(Foundation.link(from, to)) }
    package func unlink(_ path: String) -> Int32 { Self.result(Foundation.unlink(path)) }
    package func makeFolder(_ path: String) -> Int32 { Self.result(mkdir(path, 0o755)) }
    package func removeFolder(_ path: String) -> Int32 { Self.result(rmdir(path)) }

    private static func result<Number: SignedInteger & FixedWidthInteger>(_ status: Number) -> Number {
        status >= 0 ? status : -Number(truncatingIfNeeded: errno)
    }
}
