/// A single file, there in full, or not at all.
public enum NewFile {
    /// Writes a page as UTF-8 to a new file, or in the place of another page.
    ///
    /// - Throws: `OutputProblem` if there is anything else under `path`, or it cannot be written.
    package static func replace(page text: String, to path: String) throws(OutputProblem) {
        let (folder, name) = FolderPath.parts(of: path)
        try OutputFolder.check(page: text, at: path)
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
