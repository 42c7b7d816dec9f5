import Basics
import DeviceStorage
import People
import WidgetPlatform

/// Events that a platform hears of, and that not every one has a use for.
enum PlatformEvent {
    /// The life of the device begins; an instance comes to it.
    case begin
    case install(Int)
    /// The warm-up is over, before and after counts go to the report; the run is over.
    case leaveWarmUp, beginReport, finish
    /// The person wakes up or falls asleep, sets out or arrives, turns the screen on or off, glances at it.
    case wake, sleep, move
    case screen(isOn: Bool)
    case glance
    /// The device is started again, and waits for its unlock; it is put on power, or taken off it; it is moved.
    case boot
    case charge(Bool)
    case motion
    /// An app comes to the foreground.
    case open(app: Int)
    /// The person has come to a tile, where they stay if it is the last; the tiles are left.
    case reach(tile: Int, isLast: Bool)
    case leaveTiles
    /// An app's call for an instance waits, in the place of another one or of none.
    case hold(Int, insteadOf: ReloadCause?)
    /// The reload of an instance ends, as its slot still tells which one it was.
    case end(Int, ReloadOutcome)
    /// It has failed, and the old content stays.
    case fail(Int, ReloadOutcome)
    /// A request arrives at an instant of the report.
    case request(arrival: Instant)
    /// Something has happened in this instant that providers of a user's own listen to.
    case heard(ProviderContext.Events)
    /// An instance is shown; a significant change is reported, with full or reduced accuracy.
    case view(Int)
    case significantChange(reduced: Bool)

    // The calendar by which budgets accrue.

    /// An interval of it ends, and the next one begins, in which a token is a multiple of the parts that it was.
    case endInterval(at: Instant)
    case refineTokens(by: Int128)
    /// The next one is in another hour of the local clock.
    case beginHour
    /// A day of an instance is complete as the person wakes up.
    case completeDay(Int)
    /// An instance is counted from here on in the report, and is so no longer.
    case count(Int)
    case close(Int)
}

/// The rules of one platform, chosen when a device is made.
///
/// `DeviceSimulation` is compiled once for each. What all platforms share stands there: views, content, timelines
/// shown until they are replaced, reloads in flight, requests. What differs is a constant or a function of this
/// protocol, so that the loop of one platform has no branch for another. The defaults are those of a platform with no
/// rules of its own: a background cause runs at once.
///
/// A conforming value is the platform's state of one device: plain memory, as a suspended device is copied.
protocol DevicePlatform: BitwiseCopyable {
    typealias Device<World: SimulatedWorld> = DeviceSimulation<World, Self>

    /// Whose push service it has.
    static var platform: Platform { get }
    /// Whether it has a clock of its own.
    static var hasOwnClock: Bool { get }
    /// Whether every instance reloads after a change of the environment (F4), or is only rendered again.
    static func reloads(after change: EnvironmentChange) -> Bool
    /// The meaning of a permission that a person has given (L3).
    static func mode(_ mode: LocationMode) -> LocationMode

    /// When it does something by itself; `never` without a clock of its own.
    var nextAt: Instant { get }
    /// Whether reloads that begin now have no network, whatever the device has.
    var isCutOff: Bool { get }
    /// Continues with what stands on the device in other memory, which is a copy.
    mutating func adopt(_ memory: DeviceMemory)

    /// Something happens to the device that the platform may follow.
    static func hear<World>(_ event: PlatformEvent, on device: inout Device<World>)
    /// After the events of priorities up to 4: what has moved the platform's own states. At priority 8: what is due.
    static func follow<World>(_ device: inout Device<World>)
    static func takeDue<World>(_ device: inout Device<World>)
    /// A background cause arises.
    static func ask<World>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World>)
    /// Priority 8 for the instances that have something to do, and for one that alone has (T3): background reloads that
    /// are due, wait or are granted.
    static func settle<World>(gatesMoved: Bool, on device: inout Device<World>)
    static func takeStep<World>(_ i: Int, on device: inout Device<World>)
    /// Content comes to the screen, with the timeline that is returned; and when that asks to be replaced.
    static func show<World>(_ content: ShownContent, at i: Int, fetched: Instant, on device: inout Device<World>)
        -> Timeline
    static func setDate<World>(_ i: Int, _ timeline: Timeline, fetched: Instant, on device: inout Device<World>)
    /// Whether a reload that begins needs no request, and whether a new instance has the preview of its kind (F7).
    static func isAnsweredOnDevice<World>(_ i: Int, on device: inout Device<World>) -> Bool
    static func makesPreview<World>(_ i: Int, on device: inout Device<World>) -> Bool
    /// The answer of a provider of a user's own in this instant, in words; nil if none was asked.
    static func answerText<World>(_ i: Int, entries: Int, on device: inout Device<World>) -> String?
    /// The least between two calls of an app for an instance (F1, N13).
    static func requestGap(_ prepared: PreparedPlan) -> Duration
    /// A push of its server reaches an app, or the app of a kind, to wake it up.
    static func receiveMessage<World>(toApp app: Int, on device: inout Device<World>)
    static func receiveSilentPush<World>(forKind kind: Int, on device: inout Device<World>)
    /// The push service has a push to an app on a device without a connection; and how many of those that it stores
    /// come as the connection is back (D8).
    static func store<World>(messageToApp app: Int, on device: inout Device<World>) -> MessageStorage
    static func takeStored<World>(messagesToApp app: Int, on device: inout Device<World>) -> Int
    /// Before which neither an instance's reloads nor views of it have anything sent, on a device without a clock of its
    /// own; nil where a view may. And the least from the answer that an instance waits for to what it asks for next.
    static func sendsAt<World>(_ i: Int, on device: inout Device<World>) -> Instant?
    static func leastReaction<World>(_ i: Int, looksAhead: Bool, on device: inout Device<World>) -> Duration
    /// The microtokens of the account that pays for a cause; nil without a budget.
    static func balance<World>(_ i: Int, paying cause: ReloadCause?, on device: inout Device<World>) -> Int64?
    /// An app is updated.
    static func update<World>(_ app: Int, on device: inout Device<World>)

    static func code<World, Coder: StateCoder>(
        _ device: inout Device<World>, _ coder: inout Coder)
}

