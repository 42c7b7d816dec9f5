/// A sum too large for 64 bits, kept as two counts that each add on their own: high · 2²⁰ + low. Sums of ages over
/// millions of devices overflow one.
public enum WideSum {
    @usableFromInline static let shift: Int64 = 20

    /// Adds a value of 0 or more to the sum whose two counts stand at `cell`.
    @inlinable public static func add(_ value: Int64, to cell: UnsafeMutablePointer<Int64>) {
        cell[0] += value & ((1 << shift) - 1)
        cell[1] += value >> shift
    }

    /// The sum that two counts stand for.
    public static func value(_ low: Int64, _ high: Int64) -> Int128 { Int128(high) << 20 + Int128(low) }
}
