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
