import Basics
import CZlib
import Foundation
import ScenarioFiles

/// Where a record comes from.
package enum RecordSource {
    /// A path, or `-` for standard input. A file with more bytes than the limit is refused, since what never ends would
    /// fill the memory.
    case file(String, limit: Int = .max)
    case text(String, named: String = "record")

    /// As problems name it.
    var name: String {
        switch self {
        case .file(let path, _): path == "-" ? "stdin" : path
        case .text(_, let name): name
        }
    }
}

/// Makes something of the lines of a record.
protocol LineAssembly {
    associatedtype Whole

    /// - Returns: whether more lines are wanted.
    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool
    mutating func finish() throws(RecordProblems) -> Whole
}

extension LineAssembly {
    /// The whole of a record's lines after those that were taken.
    ///
    /// - Parameter unwrap: makes lines of a record of a file that is one JSON document, by the path of its list; nil
    ///   where such a file is none.
    func read(_ source: RecordSource, unwrap: RecordLines.Unwrap? = nil) throws(RecordProblems) -> Whole {
        var assembly = self
        try RecordLines.read(source, unwrap: unwrap) { assembly.take($0, $1) }
        return try assembly.finish()
    }
}

/// The lines of a file that may be larger than memory, or packed by gzip: it is read in pieces, and its text is not
/// kept.
///
/// Lines end with a line feed, a carriage return or both; a byte-order mark before the first one is left out.
enum RecordLines {
    /// A line is no longer than this.
    private static let longestLine = 1 << 20

    /// The lines of a record of a JSON document, by the path of its list; nil for the record itself.
    typealias Unwrap = (UnsafeBufferPointer<UInt8>, [String]) -> [[UInt8]]?

    /// - Parameters:
    ///   - unwrap: nil for a file that is no JSON document.
    ///   - take: gets a line without its end, and its number from 1 on; false ends the reading.
    static func read(
        _ source: RecordSource, unwrap: Unwrap? = nil, take: (UnsafeBufferPointer<UInt8>, Int) -> Bool
    ) throws(RecordProblems) {
        var splitter = Splitter(file: source.name, unwrap: unwrap)
        switch source {
        case .file(let file, let limit): if try !split(file, limit, into: &splitter, take) { return }
        case .text(let text, _): if try !splitter.take(Array(text.utf8), take) { return }
        }
        try splitter.finish(take)
    }

