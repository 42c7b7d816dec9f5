import Basics
import ScenarioFiles

/// A distribution of latencies by its percentiles: as HdrHistogram prints it, lines of a value, its percentile, the
/// number of values up to it and the inverse of the rest, with `#` before its summary; as ab writes it (`-e`); or the
/// last row of Locust's statistics.
struct PercentileText {
    enum Form { case histogram, ab, locust(percentiles: [(column: Int, share: Double)], count: Int) }

    private let form: Form
    let name: String
    /// Milliseconds of a value of 1.
    private let scale: Double
    /// Whether the unit stands in the record.
    let isUnitTold: Bool
    private var rows: [(value: Double, upTo: Int)] = []
    private var isEnded = false

    /// So many requests stand for a percentile of ab's, which says no number.
    private static let abRequests = 10_000.0

    /// - Returns: nil if a line does not begin a distribution.
    init?(_ line: UnsafeBufferPointer<UInt8>) {
        let cells = Self.cells(line)
        if cells.first?.hasPrefix("Value") == true, cells.contains("Percentile") {
            (form, name) = (.histogram, "HdrHistogram")
            isUnitTold = cells[0] != "Value"
            scale = cells[0] == "Value(s)" ? 1e3 : cells[0] == "Value(us)" ? 1e-3 : cells[0] == "Value(ns)" ? 1e-6 : 1
        } else if cells.first == "Percentage served" {
            (form, name, scale, isUnitTold) = (.ab, "ab", 1, true)
        } else if let count = cells.firstIndex(of: "Request Count"), cells.contains("50%") {
            let percentiles = cells.indices.compactMap { column in
                cells[column].last == "%" ? Double(cells[column].dropLast()).map { (column, $0 / 100) } : nil
            }
            (form, name, scale) = (.locust(percentiles: percentiles, count: count), "Locust", 1)
            isUnitTold = true
        } else {
            return nil
        }
    }

    private static func cells(_ line: UnsafeBufferPointer<UInt8>) -> [String] {
        if !line.contains(44) {
            return line.split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }
        }
        var fields: [CSVFields.Field] = []
        CSVFields.split(line, into: &fields)
        return fields.map { $0.text(in: line) }
    }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        // The summary of wrk2 follows behind.
        if line.first(where: { $0 != 32 }) == UInt8(ascii: "#") || isEnded { return }
        let cells = Self.cells(line)
        switch form {
        case .histogram:
            isEnded = cells.first == "----------------------------------------------------------"
            if isEnded { return }
            guard cells.count >= 3, let value = Double(cells[0]), let share = Double(cells[1]),
                let upTo = ResultColumn.count(in: cells[2])
            else {
                isEnded = !rows.isEmpty && cells.count < 3
                if isEnded { return }
                throw fault(line)
            }
            try add(value, share, Int(upTo), line)
        case .ab:
            guard cells.count == 2, let percent = Double(cells[0]), let value = Double(cells[1]) else {
                throw fault(line)
            }
            try add(value, percent / 100, Int(cutting: (percent / 100 * Self.abRequests).rounded()), line)
        case .locust(let percentiles, let count):
            // The last row is that of all requests.
            guard let last = percentiles.last, cells.count > max(last.column, count),
                let requests = ResultColumn.count(in: cells[count])
            else { throw fault(line) }
            rows = []
            for (column, share) in percentiles {
                guard let value = Double(cells[column]) else { continue }
                try add(value, share, Int(cutting: (share * Double(requests)).rounded()), line)
            }
        }
    }

    private func fault(_ line: UnsafeBufferPointer<UInt8>) -> LineFault {
        LineFault(expected: "a value below a day, a percentile from 0 to 1 and a count", found: QuotedCut.text(line))
    }

    private mutating func add(_ value: Double, _ share: Double, _ upTo: Int, _ line: UnsafeBufferPointer<UInt8>)
        throws(LineFault)
    {
        let value = value * scale
        guard value >= 0, value * 1_000 < Double(ResultLines.longest), (0...1).contains(share) else {
            throw fault(line)
        }
        if let last = rows.last, last.upTo > upTo || last.value > value {
            throw LineFault(
                expected: "values and counts that grow from line to line",
                found: "\(value) and \(upTo) after \(last.value) and \(last.upTo)")
        }
        rows.append((value, upTo))
    }

    /// In microseconds, of values in milliseconds: the values between two lines lie evenly between theirs, since
    /// nothing is said of them.
    var latencies: [(microseconds: Double, count: Int)] {
        var found: [(Double, Int)] = []
        var (before, last) = (0, 0.0)
        for (index, row) in rows.enumerated() {
            let count = row.upTo - before
            let parts = index == 0 ? 1 : min(max(1, count), 64)
            for part in 0..<parts where count > 0 {
                let share = index == 0 ? 1 : (Double(part) + 0.5) / Double(parts)
                let own = count * (part + 1) / parts - count * part / parts
                found.append(((last + (row.value - last) * share) * 1_000, own))
            }
            (before, last) = (row.upTo, row.value)
        }
        return found
    }
}
