import Basics
import CWords
import Statistics

/// The objects that edges keep or fetch, one a region, endpoint and content key (S2). One that an edge has no room for
/// loses its content; its number stays.
struct EdgeObjects: ~Copyable {
    struct Object: BitwiseCopyable {
        let key: Int64
        /// Long ago if there is no content.
        var freshUntil: Instant = .longAgo
        var madeAt: Instant = .start
        /// The fetch that later requests may wait for: the one that others collapse into, or the revalidation.
        var fetch = PendingRequest.none
        let endpoint, region: UInt16
        var hasContent = false
        /// Bytes of the content, as in `ServerTicket`.
        var size = ServerTicket.standardSize
    }

    /// The table by hash: the upper half of the hash and the object's number, or `empty`. At most half of it is taken,
    /// and it is looked through from the hash's place on.
    private var slots: UnsafeMutablePointer<UInt64>
    private var slotCount = 2048
    private var objects: UnsafeMutablePointer<Object>
    private var capacity = 1024
    private(set) var count = 0

    private static let empty = UInt64.max

    init() {
        slots = .large(capacity: slotCount, for: "what edges keep")
        slots.initialize(repeating: Self.empty, count: slotCount)
        objects = .large(capacity: capacity, for: "what edges keep")
    }

    deinit {
        LargeMemory.free(slots)
        LargeMemory.free(objects)
    }

    subscript(index: UInt32) -> Object {
        @inline(__always) unsafeAddress {
            assert(Int(index) < count, "no object \(index)")
            return UnsafePointer(objects + Int(index))
        }
        @inline(__always) unsafeMutableAddress {
            assert(Int(index) < count, "no object \(index)")
            return objects + Int(index)
        }
    }

    /// The number of an object, which is made without content if it is not there.
    @inline(__always)
    mutating func index(endpoint: UInt16, region: UInt16, key: Int64) -> UInt32 {
        let hash = Self.hash(endpoint: endpoint, region: region, key: key)
        var slot = slot(of: hash)
        while slots[slot] != Self.empty {
            if slots[slot] >> 32 == hash >> 32 {
                let index = UInt32(truncatingIfNeeded: slots[slot])
                let object = objects + Int(index)
                if object.pointee.key == key && object.pointee.endpoint == endpoint && object.pointee.region == region {
                    return index
                }
            }
            slot = (slot + 1) & (slotCount - 1)
        }
        return insert(Object(key: key, endpoint: endpoint, region: region), hash, at: slot)
    }

    /// An object is asked for soon: its place by hash is.
    @inline(__always)
    func expectSlot(endpoint: UInt16, region: UInt16, key: Int64) {
        words_prefetch(slots + slot(of: Self.hash(endpoint: endpoint, region: region, key: key)), 1)
    }

    /// An object is asked for next, whose place by hash was asked for: the object that most probably is the one.
    @inline(__always)
    func expectObject(endpoint: UInt16, region: UInt16, key: Int64) -> UInt32? {
        let entry = slots[slot(of: Self.hash(endpoint: endpoint, region: region, key: key))]
        if entry == Self.empty { return nil }
        let index = UInt32(truncatingIfNeeded: entry)
        words_prefetch(objects + Int(index), 1)
        return index
    }

    /// Where the search for an object begins.
    @inline(__always)
    private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slotCount - 1) }

    private mutating func insert(_ object: Object, _ hash: UInt64, at slot: Int) -> UInt32 {
        if count == capacity { objects.doubleLarge(&capacity, count: count, for: "what edges keep") }
        precondition(count < PendingRequest.none, "too many objects at the edges: \(count)")
        (objects + count).initialize(to: object)
        slots[slot] = (hash >> 32) << 32 | UInt64(count)
        count += 1
        if count * 2 > slotCount { growSlots() }
        return UInt32(count - 1)
    }

    /// Which place an object has reaches no result.
    @inline(__always)
    private static func hash(endpoint: UInt16, region: UInt16, key: Int64) -> UInt64 {
        (UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15 &+ (UInt64(endpoint) << 16 | UInt64(region))).mixed
    }

    /// Writes the objects down, or reads them back into an empty table: every object keeps its number, since fetches
    /// name it.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        var written = count
        try stream.code(count: &written, of: Object.self)
        while capacity < written { objects.doubleLarge(&capacity, count: count, for: "what edges keep") }
        try stream.code(
            objects, count: written, limits: stream.isReading ? [ByteLimit(\Object.hasContent, of: Bool.self)] : [])
        if !stream.isReading { return }
        count = written
        while count * 2 > slotCount { growSlots() }
        for number in 0..<count {
            try stream.check(objects[number].freshUntil)
            try stream.check(objects[number].madeAt)
        }
        findPlaces()
    }

    private mutating func growSlots() {
        LargeMemory.free(slots)
        slotCount *= 2
        slots = .large(capacity: slotCount, for: "what edges keep")
        findPlaces()
    }

    /// Gives every object its place by hash.
    private mutating func findPlaces() {
        slots.update(repeating: Self.empty, count: slotCount)
        for index in 0..<count {
            let object = objects[index]
            let hash = Self.hash(endpoint: object.endpoint, region: object.region, key: object.key)
            var slot = slot(of: hash)
            while slots[slot] != Self.empty { slot = (slot + 1) & (slotCount - 1) }
            slots[slot] = (hash >> 32) << 32 | UInt64(index)
        }
    }
}
