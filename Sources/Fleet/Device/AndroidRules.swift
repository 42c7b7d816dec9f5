import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// The rules of Android (section 13): providers with alarms, jobs and messages, held by Doze and by limits of apps.
///
/// There is no budget of WidgetKit and no date that a timeline asks for: a refresh is a provider's, and reaches all of
/// its instances on the device. It waits at its gates as one; from its run on each instance's reload is like any other.
struct AndroidRules: DevicePlatform {
    static var hasOwnClock: Bool { true }
    static var platform: Platform { .android }

    /// How the device lies and charges; nil where that is recorded.
    var handling: DeviceHandling?
    var doze = DozeState(at: .start, isCharging: false, DozeTimes())
    var isRecordedCharging = false
    /// How long the screen was on, up to when it last turned on or off.
    var screenTime = Duration.zero
    var screenChangedAt: Instant = .start
    /// Not unlocked since its boot: no app runs (N1).
    var isLocked = false
    /// A provider fetches in Doze, without a network (N1).
    var isCutOff = false
    var messageCount = MessageCount()
    /// The earliest that any provider or message waits for.
    var dueAt: Instant = .never
    /// By kind, and by app.
    var providers: UnsafeMutablePointer<ProviderState>?
    var jobs: UnsafeMutablePointer<JobState>?

    /// The rules of a recorded device.
    init() {}

    /// Those of a drawn one.
    init(_ owner: DeviceOwner) { handling = DeviceHandling(owner) }

    var nextAt: Instant { min(dueAt, min(doze.nextAt, handling?.nextAt ?? .never)) }

    mutating func adopt(_ memory: DeviceMemory) { (providers, jobs) = (memory.providers, memory.jobs) }

    /// A change of the environment renders widgets again; after a boot every provider is asked for its widgets (N1).
    static func reloads(after change: EnvironmentChange) -> Bool { change.isReboot }

    /// A widget is no use of its app: its location is known while that is in use, or always.
    static func mode(_ mode: LocationMode) -> LocationMode { mode == .whileUsingOrWidgets ? .whileUsing : mode }

    @inline(__always) static func hear<World>(_ event: PlatformEvent, on device: inout Device<World>) {
        switch event {
        case .begin: begin(&device)
        case .install(let i): install(i, on: &device)
        case .leaveWarmUp: bookWaits(of: &device)
        case .beginReport: countOpen(Cells<QuotaCounts>.carriedIn, Cells<QuotaCounts>.heldIn, on: &device)
        case .finish:
            bookWaits(of: &device)
            countOpen(Cells<QuotaCounts>.carriedOut, Cells<QuotaCounts>.heldOut, on: &device)
        case .wake: wake(&device)
        case .sleep: sleep(&device)
        case .move: move(&device)
        case .screen(let isOn): turnScreen(on: isOn, of: &device)
        case .glance: glance(&device)
        case .boot: device.rules.isLocked = true
        case .charge(let isOn):
            device.rules.isRecordedCharging = isOn
            followCharging(&device)
        case .motion: shake(&device)
        case .open(let app):
            let state = device.rules.state(ofApp: app)
            state.pointee.lastUse = device.now
            state.pointee.screenAtUse = device.rules.screenTime(at: device.now)
        case .end(let i, let outcome): end(i, outcome, on: &device)
        case .request(let arrival): device.countAndroidRequest(at: arrival)
        case .reach, .leaveTiles, .hold, .heard, .fail, .view, .significantChange, .completeDay, .endInterval, .refineTokens,
            .beginHour, .count, .close:
            break
        }
    }

    /// How long the screen has been on since the device began.
    func screenTime(at now: Instant) -> Duration {
        doze.isScreenOn ? screenTime + (now - screenChangedAt) : screenTime
    }

    /// The screen is to turn on or off.
    mutating func bookScreen(at now: Instant) {
        screenTime = screenTime(at: now)
        screenChangedAt = now
    }

    func provider(_ kind: Int) -> UnsafeMutablePointer<ProviderState> { providers.unsafelyUnwrapped + kind }
}

// MARK: Beginning and end

