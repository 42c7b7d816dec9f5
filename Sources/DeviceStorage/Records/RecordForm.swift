import CWords

/// Which bytes of a device's memory stand in its record, in their order.
///
/// The form packs a device's memory into a record and finds where the memory differs from what most devices have in
/// other bytes; and it sets the bytes of a record in memory whose others are right. It takes blocks of 32 bytes by one
/// shuffle each where the processor has wide registers, otherwise byte by byte; records are the same.
struct RecordForm {
    /// Blocks of which some bytes are kept, then those of which none is and some have to be common, then those of which
    /// all have to be.
    private let positions: UnsafeMutableBufferPointer<Int32>
    private let packed, mixed: Int
    /// Ones for a block of which all bytes have to be common: fewer lines of the cache than its own.
    private let ones: UnsafeMutableBufferPointer<UInt8>
    /// For each packed block, the places of the bytes of its halves in the record, and the tables of `CWords`.
    private let offsets: UnsafeMutableBufferPointer<Int32>
    private let packs, unpacks: UnsafeMutableBufferPointer<UInt8>
    /// The bytes of a record with its head, which is a word; a multiple of eight.
    let bytes: Int
    /// Room for a record that is put together, and for the blocks that differ where they must not.
    private let record: UnsafeMutableBufferPointer<UInt8>
    private let odd: UnsafeMutableBufferPointer<Int32>
    private let isWide: Bool

    /// Devices' memory is whole lines of the cache, in bytes.
    static let line = 64
    /// The words of a block.
    static let blockWords = block / 8
    /// So many bytes behind a record are read, whatever they are.
    static let readBehind = half
    private static let block = 2 * half
    private static let half = 16
    private static let head = 8
    private static let nowhere: UInt8 = 0x80

    /// - Parameters:
    ///   - kept: ones in each byte of a device's memory that stands in the record, by words; whole lines of them.
    ///   - mustMatch: ones in each byte that has to be common: neither kept nor between two fields.
    init(kept: [UInt64], mustMatch: UnsafeBufferPointer<UInt64>, isWide: Bool = words_are_wide()) {
        precondition(8 * kept.count % Self.line == 0, "\(kept.count) words are not whole lines")
        self.isWide = isWide
        func words(_ position: Int) -> Range<Int> { position / 8..<(position + Self.block) / 8 }
        let blocks = Array(stride(from: 0, to: 8 * kept.count, by: Self.block))
        let keeping = blocks.filter { kept[words($0)].contains { $0 != 0 } }
        let whole = blocks.filter { mustMatch[words($0)].allSatisfy { $0 == .max } }
        let others = blocks.filter { block in
            !keeping.contains(block) && !whole.contains(block) && mustMatch[words(block)].contains { $0 != 0 }
        }
        (packed, mixed) = (keeping.count, others.count)
        positions = .allocate(capacity: packed + mixed + whole.count)
        _ = positions.initialize(from: (keeping + others + whole).map { Int32($0) })
        ones = .allocate(capacity: Self.block)
        ones.initialize(repeating: .max)
        offsets = .allocate(capacity: 2 * packed)
        packs = .allocate(capacity: Self.block * packed)
        unpacks = .allocate(capacity: Self.block * packed)
        packs.initialize(repeating: Self.nowhere)
        unpacks.initialize(repeating: Self.nowhere)
        var end = Self.head
        for (place, start) in keeping.flatMap({ [$0, $0 + Self.half] }).enumerated() {
            offsets.initializeElement(at: place, to: Int32(end))
            let isKept = { (byte: Int) in kept[(start + byte) / 8] >> (8 * UInt64((start + byte) % 8)) & 1 != 0 }
            for (inRecord, inHalf) in (0..<Self.half).filter(isKept).enumerated() {
                packs[Self.half * place + inRecord] = UInt8(inHalf)
                unpacks[Self.half * place + inHalf] = UInt8(inRecord)
                end += 1
            }
        }
        bytes = (end + 7) / 8 * 8
        record = .allocate(capacity: bytes + Self.half)
        record.initialize(repeating: 0)
        odd = .allocate(capacity: blocks.count + 1)
        odd.initialize(repeating: 0)
    }

    func deallocate() {
        positions.deallocate()
        ones.deallocate()
        offsets.deallocate()
        packs.deallocate()
        unpacks.deallocate()
        record.deallocate()
        odd.deallocate()
    }

    /// The record that was last packed; its head is without meaning.
    var packedRecord: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(record)[..<bytes])
    }

    /// Packs the memory of a device.
    ///
    /// - Returns: where blocks begin of which some byte that has to be common is not, in bytes; valid until the next
    ///   use.
    func pack(
        _ image: UnsafeBufferPointer<UInt64>, _ common: UnsafeBufferPointer<UInt64>,
        mustMatch: UnsafeBufferPointer<UInt64>
    ) -> UnsafeBufferPointer<Int32> {
        let (image, common, match) = (Self.bytes(image), Self.bytes(common), Self.bytes(mustMatch))
        var found = words_pack_blocks(
            image, common, match, positions.baseAddress!, offsets.baseAddress!, packs.baseAddress!, packed,
            record.baseAddress!,
            odd.baseAddress!, isWide)
        found += words_differing_blocks(
            image, common, match, -1, positions.baseAddress! + packed, mixed, odd.baseAddress! + found, isWide)
        let (others, whole) = (packed + mixed, positions.count - packed - mixed)
        found += words_differing_blocks(
            image, common, ones.baseAddress!, 0, positions.baseAddress! + others, whole, odd.baseAddress! + found,
            isWide)
        return UnsafeBufferPointer(start: odd.baseAddress!, count: found)
    }

    /// Sets the bytes of a device that a record holds, in memory whose other bytes are common; `readBehind` bytes
    /// behind the record can be read.
    func unpack(
        _ record: UnsafeRawPointer, _ common: UnsafeBufferPointer<UInt64>,
        into image: UnsafeMutableBufferPointer<UInt64>
    ) {
        let bytes = UnsafeMutableRawPointer(image.baseAddress!).assumingMemoryBound(to: UInt8.self)
        words_unpack_blocks(
            record.assumingMemoryBound(to: UInt8.self), Self.bytes(common), positions.baseAddress!,
            offsets.baseAddress!,
            unpacks.baseAddress!, packed, bytes, isWide)
    }

    private static func bytes(_ words: UnsafeBufferPointer<UInt64>) -> UnsafePointer<UInt8> {
        UnsafeRawPointer(words.baseAddress!).assumingMemoryBound(to: UInt8.self)
    }
}
