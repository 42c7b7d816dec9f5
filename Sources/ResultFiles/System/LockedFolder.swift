import Foundation

/// A folder that a command writes in: made if it was missing, and locked for as long as this lives.
package final class LockedFolder {
    package let lock: FolderLock
    /// The folders that were made for it, the innermost last.
    private var made: [String]

    /// - Parameter isShared: whether others may share the folder, as shards do with names of their own.
    /// - Throws: the sentence that another command is at work; why the folder cannot be made or opened.
    package init(_ path: String, isShared: Bool = false) throws(OutputProblem) {
        var made: [String] = []
        for _ in 0..<100 {
            do throws(OutputProblem) {
                if try FolderPath.contents(of: path) == nil { made += try FolderPath.make(path) }
            } catch {
                FolderPath.remove(made)
                throw error.adding("nothing was written")
            }
            let outcome: FolderLock.Outcome
            do throws(OutputProblem) { outcome = try FolderLock.take(path, isShared: isShared) } catch {
                FolderPath.remove(made)
                throw error
            }
            switch outcome {
            case .mine(let lock):
                (self.lock, self.made) = (lock, made)
                return
            case .absent:
                if FileStatus(of: path)?.kind == .link {
                    throw OutputProblem("\(path) is a symbolic link that leads nowhere; nothing was changed")
                }
            // The other command counts on the folder, though it may have nothing in it yet: it stays, whichever of the
            // two has made it.
            case .theirs: throw FolderLock.refusal(path)
            }
        }
        throw FolderLock.refusal(path)
    }

    /// The folder of a lock that the caller has.
    package init(_ lock: FolderLock) { (self.lock, made) = (lock, []) }

    /// Whether the folder was there before.
    package var isOld: Bool { made.isEmpty }

    /// Makes a folder in this one if it is missing.
    package func make(inner name: String) throws(OutputProblem) { made += try FolderPath.make(lock.path + "/" + name) }

    /// Removes what was made, as far as nothing is in it and nobody shares it.
    package func removeWhatWasMade() {
        if !made.isEmpty && lock.isAlone() { FolderPath.remove(made) }
    }
}

/// A folder that no other command works in meanwhile: two that wrote the same files at once would spoil each other's.
/// Every writer takes one.
///
/// The operating system gives the folder back however the process ends. A file system that has no locks has none to
/// refuse.
package final class FolderLock: Sendable {
    package let path: String
    private let descriptor: Int32

    /// The outcome of asking for a folder.
    package enum Outcome {
        case mine(FolderLock)
        /// Another command has it.
        case theirs
        /// There is no folder of this name.
        case absent
    }

    /// The lock of a folder; nil if there is none of this name.
    ///
    /// - Throws: the sentence that another command is at work; why the folder cannot be opened.
    package static func take(_ path: String) throws(OutputProblem) -> FolderLock? {
        switch try take(path, isShared: false) {
        case .mine(let lock): return lock
        case .theirs: throw refusal(path)
        case .absent: return nil
        }
    }

    /// - Parameter isShared: whether others may share the folder, as shards do with names of their own; they still keep
    ///   out a command that wants it alone.
    /// - Throws: why the folder cannot be opened.
    package static func take(_ path: String, isShared: Bool) throws(OutputProblem) -> Outcome {
        // A folder that another command removes between opening and locking would be locked in vain.
        for _ in 0..<100 {
            let descriptor = Disk.calls.open(path, O_RDONLY | O_DIRECTORY)
            if descriptor == -ENOENT { return .absent }
            if descriptor == -ENOTDIR { throw OutputProblem("\(path) is not a folder; nothing was changed") }
            if descriptor < 0 {
                throw .system("cannot open the folder \(path)", -descriptor).adding("nothing was changed")
            }
            let lock = FolderLock(path, descriptor)
            let code = Disk.calls.lock(descriptor, isShared: isShared)
            if code == -EWOULDBLOCK { return .theirs }
            if let mine = FileStatus(of: descriptor), let there = FileStatus(ledToBy: path), mine.isSame(as: there) {
                return .mine(lock)
            }
        }
        return .theirs
    }

    package static func refusal(_ path: String) -> OutputProblem {
        OutputProblem("another command is at work in \(path); nothing was changed")
    }

    private init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        _ = Disk.calls.unlock(descriptor)
        _ = Disk.calls.close(descriptor)
    }

    /// Whether nobody shares the folder; from then on it is this command's alone.
    package func isAlone() -> Bool { Disk.calls.lock(descriptor, isShared: false) != -EWOULDBLOCK }

    /// Keeps the folder for as long as some work takes.
    package func hold<Result, Problem>(_ work: () throws(Problem) -> Result) throws(Problem) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try work()
    }
}

/// The lock of one file's name in a folder that several commands share: a small file beside it, which goes with the
/// lock.
package final class NameLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: the sentence that another command is at work on the name; why there can be no lock.
    package init(_ name: String, in folder: String) throws(OutputProblem) {
        path = "\(folder)/.\(name).lock"
        for _ in 0..<100 {
            let descriptor = Disk.calls.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
            if descriptor < 0 { throw .system("cannot make \(path)", -descriptor).adding("nothing was changed") }
            guard let mine = FileStatus(of: descriptor), mine.kind == .file else {
                _ = Disk.calls.close(descriptor)
                throw FileContent.noFile(path, FileStatus(of: path)?.kind ?? .other).adding("nothing was changed")
            }
            if Disk.calls.lock(descriptor, isShared: false) == -EWOULDBLOCK {
                _ = Disk.calls.close(descriptor)
                throw OutputProblem("another command is at work on \(folder)/\(name); nothing was changed")
            }
            // The holder before takes its file along, which others may have opened already.
            if let there = FileStatus(of: path), mine.isSame(as: there) {
                self.descriptor = descriptor
                return
            }
            _ = Disk.calls.close(descriptor)
        }
        throw OutputProblem("another command is at work on \(folder)/\(name); nothing was changed")
    }

    deinit {
        _ = Disk.calls.unlink(path)
        _ = Disk.calls.unlock(descriptor)
        _ = Disk.calls.close(descriptor)
    }
}
