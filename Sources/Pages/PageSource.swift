import Basics
import ResultFiles
import Foundation

/// Where a page has its tables from: a finished folder, or one that is being written. The same tables give the same
/// page.
package struct PageSource {
    /// Hands a file on in chunks while the reader wants more; false if there is none of this name.
    package typealias Reading = (_ name: String, _ body: (UnsafeRawBufferPointer) -> Bool) throws(OutputProblem) -> Bool

    /// The name of the folder in problems.
    let name: String
    let read: Reading
    /// Whether its tables may lack columns of this version.
    private var isOfEarlierVersion = false

    /// - Parameter folder: one that is complete.
    package init(folder: String) {
        name = folder
        // A manifest that cannot be read is told of where it is read.
        do throws(OutputProblem) { isOfEarlierVersion = try CompleteRun.versionNote(folder: folder) != nil } catch {}
        read = { (name, body) throws(OutputProblem) in try FileContent.read(folder + "/" + name, body) }
    }

    /// - Parameters:
    ///   - output: a folder that has its tables already, under whatever names.
    ///   - manifest: what its manifest is going to say.
    package init(_ output: OutputFolder, manifest: String) {
        name = output.path
        read = { (name, body) throws(OutputProblem) in
            if name != OutputFolder.manifestName { return try output.read(name, body) }
            _ = Array(manifest.utf8).withUnsafeBytes { body($0) }
            return true
        }
    }

    /// All bytes of a file; nil if there is none of this name.
    func bytes(_ file: String) throws(OutputProblem) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isThere = try read(file) { chunk in
            bytes += chunk
            return true
        }
        return isThere ? bytes : nil
    }

    /// The folder's manifest, as the results of a kind write it.
    func manifest<Facts: Decodable>(of kind: String) throws(OutputProblem) -> Facts {
        guard let bytes = try bytes(OutputFolder.manifestName) else { throw missing(OutputFolder.manifestName) }
        do { return try JSONDecoder().decode(Facts.self, from: Data(bytes)) } catch {
            throw OutputProblem(
                "\(name)/\(OutputFolder.manifestName): expected the manifest of \(kind), found something else")
        }
    }

    /// A small table; nil if there is none of this name, or if an earlier version wrote it without columns that cannot
    /// be empty.
    ///
    /// - Parameter columns: those that are read, each with the form of its cells.
    /// - Throws: a sentence that names the file, and the row and the column of a cell of another form.
    func tableIfPresent(_ file: String, _ columns: [ResultColumn]) throws(OutputProblem) -> PageTable? {
        guard let bytes = try bytes(file) else { return nil }
        let path = name + "/" + file
        do throws(CSVProblem) {
            var table = try CSVTable(bytes, file: path)
            if isOfEarlierVersion {
                guard let completed = table.completed(with: columns) else { return nil }
                table = completed
            }
            try ResultColumn.check(table, columns, file: path)
            return PageTable(file: file, table)
        } catch { throw OutputProblem(error.description) }
    }

    /// A small table that must be there.
    func table(_ file: String, _ columns: [ResultColumn]) throws(OutputProblem) -> PageTable {
        guard let table = try tableIfPresent(file, columns) else { throw missing(file) }
        return table
    }

    /// The rows of a large table whose cells in some columns are among those wanted; nil if there is no such file.
    func rows(_ file: String, _ columns: [ResultColumn], where wanted: KeyValuePairs<String, (String) -> Bool>)
        throws(OutputProblem) -> PageTable?
    {
        var lines = LineScanner()
        var places: [(place: Int, isWanted: (String) -> Bool)]?
        var kept: [UInt8] = []
        let isThere = try read(file) { chunk in
            lines.scan(chunk) { line in
                guard let found = places else {
                    let header = String(decoding: line, as: UTF8.self).split(
                        separator: ",", omittingEmptySubsequences: false
                    ).map(String.init)
                    places = wanted.compactMap { column, isWanted in
                        header.firstIndex(of: column).map { ($0, isWanted) }
                    }
                    kept += line
                    kept.append(10)
                    return
                }
                // A line with quotes is looked at when it is read.
                guard line.contains(34) || found.allSatisfy({ $0.isWanted(Self.field($0.place, of: line)) }) else {
                    return
                }
                kept += line
                kept.append(10)
            }
            return true
        }
        if !isThere { return nil }
        let table = try PageSource(name: name, files: [file: kept]).table(file, columns)
        return table.filtered { row in wanted.allSatisfy { $0.value(row[$0.key]) } }
    }

    /// Files that are in memory, by their names.
    package init(name: String, files: [String: [UInt8]]) {
        self.name = name
        read = { (file, body) throws(OutputProblem) in
            guard let bytes = files[file] else { return false }
            _ = bytes.withUnsafeBytes { body($0) }
            return true
        }
    }

    /// A field of a line without quotes; empty if the line has fewer.
    private static func field(_ place: Int, of line: UnsafeRawBufferPointer) -> String {
        var (begin, count) = (0, 0)
        for at in 0..<line.count where line[at] == 44 {
            if count == place {
                return String(decoding: UnsafeRawBufferPointer(rebasing: line[begin..<at]), as: UTF8.self)
            }
            (begin, count) = (at + 1, count + 1)
        }
        return count == place ? String(decoding: UnsafeRawBufferPointer(rebasing: line[begin...]), as: UTF8.self) : ""
    }

    func missing(_ file: String) -> OutputProblem {
        let cure = " (a sweep with `--keep summary` writes its runs without tables; without it `--resume` adds them)"
        return OutputProblem("\(name): expected a file \(file), found none" + (hasSummary ? cure : ""))
    }

    /// Whether there is the summary of a run, which cannot be read without its tables.
    private var hasSummary: Bool {
        do throws(OutputProblem) { return try read("summary.csv") { _ in true } } catch { return false }
    }
}
