/// Two 64-bit words: a counter or a block of Philox2x64.
@frozen public struct TwoWords: Hashable, Sendable, BitwiseCopyable {
    public var w0, w1: UInt64

    @inlinable @inline(__always) public init(_ w0: UInt64, _ w1: UInt64) { (self.w0, self.w1) = (w0, w1) }
}

/// The block function of Philox2x64-6: 128 bits of counter and 64 bits of key to 128 random bits.
///
/// For a fixed key the function permutes the counters, so two counters never give the same block. Source: Salmon,
/// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), in whose tests six rounds are the
/// fewest that pass BigCrush. Pinned by the vectors of their Random123 library for seven and ten rounds. Among their
/// generators with 128-bit blocks it takes the fewest instructions where a wide multiplication is one: a third of
/// Philox4x32's. Not a cipher: a block tells its key to whoever looks.
public enum Philox2x64 {
    /// The block of `counter` under the key.
    ///
    /// - Parameter rounds: 6 for every number of a run; others for published vectors.
    @inlinable @inline(__always)
    public static func block(_ counter: TwoWords, key: UInt64, rounds: Int = 6) -> TwoWords {
        var words = counter
        var roundKey = key
        for round in 0..<rounds {
            if round > 0 { roundKey &+= 0x9E37_79B9_7F4A_7C15 }
            let product = words.w0.multipliedFullWidth(by: 0xD2B7_4407_B1CE_6E93)
            words = TwoWords(product.high ^ roundKey ^ words.w1, product.low)
        }
        return words
    }
}
