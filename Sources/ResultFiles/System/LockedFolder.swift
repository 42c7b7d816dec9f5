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