    /// The bytes of a whole file, unpacked, if they are no more than a limit.
    static func bytes(_ source: RecordSource, limit: Int) throws(RecordProblems) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(source) { line, _ in
            bytes += line
            bytes.append(10)
            return bytes.count <= limit
        }
        guard bytes.count <= limit else {
            throw RecordProblems(
                source.name, expected: "a table of at most \(Form.text(bytes: Int64(limit)))", found: "more")
        }
        return bytes
    }

    /// - Returns: whether more lines are wanted at the end of the file.
    private static func split(
        _ file: String, _ limit: Int, into splitter: inout Splitter, _ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool
    ) throws(RecordProblems) -> Bool {
        let name = splitter.file
        func refuse(_ found: String) -> RecordProblems {
            RecordProblems(name, expected: "a file that can be read", found: found, isMissingInput: true)
        }
        if file != "-" {
            do throws(FileBytes.Unreadable) { try FileBytes.check(file) } catch { throw refuse(error.reason) }
        }
        do {
            var taken = 0
            let handle = try FileBytes.opened(file)
            guard let stream = gzdopen(dup(handle.fileDescriptor), "rb") else {
                throw refuse("one that cannot be read")
            }
            defer { gzclose(stream) }
            var piece = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = Int(gzread(stream, &piece, UInt32(piece.count)))
                var fault: Int32 = 0
                gzerror(stream, &fault)
                if count < 0 || fault < 0 { throw refuse("one that is damaged or cannot be read") }
                if count == 0 { return true }
                taken += count
                if taken > limit {
                    let expected = "a record of at most \(Form.text(bytes: Int64(limit))), or a larger --record-limit"
                    throw RecordProblems(name, expected: expected, found: "more")
                }
                if try !splitter.take(piece.prefix(count), take) { return false }
            }
        } catch let problems as RecordProblems {
            throw problems
        } catch {
            throw refuse("one that cannot be read")
        }
    }

    /// The pieces of a file so far: what stands behind the last end of a line.
    private struct Splitter {
        let file: String
        let unwrap: Unwrap?
        var rest: [UInt8] = []
        var number = 0
        /// Whether the last line ended with a carriage return, to which a line feed may belong.
        var endedWithReturn = false
        /// Whether the file may still turn out to be one JSON document.
        private var isUndecided: Bool
        private var document: JSONDocument?

        init(file: String, unwrap: Unwrap?) {
            (self.file, self.unwrap, isUndecided) = (file, unwrap, unwrap != nil)
        }

        /// Whether the file is a JSON document, as far as is known.
        private mutating func decide(isWhole: Bool) {
            guard isUndecided, let isDocument = JSONDocument.begins(rest, isWhole: isWhole) else { return }
            isUndecided = false
            if isDocument { document = JSONDocument(line: 1) }
        }

        /// - Returns: whether more is wanted.
        private mutating func takeRecords(
            _ bytes: [UInt8], _ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool
        ) throws(RecordProblems) -> Bool {
            let unwrap = unwrap
            let isWanted = document?.take(bytes) { record, line, path in
                guard let lines = unwrap?(record, path) else { return take(record, line) }
                return lines.allSatisfy { own in own.withUnsafeBufferPointer { take($0, line) } }
            }
            if let document, document.isBroken {
                throw RecordProblems(
                    file, line: document.line, expected: "JSON, as the file begins", found: "something else")
            }
            return isWanted ?? true
        }

        mutating func take(_ piece: some Collection<UInt8>, _ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool)
            throws(RecordProblems) -> Bool
        {
            if document != nil { return try takeRecords(Array(piece), take) }
            rest += piece
            if isUndecided {
                decide(isWhole: false)
                if isUndecided { return true }
                if document != nil {
                    defer { rest = [] }
                    return try takeRecords(rest, take)
                }
            }
            let bytes = rest
            var from = 0
            var isWanted = true
            bytes.withUnsafeBufferPointer { bytes in
                if number == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) { from = 3 }
                while isWanted, from < bytes.count {
                    if endedWithReturn && bytes[from] == 10 { from += 1 }
                    endedWithReturn = false
                    guard let end = bytes[from...].firstIndex(where: { $0 == 10 || $0 == 13 }) else { break }
                    number += 1
                    isWanted = take(UnsafeBufferPointer(rebasing: bytes[from..<end]), number)
                    endedWithReturn = bytes[end] == 13
                    from = end + 1
                }
            }
            rest = Array(bytes[from...])
            if isWanted && rest.count > longestLine {
                throw RecordProblems(
                    file, line: number + 1, expected: "lines of at most a million characters", found: "a longer one")
            }
            return isWanted
        }

        mutating func finish(_ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool) throws(RecordProblems) {
            if isUndecided {
                decide(isWhole: true)
                let bytes = rest
                rest = []
                if try !self.take(bytes, take) { return }
            }
            if let document {
                if !document.isComplete {
                    throw RecordProblems(
                        file, line: document.line, expected: "the end of the JSON that the file begins with",
                        found: "the end of the file")
                }
                return
            }
            if rest.isEmpty { return }
            rest.withUnsafeBufferPointer { _ = take($0, number + 1) }
        }
    }
}

/// The faults of a record's lines: counted, and the first ones kept with their places.
struct LineFaults {
    let file: String
    private(set) var count = 0
    private var problems: [ScenarioProblem] = []

    /// A record with more is not read to its end.
    private static let most = 100_000
    var isHopeless: Bool { count >= Self.most }

    init(file: String) { self.file = file }

    mutating func add(_ fault: LineFault, line: Int, nearest: @autoclosure () -> String? = nil) {
        count += 1
        guard problems.count < RecordProblems.mostShown else { return }
        problems.append(
            ScenarioProblem(
                file: file, line: line, column: line > 0 ? fault.column : 0, expected: fault.expected,
                found: fault.found, nearest: nearest()))
    }

    /// Throws all of them with a last one, by default of the whole file.
    mutating func fail(_ fault: LineFault, line: Int = 0) throws(RecordProblems) -> Never {
        add(fault, line: line)
        try check()
        preconditionFailure("a fault was added")
    }

    /// Throws all of them, if there are any.
    func check() throws(RecordProblems) {
        if count > 0 {
            throw RecordProblems(problems: problems, count: count, isMissingInput: false, isComplete: !isHopeless)
        }
    }
}
