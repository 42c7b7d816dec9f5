import Basics
import Statistics

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

/// Figures with as many digits as they have: a quantile that is interpolated in a bin is known to the width of the bin.
package enum SignificantDigits {
    /// The nearest number that has so many decimal digits, 1 to 15: what is written of it is that and no more.
    package static func rounded(
        _ value: Double, to digits: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Double {
        if value == 0 || !value.isFinite { return value }
        var (scale, divides) = (1.0, false)
        // Powers of ten up to 10²² are exact, and so one operation gives the double nearest to the decimal.
        let top = power(digits)
        let bottom = power(digits - 1)
        while value.magnitude / scale >= top && scale < 1e22 { scale *= 10 }
        if scale == 1 {
            while value.magnitude * scale < bottom && scale < 1e22 { scale *= 10 }
            divides = true
        }
        return divides ? (value * scale).rounded(rule) / scale : (value / scale).rounded(rule) * scale
    }

    private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1.0) { power, _ in power * 10 } }
}

/// Quantiles of latencies as reports state them: with the digits that their bins give.
enum ReportQuantile {
    /// The quantile `q` of latencies whose bins are a 128th wide, in seconds: four digits.
    static func seconds(_ q: Double, of histogram: LatencyHistogram) -> Double? {
        histogram.quantile(q).map { min(SignificantDigits.rounded($0, to: 4), histogram.largest.inSeconds) }
    }

    /// The quantile `q` of latencies whose bins are a 32nd wide, in seconds: three digits.
    static func seconds(_ q: Double, of latencies: LatencyDistribution) -> Double? {
        latencies.quantile(q).map { min(SignificantDigits.rounded($0, to: 3), latencies.longest.inSeconds) }
    }
}