extension DevicePlatform {
    static var platform: Platform { .ios }
    static var hasOwnClock: Bool { false }
    @inline(__always) static func reloads(after change: EnvironmentChange) -> Bool { true }
    @inline(__always) static func mode(_ mode: LocationMode) -> LocationMode { mode }

    @inline(__always) var nextAt: Instant { .never }
    @inline(__always) var isCutOff: Bool { false }
    @inline(__always) mutating func adopt(_ memory: DeviceMemory) {}

    @inline(__always) static func hear<World>(_ event: PlatformEvent, on device: inout Device<World>) {}
    @inline(__always) static func follow<World>(_ device: inout Device<World>) {}
    @inline(__always) static func takeDue<World>(_ device: inout Device<World>) {}
    @inline(__always) static func requestGap(_ prepared: PreparedPlan) -> Duration {
        prepared.parameters.pointee.foregroundGap
    }
    static func ask<World>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World>
    ) {
        device.runInBackground(i, cause, since: device.now)
    }
    @inline(__always) static func settle<World>(gatesMoved: Bool, on device: inout Device<World>) {}
    @inline(__always) static func takeStep<World>(_ i: Int, on device: inout Device<World>) {}
    @inline(__always) static func show<World>(
        _ content: ShownContent, at i: Int, fetched: Instant, on device: inout Device<World>
    ) -> Timeline { device.showAsStated(content, at: i, fetched: fetched) }
    @inline(__always) static func setDate<World>(
        _ i: Int, _ timeline: Timeline, fetched: Instant, on device: inout Device<World>
    ) {}
    @inline(__always) static func isAnsweredOnDevice<World>(_ i: Int, on device: inout Device<World>) -> Bool { false }
    @inline(__always) static func makesPreview<World>(_ i: Int, on device: inout Device<World>) -> Bool { true }
    @inline(__always) static func answerText<World>(_ i: Int, entries: Int, on device: inout Device<World>) -> String? {
        nil
    }
    static func receiveMessage<World>(toApp app: Int, on device: inout Device<World>) {
        for i in 0..<device.instanceCount
        where device.instances[i].app == app && device.kinds[device.instances[i].kind].takesPushes {
            device.ask(i, background: .push)
        }
    }
    static func receiveSilentPush<World>(forKind kind: Int, on device: inout Device<World>) {
        device.receivePush(ofApp: device.kinds[kind].app, .version)
    }
    @inline(__always) static func store<World>(messageToApp app: Int, on device: inout Device<World>)
        -> MessageStorage
    { .newest }
    @inline(__always) static func takeStored<World>(messagesToApp app: Int, on device: inout Device<World>) -> Int { 1 }
    @inline(__always) static func sendsAt<World>(_ i: Int, on device: inout Device<World>) -> Instant? { nil }
    @inline(__always) static func leastReaction<World>(
        _ i: Int, looksAhead: Bool, on device: inout Device<World>
    ) -> Duration { .zero }
    @inline(__always) static func balance<World>(
        _ i: Int, paying cause: ReloadCause?, on device: inout Device<World>
    ) -> Int64? { nil }
    /// Every instance of the app reloads, free and at once (D9).
    static func update<World>(_ app: Int, on device: inout Device<World>) {
        for i in 0..<device.instanceCount where device.instances[i].isInstalled && device.instances[i].app == app {
            device.ask(i, free: .environment)
        }
    }
    @inline(__always) static func code<World, Coder: StateCoder>(
        _ device: inout Device<World>, _ coder: inout Coder
    ) {}
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
        if case .merged = reception {
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
