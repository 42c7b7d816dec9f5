import Foundation

/// A folder in which a command works on many files, locked for as long as this lives.
package final class WorkFolder {
    private let folder: LockedFolder

    package var lock: FolderLock { folder.lock }

    /// Makes the folder, and one in it, if they are missing; brings back results that a killed process had set aside.
    package init(_ path: String, and inner: String) throws(OutputProblem) {
        folder = try LockedFolder(path)
        do throws(OutputProblem) {
            // Before hours of runs, whose tables come last.
            if access(path, W_OK | X_OK) != 0 { throw .system("cannot write to the output folder \(path)", errno) }
            try folder.make(inner: inner)
            try PreviousFiles.recover(in: path)
        } catch {
            folder.removeWhatWasMade()
            throw error.adding("nothing was written")
        }
    }

    /// Removes what was made, as far as nothing is in it.
    package func discard() { folder.removeWhatWasMade() }
}
