import Basics
import People
import WidgetPlatform

/// Where the events of a device come from: a person's draws, or a replay. The device's life is the same code over both
/// (D10).
///
/// Its questions are `mutating` though they change nothing: the compiler copies a large value for a call that is not.
package protocol WorldSource {
    /// The time of the next event; `never` if there is none.
    var nextAt: Instant { mutating get }
    /// The priority of the next event.
    var nextPriority: EventPriority { mutating get }
    /// Takes the next event. Events come in order of (time, priority, sequence).
    mutating func next() -> WorldEvent

    /// The pickups at hand, and which of them are plain: nothing else of the world comes with them or in their
    /// sessions. A world may always say that there are none.
    mutating func plainUse() -> PlainUse
    /// One of the pickups at hand, counted from 0.
    mutating func pickup(ahead index: Int) -> Pickup
    /// Takes the first of them, so many of which are sessions, the last one's session perhaps under way.
    mutating func takePlainUse(_ count: Int, sessions: UInt64, isInSession: Bool)

    /// Before which nothing comes but plain use; a world may always say that this is the next event.
    mutating func plainUseEnd() -> Instant

    /// When the person next picks the device up or glances at it; nil if not before they next wake up.
    mutating func nextPickup(after now: Instant) -> Instant?

    /// Counts of the person's actions so far that are no events of the device.
    var tally: WorldTally { get }
    /// Whether the person sleeps at the start of the run.
    var startsAsleep: Bool { get }
    /// Whether a watch is on the wrist at the start of the run.
    var startsWorn: Bool { mutating get }
    /// Whether the device stays where it stands while its person is on a trip: a Mac that is not portable.
    var isStationary: Bool { mutating get }
    /// Whether the person is on their way, as far as that is known.
    var isOnTrip: Bool { mutating get }
    /// The sort of place where the person is.
    var stay: Stay { mutating get }
    /// The index of the region of the plan from which the device's requests come.
    var region: Int { mutating get }
    /// Where the device is.
    mutating func point(at instant: Instant) -> Point
    /// The key of the content cell where the device is (L8), 1 or more.
    mutating func place(at instant: Instant) -> Int64
    /// The first instant from `instant` on, before the next move, at which the device is far enough from the last
    /// reported place (L2); `never` if it does not get that far.
    mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant

    /// Whether every location fix fails now, whatever its kind's chance.
    mutating func failsFixes(at instant: Instant) -> Bool

    /// Forgets what is found again before the device continues, and finds it.
    mutating func suspend()
    mutating func resume()

    /// Continues with what is kept of apps in other memory, which is a copy.
    mutating func adopt(_ memory: AppMemory)
}
