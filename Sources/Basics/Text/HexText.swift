extension Sequence where Element == UInt8 {
    /// Two hex digits a byte, in small letters.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension FixedWidthInteger {
    /// All its hex digits with leading zeros, two a byte, in small letters.
    public var hex: String {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }.hex
    }
}
