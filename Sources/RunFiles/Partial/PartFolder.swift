import Foundation

/// The folder of parts, which shards at work at the same time can share.
package struct PartFolder {
    private let made: [String]

    /// Makes the folder, and those above it, if it is missing.
    package init(_ path: String) throws(OutputProblem) {
        do throws(OutputProblem) {
            if try FolderPath.contents(of: path) != nil { made = [] } else { made = try FolderPath.make(path) }
        } catch {
            throw error.adding("nothing was written")
        }
        if access(path, W_OK | X_OK) != 0 { throw .system("cannot write to the folder \(path)", errno).adding("nothing was written") }
    }

    /// Removes what was made, as far as nothing is in it.
    package func discard() { FolderPath.remove(made) }
}
