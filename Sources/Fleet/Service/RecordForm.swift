import CWords

/// Which bytes of a device's memory stand in its record, in their order.
///
/// The form packs a device's memory into a record and says where the memory differs from what most devices have in other bytes; and it sets the bytes of a record in
/// memory whose others are right. Where the processor has masks for registers of 64 bytes it takes lines of these, otherwise blocks of 32 bytes by shuffles, in wide
/// registers if there are any; records are the same.
struct RecordForm {
    private let lines: LineForm?
    private let blocks: BlockForm?
    /// The bytes of a record with its head, which is a word; a multiple of eight.
    let bytes: Int
    /// Room for a record that is put together.
    private let record: UnsafeMutablePointer<UInt8>
    /// Lines or blocks that differ where they should not.
    private let odd: UnsafeMutablePointer<Int32>

    /// Memory is whole lines.
    static let line = 64
    fileprivate static let head = 8

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

    /// - Parameters:
    ///   - words: of a device's memory; whole lines.
    ///   - isPadding: whether a byte is part of no field: it is not compared.
    ///   - isKept: whether a byte of the memory is kept, by its number.
    init(words: Int, by means: Means = .best, isPadding: (_ byte: Int) -> Bool = { _ in false }, isKept: (_ byte: Int) -> Bool) {
        let size = 8 * words
        precondition(size % Self.line == 0, "\(words) words are not whole lines")
        lines = means == .masks ? LineForm(size: size, isPadding: isPadding, isKept: isKept) : nil
        blocks = means == .masks ? nil : BlockForm(size: size, isWide: means == .shuffles, isPadding: isPadding, isKept: isKept)
        bytes = (Self.head + (0..<size).count(where: isKept) + 7) / 8 * 8
        odd = .allocate(capacity: size / BlockForm.block + 1)
        // A line writes 64 bytes, however few of them are kept.
        record = .allocate(capacity: bytes + Self.line)
        record.initialize(repeating: 0, count: bytes + Self.line)
    }

    func deallocate() {
        lines?.deallocate()
        blocks?.deallocate()
        odd.deallocate()
        record.deallocate()
    }

    /// The record that was last packed; its head is without meaning.
    var packed: UnsafeRawPointer { UnsafeRawPointer(record) }

    /// Packs the memory of a device.
    ///
    /// - Parameters:
    ///   - image, common: on whole lines of the cache.
    ///   - differing: called for each run of words of which some byte differs that is not kept: its first word, and how many there are.
    func pack(_ image: UnsafePointer<UInt64>, _ common: UnsafePointer<UInt64>, differing: (_ word: Int, _ count: Int) -> Void) {
        let image = UnsafeRawPointer(image).assumingMemoryBound(to: UInt8.self)
        let common = UnsafeRawPointer(common).assumingMemoryBound(to: UInt8.self)
        if let lines { lines.pack(image, common, record, odd, differing) } else { blocks?.pack(image, common, record, odd, differing) }
    }

    /// Sets the bytes of a device that a record holds, in memory whose other bytes are common; `SnapshotTemplate.readBehind` bytes behind the record can be read.
    func unpack(_ record: UnsafeRawPointer, _ common: UnsafePointer<UInt64>, into image: UnsafeMutablePointer<UInt64>) {
        let record = record.assumingMemoryBound(to: UInt8.self)
        let image = UnsafeMutableRawPointer(image).assumingMemoryBound(to: UInt8.self)
        if let lines { lines.unpack(record, into: image) } else { blocks?.unpack(record, UnsafeRawPointer(common).assumingMemoryBound(to: UInt8.self), into: image) }
    }
}

/// A form by lines of 64 bytes, of each a mask of the bytes that are kept.
private struct LineForm {
    /// Lines of which some bytes are kept, then those of which none is: their positions, and the places of the former in the record.
    private let positions: IndexList
    private let offsets: IndexList
    private let kept, match: UnsafeMutablePointer<UInt64>
    private let packed: Int

