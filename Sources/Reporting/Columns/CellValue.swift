import Basics

/// A value that can stand in a cell. A column's type, and whether its cells may be empty, follow from the type of its
/// values.
package protocol CellValue: Sendable {
    static var columnType: Column.ValueType { get }
    /// Whether a cell can be empty.
    static var isOptional: Bool { get }

    /// Adds the value's text as CSV has it: the same bytes on every machine.
    func append(to bytes: inout [UInt8])
}

extension CellValue {
    package static var isOptional: Bool { false }
}

extension String: CellValue {
    package static var columnType: Column.ValueType { .string }

    /// A text is in quotes only if it needs them, and no formula for a spreadsheet.
    package func append(to bytes: inout [UInt8]) { CSVText.append(self, to: &bytes) }
}

extension Bool: CellValue {
    package static var columnType: Column.ValueType { .boolean }
    package func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension Int: CellValue {
    package static var columnType: Column.ValueType { .integer }
    package func append(to bytes: inout [UInt8]) { Int64(self).append(to: &bytes) }
}

extension Int64: CellValue {
    package static var columnType: Column.ValueType { .integer }
    package func append(to bytes: inout [UInt8]) {
        if self < 0 { bytes.append(UInt8(ascii: "-")) }
        magnitude.append(to: &bytes)
    }
}

extension UInt64: CellValue {
    package static var columnType: Column.ValueType { .integer }
    package func append(to bytes: inout [UInt8]) {
        if self < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(self))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = self
            var at = 20
            while rest > 0 {
                at -= 1
                digits[at] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[at...]))
        }
    }
}

extension Double: CellValue {
    package static var columnType: Column.ValueType { .number }

    /// The shortest decimal that reads back as the same number; the number must be finite.
    package func append(to bytes: inout [UInt8]) {
        precondition(isFinite, "a report with the number \(self)")
        bytes.append(contentsOf: description.utf8)
    }
}

/// Written as exact seconds.
extension Duration: CellValue {
    package static var columnType: Column.ValueType { .number }
    package func append(to bytes: inout [UInt8]) { Millionths(microseconds).append(to: &bytes) }
}

extension Optional: CellValue where Wrapped: CellValue {
    package static var columnType: Column.ValueType { Wrapped.columnType }
    package static var isOptional: Bool { true }
    package func append(to bytes: inout [UInt8]) { self?.append(to: &bytes) }
}

/// A number known to a millionth, such as tokens from microtokens: written exactly.
struct Millionths: CellValue {
    static var columnType: Column.ValueType { .number }

    let count: Int128

    init(_ count: some BinaryInteger) { self.count = Int128(count) }

    /// Cut to whole millionths.
    init(cutting value: Double) { count = Int128(value * 1e6) }

    /// A decimal without trailing zeros.
    func append(to bytes: inout [UInt8]) {
        if count < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        if let small = UInt64(exactly: whole) {
            small.append(to: &bytes)
        } else {
            bytes.append(contentsOf: whole.description.utf8)
        }
        if fraction == 0 { return }
        bytes.append(UInt8(ascii: "."))
        var rest = UInt64(fraction)
        var unit: UInt64 = 100_000
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
    }
}

/// An instant, in UTC such as `2026-03-08T07:00:00.000000Z`, or on the clock of a zone such as
/// `2026-03-08T03:00:00.000000-04:00`: all of a column in one form.
struct WrittenTime: CellValue {
    static var columnType: Column.ValueType { .datetime }

    let text: String

    init(_ instant: Instant, _ clock: ScenarioClock) {
        let time = LocalTime(localMicroseconds: clock.unixMicroseconds(of: instant))
        text = TimeText.exact(time) + "Z"
    }

    init(_ instant: Instant, in zone: ZoneTable) { text = TimeText.exact(instant, in: zone) }

    func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }
}

/// An instant of the report as its tables show it.
struct ReportInstant: Sendable {
    /// From the start of the report.
    let time: Duration
    let utc: WrittenTime
    let local: WrittenTime
}

/// A number in the text that another file has of it; empty where it is not defined there.
package struct WrittenNumber: CellValue {
    package static var columnType: Column.ValueType { .number }
    package static var isOptional: Bool { true }

    private let text: String

    package init(_ text: String) { self.text = text }

    package func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }
}

/// The value of a figure; missing if it is not defined, such as a share of no views.
package enum MetricValue: Hashable, Sendable {
    case count(Int64)
    case number(Double)
    /// A whole number of millionths of the unit.
    case millionths(Int128)
    case missing

    init(_ number: Double?) { self = number.metric }

    /// As thresholds compare it; nil if missing.
    package var asDouble: Double? {
        switch self {
        case .count(let count): Double(count)
        case .number(let number): number
        case .millionths(let count): Double(nearest: count) / 1e6
        case .missing: nil
        }
    }

    /// As the files write it.
    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A number that is known to three digits.
    var inThreeDigits: MetricValue {
        if case .number(let number) = self { .number(SignificantDigits.rounded(number, to: 3)) } else { self }
    }
}

extension MetricValue: CellValue {
    package static var columnType: Column.ValueType { .number }
    package static var isOptional: Bool { true }

    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .count(let count): count.append(to: &bytes)
        case .number(let number): number.append(to: &bytes)
        case .millionths(let count): Millionths(count).append(to: &bytes)
        case .missing: break
        }
    }
}

/// A value that a figure can have.
protocol FigureValue: CellValue { var metric: MetricValue { get } }

extension Int64: FigureValue { var metric: MetricValue { .count(self) } }
extension Double: FigureValue { var metric: MetricValue { .number(self) } }
extension Millionths: FigureValue { var metric: MetricValue { .millionths(count) } }
extension Optional: FigureValue where Wrapped: FigureValue { var metric: MetricValue { self?.metric ?? .missing } }
