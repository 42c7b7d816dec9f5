import Basics
import People
import WidgetPlatform

/// A world, and what watches the devices in it: the loop of a device is compiled once for each.
protocol SimulatedWorld: WorldSource {
    associatedtype Observer: DeviceObserver
    init(_ drawn: DrawnWorld)
}

/// Declared here, and not where the world is, so that the loop's calls of it are direct ones.
extension DrawnWorld: SimulatedWorld {
    typealias Observer = Unobserved
    init(_ drawn: DrawnWorld) { self = drawn }
    @inline(__always) package mutating func failsFixes(at instant: Instant) -> Bool { false }
}

/// The world of a device that is traced or recorded: such devices are few, so one loop serves drawn and recorded ones.
struct ObservedWorld: SimulatedWorld {
    typealias Observer = NoteKeeper

    private var source: any WorldSource

    init(_ drawn: DrawnWorld) { source = drawn }
    init(_ recorded: ReplayWorld) { source = recorded }

    var nextAt: Instant { mutating get { source.nextAt } }
    var nextPriority: EventPriority { mutating get { source.nextPriority } }
    mutating func next() -> WorldEvent { source.next() }
    mutating func plainUse() -> PlainUse { source.plainUse() }
    mutating func plainUseEnd() -> Instant { source.plainUseEnd() }
    mutating func nextPickup(after now: Instant) -> Instant? { source.nextPickup(after: now) }
    mutating func pickup(ahead index: Int) -> Pickup { source.pickup(ahead: index) }
    mutating func takePlainUse(_ count: Int, sessions: UInt64, isInSession: Bool) {
        source.takePlainUse(count, sessions: sessions, isInSession: isInSession)
    }
    var tally: WorldTally { source.tally }
    var startsAsleep: Bool { source.startsAsleep }
    var startsWorn: Bool { mutating get { source.startsWorn } }
    var isStationary: Bool { mutating get { source.isStationary } }
    var isOnTrip: Bool { mutating get { source.isOnTrip } }
    var stay: Stay { mutating get { source.stay } }
    var region: Int { mutating get { source.region } }
    mutating func point(at instant: Instant) -> Point { source.point(at: instant) }
    mutating func place(at instant: Instant) -> Int64 { source.place(at: instant) }
    mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        source.farInstant(from: instant, changes)
    }
    mutating func failsFixes(at instant: Instant) -> Bool { source.failsFixes(at: instant) }
    mutating func suspend() { source.suspend() }
    mutating func resume() { source.resume() }
    mutating func adopt(_ memory: AppMemory) { source.adopt(memory) }
}
