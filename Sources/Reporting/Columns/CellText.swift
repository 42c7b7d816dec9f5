import Basics

/// Values as the bytes of CSV cells. The same value gives the same bytes on every machine.
enum CellText {
    /// A text is in quotes only if it needs them, and no formula for a spreadsheet.
    static func append(_ value: String, to bytes: inout [UInt8]) { CSVText.append(value, to: &bytes) }

    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(magnitude: value.magnitude, to: &bytes)
    }

    /// The shortest decimal that reads back as the same number; the number must be finite.
    static func append(_ value: Double, to bytes: inout [UInt8]) {
        precondition(value.isFinite, "a report with the number \(value)")
        bytes.append(contentsOf: value.description.utf8)
    }

    /// A whole number of millionths as a decimal without trailing zeros.
    static func appendMillionths(_ value: Int128, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        if let small = UInt64(exactly: whole) {
            append(magnitude: small, to: &bytes)
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

    private static func append(magnitude: UInt64, to bytes: inout [UInt8]) {
        if magnitude < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = magnitude
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