    init(size: Int, isPadding: (_ byte: Int) -> Bool, isKept: (_ byte: Int) -> Bool) {
        let masks = stride(from: 0, to: size, by: RecordForm.line).map { position in
            var (kept, padding): (UInt64, UInt64) = (0, 0)
            for byte in 0..<RecordForm.line {
                if isKept(position + byte) { kept |= 1 << UInt64(byte) }
                if isPadding(position + byte) { padding |= 1 << UInt64(byte) }
            }
            return (position: Int32(position), kept: kept, match: ~(kept | padding))
        }
        let ordered = masks.filter { $0.kept != 0 } + masks.filter { $0.kept == 0 }
        (kept, match) = (.allocate(capacity: ordered.count), .allocate(capacity: ordered.count))
        var (positions, offsets) = (IndexList(), IndexList())
        var end = RecordForm.head
        for (place, mask) in ordered.enumerated() {
            positions.append(mask.position)
            offsets.append(Int32(end))
            (kept + place).initialize(to: mask.kept)
            (match + place).initialize(to: mask.match)
            end += mask.kept.nonzeroBitCount
        }
        (self.positions, self.offsets) = (positions, offsets)
        packed = masks.count { $0.kept != 0 }
    }

    func deallocate() {
        for list in [positions, offsets] { list.deallocate() }
        kept.deallocate()
        match.deallocate()
    }

    func pack(
        _ image: UnsafePointer<UInt8>, _ common: UnsafePointer<UInt8>, _ record: UnsafeMutablePointer<UInt8>, _ odd: UnsafeMutablePointer<Int32>,
        _ differing: (_ word: Int, _ count: Int) -> Void
    ) {
        let found = words_pack_lines(image, common, positions.positions, offsets.positions, kept, match, packed, positions.count, record, odd)
        for place in 0..<found { differing(positions[Int(odd[place])] / 8, RecordForm.line / 8) }
    }

    func unpack(_ record: UnsafePointer<UInt8>, into image: UnsafeMutablePointer<UInt8>) {
        words_unpack_lines(record, positions.positions, offsets.positions, kept, packed, image)
    }
}

/// A form by blocks of 32 bytes, two halves, which one instruction packs or unpacks. A block of which no byte is kept is only compared with the common one, two of
/// them side by side as one span where every byte is part of a field.
private struct BlockForm {
    /// Blocks of which some bytes are kept, then single ones of which none is: their positions, and the places of the bytes of each half in the record.
    private let positions, offsets: IndexList
    /// The tables of `CWords`, 32 bytes of each for a block.
    private let packs, unpacks, matches: UnsafeMutablePointer<UInt8>
    private let keptBlocks: Int
    /// Spans of which nothing is kept.
    private let spans: IndexList
    private let isWide: Bool

    private static let half = 16
    static let block = 2 * half
    private static let span = 2 * block
    private static let nowhere: UInt8 = 0x80

    init(size: Int, isWide: Bool, isPadding: (_ byte: Int) -> Bool, isKept: (_ byte: Int) -> Bool) {
        self.isWide = isWide
        // Which blocks have a place of their own, those of which something is kept before the others, and which are compared two at a time.
        var keeping: [(position: Int, kept: [Int])] = []
        var single: [(position: Int, kept: [Int])] = []
        var spans = IndexList()
        var position = 0
        func keptBytes(_ position: Int) -> [Int] { (0..<Self.block).filter { isKept(position + $0) } }
        func isWhole(_ position: Int) -> Bool { !(position..<position + Self.span).contains(where: isPadding) }
        while position < size {
            let kept = keptBytes(position)
            if kept.isEmpty, position + Self.span <= size, keptBytes(position + Self.block).isEmpty, isWhole(position) {
                spans.append(Int32(position))
                position += Self.span
                continue
            }
            if kept.isEmpty { single.append((position, kept)) } else { keeping.append((position, kept)) }
            position += Self.block
        }
        keptBlocks = keeping.count
        var layout = Layout(blocks: keeping.count + single.count)
        for (position, kept) in keeping + single { layout.place(block: position, keeping: kept, isPadding: isPadding) }
        self.spans = spans
        (positions, offsets) = (layout.positions, layout.offsets)
        (packs, unpacks, matches) = (layout.packs, layout.unpacks, layout.matches)
    }

