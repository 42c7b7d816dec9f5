import Basics
import People

/// When the device next has something to do by itself, apart from its instances, calendar, apps and place.
struct DeviceClocks {
    /// How far the device can run by itself: to the end, or until a request of it can be answered (S5).
    var horizon: Instant
    /// The end of the warm-up; `never` once it is over.
    var reportStartsAt: Instant
    /// The next call of an app or push to it (T3, priority 7).
    var callsAt: Instant = .never
    /// The next edit of any instance's configuration that is due (F8).
    var editDue: Instant = .never
    /// When the first action of a button returns (F6).
    var actionsAt: Instant = .never
    /// The world's next event and its priority, as the world said after the last one.
    var worldAt: Instant = .never
    var worldPriority = EventPriority.sleep
    /// The earliest of the clocks that no pickup, glance or lock moves: the end of the budget's interval, the start of
    /// the report, reports of places, the time change; and whether an event of the instant under way may have moved
    /// one.
    var slowAt: Instant = .start
    var slowMoved = false

    @inline(__always) mutating func follow<World: WorldSource>(_ world: inout World) {
        (worldAt, worldPriority) = (world.nextAt, world.nextPriority)
    }

    /// Forgets what is found again before the device continues, so that it is the same in all suspended devices.
    mutating func suspend() { (horizon, worldAt, worldPriority, slowAt) = (.never, .never, .sleep, .start) }

    /// Nothing that is still to come lies in the past.
    func checkInvariants(at now: Instant) {
        precondition(callsAt >= now && actionsAt >= now, "a clock stands before \(now.microseconds) µs")
        precondition(
            reportStartsAt == .never || reportStartsAt >= now,
            "the warm-up was over at \(reportStartsAt.microseconds) µs")
    }
}
