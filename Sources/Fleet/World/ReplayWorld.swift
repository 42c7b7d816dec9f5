import Basics
import People
import ScenarioModel
import WidgetPlatform

/// The events of a recorded device, in the order of (time, priority, line) (D10).
struct ReplayWorld: WorldSource {
    private let events: UnsafeBufferPointer<Step>
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
        events = steps
        current = (device.place.point, device.place.key)
        stay = Self.stay(at: device.place)
        region = device.zone
        startsAsleep = Self.startsAsleep(device)
        startsWorn = Self.startsWorn(device)
    }

    // Recorded pickups are taken as they stand.
    mutating func plainUse() -> PlainUse { PlainUse() }
    mutating func plainUseEnd() -> Instant { nextAt }
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
            var step = Step(time: event.time, event: .move, point: device.place.point, place: device.place.key)
            switch event.action {
            case .wake: step.event = .wake
            case .sleep: step.event = .sleep
            case .pickup: step.event = .pickup(shown: shown)
            case .glance: step.event = .glance
            case .lock: step.event = .lock
            case .viewInstance(let instance): step.event = .viewInstance(instance)
            case .viewSurface(let surface): step.event = .viewSurface(surface)
            case .appOpen(let app): step.event = .appOpen(app: app)
            case .appClose(let app): step.event = .appClose(app: app)
            case .navigationStart(let app): step.event = .navigationStart(app: app)
            case .navigationEnd(let app): step.event = .navigationEnd(app: app)
            case .audioStart(let app): step.event = .audioStart(app: app)
            case .audioEnd(let app): step.event = .audioEnd(app: app)
            case .move(let place):
                step.point = place.point
                step.place = place.key
                step.stay = stay(at: place)
            case .environment(let change, let zone): step.event = .environment(change, zone: zone ?? -1)
            case .interact(let instance): step.event = .interact(instance: instance)
            case .tap(let instance): step.event = .tap(instance: instance)
            case .appTrigger(let kind): step.event = .appTrigger(kind: kind)
            case .silentPush(let kind): step.event = .silentPush(kind: kind)
            case .push(let app): step.event = .push(app: app)
            case .offline: step.event = .offline
            case .online: step.event = .online
            case .lowPowerOn: step.event = .lowPowerOn
            case .lowPowerOff: step.event = .lowPowerOff
            case .watchOff: step.event = .watchOff
            case .watchOn: step.event = .watchOn
            case .lowLuminance: step.event = .lowLuminance
            case .desktopCover(let isCovered): step.event = .desktopCover(isCovered)
            case .charge(let isOn): step.event = .charge(isOn)
            case .motion: step.event = .motion
            case .open(let instance): step.event = .open(instance: instance ?? -1)
            case .close: step.event = .close
            case .workout(let on): step.event = .workout(on)
            case .appUpdate(let app): step.event = .appUpdate(app: app)
            }
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
            if case .wake = event.action { return event.time > .start }
            if case .sleep = event.action { return false }
        }
        return false
    }

    /// A watch whose first recorded change is `watch_on` was off until then.
    private static func startsWorn(_ device: ReplayDevice) -> Bool {
        for event in device.events {
            if case .watchOn = event.action { return false }
            if case .watchOff = event.action { return true }
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
        case .wake, .sleep, .pickup, .glance, .lock, .viewInstance, .viewSurface, .appOpen, .appClose, .navigationStart,
            .navigationEnd,
            .audioStart, .audioEnd, .environment, .appearance, .interact, .tap, .appTrigger, .push, .silentPush,
            .offline, .online, .lowPowerOn, .lowPowerOff,
            .refreshOff, .refreshOn, .watchOff, .watchOn, .lowLuminance, .look, .standbyLook, .desktopLook,
            .desktopCover, .permission, .charge, .motion, .open, .close, .workout, .appUpdate, .controlCenter,
            .actionButton:
            break
        }
        return step.event
    }

    mutating func point(at instant: Instant) -> Point { current.point }
    mutating func place(at instant: Instant) -> Int64 { current.place }
    mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        changes.isFar(current.point) ? instant : .never
    }
}
