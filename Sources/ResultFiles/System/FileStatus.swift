import Foundation

/// The sort and size of the file under a name.
package struct FileStatus: Hashable {
    package enum Kind: String {
        case file = "a file"
        case folder = "a folder"
        case link = "a symbolic link"
        case pipe = "a named pipe"
        case other = "a device or a socket"
    }

    package let kind: Kind
    package let size: Int
    /// The rights to read, write and execute it.
    let permissions: UInt32
    private let device, number: UInt64

    /// The status of a name itself, which may be a link; nil if there is nothing under it that can be seen.
    package init?(of path: String) {
        var status = stat()
        if lstat(path, &status) != 0 { return nil }
        self.init(status)
    }

    /// The status of what is open.
    package init?(of descriptor: Int32) {
        var status = stat()
        if fstat(descriptor, &status) != 0 { return nil }
        self.init(status)
    }

    /// The status of what a path leads to, through links.
    package init?(ledToBy path: String) {
        var status = stat()
        if stat(path, &status) != 0 { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            default: .other
            }
        size = Int(status.st_size)
        permissions = status.st_mode & 0o777
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    package func isSame(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}

/// The program's calls of the operating system about files. Everything that is written passes through here, so tests
/// can count the calls, let one of them fail, and end the program between any two.
///
/// A call gives what the system gives: 0 or more if it was done, and the negative number of the error if not.
package protocol FileCalls: Sendable {
    func open(_ path: String, _ flags: Int32) -> Int32
    func close(_ descriptor: Int32) -> Int32
    func read(_ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer) -> Int
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
    func seek(_ descriptor: Int32, to place: Int) -> Int
    /// Hands what was written, or the names in a folder, to the disk.
    func synchronise(_ descriptor: Int32) -> Int32
    /// Locks an open file or folder against every other process, or against those that lock it alone, without waiting.
    func lock(_ descriptor: Int32, isShared: Bool) -> Int32
    /// Gives the lock of an open file or folder back, even while a process that is being started still has a copy of
    /// the descriptor.
    func unlock(_ descriptor: Int32) -> Int32
    /// Sets the rights to read, write and execute an open file.
    func permit(_ descriptor: Int32, _ permissions: UInt32) -> Int32
    func rename(_ from: String, to: String) -> Int32
    /// Gives a file a second name; refuses one that is taken.
    func link(_ from: String, to: String) -> Int32
    func unlink(_ path: String) -> Int32
    func makeFolder(_ path: String) -> Int32
    func removeFolder(_ path: String) -> Int32
}

/// The calls in use: the operating system's, unless a test puts others in their place for the work of one closure.
package enum Disk {
    @TaskLocal package static var calls: any FileCalls = SystemFileCalls()
}
