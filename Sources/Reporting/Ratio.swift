import Basics

/// Shares and means of integers: one division of two exactly known numbers, so that every machine gets the same; nil of
/// nothing.
enum Ratio {
    static func of(_ part: some BinaryInteger, to whole: some BinaryInteger) -> Double? {
        whole == 0 ? nil : Double(nearest: part) / Double(nearest: whole)
    }

    /// A count for each unit (an instance, a device) and 24 hours of a span.
    static func perDay(_ count: Int64, of units: Int64, over span: Duration) -> Double? {
        of(Int128(count) * 86_400_000_000, to: Int128(units) * Int128(span.microseconds))
    }

    /// Microseconds or microtokens over a count, in seconds or tokens.
    static func ofMillionths(_ part: Int128, to count: some BinaryInteger) -> Double? {
        of(part, to: Int128(count) * 1_000_000)
    }
}

extension Double {
    /// The number nearest to a whole one. Most fit 64 bits, which are converted in a hundredth of the time.
    init(nearest whole: some BinaryInteger) { self = Int64(exactly: whole).map { Double($0) } ?? Double(whole) }
}