    /// Where blocks go, one after another.
    private struct Layout {
        var positions = IndexList(), offsets = IndexList()
        let packs, unpacks, matches: UnsafeMutablePointer<UInt8>
        private var end = RecordForm.head

        /// - Parameter blocks: how many are placed.
        init(blocks: Int) {
            let size = max(1, blocks) * BlockForm.block
            func table() -> UnsafeMutablePointer<UInt8> {
                UnsafeMutableRawPointer.allocate(byteCount: size, alignment: BlockForm.span).bindMemory(to: UInt8.self, capacity: size)
            }
            (packs, unpacks, matches) = (table(), table(), table())
        }

        mutating func place(block position: Int, keeping kept: [Int], isPadding: (_ byte: Int) -> Bool) {
            let place = BlockForm.block * positions.count
            for byte in 0..<BlockForm.block {
                (packs[place + byte], unpacks[place + byte], matches[place + byte]) = (BlockForm.nowhere, BlockForm.nowhere, isPadding(position + byte) ? 0 : .max)
            }
            positions.append(Int32(position))
            for half in [0, BlockForm.half] {
                let ofHalf = kept.filter { (half..<half + BlockForm.half).contains($0) }
                for (inRecord, inBlock) in ofHalf.enumerated() {
                    packs[place + half + inRecord] = UInt8(inBlock - half)
                    unpacks[place + inBlock] = UInt8(inRecord)
                    matches[place + inBlock] = 0
                }
                offsets.append(Int32(end))
                end += ofHalf.count
            }
        }
    }

    func deallocate() {
        packs.deallocate()
        unpacks.deallocate()
        matches.deallocate()
        for list in [positions, offsets, spans] { list.deallocate() }
    }

    func pack(
        _ image: UnsafePointer<UInt8>, _ common: UnsafePointer<UInt8>, _ record: UnsafeMutablePointer<UInt8>, _ odd: UnsafeMutablePointer<Int32>,
        _ differing: (_ word: Int, _ count: Int) -> Void
    ) {
        let blocks = words_pack_blocks(image, common, positions.positions, offsets.positions, packs, matches, keptBlocks, record, odd, isWide)
        for place in 0..<blocks { differing(positions[Int(odd[place])] / 8, Self.block / 8) }
        let others = words_differing_blocks(
            image, common, positions.positions + keptBlocks, matches + Self.block * keptBlocks, positions.count - keptBlocks, odd, isWide)
        for place in 0..<others { differing(positions[keptBlocks + Int(odd[place])] / 8, Self.block / 8) }
        let spans = words_differing_spans(image, common, self.spans.positions, self.spans.count, odd, isWide)
        for place in 0..<spans { differing(self.spans[Int(odd[place])] / 8, Self.span / 8) }
    }

    func unpack(_ record: UnsafePointer<UInt8>, _ common: UnsafePointer<UInt8>, into image: UnsafeMutablePointer<UInt8>) {
        words_unpack_blocks(record, common, positions.positions, offsets.positions, unpacks, keptBlocks, image, isWide)
    }
}

/// Places in a device's memory or in a record, in memory of its own.
struct IndexList {
    private(set) var positions: UnsafeMutablePointer<Int32>
    private var capacity: Int
    var count = 0

    init() {
        capacity = 64
        positions = .allocate(capacity: capacity)
    }

    func deallocate() { positions.deallocate() }

    subscript(place: Int) -> Int { @inline(__always) get { Int(truncatingIfNeeded: positions[place]) } }

    mutating func append(_ position: Int32) {
        if count == capacity {
            let larger = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * capacity)
            larger.update(from: positions, count: count)
            positions.deallocate()
            (positions, capacity) = (larger, 2 * capacity)
        }
        positions[count] = position
        count += 1
    }
}
