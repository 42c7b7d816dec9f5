import Basics
import ScenarioFiles

/// The columns of a log in the W3C extended form, as a `#Fields` line names them: IIS separates them by spaces,
/// CloudFront by tabs. Its times are UTC.
struct LogFields {
    private let date, time: Int
    private let path: Int?

    /// - Parameter line: one that begins with `#`.
    /// - Returns: nil for a line that is not `#Fields`.
    /// - Throws: a fault if it names no date and time.
    init?(directive line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        let words = line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == 13 }).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard words.first?.lowercased() == "#fields:" else { return nil }
        let names = words.dropFirst().map { $0.lowercased() }
        guard let date = names.firstIndex(of: "date"), let time = names.firstIndex(of: "time") else {
            throw LineFault(
                expected: "the fields date and time", found: ResultForm.quotedCut(names.joined(separator: " ")))
        }
        (self.date, self.time, path) = (date, time, names.firstIndex(of: "cs-uri-stem"))
    }

    /// The minute of a line since 1970, or nil for another path.
    func minute(of line: UnsafeBufferPointer<UInt8>, path wanted: String?) throws(LineFault) -> Int64? {
        let separator: UInt8 = line.contains(9) ? 9 : 32
        let words = line.split(separator: separator, omittingEmptySubsequences: false)
        guard max(date, time) < words.count else {
            throw LineFault(
                expected: "the columns that #Fields names",
                found: FigureText.counted(words.count, "column"))
        }
        let (day, clock) = (String(decoding: words[date], as: UTF8.self), String(decoding: words[time], as: UTF8.self))
        guard let instant = CalendarText.instant("\(day)T\(clock.filter { $0 != "\r" })Z") else {
            throw LineFault(expected: "a date and a time", found: ResultForm.quotedCut("\(day) \(clock)"))
        }
        let minute = instant.unixMicroseconds / 60_000_000
        guard let wanted else { return minute }
        guard let path, path < words.count else {
            throw LineFault(expected: "the field cs-uri-stem with the path", found: "none")
        }
        return words[path].starts(with: wanted.utf8) ? minute : nil
    }
}
