import CNettle

/// A digest by SHA-256 (FIPS 180-4), computed by Nettle, which uses the processor's own instructions where there are
/// any.
public struct SHA256: Sendable {
    /// The bytes of a digest.
    public static let byteCount = 32

    private var state = sha256_ctx()

    public init() { hash_begin(&state) }

    /// Appends bytes to what is digested.
    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        hash_add(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// Appends bytes to what is digested.
    public mutating func update(data: some Sequence<UInt8>) {
        let isDone: Void? = data.withContiguousStorageIfAvailable { update(bufferPointer: UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(data).withUnsafeBytes { update(bufferPointer: $0) } }
    }

    /// The digest of all bytes so far, to which more can be appended.
    public func finalize() -> [UInt8] {
        var state = state
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            hash_finish(&state, digest.baseAddress)
            count = Self.byteCount
        }
    }

    /// The digest of some bytes.
    public static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: data)
        return hash.finalize()
    }
}
