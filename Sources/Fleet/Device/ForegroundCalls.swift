import Basics
import DeviceStorage
import WidgetPlatform

/// The limit on an app's calls for one instance from the foreground (F1): of those within a gap after one that went
/// through, the last is held to the gap's end.
struct ForegroundCalls: BitwiseCopyable {
    /// The end of the gap after the latest call that went through.
    private(set) var opensAt: Instant = .longAgo
    /// The cause of the call that is held; nil for none.
    private(set) var held: ReloadCause?

    /// When the held call goes through; `never` if there is none.
    var heldUntil: Instant { held == nil ? .never : opensAt }

    /// Whether a call goes through at once. One that does not takes the place of the one that was held; a gap holds no
    /// call at its end (T6).
    mutating func takes(_ cause: ReloadCause, at instant: Instant, gap: Duration) -> Bool {
        if instant < opensAt {
            held = cause
            return false
        }
        precondition(held == nil, "the call that a gap has held goes through before others of its end")
        opensAt = instant + gap
        return true
    }

    /// The gap is over: the held call goes through, and a gap of its own begins.
    mutating func release(at instant: Instant, gap: Duration) -> ReloadCause {
        guard let cause = held else { preconditionFailure("no call from the foreground is held") }
        held = nil
        opensAt = instant + gap
        return cause
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&opensAt)
        var (isHeld, cause) = (held != nil, held ?? .appCall)
        coder.code(&isHeld)
        if isHeld { coder.code(&cause) }
        if Coder.isReading { held = isHeld ? cause : nil }
    }
}

/// The calls that an app makes for an instance as it is opened and closed within one instant, in their order (T3, F1).
struct OwnCalls: BitwiseCopyable {
    private var count = 0
    /// Which of them an opening makes, the first in the lowest bit; more than 64 are not told apart.
    private var openings: UInt64 = 0

    /// - Parameter cause: that of an opening, or of a call as the app closes.
    mutating func add(_ cause: ReloadCause) {
        if cause == .appOpen { openings |= 1 << UInt64(min(count, 63)) }
        count += 1
    }

    /// Takes the first of them.
    mutating func next() -> ReloadCause? {
        if count == 0 { return nil }
        let isOpening = openings & 1 != 0
        if count <= 64 { openings >>= 1 }
        count -= 1
        return isOpening ? .appOpen : .appCall
    }
}
