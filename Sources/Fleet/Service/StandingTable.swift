import CWords
import Measures
import SimulatedTime

/// A resting device as its cohort knows it: when it acts by itself, and how soon it reacts to an answer.
struct Standing: BitwiseCopyable {
    /// When it wants to be touched though nothing has been decided for it; `longAgo` for one that waits for nothing else than an answer, `never` for one whose
    /// life is over or that nobody has.
    fileprivate(set) var wakeAt: Instant
    fileprivate var reactionSeconds: UInt16
    /// The round of answers in which one for it was held last. The thread that holds answers writes it, the one that lives the device writes the others.
    fileprivate var heldIn: UInt32 = 0

    static var over: Standing { Standing(wakeAt: .never) }

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

/// The standings of a cohort's devices, by their places: a decision about a resting device reads one line of the cache.
final class StandingTable {
    private let standings: UnsafeMutablePointer<Standing>
    let count: Int

    /// A table of devices that nobody has.
    init(count: Int) {
        self.count = count
        standings = LargeMemory.allocate(byteCount: MemoryLayout<Standing>.stride * count, for: "the devices that wait")
            .bindMemory(to: Standing.self, capacity: count)
        standings.initialize(repeating: .over, count: count)
    }

    deinit { LargeMemory.free(standings) }

    /// As the thread that lives the device has left it, without the round of an answer, which another one may be writing.
    subscript(index: Int) -> Standing {
        get { Standing(wakeAt: place(index).pointee.wakeAt, reactionSeconds: place(index).pointee.reactionSeconds) }
        set { (place(index).pointee.wakeAt, place(index).pointee.reactionSeconds) = (newValue.wakeAt, newValue.reactionSeconds) }
    }

    /// The round in which an answer for a device was held last; 0 for none.
    func heldIn(_ index: Int) -> UInt32 { place(index).pointee.heldIn }
    func hold(_ index: Int, in round: UInt32) { place(index).pointee.heldIn = round }

    private func place(_ index: Int) -> UnsafeMutablePointer<Standing> {
        precondition(index >= 0 && index < count, "no place \(index) among \(count)")
        return standings + index
    }

    /// A device's standing is read soon.
    func expect(_ index: Int) { words_prefetch(standings + index, 1) }
}
