import Basics

/// A digest that two runs share exactly if they measured the same: the first 16 hex digits of the SHA-256 over the
/// bytes of their measures.
public struct MeasureFingerprint {
    private var hash = SHA256()

    public init() {}

    /// Adds measures in their declared order; integers are little-endian.
    public mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The fingerprint of all that was added, in 16 hexadecimal digits.
    public var text: String { hash.finalize().prefix(8).hex }
}
