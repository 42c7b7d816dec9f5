/// Which bytes of a device's memory stand in its record, in their order.
///
/// A word of which any byte is kept has a place in the record for its bytes from the first that is kept to the last.
struct RecordForm {
    private struct Part: BitwiseCopyable {
        /// Ones in the bytes that stand in the record, without those that are part of no field.
        let mask: UInt64
        let word: Int32
        /// How many bits lie before them, and how many bytes the record has of the word.
        let shift, bytes: UInt8
    }

    private let parts: UnsafeMutableBufferPointer<Part>
    /// The bytes of a record with its head, which is a word; a multiple of eight.
    let bytes: Int

    /// Devices' memory is whole lines of the cache, in bytes.
    static let line = 64
    private static let head = 8

    /// - Parameters:
    ///   - fieldBytes: ones in each byte of a device's memory that is part of a field, by words.
    ///   - kept: ones in each byte that is kept.
    init(fieldBytes: [UInt64], kept: [UInt64]) {
        let parts = zip(fieldBytes, kept).enumerated().compactMap { word, bytes -> Part? in
            let span = Self.span(of: bytes.1)
            if span == 0 { return nil }
            return Part(
                mask: span & bytes.0, word: Int32(word), shift: UInt8(span.trailingZeroBitCount), bytes: UInt8(span.nonzeroBitCount / 8))
        }
        self.parts = .allocate(capacity: parts.count)
        _ = self.parts.initialize(from: parts)
        // Whole words are stored and loaded, so eight bytes belong to the last part however few it has.
        let end = parts.dropLast().reduce(Self.head) { $0 + Int($1.bytes) }
        bytes = (end + (parts.isEmpty ? 0 : 8) + 7) / 8 * 8
    }

    func deallocate() { parts.deallocate() }

    /// Ones in the bytes of a word from the first of some to the last.
    static func span(of kept: UInt64) -> UInt64 {
        if kept == 0 { return 0 }
        let (first, last) = (kept.trailingZeroBitCount / 8 * 8, (63 - kept.leadingZeroBitCount) / 8 * 8)
        return (.max << UInt64(first)) & (.max >> UInt64(56 - last))
    }

    /// Packs the memory of a device into a record, behind its head.
    func pack(_ image: UnsafeBufferPointer<UInt64>, into record: UnsafeMutableRawPointer) {
        var place = record + Self.head
        for part in parts {
            let bits = (image[Int(part.word)] & part.mask) &>> UInt64(part.shift)
            place.storeBytes(of: bits.littleEndian, as: UInt64.self)
            place += Int(part.bytes)
        }
    }

    /// Sets the bytes of a device that a record holds; the others stay as they are.
    func unpack(_ record: UnsafeRawPointer, into image: UnsafeMutableBufferPointer<UInt64>) {
        var place = record + Self.head
        for part in parts {
            let bits = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) &<< UInt64(part.shift)
            let word = Int(part.word)
            image[word] = image[word] & ~part.mask | bits & part.mask
            place += Int(part.bytes)
        }
    }
}
