import Basics
import ScenarioFiles

/// A distribution as HdrHistogram prints it: lines of a value, its percentile, the number of values up to it, and the
/// inverse of the rest; lines with `#` are its summary.
struct PercentileText {
    private var rows: [(value: Double, upTo: Int)] = []

    mutating func take(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        if line.first(where: { $0 != 32 }) == UInt8(ascii: "#") { return }
        let words = line.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 3, let value = Double(words[0]), let share = Double(words[1]),
            let upTo = ResultColumn.count(in: words[2]),
            value >= 0, value * 1_000 < Double(Stamp.longest), (0...1).contains(share)
        else {
            throw LineFault(
                expected: "a value below a day, a percentile from 0 to 1 and a count",
                found: ResultForm.quotedCut(String(decoding: line, as: UTF8.self)))
        }
        if let last = rows.last, last.upTo > Int(upTo) || last.value > value {
            throw LineFault(
                expected: "values and counts that grow from line to line",
                found: "\(value) and \(upTo) after \(last.value) and \(last.upTo)")
        }
        rows.append((value, Int(upTo)))
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
