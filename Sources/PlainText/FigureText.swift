/// Numbers for people.
package enum FigureText {
    /// A whole number with commas between its thousands, `-12,345`.
    package static func grouped(_ value: some FixedWidthInteger) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + text
    }
}
