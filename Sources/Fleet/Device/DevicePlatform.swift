import Basics
import DeviceStorage
import People
import WidgetPlatform

/// The rules of one platform, chosen when a device is made.
///
/// `DeviceSimulation` is compiled once for each. What all platforms share stands there: views, content, timelines
/// shown until they are replaced, flights, requests. What differs is a constant or a function of this protocol, so
/// that the loop of one platform has no branch for another. The defaults are those of a platform with no rules of its
/// own: a background cause runs at once.
///
/// A conforming value is the platform's state of one device: plain memory, as a suspended device is copied.
protocol DevicePlatform: BitwiseCopyable {
    typealias Device<World: WorldSource, Observer: DeviceObserver> = DeviceSimulation<World, Observer, Self>

    /// Whether instances have budgets (section 5).
    static var hasBudgets: Bool { get }
    /// Whether a timeline says when it is replaced, and its reload waits at the gates (sections 4 and 6).
    static var hasPolicies: Bool { get }
    /// Whether a view may ask for a reload (F3, F5).
    static var reloadsOnView: Bool { get }
    /// Whether it has a clock of its own.
    static var hasOwnClock: Bool { get }
    /// Whether its requests are counted by the minute, apart from those of others.
    static var hasOwnLoad: Bool { get }
    /// Whether the limit of a project holds for pushes to it (N10).
    static var hasProjectLimit: Bool { get }
    /// Whether every instance reloads after a change of the environment (F4), or is only rendered again.
    static func reloads(after change: EnvironmentChange) -> Bool
    /// The meaning of a permission that a person has given (L3).
    static func mode(_ mode: LocationMode) -> LocationMode

    /// When it does something by itself; `never` without a clock of its own.
    var nextAt: Instant { get }
    /// Continues with what stands on the device in other memory, which is a copy.
    mutating func adopt(_ memory: DeviceMemory)

    /// The life of the device begins; an instance comes to it.
    static func begin<World, Observer>(_ device: inout Device<World, Observer>)
    static func install<World, Observer>(_ i: Int, on device: inout Device<World, Observer>)
    /// The warm-up is over: before and after counts go to the report. The run is over.
    static func leaveWarmUp<World, Observer>(_ device: inout Device<World, Observer>)
    static func beginReport<World, Observer>(_ device: inout Device<World, Observer>)
    static func finish<World, Observer>(_ device: inout Device<World, Observer>)

    /// The person wakes up or falls asleep, sets out or arrives, turns the screen on or off, glances at it.
    static func wake<World, Observer>(_ device: inout Device<World, Observer>)
    static func sleep<World, Observer>(_ device: inout Device<World, Observer>)
    static func move<World, Observer>(_ device: inout Device<World, Observer>)
    static func turnScreen<World, Observer>(on: Bool, of device: inout Device<World, Observer>)
    static func glance<World, Observer>(_ device: inout Device<World, Observer>)
    /// The device is put on power, or taken off it; it is moved.
    static func charge<World, Observer>(_ isOn: Bool, _ device: inout Device<World, Observer>)
    static func shake<World, Observer>(_ device: inout Device<World, Observer>)

    /// After the events of priorities up to 4: what has moved the platform's own states. At priority 8: what is due.
    static func follow<World, Observer>(_ device: inout Device<World, Observer>)
    static func takeDue<World, Observer>(_ device: inout Device<World, Observer>)
    /// An app comes to the foreground.
    static func open<World, Observer>(_ app: Int, on device: inout Device<World, Observer>)
    /// A background cause arises, where no gates of section 6 hold it.
    static func ask<World, Observer>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World, Observer>)
    /// The person has come to a tile, where it stays if it is the last; the tiles are left.
    static func open<World, Observer>(tile: Int, isLast: Bool, on device: inout Device<World, Observer>)
    static func leaveTile<World, Observer>(_ device: inout Device<World, Observer>)
    /// The least between two calls of an app for an instance (F1, N13).
    static func requestGap(_ prepared: PreparedPlan) -> Duration
    /// A call waits for the end of that.
    static func hold<World, Observer>(
        _ i: Int, insteadOf before: ReloadCause?, on device: inout Device<World, Observer>)
    /// A message of its server reaches an app, where timelines have no policies.
    static func receiveMessage<World, Observer>(toApp app: Int, on device: inout Device<World, Observer>)
    /// The reload of an instance ends, as its slot still tells which one it was.
    static func end<World, Observer>(
        _ i: Int, _ outcome: ReloadOutcome, on device: inout Device<World, Observer>)
    /// A recorded app is updated.
    static func update<World, Observer>(_ app: Int, on device: inout Device<World, Observer>)
    /// A request arrives at an instant of the report.
    static func countRequest<World, Observer>(at arrival: Instant, of device: inout Device<World, Observer>)

    static func code<World, Observer, Coder: StateCoder>(
        _ device: inout Device<World, Observer>, _ coder: inout Coder)
}

