import Basics
import DeviceStorage

/// The state of one widget kind on a device, besides that of its instances.
struct KindState: BitwiseCopyable {
    /// The next call of the app's own rhythm in a user session (F2).
    var rhythmAt: Instant = .never
    /// The next time that the app is woken up, and how many have been planned (B1).
    var wakeUpAt: Instant = .never
    var wakeUps: UInt64 = 0
    /// Whether a silent push about a version comes in this instant.
    var isWokenNow = false
    /// Changes of `manual` content so far, and when the latest two were (C1).
    private(set) var changes: Int64 = 0
    private(set) var changedAt: Instant = .longAgo
    private(set) var previousChangeAt: Instant = .longAgo

    /// When the origin made the content that the app published last, `longAgo` for none; and when it publishes next
    /// what it fetches at an opening (C6).
    private(set) var publishedFrom: Instant = .longAgo
    private(set) var publishAt: Instant = .never

    mutating func publish(madeAt: Instant) { publishedFrom = max(publishedFrom, madeAt) }

    /// The earlier publication of two openings comes, and stands for both.
    mutating func planPublication(at instant: Instant) { publishAt = min(publishAt, instant) }
    mutating func takePublication() { publishAt = .never }

    /// The person changes its content.
    mutating func change(at now: Instant) {
        changes += 1
        (previousChangeAt, changedAt) = (changedAt, now)
    }

    /// How many changes an instance has seen that shows what the origin made at an instant.
    func changesSeen(madeAt: Instant) -> Int64 {
        if madeAt >= changedAt { return changes }
        return madeAt >= previousChangeAt ? changes - 1 : max(0, changes - 2)
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ kind: UnsafePointer<PreparedKind>) {
        if kind.pointee.sessionRhythm != nil { coder.code(&rhythmAt) }
        if kind.pointee.wakeUps.everCome {
            coder.code(&wakeUpAt)
            coder.code(&wakeUps)
        }
        if kind.pointee.readsApp {
            coder.code(&publishedFrom)
            coder.code(&publishAt)
            if Coder.isChecked {
                let isInTime = publishedFrom <= coder.base && publishAt >= coder.base
                _ = coder.holds(isInTime, "a publication out of its time")
            }
        }
        if kind.pointee.change != .never {
            coder.code(&changes)
            coder.code(&changedAt)
            coder.code(&previousChangeAt)
        }
    }
}
