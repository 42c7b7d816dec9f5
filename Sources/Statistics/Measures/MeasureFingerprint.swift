import Basics

/// A digest that two runs share exactly if they measured the same: UMAC-64 over the bytes of their measures.
public struct MeasureFingerprint {
    private var hash = UMAC64(key: "reloadsim counts", nonce: "measures")

    public init() {}

    /// Adds measures in their declared order; integers are little-endian.
    public mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The fingerprint of all that was added, in 16 hexadecimal digits.
    public var text: String { hash.finalize().hex }
}
