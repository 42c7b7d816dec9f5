/// Where the words of a device stand in its record: those that take all eight bytes, and those of which six, four or one say how they differ from the others'.
struct RecordForm {
    private var eights = PositionList()
    private var sixes = PositionList()
    private var fours = PositionList()
    private var ones = PositionList()
    /// The bytes of a record with its head, which is a word; a multiple of eight.
    let bytes: Int
    /// Room for a record that is put together.
    private let record: UnsafeMutableRawPointer
    private let sixesAt, foursAt, upperSixesAt, onesAt: Int

    /// A form without any word.
    init() { self.init([]) { _ in 8 } }

    /// - Parameters:
    ///   - positions: of words.
    ///   - width: how many bytes of the one at a position differ at most.
    init(_ positions: [Int], width: (Int) -> Int) {
        for position in positions {
            switch width(position) {
            case 0...1: ones.append(Int32(position))
            case 2...4: fours.append(Int32(position))
            case 5...6: sixes.append(Int32(position))
            default: eights.append(Int32(position))
            }
        }
        sixesAt = 8 + 8 * eights.count
        foursAt = sixesAt + 4 * sixes.count
        upperSixesAt = foursAt + 4 * fours.count
        onesAt = upperSixesAt + 2 * sixes.count
        bytes = (onesAt + ones.count + 7) / 8 * 8
        record = .allocate(byteCount: bytes, alignment: 64)
        record.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    }

    func deallocate() {
        record.deallocate()
        for list in [eights, sixes, fours, ones] { list.deallocate() }
    }

    /// The record that was last gathered; its head is without meaning.
    var gathered: UnsafeRawPointer { UnsafeRawPointer(record) }

    /// Puts the words of a device together.
    ///
    /// - Returns: whether all differ in no more bytes than they have room for.
    func gather(_ image: UnsafePointer<UInt64>, _ common: UnsafePointer<UInt64>) -> Bool {
        for place in 0..<eights.count { record.storeBytes(of: image[eights[place]], toByteOffset: 8 &+ 8 &* place, as: UInt64.self) }
        var beyond: UInt64 = 0
        let (sixesRecord, upperRecord) = (record + sixesAt, record + upperSixesAt)
        for place in 0..<sixes.count {
            let difference = image[sixes[place]] ^ common[sixes[place]]
            sixesRecord.storeBytes(of: UInt32(truncatingIfNeeded: difference), toByteOffset: 4 &* place, as: UInt32.self)
            upperRecord.storeBytes(of: UInt16(truncatingIfNeeded: difference &>> 32), toByteOffset: 2 &* place, as: UInt16.self)
            beyond |= difference &>> 48
        }
        let foursRecord = record + foursAt
        for place in 0..<fours.count {
            let difference = image[fours[place]] ^ common[fours[place]]
            foursRecord.storeBytes(of: UInt32(truncatingIfNeeded: difference), toByteOffset: 4 &* place, as: UInt32.self)
            beyond |= difference &>> 32
        }
        let onesRecord = record + onesAt
        for place in 0..<ones.count {
            let difference = image[ones[place]] ^ common[ones[place]]
            onesRecord.storeBytes(of: UInt8(truncatingIfNeeded: difference), toByteOffset: place, as: UInt8.self)
            beyond |= difference &>> 8
        }
        return beyond == 0
    }

    /// Calls for the position of each word that differs in more bytes than it has room for.
    func forEachTooWide(_ image: UnsafePointer<UInt64>, _ common: UnsafePointer<UInt64>, _ body: (Int) -> Void) {
        for (list, bits) in [(sixes, 48), (fours, 32), (ones, 8)] as [(PositionList, UInt64)] {
            for place in 0..<list.count where (image[list[place]] ^ common[list[place]]) >> bits != 0 { body(list[place]) }
        }
    }

    /// Sets the words of a device that a record holds.
    func scatter(_ record: UnsafeRawPointer, _ common: UnsafePointer<UInt64>, into image: UnsafeMutablePointer<UInt64>) {
        for place in 0..<eights.count { image[eights[place]] = record.load(fromByteOffset: 8 &+ 8 &* place, as: UInt64.self) }
        let (sixesRecord, upperRecord) = (record + sixesAt, record + upperSixesAt)
        for place in 0..<sixes.count {
            let lower = UInt64(sixesRecord.load(fromByteOffset: 4 &* place, as: UInt32.self))
            let upper = UInt64(upperRecord.load(fromByteOffset: 2 &* place, as: UInt16.self))
            image[sixes[place]] = common[sixes[place]] ^ (lower | upper &<< 32)
        }
        let foursRecord = record + foursAt
        for place in 0..<fours.count {
            image[fours[place]] = common[fours[place]] ^ UInt64(foursRecord.load(fromByteOffset: 4 &* place, as: UInt32.self))
        }
        let onesRecord = record + onesAt
        for place in 0..<ones.count {
            image[ones[place]] = common[ones[place]] ^ UInt64(onesRecord.load(fromByteOffset: place, as: UInt8.self))
        }
    }
}

/// Positions of words, in memory of its own.
struct PositionList {
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
