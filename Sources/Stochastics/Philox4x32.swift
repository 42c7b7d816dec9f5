/// Four 32-bit words: a counter or a block of Philox4x32.
@frozen public struct FourWords: Hashable, Sendable, BitwiseCopyable {
    public var w0, w1, w2, w3: UInt32

    @inlinable @inline(__always) public init(_ w0: UInt32, _ w1: UInt32, _ w2: UInt32, _ w3: UInt32) {
        (self.w0, self.w1, self.w2, self.w3) = (w0, w1, w2, w3)
    }

    /// The first 64 of the 128 bits: `w0` low, `w1` high.
    @inlinable @inline(__always) public var firstHalf: UInt64 { UInt64(w1) << 32 | UInt64(w0) }

    /// The other 64 of the 128 bits: `w2` low, `w3` high.
    @inlinable @inline(__always) public var secondHalf: UInt64 { UInt64(w3) << 32 | UInt64(w2) }
}

/// The block function of Philox4x32-10: 128 bits of counter and 64 bits of key to 128 random bits.
///
/// For a fixed key the function permutes the counters, so two counters never give the same block. Source: Salmon, Moraes, Dror and Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011); pinned by the vectors of their Random123 library. Not a cipher: a block tells its key
/// to whoever looks.
public enum Philox4x32 {
    /// The block of `counter` under the key `(key0, key1)`, after ten rounds.
    ///
    /// In scalars, not in two vectors: the vectors take fewer instructions, but their longer chain costs more in a loop whose branches depend on
    /// the draws.
    @inlinable @inline(__always)
    public static func block(_ counter: FourWords, key0: UInt32, key1: UInt32) -> FourWords {
        var words = counter
        var k0 = key0
        var k1 = key1
        for round in 0..<10 {
            if round > 0 {
                k0 &+= 0x9E37_79B9
                k1 &+= 0xBB67_AE85
            }
            let a = UInt64(words.w0) &* 0xD251_1F53
            let b = UInt64(words.w2) &* 0xCD9E_8D57
            words = FourWords(
                UInt32(truncatingIfNeeded: b >> 32) ^ words.w1 ^ k0, UInt32(truncatingIfNeeded: b),
                UInt32(truncatingIfNeeded: a >> 32) ^ words.w3 ^ k1, UInt32(truncatingIfNeeded: a))
        }
        return words
    }
}
