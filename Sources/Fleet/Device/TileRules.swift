import Basics
import DeviceStorage
import People
import WidgetPlatform

/// The rules of tiles on watches with Android (N13): a tile is asked for while it is looked at.
///
/// There is no budget, no Doze and no provider: every tile has its interval of freshness, its app's requests for an
/// update keep their distance, and its messages have the limits of any device with Android.
struct TileRules: MessagingPlatform {
    static var hasOwnClock: Bool { true }
    static var platform: Platform { .android }

    /// The tile that stays on the screen, −1 for none, and when it is asked for again.
    private var tile = -1
    private var askedAt: Instant = .never
    /// The messages to the device, and when the first that waits for its limit is delivered.
    var messageCount = MessageCount()
    var dueAt: Instant = .never
    /// By app.
    private(set) var jobs: UnsafeMutablePointer<JobState>?

    var nextAt: Instant { min(askedAt, dueAt) }

    mutating func adopt(_ memory: DeviceMemory) { jobs = memory.jobs }

    static func reloads(after change: EnvironmentChange) -> Bool { change.isReboot }
    static func mode(_ mode: LocationMode) -> LocationMode { AndroidRules.mode(mode) }
    static func requestGap(_ prepared: PreparedPlan) -> Duration {
        guard let android = prepared.android else { preconditionFailure("tiles in a plan without Android") }
        return android.pointee.tileRequestGap
    }

    @inline(__always) static func hear<World>(_ event: PlatformEvent, on device: inout Device<World>) {
        switch event {
        case .begin:
            for app in 0..<device.prepared.plan.apps.count { device.rules.state(ofApp: app).initialize(to: JobState()) }
        case .reach(let tile, let isLast): reach(tile, isLast: isLast, on: &device)
        case .leaveTiles: (device.rules.tile, device.rules.askedAt) = (-1, .never)
        case .hold(let i, let before):
            let counts = device.openingCounts(i)
            counts[.held] += 1
            if before != nil { counts[.replaced] += 1 }
        case .request(let arrival): device.countAndroidRequest(at: arrival)
        case .leaveWarmUp: bookMessageWaits(of: &device)
        case .beginReport: countHeldMessages(Cells<QuotaCounts>.heldIn, on: &device)
        case .finish:
            bookMessageWaits(of: &device)
            countHeldMessages(Cells<QuotaCounts>.heldOut, on: &device)
        default: break
        }
    }

    private static func reach<World>(_ tile: Int, isLast: Bool, on device: inout Device<World>) {
        guard let freshness = device.freshness(tile) else { return }
        let freshUntil = device.instances[tile].fetched + freshness
        if freshUntil <= device.now { device.ask(tile: tile, .opened) }
        if !isLast { return }
        device.rules.tile = tile
        device.rules.askedAt = freshUntil <= device.now ? device.now + freshness : freshUntil
    }

    static func takeDue<World>(_ device: inout Device<World>) {
        if device.rules.dueAt <= device.now {
            releaseMessages(of: &device)
            device.rules.findDue(apps: device.prepared.plan.apps.count)
        }
        if device.rules.askedAt <= device.now { askAgain(&device) }
    }

    private mutating func findDue(apps: Int) {
        dueAt = .never
        for app in 0..<apps { dueAt = min(dueAt, state(ofApp: app).pointee.messages.dueAt) }
    }

    /// The tile on the screen is no longer fresh, unless a new timeline has come meanwhile.
    private static func askAgain<World>(_ device: inout Device<World>) {
        let tile = device.rules.tile
        guard let freshness = device.freshness(tile) else {
            device.rules.askedAt = .never
            return
        }
        let freshUntil = device.instances[tile].fetched + freshness
        if freshUntil > device.now {
            device.rules.askedAt = freshUntil
        } else {
            device.ask(tile: tile, .shown)
            device.rules.askedAt = device.now + freshness
        }
    }

    /// The app's request for an update, from the background.
    static func ask<World>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World>
    ) {
        device.events += 1
        let (before, gap) = (device.instances[i].calls.held, requestGap(device.prepared))
        if gap == .zero || device.instances[i].calls.takes(cause, at: device.now, gap: gap) {
            device.runInBackground(i, cause, since: device.now)
            return
        }
        device.noteHeld(i, cause, insteadOf: before)
    }

    /// Apps on a watch have no buckets that differ: their messages count under the first.
    static func bucket<World>(ofApp app: Int, on device: inout Device<World>) -> StandbyBucket { .active }

    static func pass<World>(toApp app: Int, on device: inout Device<World>) {
        for i in 0..<device.instanceCount where device.instances[i].app == app {
            let kind = device.kinds + device.instances[i].kind
            if kind.pointee.takesPushes || kind.pointee.contentPushes != nil { device.ask(i, background: .push) }
        }
    }

    static func code<World, Coder: StateCoder>(
        _ device: inout Device<World>, _ coder: inout Coder
    ) {
        coder.code(&device.rules.tile, in: -1...max(0, device.instanceCount - 1), "a tile that the device lacks")
        coder.code(&device.rules.askedAt)
        device.rules.messageCount.code(&coder)
        for app in 0..<device.prepared.plan.apps.count {
            if Coder.isReading { device.rules.state(ofApp: app).initialize(to: JobState()) }
            device.rules.state(ofApp: app).pointee.messages.code(&coder, device.android.pointee.messages.collapsible)
        }
        if Coder.isReading { device.rules.findDue(apps: device.prepared.plan.apps.count) }
        let isAhead = device.rules.nextAt >= coder.base && (device.rules.tile >= 0 || device.rules.askedAt == .never)
        _ = coder.holds(isAhead, "a tile's clock that stands before its device")
    }
}

extension DeviceSimulation {
    /// How long a tile is fresh; nil for one that the system never asks for by itself, or whose provider has nothing
    /// to say yet (P8).
    fileprivate mutating func freshness(_ tile: Int) -> Duration? {
        let kind = instances[tile].kind
        if kinds[kind].needsSignIn && !apps.isSignedIn(instances[tile].app) { return nil }
        return prepared.android.unsafelyUnwrapped.pointee.refreshes[kind].freshness
    }

    fileprivate mutating func ask(tile: Int, _ ask: TileAsk) {
        openingCounts(tile)[.asks(ask)] += 1
        runInBackground(tile, .after, since: now)
    }
}
