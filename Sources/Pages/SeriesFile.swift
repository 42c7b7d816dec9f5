import Basics
import Foundation
import ResultFiles

/// A long table of counts in bins of time, such as `load.csv`: its first columns say when a bin begins, its last one is
/// the count, and those between tell series apart. It is read as it comes, because a run's largest tables can have
/// millions of rows.
struct SeriesFile {
    /// From when on the local clock is how many seconds ahead of UTC.
    let clock: [(from: Double, offset: Double)]

    /// Reads all rows.
    ///
    /// - Parameters:
    ///   - keys: the columns before the last one, all that do not say when.
    ///   - new: takes the cells of a series that comes first; series are numbered in the order in which they come.
    ///   - row: takes the bin's beginning in seconds from the start of the report, the series and the count.
    init(
        _ source: PageSource, _ file: String, keys: [String], count: String, new: ([String]) -> Void,
        row: (_ second: Double, _ series: Int, _ count: Int64) -> Void
    ) throws(OutputProblem) {
        let path = source.name + "/" + file
        var lines = LineScanner()
        var header: SeriesReading.Header?
        var problem: OutputProblem?
        var reading = SeriesReading(keys: keys, file: path)
        let isThere = try source.read(file) { chunk in
            lines.scan(chunk) { line in
                if problem != nil { return }
                do throws(OutputProblem) {
                    guard let header else {
                        header = try SeriesReading.Header(line, path, keys: keys, count: count)
                        return
                    }
                    try reading.read(line, header, new, row)
                } catch { problem = error }
            }
            return problem == nil
        }
        if let problem { throw problem }
        if !isThere { throw source.missing(file) }
        clock = reading.clock
    }
}

