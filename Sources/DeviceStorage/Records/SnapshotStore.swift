import CWords
import Statistics

/// The states of suspended devices, each in about as many bytes as it needs.
///
/// A state's length differs a little from one suspension to the next, and in some scenarios all of them grow: while
/// requests fail, say. Lengths fall into classes. The places of a class lie side by side in pages without a gap: where
/// a state leaves, the last of its class moves in, and a page that becomes empty serves another class. So no memory is
/// lost to lengths that nothing has any more.
package final class SnapshotStore {
    private let records: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>
    private var classes: [LengthClass] = []
    private var pages = PagePool()
    private var bytes = 0
    private var resting = 0
    /// The most bytes that states took at one time, and how many devices were suspended then.
    package private(set) var most = (bytes: 0, devices: 0)

    /// Places are whole lines of the cache.
    private static let grain = 64
    /// A class is longer than the one before it by one part in so many, and a new place has at least as much room to
    /// grow.
    private static let share = 16
    /// A state stays where it is while it would need no class that is shorter by more than so many.
    private static let spareClasses = 3
    /// The record's class and its device come first.
    private static let head = 8

    /// Places of one length.
    private struct LengthClass {
        let bytes: Int
        /// A state of fewer bytes, with its head, leaves.
        let least: Int
        let pageUnits: Int
        var pages: [UnsafeMutableRawPointer] = []
        var count = 0

        init(bytes: Int, least: Int) {
            (self.bytes, self.least) = (bytes, least)
            pageUnits = (Self.fewestPlaces * bytes + SnapshotTemplate.readBehind + PagePool.unit - 1) / PagePool.unit
        }

        private static let fewestPlaces = 8

        /// A page also holds the bytes that are read behind its last place.
        private var perPage: Int { (pageUnits * PagePool.unit - SnapshotTemplate.readBehind) / bytes }
        var isFull: Bool { count == pages.count * perPage }
        /// Whether the last two pages are empty: one stays, for a class that grows and shrinks by turns.
        var hasPageToGive: Bool { count + 2 * perPage <= pages.count * perPage }

        func place(_ number: Int) -> UnsafeMutableRawPointer { pages[number / perPage] + number % perPage * bytes }
    }

    /// The first word of a place.
    private struct Head {
        let number, device: Int

        init(number: Int, device: Int) { (self.number, self.device) = (number, device) }

        init(of place: UnsafeMutableRawPointer) {
            self.init(
                number: Int(truncatingIfNeeded: place.load(as: UInt32.self)),
                device: Int(truncatingIfNeeded: place.load(fromByteOffset: 4, as: UInt32.self)))
        }

        func store(in place: UnsafeMutableRawPointer) {
            place.storeBytes(of: UInt32(truncatingIfNeeded: number), as: UInt32.self)
            place.storeBytes(of: UInt32(truncatingIfNeeded: device), toByteOffset: 4, as: UInt32.self)
        }
    }

    /// - Parameter count: how many devices there are, suspended or not.
    package init(count: Int) {
        let bytes = MemoryLayout<UnsafeMutableRawPointer?>.stride * count
        let memory = LargeMemory.allocate(byteCount: max(1, bytes), for: "the devices that wait")
        records = UnsafeMutableRawBufferPointer(start: memory, count: bytes).bindMemory(
            to: UnsafeMutableRawPointer?.self)
        records.initialize(repeating: nil)
    }

    deinit {
        pages.deallocate()
        if let memory = records.baseAddress { LargeMemory.free(memory) }
    }

    /// The state of a suspended device. It can move when another one is given room.
    package func state(of device: Int) -> UnsafeRawPointer {
        guard let record = records[device] else { preconditionFailure("device \(device) is not suspended") }
        return UnsafeRawPointer(record + Self.head)
    }

    /// Where a device's state lies, or the state itself, is read soon.
    package func expect(_ device: Int, _ expectation: Expectation) {
        switch expectation {
        case .soon: words_prefetch(records.baseAddress! + device, 1)
        case .next:
            guard let record = records[device] else { return }
            words_prefetch(record, expectedLines)
        }
    }

    /// The cache lines of a usual state.
    private var expectedLines = 1

    /// The bytes that states take now, with room to grow, and how many devices are suspended.
    package var present: (bytes: Int, devices: Int) { (bytes, resting) }

    /// The memory that is held for states.
    var heldBytes: Int { pages.heldBytes }

    /// Whether a device is suspended.
    package func contains(_ device: Int) -> Bool { records[device] != nil }

    /// Room for a state in place of the device's last one, which is lost.
    package func room(forBytes count: Int, of device: Int) -> UnsafeMutableRawBufferPointer {
        let needed = Self.head + count
        if let record = records[device] {
            let number = Head(of: record).number
            if needed <= classes[number].bytes && needed >= classes[number].least {
                return UnsafeMutableRawBufferPointer(start: record + Self.head, count: count)
            }
            give(record, number)
        } else {
            resting += 1
        }
        let place = take(numberOfClass(for: needed), device)
        records[device] = place
        if bytes > most.bytes {
            most = (bytes, resting)
            expectedLines = bytes / resting / Self.grain + 1
        }
        return UnsafeMutableRawBufferPointer(start: place + Self.head, count: count)
    }

    /// The device's simulation is over.
    package func forget(_ device: Int) {
        guard let record = records[device] else { return }
        give(record, Head(of: record).number)
        resting -= 1
        records[device] = nil
    }

    /// The class in which a state has room to grow. States of a class that is first needed may be longer than any
    /// before.
    private func numberOfClass(for needed: Int) -> Int {
        let wanted = needed + needed / Self.share
        while classes.last.map({ $0.bytes < wanted }) ?? true {
            let last = classes.last?.bytes ?? 0
            let bytes = (max(last + last / Self.share, last + Self.grain) + Self.grain - 1) / Self.grain * Self.grain
            let shorter = classes.count - Self.spareClasses - 1
            classes.append(LengthClass(bytes: bytes, least: shorter < 0 ? 0 : classes[shorter].bytes))
        }
        var (low, high) = (0, classes.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if classes[middle].bytes < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func take(_ number: Int, _ device: Int) -> UnsafeMutableRawPointer {
        if classes[number].isFull { classes[number].pages.append(pages.take(units: classes[number].pageUnits)) }
        let place = classes[number].place(classes[number].count)
        classes[number].count += 1
        bytes += classes[number].bytes
        Head(number: number, device: device).store(in: place)
        return place
    }

    private func give(_ place: UnsafeMutableRawPointer, _ number: Int) {
        classes[number].count -= 1
        bytes -= classes[number].bytes
        let last = classes[number].place(classes[number].count)
        if last != place {
            place.copyMemory(from: last, byteCount: classes[number].bytes)
            records[Head(of: place).device] = place
        }
        if classes[number].hasPageToGive {
            pages.give(classes[number].pages.removeLast(), units: classes[number].pageUnits)
        }
    }
}

/// Pages of memory, each of some units, that are used again once they are given back.
private struct PagePool {
    /// Bytes.
    static let unit = 1 << 16

    private var blocks: [UnsafeMutableRawPointer] = []
    /// By the units of a page.
    private var free: [Int: [UnsafeMutableRawPointer]] = [:]
    /// The unused end of the last block.
    private var rest: UnsafeMutableRawPointer?
    private var freeUnits = 0
    private(set) var heldBytes = 0

    /// A new block is as large as one part of so many of all before it.
    private static let blockShare = 16
    /// Small fleets have small blocks.
    private static let firstBlock = 4 * unit

    mutating func take(units: Int) -> UnsafeMutableRawPointer {
        if let page = free[units]?.popLast() { return page }
        if freeUnits < units {
            while freeUnits > 0, let page = rest { freeUnits = cut(page, 1) }
            let needed = max(
                units * Self.unit, heldBytes / Self.blockShare,
                min(LargeMemory.page, max(Self.firstBlock, heldBytes / 2)))
            // Large pages where a good part of one is used.
            let grain = needed > LargeMemory.page / 2 ? LargeMemory.page : Self.unit
            let bytes = (needed + grain - 1) / grain * grain
            let block = LargeMemory.allocate(byteCount: bytes, for: "the devices that wait")
            blocks.append(block)
            (rest, freeUnits) = (block, bytes / Self.unit)
            heldBytes += bytes
        }
        guard let page = rest else { preconditionFailure("a new block without pages") }
        rest = page + units * Self.unit
        freeUnits -= units
        return page
    }

    /// Makes free pages of one unit of what is too short for a longer one; returns the units that are left.
    private mutating func cut(_ page: UnsafeMutableRawPointer, _ units: Int) -> Int {
        give(page, units: units)
        rest = page + units * Self.unit
        return freeUnits - units
    }

    mutating func give(_ page: UnsafeMutableRawPointer, units: Int) { free[units, default: []].append(page) }

    func deallocate() { for block in blocks { LargeMemory.free(block) } }
}

/// How soon a device is resumed: after about as many others.
package enum Expectation: Int {
    /// Where its state lies is asked for, then the state.
    case soon = 6, next = 3
}
