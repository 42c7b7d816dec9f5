import Measures

/// The states of devices at rest, each in as many bytes as it needs, up to the next multiple of sixteen.
///
/// A state's length differs a little from rest to rest. Places of one length are carved out of large blocks and used again for others of that
/// length, so that nothing is lost to an allocator's own notes.
final class RestStore {
    private let records: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let count: Int
    /// The first place of each length that is free; each holds the address of the next.
    private var free: [UnsafeMutableRawPointer?] = Array(repeating: nil, count: 64)
    private var blocks: [UnsafeMutableRawPointer] = []
    /// What is left of the last block.
    private var rest: UnsafeMutableRawPointer
    private var restBytes = 0
    private var bytes = 0
    private var resting = 0
    /// The most bytes that states took at one time, and how many devices rested then.
    private(set) var most = (bytes: 0, devices: 0)

    private static let grain = 16
    private static let mostSpare = 4
    private static let blockBytes = 1 << 20
    /// The record's own length in grains comes first, and a reader may look at some bytes behind the end.
    private static let head = 2
    private static let overhead = head + 8
    /// More than any state takes, and less than a block.
    private static let mostGrains = 60_000

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

    /// All bytes that a device's state may lie in; none of one that does not rest.
    func bytes(of device: Int) -> UnsafeRawBufferPointer {
        guard let record = records[device] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: record + Self.head, count: length(record) * Self.grain - Self.head)
    }

    /// Keeps a state in place of the device's last one.
    func keep(_ state: UnsafeRawBufferPointer, of device: Int) {
        let grains = (state.count + Self.overhead + Self.grain - 1) / Self.grain
        var record = records[device]
        // A place that is a little too long is kept: states grow and shrink from rest to rest.
        let held = length(record)
        if grains > held || grains + Self.mostSpare < held {
            if let record { give(record) } else { resting += 1 }
            let place = take(grains)
            records[device] = place
            record = place
            if bytes > most.bytes { most = (bytes, resting) }
        }
        (record! + Self.head).copyMemory(from: state.baseAddress!, byteCount: state.count)
    }

    /// The device's life is over.
    func forget(_ device: Int) {
        guard let record = records[device] else { return }
        give(record)
        resting -= 1
        records[device] = nil
    }

    /// Writes down the state of a device at rest, or reads back that of one that has none yet.
    func code(_ device: Int, _ stream: StateStream) throws(StateProblem) {
        var grains = UInt16(length(records[device]))
        try stream.code(&grains)
        if grains == 0 { throw StateProblem("a device at rest without a state") }
        if stream.isReading {
            if Int(grains) > Self.mostGrains { throw StateProblem("a device at rest in \(grains) places") }
            precondition(records[device] == nil, "device \(device) rests twice")
            records[device] = take(Int(grains))
            resting += 1
            if bytes > most.bytes { most = (bytes, resting) }
        }
        try stream.code(
            bytes: UnsafeMutableRawBufferPointer(start: records[device]! + Self.head, count: Int(grains) * Self.grain - Self.head))
    }

    private func length(_ record: UnsafeMutableRawPointer?) -> Int { record.map { Int($0.load(as: UInt16.self)) } ?? 0 }

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
            place.storeBytes(of: UInt16(length), as: UInt16.self)
            return place
        }
        bytes += grains * Self.grain
        let needed = grains * Self.grain
        if restBytes < needed {
            restBytes = max(Self.blockBytes, needed)
            rest = LargeMemory.allocate(byteCount: restBytes, alignment: Self.grain, for: "the devices that wait")
            blocks.append(rest)
        }
        rest.storeBytes(of: UInt16(grains), as: UInt16.self)
        defer {
            rest += needed
            restBytes -= needed
        }
        return rest
    }
}
