import Foundation

/// Whole numbers as the command line takes them, by the rules of a scenario's: `10000`, `10_000`, `1e4`.
package enum WholeNumberText {
    /// Nil for anything else, and for what does not fit in 64 bits.
    package static func read(_ text: String) -> Int64? { read(text, timesTenTo: 0) }

    /// Reads numbers in thousands and millions too: `10k`, `2.5M`.
    package static func readShort(_ text: String) -> Int64? {
        switch text.last {
        case "k": read(String(text.dropLast()), timesTenTo: 3)
        case "M": read(String(text.dropLast()), timesTenTo: 6)
        default: read(text)
        }
    }

    private static func read(_ text: String, timesTenTo power: Int) -> Int64? {
        guard case .success(let number) = DecimalText.read(text) else { return nil }
        return number.whole(timesTenTo: power)
    }
}

/// A decimal number as it was written, exact: digits and a power of ten. Never by way of a floating-point number.
///
/// Accepts `12`, `1_000_000`, `1e6`, `.94`, `-0.5`; not `010` (which some readers take as octal), `0x10`, `1_`, `nan`
/// or `inf`.
package struct DecimalText: Hashable, Sendable {
    package var isNegative: Bool
    /// Digits without leading zeros; empty for 0.
    private var digits: [UInt8]
    /// The number is the digits times ten to this power.
    private var exponent: Int

    package enum Refusal: Error, Hashable { case notANumber, leadingZero }

    package static func read(_ text: String) -> Result<DecimalText, Refusal> {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        var power = 0
        if let at = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            var tail = rest[rest.index(after: at)...]
            let negativePower = tail.first == "-"
            if tail.first == "-" || tail.first == "+" { tail = tail.dropFirst() }
            guard !tail.isEmpty, tail.count <= 4, tail.utf8.allSatisfy({ (48...57).contains($0) }),
                let value = Int(tail)
            else {
                return .failure(.notANumber)
            }
            power = negativePower ? -value : value
            rest = rest[..<at]
        }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Self.digits(of: parts[0]) else { return .failure(.notANumber) }
        var fraction: [UInt8] = []
        if parts.count == 2 {
            guard let read = Self.digits(of: parts[1]) else { return .failure(.notANumber) }
            fraction = read
        }
        if whole.isEmpty && fraction.isEmpty { return .failure(.notANumber) }
        if whole.count > 1 && whole[0] == 0 { return .failure(.leadingZero) }
        return .success(
            DecimalText(
                isNegative: isNegative, digits: Array((whole + fraction).drop { $0 == 0 }),
                exponent: power - fraction.count))
    }

    /// Digits with single underscores between them; nil for anything else.
    private static func digits(of text: Substring) -> [UInt8]? {
        var digits: [UInt8] = []
        var wasDigit = false
        for byte in text.utf8 {
            switch byte {
            case 48...57:
                digits.append(byte - 48)
                wasDigit = true
            case UInt8(ascii: "_") where wasDigit: wasDigit = false
            default: return nil
            }
        }
        return text.isEmpty || wasDigit ? digits : nil
    }

    /// The number times ten to `power` as a whole number; nil if it is not one or does not fit.
    package func whole(timesTenTo power: Int) -> Int64? {
        var value: Int64 = 0
        var shift = exponent + power
        var digits = digits
        while shift < 0, let last = digits.last {
            guard last == 0 else { return nil }
            digits.removeLast()
            shift += 1
        }
        if digits.isEmpty { return 0 }
        guard digits.count + shift <= 19 else { return nil }
        for digit in digits + Array(repeating: 0, count: shift) {
            let (product, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
            if over || carry { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// The number of units as a whole number of the smallest; nil if it is not one or does not fit.
    package func whole(of unit: UnitTable.Unit) -> Int64? {
        // Decimals of a unit are at most nine, so that the product below is exact.
        guard let billionths = whole(timesTenTo: 9) else {
            guard let whole = whole(timesTenTo: 0) else { return nil }
            let (product, over) = whole.multipliedReportingOverflow(by: unit.size)
            return over ? nil : product
        }
        let product = Int128(billionths) * Int128(unit.size)
        return product % 1_000_000_000 == 0 ? Int64(exactly: product / 1_000_000_000) : nil
    }

    /// The nearest double; infinite if none is near.
    package var double: Double {
        let text =
            (isNegative ? "-" : "") + (digits.isEmpty ? "0" : String(decoding: digits.map { $0 + 48 }, as: UTF8.self))
            + "e\(exponent)"
        guard let value = Double(text) else { preconditionFailure("\(text) is a number") }
        return value
    }

    /// A number of millionths as the shortest decimal text, `0.25` for 250,000.
    package static func text(millionths: Int64) -> String { TimeText.decimal(millionths, places: 6) }

    /// The number to twelve decimals, for sentences about sums.
    package static func text(rounded value: Double) -> String { FigureText.shortest((value * 1e12).rounded() / 1e12) }
}
