import Basics
import Pages
import Reporting

/// Numbers for people: rounded, grouped by thousands. Files never contain them.
enum Figures {
    /// Rounded to a whole number, and to three digits from ten thousand on: an estimate does not pretend.
    static func about(_ value: Double) -> String {
        if value.magnitude >= mostWritten { return vast(value) }
        var unit = 1.0
        while value / unit >= 10_000 { unit *= 10 }
        return FigureText.grouped(Int64((value / unit).rounded()) * Int64(unit))
    }

    /// A figure with its noun: `1 request`, `1,788,000 events`.
    static func about(_ value: Double, _ noun: String) -> String {
        let text = about(value)
        return "\(text) \(text == "1" ? noun : noun + "s")"
    }

    /// From here on a figure is not written out: it has more digits than a double has.
    private static let mostWritten = 1e15

    /// A figure beyond all that can be meant, such as the mean of a distribution with a very heavy tail.
    private static func vast(_ value: Double) -> String {
        value.isNaN
            ? "no number"
            : (value < 0 ? "-" : "") + (value.isFinite ? FigureText.rounded(value.magnitude) : "more than any number")
    }

    static func text(_ value: MetricValue, digits: Int) -> String {
        switch value {
        case .count(let count): FigureText.grouped(count)
        case .number(let number): rounded(number, digits)
        case .millionths: rounded(value.asDouble!, digits)
        case .missing: "no"
        }
    }

    /// A figure with its range in other draws: `496 in 1 s, 482 to 513 (±3.1 %)`.
    static func ranged(_ range: SamplingRange, unit: String, _ words: String = "") -> String {
        // A count, or what has as many digits as one, is shown whole.
        let isWhole = [range.value, range.low, range.high].allSatisfy { $0 == $0.rounded() || $0.magnitude >= 1_000 }
        func figure(_ value: Double) -> String {
            unit == "share" ? rounded(value * 100, 1) + " %" : rounded(value, isWhole ? 0 : 2)
        }
        let half = (range.high - range.low) / 2
        let relative = range.value == 0 ? "" : " (±\(rounded(100 * half / range.value.magnitude, 1)) %)"
        return
            "\(figure(range.value))\(words.isEmpty ? "" : " " + words), \(figure(range.low)) to \(figure(range.high))\(relative)"
    }

    /// A value whose range is not known.
    static func ranged(_ value: Double, unit: String, _ words: String) -> String {
        "\(unit == "share" ? rounded(value * 100, 1) + " %" : rounded(value, value.magnitude >= 1_000 ? 0 : 2)) \(words)"
    }

    static func percent(_ value: MetricValue) -> String { value.asDouble.map { rounded($0 * 100, 1) + " %" } ?? "none" }

    /// A time in seconds as people say it: the two largest units.
    static func time(_ value: MetricValue) -> String {
        guard let seconds = value.asDouble else { return "none" }
        if seconds.magnitude >= mostWritten / 1_000_000 { return vast(seconds / 86_400 / 365.25) + " years" }
        if seconds < 60 { return rounded(seconds, 1) + "s" }
        let unit: Int64 = seconds < 3_600 ? 1 : seconds < 86_400 ? 60 : 3_600
        return TimeText.duration(.seconds(Int64(seconds) / unit * unit))
    }

    private static func rounded(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        if !(value.magnitude * scale < mostWritten) { return vast(value) }
        let whole = Int64((value.magnitude * scale).rounded())
        let sign = value < 0 && whole > 0 ? "-" : ""
        if digits == 0 { return sign + FigureText.grouped(whole) }
        return sign + FigureText.grouped(whole / Int64(scale)) + "."
            + TimeText.padded(Int(whole % Int64(scale)), to: digits)
    }
}

extension Figures {
    /// About four digits, grouped: `0.01234`, `12.35`, `1,235`.
    static func short(_ value: Double) -> String {
        if value == 0 { return "0" }
        var text = rounded(value, FigureLabel.decimals(of: value, digits: 4))
        while text.contains(".") && (text.hasSuffix("0") || text.hasSuffix(".")) { text.removeLast() }
        return text
    }

    /// A share and its bound in per cent, in as many digits as tell them apart.
    static func percents(_ share: Double, from bound: Double) -> (share: String, bound: String) {
        func exact(_ share: Double) -> String { FigureText.shortest(SignificantDigits.rounded(share * 100, to: 12)) }
        let (rough, whole) = (short(share * 100), exact(bound))
        return ((share != bound && rough == short(bound * 100) ? exact(share) : rough) + " %", whole + " %")
    }

    static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + short(value) }
}
