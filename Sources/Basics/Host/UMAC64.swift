import CNettle

/// A digest of 64 bits by UMAC (RFC 4418) with one key for everybody, computed by Nettle in a tenth of the
/// instructions of SHA-256.
///
/// Any two different inputs of up to 2^60 bytes have the same digest under at most 2^-60 of all keys. So it tells
/// apart what was made without regard to the key, such as the counts of two runs; whoever knows the key can make two
/// inputs with one digest, so what must be proof against that is digested by `SHA256`.
public struct UMAC64: Sendable {
    /// The bytes of a digest.
    public static let byteCount = 8
    /// The bytes of a key, and of what makes two digests under one key independent.
    static let (keyBytes, nonceBytes) = (16, 8)

    private var state = umac64_ctx()

    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - nonce: 8 bytes.
    public init(key: StaticString, nonce: StaticString) {
        precondition(key.utf8CodeUnitCount == Self.keyBytes && nonce.utf8CodeUnitCount == Self.nonceBytes)
        umac_begin(&state, key.utf8Start, Self.nonceBytes, nonce.utf8Start)
    }

    /// Appends bytes to what is digested.
    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        umac_add(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The digest of all bytes so far, to which more can be appended.
    public func finalize() -> [UInt8] {
        var state = state
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            umac_finish(&state, digest.baseAddress)
            count = Self.byteCount
        }
    }
}
