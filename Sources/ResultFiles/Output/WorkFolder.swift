import Foundation

/// A folder in which a command works on many files, locked for as long as this lives.
package final class WorkFolder {
    private let folder: LockedFolder

    package var lock: FolderLock { folder.lock }

    /// Makes the folder, and one in it, if they are missing; brings back results that a killed process had set aside.
    package init(_ path: String, and inner: String, for kind: ResultKind, _ leave: OutputFolder.Leave)
        throws(OutputProblem)
    {
        folder = try LockedFolder(path)
        do throws(OutputProblem) {
            // Before hours of runs, whose tables come last.
            try OutputFolder.check(path, for: kind, leave)
            try folder.make(inner: inner)
            try PreviousFiles.recover(in: path)
        } catch {
            folder.removeWhatWasMade()
            throw error
        }
    }

    /// Removes what was made, as far as nothing is in it.
    package func discard() { folder.removeWhatWasMade() }
}