extension AndroidRules {
    private static func begin<World>(_ device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count { device.rules.provider(kind).initialize(to: ProviderState()) }
        for app in 0..<device.prepared.plan.apps.count {
            device.rules.state(ofApp: app).initialize(to: JobState())
            if device.rules.handling != nil {
                device.rules.state(ofApp: app).pointee.lastUse = usualUse(ofApp: app, on: &device)
                // Before the start the screen has been on for long enough (N3).
                device.rules.state(ofApp: app).pointee.screenAtUse = -device.android.pointee.ages.screen.restricted
            }
        }
        beginUpdates(of: &device)
        if device.person.isAsleep {
            device.rules.handling?.sleep()
        } else {
            device.rules.handling?.wake(at: device.now)
        }
        device.rules.doze = DozeState(
            at: device.now, isCharging: device.rules.isCharging, device.android.pointee.doze)
    }

    /// When a person opened an app last before the run, by the rate of their habit (T4).
    private static func usualUse<World>(ofApp app: Int, on device: inout Device<World>) -> Instant {
        let prepared = device.prepared
        let openings = prepared.population.openingsPerDay(ofApp: app, segment: device.person.segment, device.streams)
        let days = prepared.tables.exponential.value(device.streams.number(.warmAppUse, sub: app)) / max(1e-9, openings)
        return .start - min(VersionSource.lead, .microsecond + Duration(seconds: 86_400 * min(1e3, days)))
    }

    var isCharging: Bool { handling?.isCharging ?? isRecordedCharging }

    /// From when a provider's alarms count that began long before the run, within a period before its start.
    ///
    /// - Parameter draws: those of the provider's past.
    static func anchor(of period: Duration, _ draws: RandomStream) -> Instant {
        let passed = Duration(seconds: period.inSeconds * RandomStream.uniform(draws.value(at: 0)))
        return .start - min(max(passed, .microsecond), period)
    }

    /// A provider's periods count from when its first instance comes, or from the fetch of content that is there; in a
    /// drawn fleet they began long before that (N1, N2, T4).
    private static func install<World>(_ i: Int, on device: inout Device<World>) {
        let kind = device.instances[i].kind
        let provider = device.rules.provider(kind)
        let (fetched, due) = (device.instances[i].initialFetched, device.instances[i].initialDue)
        // It is the provider's.
        device.instances[i].initialDue = .never
        if provider.pointee.anchor < .never { return }
        provider.pointee.anchor = fetched < .never ? fetched : device.now
        provider.pointee.jobEnd = provider.pointee.anchor
        if due < .never {
            switch device.android.pointee.refreshes[kind].period {
            case .alarm(let every), .idleAlarm(let every):
                provider.pointee.anchor = anchor(of: every, device.streams[.refreshPhase, sub: kind])
            case .none, .clock, .work: break
            }
            provider.pointee.dueAt = max(device.now, due)
        } else {
            plan(kind, isFirst: fetched == .never, on: &device)
        }
        device.rules.findDue(device.prepared)
    }

    /// Books the time that everything has waited so far.
    private static func bookWaits<World>(of device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count { bookWait(kind, of: &device) }
        bookMessageWaits(of: &device)
    }

    /// Counts the refreshes that wait, and these and the messages that gates hold, at a boundary of the report.
    private static func countOpen<World>(
        _ waiting: Cells<QuotaCounts>.ByMeans, _ held: Cells<QuotaCounts>.ByGate, on device: inout Device<World>
    ) {
        for kind in 0..<device.prepared.kinds.count {
            let provider = device.rules.provider(kind)
            let counts = device.quotas(kind)
            for refresh in [provider.pointee.waiting, provider.pointee.beside] {
                if let refresh { counts[waiting(refresh.means)] += 1 }
            }
            if !provider.pointee.isPending { continue }
            let bucket = bucket(ofApp: device.kinds[kind].app, on: &device)
            provider.pointee.closed.forEach { counts[held($0, bucket)] += 1 }
        }
        countHeldMessages(held, on: &device)
    }
}

extension DeviceSimulation where Rules == AndroidRules {
    // Notes of a trace.

    mutating func noteDoze(_ phase: DozeState.Phase) {
        switch phase {
        case .awake: note(.dozeEnd)
        case .waiting: note(.dozeWaiting)
        case .lightIdle: note(.lightDoze)
        case .lightWindow: note(.lightWindow)
        case .deepIdle: note(.deepDoze)
        case .deepWindow: note(.deepWindow)
        }
    }

    /// Why a refresh runs now, and for how long it has waited.
    mutating func text(of refresh: ProviderState.Refresh, _ kind: Int) -> String {
        let closed = rules.provider(kind).pointee.everClosed
        if closed.isEmpty { return refresh.means.name }
        let gates = closed.gates.map(\.name).joined(separator: ", ")
        return "\(refresh.means.name), has waited \(TimeText.duration(now - refresh.since)) under \(gates)"
    }
}
