import Basics
import CZlib
import Foundation
import ScenarioFiles

/// The lines of a file that may be larger than memory, or packed by gzip: it is read in pieces, and its text is not
/// kept.
///
/// Lines end with a line feed, a carriage return or both; a byte-order mark before the first one is left out.
package enum RecordLines {
    /// A line is no longer than this.
    private static let longestLine = 1 << 20
    /// More than tens of millions of rows take.
    package static let usualLimit = 4_000_000_000

    /// Reads a file, or standard input for `-`, line by line.
    ///
    /// - Parameters:
    ///   - limit: bytes; a file with more is refused, since what never ends would fill the memory.
    ///   - take: gets a line without its end, and its number from 1 on; false ends the reading.
    package static func read(
        file: String, limit: Int = .max, take: (UnsafeBufferPointer<UInt8>, Int) -> Bool
    ) throws(RecordProblems) {
        let name = file == "-" ? "stdin" : file
        func refuse(_ found: String) -> RecordProblems {
            RecordProblems(name, expected: "a file that can be read", found: found, isMissingInput: true)
        }
        if file != "-" {
            do throws(FileBytes.Unreadable) { try FileBytes.check(file) } catch { throw refuse(error.reason) }
        }
        var splitter = Splitter(file: name)
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
                if count == 0 { break }
                taken += count
                if taken > limit {
                    let expected = "a record of at most \(Form.text(bytes: Int64(limit))), or a larger --record-limit"
                    throw RecordProblems(name, expected: expected, found: "more")
                }
                if try !splitter.take(piece.prefix(count), take) { return }
            }
        } catch let problems as RecordProblems {
            throw problems
        } catch {
            throw refuse("one that cannot be read")
        }
        splitter.finish(take)
    }

    /// The lines of a text, as those of a file.
    package static func split(_ text: [UInt8], file: String, take: (UnsafeBufferPointer<UInt8>, Int) -> Bool)
        throws(RecordProblems)
    {
        var splitter = Splitter(file: file)
        if try splitter.take(text, take) { splitter.finish(take) }
    }

    /// The pieces of a file so far: what stands behind the last end of a line.
    private struct Splitter {
        let file: String
        var rest: [UInt8] = []
        var number = 0
        /// Whether the last line ended with a carriage return, to which a line feed may belong.
        var endedWithReturn = false

        mutating func take(_ piece: some Collection<UInt8>, _ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool)
            throws(RecordProblems) -> Bool
        {
            rest += piece
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

        mutating func finish(_ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool) {
            if rest.isEmpty { return }
            rest.withUnsafeBufferPointer { _ = take($0, number + 1) }
        }
    }
}
