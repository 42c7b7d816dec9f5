import CWords

/// Which bytes of a device's memory stand in its record, one after another: each as it differs from the byte that most devices have.
///
/// Memory is taken in blocks of 32 bytes, two halves, which one instruction packs or unpacks. A block of which no byte is kept is only compared with the common
/// one, two of them side by side as one span where every byte is part of a field.
struct RecordForm {
    /// Blocks of which some bytes are kept, then single ones of which none is: their positions, and the places of the bytes of each half in the record.
    private let positions, offsets: IndexList
    /// The tables of `CWords`, 32 bytes of each for a block.
    private let packs, unpacks, matches: UnsafeMutablePointer<UInt8>
    private let keptBlocks: Int
    /// Spans of which nothing is kept.
    private let spans: IndexList
    /// Blocks or spans that differ where they should not.
    private let odd: UnsafeMutablePointer<Int32>
    /// The bytes of a record with its head, which is a word; a multiple of eight.
    let bytes: Int
    /// Room for a record that is put together.
    private let record: UnsafeMutablePointer<UInt8>
    private let isWide: Bool

    private static let half = 16
    private static let block = 2 * half
    private static let span = 2 * block
    private static let head = 8
    private static let nowhere: UInt8 = 0x80

    /// - Parameters:
    ///   - words: of a device's memory; whole blocks.
    ///   - isKept: whether a byte of it is kept, by its number.
    ///   - isWide: whether the processor's wide registers are used; the records are the same.
    ///   - isPadding: whether a byte is part of no field: it is not compared.
    init(
        words: Int, isWide: Bool = words_are_wide(), isPadding: (_ byte: Int) -> Bool = { _ in false }, isKept: (_ byte: Int) -> Bool
    ) {
        let size = 8 * words
        precondition(size % Self.block == 0, "\(words) words are not whole blocks")
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
        odd = .allocate(capacity: size / Self.block + 1)
        bytes = (layout.end + 7) / 8 * 8
        // A half writes 16 bytes, however few of them are kept.
        record = .allocate(capacity: bytes + Self.half)
        record.initialize(repeating: 0, count: bytes + Self.half)
    }

    /// Where blocks go, one after another.
    private struct Layout {
        var positions = IndexList(), offsets = IndexList()
        let packs, unpacks, matches: UnsafeMutablePointer<UInt8>
        var end = RecordForm.head

        /// - Parameter blocks: how many are placed.
        init(blocks: Int) {
            let size = max(1, blocks) * RecordForm.block
            func table() -> UnsafeMutablePointer<UInt8> {
                UnsafeMutableRawPointer.allocate(byteCount: size, alignment: RecordForm.span).bindMemory(to: UInt8.self, capacity: size)
            }
            (packs, unpacks, matches) = (table(), table(), table())
        }

        mutating func place(block position: Int, keeping kept: [Int], isPadding: (_ byte: Int) -> Bool) {
            let place = RecordForm.block * positions.count
            for byte in 0..<RecordForm.block {
                (packs[place + byte], unpacks[place + byte], matches[place + byte]) = (RecordForm.nowhere, RecordForm.nowhere, isPadding(position + byte) ? 0 : .max)
            }
            positions.append(Int32(position))
            for half in [0, RecordForm.half] {
                let ofHalf = kept.filter { (half..<half + RecordForm.half).contains($0) }
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
        odd.deallocate()
        record.deallocate()
        for list in [positions, offsets, spans] { list.deallocate() }
    }

    /// The record that was last packed; its head is without meaning.
    var packed: UnsafeRawPointer { UnsafeRawPointer(record) }

    /// Packs the memory of a device.
    ///
    /// - Parameter differing: called for each run of words of which some byte differs that is not kept: its first word, and how many there are.
    func pack(_ image: UnsafePointer<UInt64>, _ common: UnsafePointer<UInt64>, differing: (_ word: Int, _ count: Int) -> Void) {
        let image = UnsafeRawPointer(image).assumingMemoryBound(to: UInt8.self)
        let common = UnsafeRawPointer(common).assumingMemoryBound(to: UInt8.self)
        let blocks = words_pack_blocks(image, common, positions.positions, offsets.positions, packs, matches, keptBlocks, record, odd, isWide)
        for place in 0..<blocks { differing(positions[Int(odd[place])] / 8, Self.block / 8) }
        let others = words_differing_blocks(
            image, common, positions.positions + keptBlocks, matches + Self.block * keptBlocks, positions.count - keptBlocks, odd, isWide)
        for place in 0..<others { differing(positions[keptBlocks + Int(odd[place])] / 8, Self.block / 8) }
        let spans = words_differing_spans(image, common, self.spans.positions, self.spans.count, odd, isWide)
        for place in 0..<spans { differing(self.spans[Int(odd[place])] / 8, Self.span / 8) }
    }

    /// Sets the blocks of a device that a record holds; 16 bytes behind the record can be read.
    func unpack(_ record: UnsafeRawPointer, _ common: UnsafePointer<UInt64>, into image: UnsafeMutablePointer<UInt64>) {
        words_unpack_blocks(
            record.assumingMemoryBound(to: UInt8.self), UnsafeRawPointer(common).assumingMemoryBound(to: UInt8.self), positions.positions,
            offsets.positions, unpacks, keptBlocks, UnsafeMutableRawPointer(image).assumingMemoryBound(to: UInt8.self), isWide)
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
