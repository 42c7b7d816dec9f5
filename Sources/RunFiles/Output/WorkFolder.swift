/// A folder in which a command works on many files, locked for as long as this lives.
package final class WorkFolder {
    package let lock: FolderLock
    private let made: [String]

    /// Makes the folder, and one in it, if they are missing; brings back results that a killed process had set aside.
    package init(_ path: String, and inner: String) throws(OutputProblem) {
        var made: [String] = []
        do throws(OutputProblem) {
            var lock: FolderLock?
            for _ in 0..<100 where lock == nil {
                do throws(OutputProblem) {
                    if try FolderPath.contents(of: path) == nil { made += try FolderPath.make(path) }
                } catch {
                    throw error.adding("nothing was written")
                }
                lock = try FolderLock.take(path)
            }
            guard let lock else { throw FolderLock.taken(path) }
            do throws(OutputProblem) {
                made += try FolderPath.make(path + "/" + inner)
                try PreviousFiles.recover(in: path)
            } catch {
                throw error.adding("nothing was written")
            }
            self.lock = lock
        } catch {
            FolderPath.remove(made)
            throw error
        }
        self.made = made
    }

    /// Removes what was made, as far as nothing is in it.
    package func discard() { FolderPath.remove(made) }
}
