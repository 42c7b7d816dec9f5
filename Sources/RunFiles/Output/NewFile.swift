import Foundation

/// A single file that must not exist yet: there in full, or not at all.
public enum NewFile {
    /// Writes `text` as UTF-8.
    ///
    /// - Throws: `OutputProblem` if `path` exists, which stays as it was, or cannot be written.
    public static func write(_ text: String, to path: String) throws(OutputProblem) {
        let temporary = path + ".partial"
        let file = try CheckedFile(path: temporary)
        defer { _ = unlink(temporary) }
        do throws(OutputProblem) { try file.write(Array(text.utf8)) } catch { throw error.adding("\(path) was not made") }
        _ = try file.close()
        // A link, unlike a renaming, refuses a name that is taken.
        if link(temporary, path) != 0 {
            if errno == EEXIST { throw OutputProblem("\(path) exists already; it was not changed") }
            throw .system("cannot make \(path)", errno)
        }
    }
}
