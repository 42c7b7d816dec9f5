import CWords
import Measures

/// The states of devices at rest, each in about as many bytes as it needs.
///
/// A state's length differs a little from rest to rest. Places of one length are carved out of large blocks and used again for others of that
/// length, so that nothing is lost to an allocator's own notes.
final class RestStore {
    private let records: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let count: Int
    /// The first place of each length that is free; each holds the address of the next.
    private var free: [UnsafeMutableRawPointer?] = Array(repeating: nil, count: 64)
    private var blocks: [UnsafeMutableRawPointer] = []
    /// The unused end of the last block.
    private var rest: UnsafeMutableRawPointer
    private var restBytes = 0
    private var bytes = 0
    private var resting = 0
    /// The most bytes that states took at one time, and how many devices rested then.
    private(set) var most = (bytes: 0, devices: 0)

    private static let grain = 16
    private static let mostSpare = 32
    /// A new place is longer than its state by one part in this many.
    private static let spareShare = 10
    /// A new block is as large as one part of so many of the records before it, in large pages.
    private static let blockShare = 8
    /// The record's own length in grains comes first, in a word of its own.
    private static let head = 8

    init(count: Int) {
        self.count = count
        records = LargeMemory.allocate(byteCount: MemoryLayout<UnsafeMutableRawPointer?>.stride * max(1, count), for: "the devices that wait")
            .bindMemory(to: UnsafeMutableRawPointer?.self, capacity: max(1, count))
        records.initialize(repeating: nil, count: max(1, count))
        rest = LargeMemory.allocate(byteCount: Self.grain, alignment: Self.grain, for: "the devices that wait")
        blocks.append(rest)
    }

    deinit {
        for block in blocks { LargeMemory.free(block) }
        LargeMemory.free(records)
    }

    /// The state of a device at rest.
    func state(of device: Int) -> UnsafeRawPointer {
        guard let record = records[device] else { preconditionFailure("device \(device) does not rest") }
        return UnsafeRawPointer(record + Self.head)
    }

    /// Where a device's state lies, or the state itself, is read soon.
    func expect(_ device: Int, _ expectation: Expectation) {
        switch expectation {
        case .soon: words_prefetch(records + device, 1)
        case .next:
            guard let record = records[device] else { return }
            words_prefetch(record, expectedLines)
        }
    }

    /// The cache lines of a usual state.
    private var expectedLines: Int { most.bytes / max(1, most.devices) / 64 + 1 }

    /// Whether a device rests.
    func holds(_ device: Int) -> Bool { records[device] != nil }

    /// Room for a state in place of the device's last one, which is lost.
    func room(forBytes count: Int, of device: Int) -> UnsafeMutableRawPointer {
        let grains = (Self.head + count + Self.grain - 1) / Self.grain
        // A place that is a little too long is kept: states grow and shrink from rest to rest.
        if let record = records[device] {
            let held = length(record)
            if grains <= held && held <= grains + Self.mostSpare { return record + Self.head }
            give(record)
        } else {
            resting += 1
        }
        // And room to grow: what has been left is of little use to others, that grow too.
        let place = take(grains + grains / Self.spareShare)
        records[device] = place
        if bytes > most.bytes { most = (bytes, resting) }
        return place + Self.head
    }

    /// The device's life is over.
    func forget(_ device: Int) {
        guard let record = records[device] else { return }
        give(record)
        resting -= 1
        records[device] = nil
    }

    private func length(_ record: UnsafeMutableRawPointer?) -> Int { record.map { Int($0.load(as: UInt32.self)) } ?? 0 }

    private func give(_ record: UnsafeMutableRawPointer) {
        let grains = length(record)
        bytes -= grains * Self.grain
        record.storeBytes(of: free[grains], as: UnsafeMutableRawPointer?.self)
        free[grains] = record
    }

    private func take(_ grains: Int) -> UnsafeMutableRawPointer {
        while grains + Self.mostSpare >= free.count { free.append(nil) }
        for length in grains...grains + Self.mostSpare {
            guard let place = free[length] else { continue }
            free[length] = place.load(as: UnsafeMutableRawPointer?.self)
            bytes += length * Self.grain
            place.storeBytes(of: UInt32(length), as: UInt32.self)
            return place
        }
        bytes += grains * Self.grain
        let needed = grains * Self.grain
        if restBytes < needed {
            let pages = (max(bytes / Self.blockShare, needed + RestTemplate.readBehind) + LargeMemory.page - 1) / LargeMemory.page
            rest = LargeMemory.allocate(byteCount: pages * LargeMemory.page, for: "the devices that wait")
            // The bytes that are read behind the last record belong to the block, too.
            restBytes = pages * LargeMemory.page - RestTemplate.readBehind
            blocks.append(rest)
        }
        rest.storeBytes(of: UInt32(grains), as: UInt32.self)
        defer {
            rest += needed
            restBytes -= needed
        }
        return rest
    }
}
