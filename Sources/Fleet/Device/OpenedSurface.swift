import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// The surface of a device that is shown from an opening on (V7–V9), if it has one.
struct OpenedSurface: BitwiseCopyable {
    /// Nil on a device without any widget there.
    var surface: Surface?
    /// From when the time for which it is open is counted; `never` while it is not.
    private(set) var since: Instant = .never
    /// The person's usual waking hours, between which bedtime lies.
    let usual: UsualWaking
    /// Whether a workout is under way.
    var isWorkout = false
    /// Whether a person at a tile continues to the next.
    var furtherTile = Bernoulli.never

    init(usual: UsualWaking) { self.usual = usual }

    var isOpen: Bool { since < .never }

    mutating func open(at now: Instant) { since = now }
    mutating func leave() { since = .never }

    /// One that is open is counted from the start of the report on.
    mutating func beginReport(at now: Instant) { if isOpen { since = now } }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isWorkout)
        if surface == nil { return }
        coder.code(&since)
        let isPast = since == .never || since <= coder.base
        _ = coder.holds(isPast, "an opening that is still to come")
    }
}
