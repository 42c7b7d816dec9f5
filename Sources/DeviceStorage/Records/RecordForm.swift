import CWords

/// Which bytes of a device's memory stand in its record, in their order.
///
/// The form packs a device's memory into a record and finds where the memory differs from what most devices have in
/// other bytes; and it sets the bytes of a record in memory whose others are right. It takes lines of 64 bytes by masks
/// where the processor has them, else blocks of 32 bytes by one shuffle each where it has wide registers, else byte by
/// byte; records are the same.
///
/// A class, as each record that is packed would copy a structure of so many tables.
final class RecordForm {
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
    private let lines: LineForm?

    /// How records are packed.
    enum Means: CaseIterable {
        case plain, shuffles, masks

        /// Whether the processor has it.
        var isThere: Bool {
            switch self {
            case .plain: true
            case .shuffles: words_are_wide()
            case .masks: words_have_masks()
            }
        }

        static let best: Means = Means.masks.isThere ? .masks : Means.shuffles.isThere ? .shuffles : .plain
    }

    /// Devices' memory is whole lines of the cache, in bytes.
    static let line = 64
    /// The words of what is found to differ: a line, or a block.
    var foundWords: Int { (lines == nil ? Self.block : Self.line) / 8 }
    /// So many bytes behind a record are read, whatever they are.
    static let readBehind = line
    private static let block = 2 * half
    private static let half = 16
    private static let head = 8
    private static let nowhere: UInt8 = 0x80

    /// - Parameters:
    ///   - kept: ones in each byte of a device's memory that stands in the record, by words; whole lines of them.
    ///   - mustMatch: ones in each byte that has to be common: neither kept nor between two fields.
    init(kept: [UInt64], mustMatch: UnsafeBufferPointer<UInt64>, by means: Means = .best) {
        precondition(8 * kept.count % Self.line == 0, "\(kept.count) words are not whole lines")
        isWide = means != .plain
        lines = means == .masks ? LineForm(kept: kept, mustMatch: mustMatch, head: Self.head) : nil
        func words(_ position: Int) -> Range<Int> { position / 8..<(position + Self.block) / 8 }
        var (keeping, others, whole): ([Int], [Int], [Int]) = ([], [], [])
        for block in stride(from: 0, to: 8 * kept.count, by: Self.block) {
            let match = mustMatch[words(block)]
            if kept[words(block)].contains(where: { $0 != 0 }) {
                keeping.append(block)
            } else if match.allSatisfy({ $0 == .max }) {
                whole.append(block)
            } else if match.contains(where: { $0 != 0 }) {
                others.append(block)
            }
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
        for place in 0..<2 * packed {
            let start = keeping[place / 2] + place % 2 * Self.half
            offsets.initializeElement(at: place, to: Int32(end))
            var inRecord = Self.half * place
            for inHalf in 0..<Self.half {
                let byte = start + inHalf
                if kept[byte / 8] >> (8 * UInt64(byte % 8)) & 1 == 0 { continue }
                packs[inRecord] = UInt8(inHalf)
                unpacks[Self.half * place + inHalf] = UInt8(inRecord - Self.half * place)
                inRecord += 1
            }
            end += inRecord - Self.half * place
        }
        bytes = (end + 7) / 8 * 8
        record = .allocate(capacity: bytes + Self.line)
        record.initialize(repeating: 0)
        odd = .allocate(capacity: 8 * kept.count / Self.block + 1)
        odd.initialize(repeating: 0)
    }

    func deallocate() {
        lines?.deallocate()
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
        if let lines {
            let found = lines.pack(Self.bytes(image), Self.bytes(common), record, odd)
            return UnsafeBufferPointer(start: odd.baseAddress!, count: found)
        }
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
        if let lines { return lines.unpack(record.assumingMemoryBound(to: UInt8.self), into: bytes) }
        words_unpack_blocks(
            record.assumingMemoryBound(to: UInt8.self), Self.bytes(common), positions.baseAddress!,
            offsets.baseAddress!,
            unpacks.baseAddress!, packed, bytes, isWide)
    }

    private static func bytes(_ words: UnsafeBufferPointer<UInt64>) -> UnsafePointer<UInt8> {
        UnsafeRawPointer(words.baseAddress!).assumingMemoryBound(to: UInt8.self)
    }
}

/// The same by lines of 64 bytes, of each a mask of the bytes that are kept.
private struct LineForm {
    /// Lines of which some bytes are kept, then those of which none is: their positions, and the places of the former.
    private let positions, offsets: UnsafeMutableBufferPointer<Int32>
    private let kept, match: UnsafeMutableBufferPointer<UInt64>
    private let packed: Int

    init(kept: [UInt64], mustMatch: UnsafeBufferPointer<UInt64>, head: Int) {
        func mask(_ line: Int, _ words: (Int) -> UInt64) -> UInt64 {
            (0..<RecordForm.line).reduce(0) { mask, byte in
                mask | (words((line + byte) / 8) >> (8 * UInt64(byte % 8)) & 1) << UInt64(byte)
            }
        }
        let masks = stride(from: 0, to: 8 * kept.count, by: RecordForm.line).map { line in
            (position: Int32(line), kept: mask(line) { kept[$0] }, match: mask(line) { mustMatch[$0] })
        }
        let ordered = masks.filter { $0.kept != 0 } + masks.filter { $0.kept == 0 && $0.match != 0 }
        packed = masks.count { $0.kept != 0 }
        positions = .allocate(capacity: ordered.count)
        offsets = .allocate(capacity: ordered.count)
        self.kept = .allocate(capacity: ordered.count)
        match = .allocate(capacity: ordered.count)
        var end = head
        for (place, mask) in ordered.enumerated() {
            positions.initializeElement(at: place, to: mask.position)
            offsets.initializeElement(at: place, to: Int32(end))
            self.kept.initializeElement(at: place, to: mask.kept)
            match.initializeElement(at: place, to: mask.match)
            end += mask.kept.nonzeroBitCount
        }
    }

    func deallocate() {
        positions.deallocate()
        offsets.deallocate()
        kept.deallocate()
        match.deallocate()
    }

    func pack(
        _ image: UnsafePointer<UInt8>, _ common: UnsafePointer<UInt8>, _ record: UnsafeMutableBufferPointer<UInt8>,
        _ odd: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        words_pack_lines(
            image, common, positions.baseAddress!, offsets.baseAddress!, kept.baseAddress!, match.baseAddress!, packed,
            positions.count, record.baseAddress!, odd.baseAddress!)
    }

    func unpack(_ record: UnsafePointer<UInt8>, into image: UnsafeMutablePointer<UInt8>) {
        words_unpack_lines(record, positions.baseAddress!, offsets.baseAddress!, kept.baseAddress!, packed, image)
    }
}
