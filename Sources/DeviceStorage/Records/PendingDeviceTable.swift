import Basics
import CWords
import Statistics

/// A suspended device as its partition knows it: when it acts by itself, and how soon it reacts to an answer.
package struct PendingDevice: BitwiseCopyable {
    /// When it has to be resumed though nothing has been decided for it; `longAgo` for one that waits for nothing
    /// else than an answer, `never` for one whose simulation is over or that nobody has.
    package fileprivate(set) var wakeAt: Instant
    fileprivate var reactionSeconds: UInt16
    /// The round of answers in which one for it was held last. The thread that holds answers writes it, the one that
    /// simulates the device writes the others.
    fileprivate var heldIn: UInt32 = 0

    package static var over: PendingDevice { PendingDevice(wakeAt: .never) }

    /// - Parameter reaction: the least that passes between the answer that it waits for and what it does because of it;
    ///   less than a second of it is lost.
    package init(wakeAt: Instant, reaction: Duration = .zero) {
        self.wakeAt = wakeAt
        reactionSeconds = UInt16(clamping: reaction.microseconds / 1_000_000)
    }

    fileprivate init(wakeAt: Instant, reactionSeconds: UInt16) {
        (self.wakeAt, self.reactionSeconds) = (wakeAt, reactionSeconds)
    }

    /// The least that passes between an answer and what the device does because of it, in whole seconds.
    package var reaction: Duration { .seconds(Int64(reactionSeconds)) }

    /// When it does something by itself, on several ranks when it may send something; `never` if it does not before the
    /// end.
    package var actsAt: Instant { wakeAt == .longAgo ? .never : wakeAt }

    package var isOver: Bool { wakeAt == .never }
}

/// The pending-device records of a partition's devices, by their places: a decision about a suspended device reads one
/// line of the cache.
package final class PendingDeviceTable {
    private let pendingDevices: UnsafeMutableBufferPointer<PendingDevice>
    package var count: Int { pendingDevices.count }

    /// A table of devices that nobody has.
    package init(count: Int) {
        let bytes = MemoryLayout<PendingDevice>.stride * count
        let memory = LargeMemory.allocate(byteCount: bytes, for: "the devices that wait")
        pendingDevices = UnsafeMutableRawBufferPointer(start: memory, count: bytes).bindMemory(to: PendingDevice.self)
        pendingDevices.initialize(repeating: .over)
    }

    deinit { if let memory = pendingDevices.baseAddress { LargeMemory.free(memory) } }

    /// As the thread that simulates the device has left it, without the round of an answer, which another one may be
    /// writing.
    package subscript(index: Int) -> PendingDevice {
        get {
            PendingDevice(wakeAt: place(index).pointee.wakeAt, reactionSeconds: place(index).pointee.reactionSeconds)
        }
        set {
            (place(index).pointee.wakeAt, place(index).pointee.reactionSeconds) = (
                newValue.wakeAt, newValue.reactionSeconds
            )
        }
    }

    /// The round in which an answer for a device was held last; 0 for none.
    package func heldIn(_ index: Int) -> UInt32 { place(index).pointee.heldIn }
    package func hold(_ index: Int, in round: UInt32) { place(index).pointee.heldIn = round }

    private func place(_ index: Int) -> UnsafeMutablePointer<PendingDevice> {
        precondition(index >= 0 && index < count, "no place \(index) among \(count)")
        return pendingDevices.baseAddress! + index
    }

    /// A device's pending-device record is read soon.
    package func expect(_ index: Int) { words_prefetch(pendingDevices.baseAddress! + index, 1) }
}