/// The state of reading a long table.
private struct SeriesReading {
    let keys: [String]
    /// Its path.
    let file: String
    private(set) var clock: [(from: Double, offset: Double)] = []
    /// A clock is changed some times a year.
    private static let mostChanges = 1_000
    /// The number of the row, from 1 on.
    private var number = 0
    /// The sum of all counts so far.
    private var sum: Int64 = 0
    /// The cells of each series as the file writes them.
    private var texts: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]
    /// So many series behind the last one are compared before the others are looked up.
    private static let near = 4
    /// The series of the row before.
    private var last = 0
    /// The times of the row before, with the comma behind them, and its beginning.
    private var time: [UInt8] = []
    private var second = 0.0

    init(keys: [String], file: String) { (self.keys, self.file) = (keys, file) }

    /// Where a row's columns stand: times first, then keys, the count last.
    struct Header {
        let times, keys: Int
        /// The place of the local clock among the times; nil without one.
        let local: Int?

        init(_ line: UnsafeRawBufferPointer, _ file: String, keys: [String], count: String) throws(OutputProblem) {
            let names = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
            guard names.count > keys.count + 1, Array(names.suffix(keys.count + 1)) == keys + [count],
                names[0].hasSuffix("_s")
            else {
                throw OutputProblem(
                    "\(file): expected times and the columns \((keys + [count]).joined(separator: ", ")), found \(names.joined(separator: ", "))"
                )
            }
            times = names.count - keys.count - 1
            self.keys = keys.count
            local = names[..<times].firstIndex { $0.hasSuffix("_local") }
        }
    }

    mutating func read(
        _ line: UnsafeRawBufferPointer, _ header: Header, _ new: ([String]) -> Void, _ row: (Double, Int, Int64) -> Void
    ) throws(OutputProblem) {
        number += 1
        // Most rows have the time of the row before.
        let prefix: Int
        if line.count > time.count, !time.isEmpty,
            time.withUnsafeBytes({ memcmp($0.baseAddress!, line.baseAddress!, $0.count) }) == 0
        {
            prefix = time.count
        } else {
            prefix = try readTime(line, header)
        }
        var at = line.count
        var (value, scale): (Int64, Int64) = (0, 1)
        while at > prefix, (48...57).contains(line[at - 1]), scale <= 100_000_000_000_000_000 {
            at -= 1
            value += Int64(line[at] - 48) * scale
            scale *= 10
        }
        guard at > prefix, at < line.count, line[at - 1] == 44, value <= ResultColumn.mostCounted else {
            throw bad(line)
        }
        sum += value
        if sum > ResultColumn.mostCounted {
            throw problem("counts that sum to at most \(ResultColumn.mostCounted), found more")
        }
        row(second, try series(UnsafeRawBufferPointer(rebasing: line[prefix..<at - 1]), line, new), value)
    }

    /// The place behind the times of a row.
    private mutating func readTime(_ line: UnsafeRawBufferPointer, _ header: Header) throws(OutputProblem) -> Int {
        var ends: [Int] = []
        for (place, byte) in line.enumerated() where byte == 44 {
            ends.append(place)
            if ends.count == header.times { break }
        }
        guard ends.count == header.times, let second = ResultColumn.number(in: text(line, 0..<ends[0])), second >= 0
        else { throw bad(line) }
        self.second = second
        if let local = header.local {
            guard let ahead = CalendarText.instant(text(line, ends[local - 1] + 1..<ends[local]))?.offset else {
                throw bad(line)
            }
            if clock.last?.offset != Double(ahead) { clock.append((second, Double(ahead))) }
            if clock.count > Self.mostChanges {
                throw problem("a local clock that is changed at most \(Self.mostChanges) times, found more")
            }
        }
        let prefix = ends[ends.count - 1] + 1
        time = Array(line[..<prefix])
        return prefix
    }

    /// Regions, endpoints and causes together.
    private static let mostSeries = 1_000_000

    /// The number of the series that has these cells. Series come in one order in every bin, so the next one is mostly
    /// near.
    private mutating func series(
        _ text: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer, _ new: ([String]) -> Void
    ) throws(OutputProblem) -> Int {
        var place = last
        for _ in texts.indices.prefix(Self.near) {
            place = place + 1 < texts.count ? place + 1 : 0
            let known = texts[place]
            guard known.count == text.count else { continue }
            // Nothing has no address.
            if known.isEmpty || known.withUnsafeBytes({ memcmp($0.baseAddress!, text.baseAddress!, text.count) }) == 0 {
                last = place
                return place
            }
        }
        let bytes = Array(text)
        if let place = places[bytes] {
            last = place
            return place
        }
        if texts.count >= Self.mostSeries {
            throw problem("at most \(Self.mostSeries) different rows in a bin, found more")
        }
        let cells: CSVTable
        do throws(CSVProblem) {
            cells = try CSVTable(Array((keys.joined(separator: ",") + "\n").utf8) + Array(text), file: file)
        } catch { throw OutputProblem(error.description) }
        guard cells.rows.count == 1 else { throw bad(line) }
        places[bytes] = texts.count
        texts.append(bytes)
        new(cells.rows[0])
        last = texts.count - 1
        return last
    }

    private func text(_ line: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: line[range]), as: UTF8.self)
    }

    private func bad(_ line: UnsafeRawBufferPointer) -> OutputProblem {
        problem(
            "times, \(keys.joined(separator: ", ")) and a count, found '\(String(decoding: line.prefix(200), as: UTF8.self))'"
        )
    }

    private func problem(_ expected: String) -> OutputProblem {
        OutputProblem("\(file): row \(number): expected \(expected)")
    }
}

/// Cuts a file that comes in chunks into its lines, without their line ends.
struct LineScanner {
    /// The beginning of a line whose end has not come.
    private var carried: [UInt8] = []

    /// Calls `body` for each line that is complete; its bytes are there for that call alone.
    mutating func scan(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var rest = chunk
        while let base = rest.baseAddress, let end = memchr(base, 10, rest.count) {
            let length = end - UnsafeMutableRawPointer(mutating: base)
            let line = UnsafeRawBufferPointer(rebasing: rest[..<length])
            if carried.isEmpty {
                body(line)
            } else {
                carried.append(contentsOf: line)
                carried.withUnsafeBytes(body)
                carried.removeAll(keepingCapacity: true)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
        }
        carried.append(contentsOf: rest)
    }
}
