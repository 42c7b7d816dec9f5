/// Numbers for people.
package enum FigureText {
    /// A whole number with commas between its thousands, `-12,345`.
    package static func grouped(_ value: some FixedWidthInteger) -> String {
        let digits = String(value.magnitude)
        var text = value < 0 ? "-" : ""
        if digits.utf8.count <= 3 { return text + digits }
        for (index, digit) in digits.utf8.enumerated() {
            if index > 0 && (digits.utf8.count - index) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }

    /// A number with its noun, `1 person` or `1,200 people`.
    ///
    /// - Parameter several: the plural; the noun with an s if it is left out.
    package static func counted(_ count: some FixedWidthInteger, _ noun: String, _ several: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? noun : several ?? noun + "s")"
    }

    /// The shortest text that reads back as the same double.
    package static func shortest(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : value.description
    }

    /// To a tenth below 1,000, and from there on to two digits with a power of ten: `37` or `1.2e13`.
    package static func rounded(_ value: Double) -> String {
        if value < 1000 { return shortest((value * 10).rounded() / 10) }
        var (mantissa, power) = (value, 0)
        while mantissa >= 10 {
            mantissa /= 10
            power += 1
        }
        return "\(shortest((mantissa * 10).rounded() / 10))e\(power)"
    }

    /// About three digits: `0.0025`, `37.1` or `1230`.
    package static func threeDigits(_ value: Double) -> String {
        guard value > 0, value.isFinite else { return rounded(value) }
        var scale = 1.0
        while value * scale < 100 { scale *= 10 }
        while value * scale >= 1_000 { scale /= 10 }
        let digits = (value * scale).rounded()
        return shortest(scale >= 1 ? digits / scale : (digits * (1 / scale)).rounded())
    }
}
