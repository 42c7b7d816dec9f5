/// The stamps of the messages of one run: each is made from the run's identity, from the message's number and from what
/// it brings.
///
/// It tells runs apart and shows damage, and guards against nobody.
package struct MessageStamp: Sendable {
    private let seed: UInt64

    /// The hash of Fowler, Noll and Vo, 64 bits.
    private static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    /// - Parameter identity: all that results depend on, each with its name.
    package init(identity: [(name: String, value: String)]) {
        var hash = Self.offset
        for (name, value) in identity {
            for byte in "\(name)=\(value)\n".utf8 { hash = (hash ^ UInt64(byte)) &* Self.prime }
        }
        seed = hash
    }

    /// The stamp of a message: any one word of eight bytes that changes gives another.
    ///
    /// - Parameter message: how many were exchanged before it.
    package func value(of content: ArraySlice<UInt8>, message: UInt64) -> UInt64 {
        content.withUnsafeBytes { bytes in
            var hash = (seed ^ message) &* Self.prime ^ UInt64(bytes.count)
            let whole = bytes.count & ~7
            for start in stride(from: 0, to: whole, by: 8) {
                hash =
                    (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
                    &* Self.prime
                hash ^= hash >> 32
            }
            var last: UInt64 = 0
            for byte in bytes[whole...] { last = last << 8 | UInt64(byte) }
            hash = (hash ^ last) &* Self.prime
            return hash ^ hash >> 32
        }
    }
}
