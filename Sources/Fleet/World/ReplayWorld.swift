import Basics
import People
import ScenarioModel
import WidgetPlatform

/// The events of a recorded device, in the order of (time, priority, line) (D10).
struct ReplayWorld: WorldSource {
    private let events: UnsafeBufferPointer<Step>
    private let fixFailing: [(from: Instant, to: Instant)]
    private var index = 0
    private var current: (point: Point, place: Int64)
    private(set) var stay: Stay
    let startsAsleep: Bool
    let startsWorn: Bool
    /// A recorded device is where its events say.
    let isStationary = false
    /// It is charged as they say.
    let isOnTrip = false
    /// A replay's regions are its zones.
    private(set) var region: Int

    /// One recorded event, its names and places resolved.
    struct Step {
        var time: Instant
        var event: WorldEvent
        var point: Point
        var place: Int64
        var stay = Stay.elsewhere
    }

    /// - Parameter steps: kept by the caller for the life of the device.
    init(_ device: ReplayDevice, steps: UnsafeBufferPointer<Step>) {
        (events, fixFailing) = (steps, device.fixFailing)
        current = (device.place.point, device.place.key)
        stay = Self.stay(at: device.place)
        region = device.zone
        startsAsleep = Self.startsAsleep(device)
        startsWorn = Self.startsWorn(device)
    }

    // Recorded pickups are taken as they stand.
    mutating func plainUse() -> PlainUse { PlainUse() }
    mutating func plainUseEnd() -> Instant { nextAt }

    mutating func nextPickup(after now: Instant) -> Instant? {
        for step in events[index...] {
            switch step.event {
            case .pickup, .glance: if step.time > now { return step.time }
            case .wake: return nil
            default: continue
            }
        }
        return nil
    }
    mutating func pickup(ahead index: Int) -> Pickup { preconditionFailure("a replay has no pickups at hand") }
    mutating func takePlainUse(_ count: Int, sessions: UInt64, isInSession: Bool) {}
    mutating func adopt(_ memory: AppMemory) {}
    mutating func suspend() {}
    mutating func resume() {}

    /// The recorded events as steps. A session's pickup shows the device's own surfaces.
    static func steps(of device: ReplayDevice) -> [Step] {
        var shown = SurfaceSet()
        for surface in Surface.allCases where device.surfaceShown[Int(surface.rawValue)] {
            shown.insert(SurfaceSet(surface))
        }
        let recorded = device.events.map { event in
            let place = event.place ?? device.place
            var step = Step(
                time: event.time, event: event.event, point: place.point, place: place.key, stay: stay(at: place))
            if case .pickup = event.event { step.event = .pickup(shown: shown) }
            return step
        }
        // On a device that has it off altogether the end of a span brings nothing back (D7).
        let switches = union(of: device.backgroundRefresh ? device.backgroundRefreshOff : []).flatMap { span in
            [(span.from, WorldEvent.refreshOff), (span.to, WorldEvent.refreshOn)].map { time, event in
                Step(time: time, event: event, point: device.place.point, place: device.place.key)
            }
        }
        return (switches + recorded).enumerated()
            .sorted {
                ($0.element.time, $0.element.event.priority.rawValue, $0.offset) < (
                    $1.element.time, $1.element.event.priority.rawValue, $1.offset
                )
            }
            .map(\.element)
    }

    /// Recorded places are told by their names, which those of trips begin with.
    private static func stay(at place: NamedPlace) -> Stay {
        switch place.name.split(separator: " ").first {
        case "home": .home
        case "work": .work
        default: .elsewhere
        }
    }

    /// The same time in spans that neither overlap nor touch, in order.
    private static func union(of spans: [(from: Instant, to: Instant)]) -> [(from: Instant, to: Instant)] {
        var union: [(from: Instant, to: Instant)] = []
        for span in spans.sorted(by: { $0.from < $1.from }) where span.from < span.to {
            if let last = union.last, span.from <= last.to {
                union[union.count - 1].to = max(last.to, span.to)
            } else {
                union.append(span)
            }
        }
        return union
    }

    /// A person whose first recorded change is a wake-up sleeps until then.
    private static func startsAsleep(_ device: ReplayDevice) -> Bool {
        for event in device.events {
            if case .wake = event.event { return event.time > .start }
            if case .sleep = event.event { return false }
        }
        return false
    }

    /// A watch whose first recorded change is `watch_on` was off until then.
    private static func startsWorn(_ device: ReplayDevice) -> Bool {
        for event in device.events {
            if case .watchOn = event.event { return false }
            if case .watchOff = event.event { return true }
        }
        return true
    }

    var tally: WorldTally { WorldTally() }
    var nextAt: Instant { index < events.count ? events[index].time : .never }
    var nextPriority: EventPriority { index < events.count ? events[index].event.priority : .reload }

    mutating func next() -> WorldEvent {
        let step = events[index]
        index += 1
        switch step.event {
        case .move:
            current = (step.point, step.place)
            stay = step.stay
        case .environment(_, let zone) where zone >= 0: region = zone
        default: break
        }
        return step.event
    }

    mutating func failsFixes(at instant: Instant) -> Bool {
        fixFailing.contains { $0.from <= instant && instant < $0.to }
    }

    mutating func point(at instant: Instant) -> Point { current.point }
    mutating func place(at instant: Instant) -> Int64 { current.place }
    mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        changes.isFar(current.point) ? instant : .never
    }
}
