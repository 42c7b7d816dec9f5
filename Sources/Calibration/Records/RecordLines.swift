import Basics
import Foundation
import ScenarioFiles

/// The lines of a file that may be larger than memory: it is read in pieces, and its text is not kept.
package enum RecordLines {
    /// A line is no longer than this.
    private static let longestLine = 1 << 20
    /// More than tens of millions of rows take.
    package static let usualLimit = 4_000_000_000

    /// Reads a file, or standard input for `-`, line by line.
    ///
    /// - Parameters:
    ///   - limit: bytes; a file with more is refused, since what never ends would fill the memory.
    ///   - content: the form that was expected, for the sentence about a packed file.
    ///   - take: gets a line without its line feed, and its number from 1 on; false ends the reading.
    package static func read(
        file: String, limit: Int, content: String, take: (UnsafeBufferPointer<UInt8>, Int) -> Bool
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
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                if taken == 0 && PackedBytes.isGzip(piece) {
                    throw RecordProblems(name, expected: content, found: PackedBytes.found)
                }
                taken += piece.count
                if taken > limit {
                    let expected = "a record of at most \(Form.text(bytes: Int64(limit))), or a larger --record-limit"
                    throw RecordProblems(name, expected: expected, found: "more")
                }
                if try !splitter.take([UInt8](piece), take) { return }
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

    /// The pieces of a file so far: what stands behind the last line feed.
    private struct Splitter {
        let file: String
        var rest: [UInt8] = []
        var number = 0

        mutating func take(_ piece: [UInt8], _ take: (UnsafeBufferPointer<UInt8>, Int) -> Bool) throws(RecordProblems)
            -> Bool
        {
            let bytes = rest.isEmpty ? piece : rest + piece
            var from = 0
            var isWanted = true
            bytes.withUnsafeBufferPointer { bytes in
                while isWanted, let end = bytes[from...].firstIndex(of: 10) {
                    number += 1
                    isWanted = take(UnsafeBufferPointer(rebasing: bytes[from..<end]), number)
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
