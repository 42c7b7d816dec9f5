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
