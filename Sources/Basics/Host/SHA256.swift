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

/// The 64-bit FNV-1a hash of some bytes (Fowler, Noll and Vo), the same on every machine: it tells things apart, and is
/// no defence against anybody.
package struct FNV1a {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package static let prime: UInt64 = 0x100_0000_01b3

    package init() {}

    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* Self.prime }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { add(byte) }
    }

    /// Least significant byte first, whatever the machine's order.
    package mutating func add(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
}

extension UInt64 {
    /// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the result depends on every bit of the
    /// number.
    @inlinable @inline(__always) package var mixed: UInt64 {
        let first = (self ^ self >> 30) &* 0xbf58_476d_1ce4_e5b9
        let second = (first ^ first >> 27) &* 0x94d0_49bb_1331_11eb
        return second ^ second >> 31
    }
}

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
