/// A yes or no with a fixed probability, decided by one 64-bit number.
@frozen public struct Bernoulli: Hashable, Sendable, BitwiseCopyable {
    /// The probability in units of 2^-63, so that 0 and 1 are both exact.
    @usableFromInline let threshold: UInt64

    /// Never holds, and always.
    public static let never = Bernoulli(threshold: 0)
    public static let always = Bernoulli(threshold: 1 << 63)

    /// - Parameter probability: from 0, which never holds, to 1, which always does; rounded to a multiple of 2^-63.
    public init(probability: Double) throws(DistributionProblem) {
        try checked(probability, "probability", in: 0...1)
        self.init(threshold: UInt64((probability * 0x1p63).rounded(.toNearestOrEven)))
    }

    private init(threshold: UInt64) { self.threshold = threshold }

    /// Whether the event happens. If it happens for `u`, it happens for every smaller number and every greater
    /// probability.
    @inlinable @inline(__always)
    public func holds(_ u: UInt64) -> Bool { u >> 1 < threshold }

    /// The number of 64-bit numbers for which it holds, from 0 on; nil for all.
    public var width: UInt64? { threshold >> 63 == 1 ? nil : threshold << 1 }
}
