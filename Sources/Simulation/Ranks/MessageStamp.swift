import Basics

/// The stamps of the messages of one run: each is made from the run's identity, from the message's number and from what
/// it brings.
///
/// It tells runs apart and shows damage, and guards against nobody.
package struct MessageStamp: Sendable {
    private let seed: UInt64

    /// - Parameter identity: all that results depend on, each with its name.
    package init(identity: [(name: String, value: String)]) {
        var hash = FNV1a()
        for (name, value) in identity {
            for byte in "\(name)=\(value)\n".utf8 { hash.add(byte) }
        }
        seed = hash.value
    }

    /// The stamp of a message: any one word of eight bytes that changes gives another.
    ///
    /// - Parameter message: how many were exchanged before it.
    package func value(of content: ArraySlice<UInt8>, message: UInt64) -> UInt64 {
        content.withUnsafeBytes { bytes in
            var hash = (seed ^ message) &* FNV1a.prime ^ UInt64(bytes.count)
            let whole = bytes.count & ~7
            for start in stride(from: 0, to: whole, by: 8) {
                hash =
                    (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
                    &* FNV1a.prime
                hash ^= hash >> 32
            }
            var last: UInt64 = 0
            for byte in bytes[whole...] { last = last << 8 | UInt64(byte) }
            hash = (hash ^ last) &* FNV1a.prime
            return hash ^ hash >> 32
        }
    }
}
