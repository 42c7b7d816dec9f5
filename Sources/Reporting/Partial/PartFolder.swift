import ResultFiles
import Foundation

/// The folder of parts, which shards at work at the same time can share: each has its own names in it, and the lock of
/// them.
package final class PartFolder {
    private let folder: LockedFolder
    private var nameLock: NameLock?

    /// Makes the folder, and those above it, if it is missing.
    ///
    /// - Throws: the sentence that another command has the folder or is at work on this shard; why the folder cannot be
    ///   used.
    package init(_ path: String, shard: Shard) throws(OutputProblem) {
        folder = try LockedFolder(path, isShared: true)
        do throws(OutputProblem) {
            if access(path, W_OK | X_OK) != 0 {
                throw .system("cannot write to the folder \(path)", errno).adding("nothing was written")
            }
            nameLock = try NameLock(shard.partName, in: path)
        } catch {
            folder.removeWhatWasMade()
            throw error
        }
    }

    /// Gives back the shard's names, and removes what was made as far as nothing is in it and no other shard has begun
    /// in it.
    package func discard() {
        nameLock = nil
        folder.removeWhatWasMade()
    }
}