extension DevicePlatform {
    static var hasBudgets: Bool { false }
    static var hasPolicies: Bool { false }
    static var reloadsOnView: Bool { false }
    static var hasOwnClock: Bool { false }
    static var hasOwnLoad: Bool { false }
    static var hasProjectLimit: Bool { false }
    @inline(__always) static func reloads(after change: EnvironmentChange) -> Bool { true }
    @inline(__always) static func mode(_ mode: LocationMode) -> LocationMode { mode }

    @inline(__always) var nextAt: Instant { .never }
    @inline(__always) mutating func adopt(_ memory: DeviceMemory) {}

    @inline(__always) static func begin<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func install<World, Observer>(_ i: Int, on device: inout Device<World, Observer>) {}
    @inline(__always) static func leaveWarmUp<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func beginReport<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func finish<World, Observer>(_ device: inout Device<World, Observer>) {}

    @inline(__always) static func wake<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func sleep<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func move<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func turnScreen<World, Observer>(on: Bool, of device: inout Device<World, Observer>) {}
    @inline(__always) static func glance<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func charge<World, Observer>(_ isOn: Bool, _ device: inout Device<World, Observer>) {}
    @inline(__always) static func shake<World, Observer>(_ device: inout Device<World, Observer>) {}

    @inline(__always) static func follow<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func takeDue<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func open<World, Observer>(_ app: Int, on device: inout Device<World, Observer>) {}
    @inline(__always) static func open<World, Observer>(
        tile: Int, isLast: Bool, on device: inout Device<World, Observer>
    ) {}
    @inline(__always) static func leaveTile<World, Observer>(_ device: inout Device<World, Observer>) {}
    @inline(__always) static func requestGap(_ prepared: PreparedPlan) -> Duration {
        prepared.parameters.pointee.foregroundGap
    }
    @inline(__always) static func hold<World, Observer>(
        _ i: Int, insteadOf before: ReloadCause?, on device: inout Device<World, Observer>
    ) {}
    static func ask<World, Observer>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World, Observer>
    ) {
        device.runInBackground(i, cause, since: device.now)
    }
    static func receiveMessage<World, Observer>(toApp app: Int, on device: inout Device<World, Observer>) {
        for i in 0..<device.instanceCount
        where device.instances[i].app == app && device.kinds[device.instances[i].kind].takesPushes {
            device.ask(i, background: .push)
        }
    }
    @inline(__always) static func end<World, Observer>(
        _ i: Int, _ outcome: ReloadOutcome, on device: inout Device<World, Observer>
    ) {}
    @inline(__always) static func update<World, Observer>(_ app: Int, on device: inout Device<World, Observer>) {}
    @inline(__always) static func countRequest<World, Observer>(
        at arrival: Instant, of device: inout Device<World, Observer>
    ) {}

    @inline(__always) static func code<World, Observer, Coder: StateCoder>(
        _ device: inout Device<World, Observer>, _ coder: inout Coder
    ) {}
}

/// The rules of iOS and its relatives: budgets and gates of WidgetKit, which `DeviceSimulation` holds itself.
struct WidgetKitRules: DevicePlatform {
    static var hasBudgets: Bool { true }
    static var hasPolicies: Bool { true }
    static var reloadsOnView: Bool { true }
}

extension DeviceSimulation {
    /// A background cause runs without a gate: no reload waits or is granted beside it.
    ///
    /// - Parameters:
    ///   - since: when it was due.
    ///   - event: what a trace calls its beginning.
    mutating func runInBackground(
        _ i: Int, _ cause: ReloadCause, since: Instant, as event: TraceEvent = .refreshed
    ) {
        guard instances[i].isInstalled else { return }
        events += 1
        let reception = instances[i].slot.request(background: cause, at: since)
        if reception == .merged {
            noteReception(i, cause, reception)
            reloadCounts(i)[.merged(cause)] += 1
        } else {
            instances[i].slot.grant()
            instances[i].slot.run()
            reloadCounts(i)[.started(cause, charged: false)] += 1
            if observer.isWatching { note(event, instance: i, cause: cause, isCharged: false) }
            fly(i, isCharged: false)
        }
        schedule.touch(i, at: now)
    }
}
