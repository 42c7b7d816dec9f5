import Basics
import CWords
import Statistics

/// A suspended device as its partition knows it: when it acts by itself, and how soon it reacts to an answer.
struct PendingDevice: BitwiseCopyable {
    /// When it wants to be touched though nothing has been decided for it; `longAgo` for one that waits for nothing else than an answer, `never` for one whose
    /// simulation is over or that nobody has.
    fileprivate(set) var wakeAt: Instant
    fileprivate var reactionSeconds: UInt16
    /// The round of answers in which one for it was held last. The thread that holds answers writes it, the one that simulates the device writes the others.
    fileprivate var heldIn: UInt32 = 0

    static var over: PendingDevice { PendingDevice(wakeAt: .never) }

    /// - Parameter reaction: the least that passes between the answer that it waits for and what it does because of it; less than a second of it is lost.
    init(wakeAt: Instant, reaction: Duration = .zero) {
        self.wakeAt = wakeAt
        reactionSeconds = UInt16(clamping: reaction.microseconds / 1_000_000)
    }

    fileprivate init(wakeAt: Instant, reactionSeconds: UInt16) { (self.wakeAt, self.reactionSeconds) = (wakeAt, reactionSeconds) }

    /// The least that passes between an answer and what the device does because of it, in whole seconds.
    var reaction: Duration { .seconds(Int64(reactionSeconds)) }

    /// When it does something by itself; `never` if it does not before the end.
    var actsAt: Instant { wakeAt == .longAgo ? .never : wakeAt }

    var isOver: Bool { wakeAt == .never }
}

/// The pending-device records of a partition's devices, by their places: a decision about a suspended device reads one line of the cache.
final class PendingDeviceTable {
    private let pendingDevices: UnsafeMutablePointer<PendingDevice>
    let count: Int

    /// A table of devices that nobody has.
    init(count: Int) {
        self.count = count
        pendingDevices = LargeMemory.allocate(byteCount: MemoryLayout<PendingDevice>.stride * count, for: "the devices that wait")
            .bindMemory(to: PendingDevice.self, capacity: count)
        pendingDevices.initialize(repeating: .over, count: count)
    }

    deinit { LargeMemory.free(pendingDevices) }

    /// As the thread that simulates the device has left it, without the round of an answer, which another one may be writing.
    subscript(index: Int) -> PendingDevice {
        get { PendingDevice(wakeAt: place(index).pointee.wakeAt, reactionSeconds: place(index).pointee.reactionSeconds) }
        set { (place(index).pointee.wakeAt, place(index).pointee.reactionSeconds) = (newValue.wakeAt, newValue.reactionSeconds) }
    }

    /// The round in which an answer for a device was held last; 0 for none.
    func heldIn(_ index: Int) -> UInt32 { place(index).pointee.heldIn }
    func hold(_ index: Int, in round: UInt32) { place(index).pointee.heldIn = round }

    private func place(_ index: Int) -> UnsafeMutablePointer<PendingDevice> {
        precondition(index >= 0 && index < count, "no place \(index) among \(count)")
        return pendingDevices + index
    }

    /// A device's pending-device record is read soon.
    func expect(_ index: Int) { words_prefetch(pendingDevices + index, 1) }
}
