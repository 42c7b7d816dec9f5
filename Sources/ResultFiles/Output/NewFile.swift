/// A single file, there in full, or not at all.
public enum NewFile {
    /// Writes `text` as UTF-8 in place of what the file held, if there was one.
    ///
    /// - Throws: `OutputProblem` if `path` cannot be written; what it held is as it was.
    package static func replace(_ text: String, to path: String) throws(OutputProblem) {
        let (folder, name) = FolderPath.parts(of: path)
        if FolderPath.isFolder(path) { throw OutputProblem("\(path) is a folder; it was not changed") }
        let file = try CheckedFile(for: name, in: folder)
        defer { file.discard() }
        do throws(OutputProblem) {
            try file.write(Array(text.utf8))
            _ = try file.close()
            try file.name(name)
            try FolderPath.synchronise(folder)
        } catch { throw error.adding("\(path) was not made") }
    }

    /// Writes `text` as UTF-8 to a file that must not exist yet.
    ///
    /// - Throws: `OutputProblem` if `path` exists, which stays as it was, or cannot be written.
    public static func write(_ text: String, to path: String) throws(OutputProblem) {
        let (folder, name) = FolderPath.parts(of: path)
        let file = try CheckedFile(for: name, in: folder)
        defer { file.discard() }
        let isNew: Bool
        do throws(OutputProblem) {
            try file.write(Array(text.utf8))
            _ = try file.close()
            isNew = try file.nameIfFree(name)
            do throws(OutputProblem) { if isNew { try FolderPath.synchronise(folder) } } catch {
                _ = Disk.calls.unlink(path)
                throw error
            }
        } catch { throw error.adding("\(path) was not made") }
        if !isNew { throw OutputProblem("\(path) exists already; it was not changed") }
    }
}
