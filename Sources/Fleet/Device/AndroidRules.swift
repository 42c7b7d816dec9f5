import Basics
import DeviceStorage
import People
import Statistics
import WidgetPlatform

/// The rules of Android (section 13): providers with alarms, jobs and messages, held by Doze and by limits of apps.
///
/// There is no budget of WidgetKit and no date that a timeline asks for: a refresh is a provider's, and reaches all of
/// its instances on the device. It waits at its gates as one; from its run on each instance's reload is like any other.
struct AndroidRules: DevicePlatform {
    static var hasOwnClock: Bool { true }
    static var hasOwnLoad: Bool { true }

    /// How the device lies and charges; nil where that is recorded.
    private var handling: DeviceHandling?
    private var doze = DozeState(at: .start, isCharging: false, DozeTimes())
    private var isRecordedCharging = false
    private var messageCount = MessageCount()
    /// The earliest that any provider or message waits for.
    private var dueAt: Instant = .never
    /// By kind, and by app.
    private var providers: UnsafeMutablePointer<ProviderState>?
    private var jobs: UnsafeMutablePointer<JobState>?

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

    private func provider(_ kind: Int) -> UnsafeMutablePointer<ProviderState> { providers.unsafelyUnwrapped + kind }
    private func state(ofApp app: Int) -> UnsafeMutablePointer<JobState> { jobs.unsafelyUnwrapped + app }
}

// MARK: Beginning and end

extension AndroidRules {
    static func begin<World, Observer>(_ device: inout Device<World, Observer>) {
        for kind in 0..<device.prepared.kinds.count { device.rules.provider(kind).initialize(to: ProviderState()) }
        for app in 0..<device.prepared.plan.apps.count { device.rules.state(ofApp: app).initialize(to: JobState()) }
        if device.person.isAsleep {
            device.rules.handling?.sleep()
        } else {
            device.rules.handling?.wake(at: device.now)
        }
        device.rules.doze = DozeState(
            at: device.now, isCharging: device.rules.isCharging, device.android.pointee.doze)
    }

    private var isCharging: Bool { handling?.isCharging ?? isRecordedCharging }

    /// A provider's periods count from when its first instance comes, or from the fetch of content that is there (N1,
    /// N2).
    static func install<World, Observer>(_ i: Int, on device: inout Device<World, Observer>) {
        let kind = device.instances[i].kind
        let provider = device.rules.provider(kind)
        if provider.pointee.anchor < .never { return }
        let fetched = device.instances[i].initialFetched
        provider.pointee.anchor = fetched < .never ? fetched : device.now
        plan(kind, on: &device)
        device.rules.findDue(device.prepared)
    }

    static func leaveWarmUp<World, Observer>(_ device: inout Device<World, Observer>) {
        for kind in 0..<device.prepared.kinds.count { bookWait(kind, of: &device) }
        for app in 0..<device.prepared.plan.apps.count { bookMessageWait(ofApp: app, on: &device) }
    }

    static func beginReport<World, Observer>(_ device: inout Device<World, Observer>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.isPending {
            device.quotas(kind)[.carriedIn] += 1
        }
    }

    static func finish<World, Observer>(_ device: inout Device<World, Observer>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.isPending {
            bookWait(kind, of: &device)
            device.quotas(kind)[.carriedOut] += 1
        }
        for app in 0..<device.prepared.plan.apps.count { bookMessageWait(ofApp: app, on: &device) }
    }
}

// MARK: What moves Doze

extension AndroidRules {
    static func sleep<World, Observer>(_ device: inout Device<World, Observer>) {
        device.rules.handling?.sleep()
        followCharging(&device)
    }

    static func wake<World, Observer>(_ device: inout Device<World, Observer>) {
        device.rules.handling?.wake(at: device.now)
        followCharging(&device)
    }

    static func move<World, Observer>(_ device: inout Device<World, Observer>) {
        device.rules.handling?.travel(device.world.isOnTrip)
        followCharging(&device)
        shake(&device)
    }

    static func turnScreen<World, Observer>(on: Bool, of device: inout Device<World, Observer>) {
        change(&device) { $0.turnScreen(on: on, at: $1, $2) }
        // The unlock after a boot, of which every instance still hears: alarms count from here.
        if on && device.hasPendingChanges { beginAlarms(of: &device) }
    }

    /// The screen is on for the instant.
    static func glance<World, Observer>(_ device: inout Device<World, Observer>) {
        if device.display.use.isInSession { return }
        change(&device) {
            $0.turnScreen(on: true, at: $1, $2)
            $0.turnScreen(on: false, at: $1, $2)
        }
    }

    static func charge<World, Observer>(_ isOn: Bool, _ device: inout Device<World, Observer>) {
        device.rules.isRecordedCharging = isOn
        followCharging(&device)
    }

    static func shake<World, Observer>(_ device: inout Device<World, Observer>) {
        if Observer.isWatching && !device.display.use.isInSession { device.note(.motion) }
        change(&device) { $0.move(at: $1, $2) }
    }

    private static func followCharging<World, Observer>(_ device: inout Device<World, Observer>) {
        let isCharging = device.rules.isCharging
        if isCharging == device.rules.doze.isCharging { return }
        if Observer.isWatching { device.note(isCharging ? .chargingOn : .chargingOff) }
        change(&device) { $0.charge(isCharging, at: $1, $2) }
    }

    private static func change<World, Observer>(
        _ device: inout Device<World, Observer>, _ body: (inout DozeState, Instant, DozeTimes) -> Void
    ) {
        let phase = device.rules.doze.phase
        body(&device.rules.doze, device.now, device.android.pointee.doze)
        if Observer.isWatching && device.rules.doze.phase != phase { device.noteDoze(device.rules.doze.phase) }
    }

    static func follow<World, Observer>(_ device: inout Device<World, Observer>) {
        while let nextAt = device.rules.handling?.nextAt, nextAt <= device.now {
            let isMoved = device.rules.handling?.advance(at: device.now) ?? false
            followCharging(&device)
            if isMoved { shake(&device) }
            device.events += 1
        }
        while device.rules.doze.nextAt <= device.now {
            change(&device) { $0.advance(at: $1, $2) }
            device.events += 1
        }
    }

    /// An app is used (N3).
    static func open<World, Observer>(_ app: Int, on device: inout Device<World, Observer>) {
        device.rules.state(ofApp: app).pointee.lastUse = device.now
    }
}

// MARK: Refreshes that fall due

extension AndroidRules {
    /// When the provider's period next asks for a refresh.
    private static func plan<World, Observer>(_ kind: Int, on device: inout Device<World, Observer>) {
        let provider = device.rules.provider(kind)
        let (now, anchor) = (device.now, provider.pointee.anchor)
        func delay(_ distribution: DurationDistribution) -> Duration {
            defer { provider.pointee.periods += 1 }
            return distribution.draw(
                device.streams.number(.refreshDelay, sub: kind, at: provider.pointee.periods))
        }
        switch device.android.pointee.refreshes[kind].period {
        case .none: provider.pointee.dueAt = .never
        case .alarm(let every):
            let date = ProviderAlarm.next(after: now, anchor: anchor, period: every)
            provider.pointee.dueAt = date + delay(device.android.pointee.alarmDelay)
        case .idleAlarm(let every):
            provider.pointee.dueAt = ProviderAlarm.next(after: now, anchor: anchor, period: every)
        case .work(let every, let flex):
            // The window that has opened by now counts as used: by the first timeline, or by the job that has run.
            let window = PeriodicJob.windowAfter(now, anchor: anchor, period: every, flex: flex)
            provider.pointee.dueAt = window + min(flex, delay(device.android.pointee.jobDelay))
        }
    }

    /// After a boot alarms count from the unlock; jobs keep their periods.
    private static func beginAlarms<World, Observer>(of device: inout Device<World, Observer>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.anchor < .never {
            var isBooted = false
            for i in 0..<device.instanceCount
            where device.instances[i].kind == kind && device.instances[i].pendingReboot.count > 0 { isBooted = true }
            guard isBooted, case .alarm = device.android.pointee.refreshes[kind].period else { continue }
            device.rules.provider(kind).pointee.anchor = device.now
            plan(kind, on: &device)
        }
        device.rules.findDue(device.prepared)
    }

    static func takeDue<World, Observer>(_ device: inout Device<World, Observer>) {
        let now = device.now
        for app in 0..<device.prepared.plan.apps.count where device.rules.state(ofApp: app).pointee.messageAt <= now {
            releaseMessage(toApp: app, on: &device)
        }
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.dueAt <= now {
            switch device.android.pointee.refreshes[kind].period {
            case .none: preconditionFailure("a provider without a period is due")
            case .alarm:
                request(kind, .alarm, .after, on: &device)
                plan(kind, on: &device)
            case .idleAlarm:
                request(kind, .idleAlarm, .after, on: &device)
                plan(kind, on: &device)
            case .work:
                device.rules.provider(kind).pointee.dueAt = .never
                request(kind, .work, .after, isPeriodic: true, on: &device)
            }
        }
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.isPending {
            evaluate(kind, on: &device)
        }
        device.rules.findDue(device.prepared)
    }

    private mutating func findDue(_ prepared: PreparedPlan) {
        var next = Instant.never
        for kind in 0..<prepared.kinds.count { next = min(next, provider(kind).pointee.nextAt) }
        for app in 0..<prepared.plan.apps.count { next = min(next, state(ofApp: app).pointee.messageAt) }
        dueAt = next
    }

    /// A call of the app from the background: a job that is asked for once (N2).
    static func ask<World, Observer>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World, Observer>
    ) {
        let kind = device.instances[i].kind
        let provider = device.rules.provider(kind)
        // A call means all of the provider's instances.
        if provider.pointee.isPending && provider.pointee.cause == cause && provider.pointee.since == device.now {
            return
        }
        request(kind, .work, cause, on: &device)
        device.rules.dueAt = device.now
    }

    /// Something asks for a refresh. One that waits takes it in; one that passes more gates takes its place.
    private static func request<World, Observer>(
        _ kind: Int, _ means: RefreshMeans, _ cause: ReloadCause, isPeriodic: Bool = false,
        on device: inout Device<World, Observer>
    ) {
        device.events += 1
        let provider = device.rules.provider(kind)
        device.quotas(kind)[.due(means)] += 1
        if provider.pointee.isPending {
            let isStronger = means.strength > provider.pointee.means.strength
            device.quotas(kind)[.merged(isStronger ? provider.pointee.means : means)] += 1
            if isPeriodic { provider.pointee.isPeriodic = true }
            if Observer.isWatching { device.noteProvider(.joined, kind, means.name) }
            if isStronger { (provider.pointee.means, provider.pointee.cause) = (means, cause) }
            return
        }
        provider.pointee.isPending = true
        (provider.pointee.means, provider.pointee.cause, provider.pointee.isPeriodic) = (means, cause, isPeriodic)
        (provider.pointee.since, provider.pointee.bookedAt) = (device.now, device.now)
        (provider.pointee.closed, provider.pointee.everClosed, provider.pointee.opensAt) = ([], [], .never)
    }
}

extension RefreshMeans {
    /// How many gates it passes that others wait at.
    fileprivate var strength: Int {
        switch self {
        case .alarm, .work, .message: 0
        case .idleAlarm: 1
        case .expedited: 2
        case .urgentMessage: 3
        }
    }
}

// MARK: Gates

extension AndroidRules {
    private static func bucket<World, Observer>(ofApp app: Int, on device: inout Device<World, Observer>)
        -> StandbyBucket
    {
        let android = device.android
        if android.pointee.restricted.holds(device.streams.number(.restrictedApp, sub: app)) { return .restricted }
        if device.apps.isInForeground(app) { return .active }
        switch android.pointee.widgetBucket {
        case .always(let bucket): return bucket
        case .byUse:
            return android.pointee.ages.bucket(
                unusedFor: device.now - device.rules.state(ofApp: app).pointee.lastUse)
        }
    }

    /// The gates that are closed for the refresh that waits, and when one opens by itself.
    private static func closedGates<World, Observer>(
        _ kind: Int, _ bucket: StandbyBucket, on device: inout Device<World, Observer>
    ) -> (closed: AndroidGateSet, opensAt: Instant) {
        if device.parameters.gatesOpen { return ([], .never) }
        let android = device.android
        let (now, app) = (device.now, device.kinds[kind].app)
        let state = device.rules.state(ofApp: app)
        let means = device.rules.provider(kind).pointee.means
        let doze = device.rules.doze
        var closed = AndroidGateSet()
        var opensAt = Instant.never
        func hold(_ gate: AndroidGate, until instant: Instant) {
            if instant <= now { return }
            closed.insert(AndroidGateSet(gate))
            opensAt = min(opensAt, instant)
        }
        if android.pointee.killer.holds(device.streams.number(.killer)) && !device.display.use.isInSession {
            closed.insert(AndroidGateSet(.killer))
        }
        if !device.condition.isOnline && means != .alarm && means != .idleAlarm {
            closed.insert(AndroidGateSet(.network))
        }
        switch means {
        case .urgentMessage, .expedited: return (closed, opensAt)
        case .idleAlarm:
            if doze.isIdle {
                hold(.alarms, until: state.pointee.idleAlarms.opening(from: now, limit: android.pointee.idleAlarms))
            }
        case .alarm, .work, .message: if doze.isIdle { closed.insert(AndroidGateSet(.doze)) }
        }
        if !device.condition.letsRefresh { closed.insert(AndroidGateSet(.power)) }
        if bucket == .restricted {
            if means != .message && state.pointee.lastRun > .longAgo {
                hold(.jobs, until: state.pointee.lastRun + JobLimits.restrictedGap)
            }
        } else if means == .work && !doze.isCharging {
            if bucket == .rare {
                // Its jobs have no network before it is charged or used.
                closed.insert(AndroidGateSet(.jobs))
            } else if let limit = android.pointee.jobs.jobs(in: bucket) {
                hold(.jobs, until: state.pointee.jobs.opening(from: now, limit))
            }
        }
        return (closed, opensAt)
    }

    /// Looks at the gates of the refresh that waits, which runs if all are open.
    private static func evaluate<World, Observer>(_ kind: Int, on device: inout Device<World, Observer>) {
        let provider = device.rules.provider(kind)
        let app = device.kinds[kind].app
        bookWait(kind, of: &device)
        let bucket = bucket(ofApp: app, on: &device)
        if provider.pointee.means == .expedited && !device.rules.doze.isCharging && !device.parameters.gatesOpen {
            let limit = device.android.pointee.jobs.expedited(in: bucket)
            if device.rules.state(ofApp: app).pointee.expedited.opening(from: device.now, limit) > device.now {
                // Without time left it is a job as any other.
                device.quotas(kind)[.refused(.expedited, bucket)] += 1
                device.quotas(kind)[.merged(.expedited)] += 1
                device.quotas(kind)[.due(.work)] += 1
                provider.pointee.means = .work
            }
        }
        let (closed, opensAt) = closedGates(kind, bucket, on: &device)
        if closed.isEmpty {
            run(kind, bucket, on: &device)
            return
        }
        closed.subtracting(provider.pointee.everClosed).forEach { device.quotas(kind)[.waits($0, bucket)] += 1 }
        if Observer.isWatching && provider.pointee.everClosed.isEmpty {
            device.noteProvider(
                .held, kind, closed.gates.map { "\($0.reason) (\($0.rule))" }.joined(separator: ", "))
        }
        provider.pointee.closed = closed
        provider.pointee.everClosed.formUnion(closed)
        provider.pointee.opensAt = opensAt
    }

    /// Books what the gates that were closed have held the refresh since it was looked at last.
    private static func bookWait<World, Observer>(_ kind: Int, of device: inout Device<World, Observer>) {
        let provider = device.rules.provider(kind)
        guard provider.pointee.isPending else { return }
        let time = device.now - provider.pointee.bookedAt
        provider.pointee.bookedAt = device.now
        if time == .zero || provider.pointee.closed.isEmpty { return }
        let bucket = bucket(ofApp: device.kinds[kind].app, on: &device)
        let counts = device.quotas(kind)
        provider.pointee.closed.forEach { counts.add(time.microseconds, to: .waitTime($0, bucket)) }
    }

    /// The provider refreshes all of its instances.
    private static func run<World, Observer>(
        _ kind: Int, _ bucket: StandbyBucket, on device: inout Device<World, Observer>
    ) {
        let provider = device.rules.provider(kind)
        let state = device.rules.state(ofApp: device.kinds[kind].app)
        let (now, means) = (device.now, provider.pointee.means)
        let counts = device.quotas(kind)
        provider.pointee.isPending = false
        counts[.run(means)] += 1
        switch means {
        case .work, .expedited:
            state.pointee.lastRun = now
            let time = device.android.pointee.jobTime.draw(
                device.streams.number(.jobTime, sub: kind, at: provider.pointee.jobs))
            provider.pointee.jobs += 1
            // On power no run counts.
            if device.rules.doze.isCharging { break }
            let gate = means == .work ? AndroidGate.jobs : .expedited
            counts[.used(gate, bucket)] += 1
            counts.add(time.microseconds, to: .usedTime(gate, bucket))
            if means == .work {
                state.pointee.jobs.add(at: now, for: time, window: .hours(24))
            } else {
                state.pointee.expedited.add(at: now, for: time, window: .hours(24))
            }
        case .alarm: state.pointee.lastRun = now
        case .idleAlarm:
            state.pointee.lastRun = now
            if device.rules.doze.isIdle {
                state.pointee.idleAlarms.add(at: now)
                counts[.used(.alarms, bucket)] += 1
            }
        case .message, .urgentMessage: break
        }
        if Observer.isWatching { device.noteProvider(.refresh, kind, device.refreshText(kind)) }
        for i in 0..<device.instanceCount where device.instances[i].kind == kind {
            device.runInBackground(i, provider.pointee.cause, since: provider.pointee.since)
        }
        if provider.pointee.isPeriodic { plan(kind, on: &device) }
    }
}

// MARK: Messages

extension AndroidRules {
    /// A message of its server reaches the device, which has a connection.
    static func receiveMessage<World, Observer>(toApp app: Int, on device: inout Device<World, Observer>) {
        guard let kind = device.kindWithMessages(ofApp: app) else { return }
        let limits = device.android.pointee.messages
        let state = device.rules.state(ofApp: app)
        let bucket = bucket(ofApp: app, on: &device)
        // One that has waited for the limit, and then for a connection, is counted already.
        let isCounted = state.pointee.isCounted
        state.pointee.isCounted = false
        if !isCounted && !device.rules.messageCount.take(at: device.now, limits) {
            device.quotas(kind)[.refused(.messages, bucket)] += 1
            if Observer.isWatching { device.noteProvider(.messageRefused, kind, "") }
            return
        }
        let tokenAt = state.pointee.messages.tokenInstant(at: device.now, limits.collapsible)
        if tokenAt == device.now && state.pointee.messageAt == .never {
            deliver(toApp: app, kind, bucket, on: &device)
            return
        }
        if state.pointee.messageAt < .never {
            // The newer takes the place of the one that waits.
            device.quotas(kind)[.refused(.messages, bucket)] += 1
        } else {
            if !isCounted { device.quotas(kind)[.waits(.messages, bucket)] += 1 }
            state.pointee.messageAt = tokenAt
            state.pointee.messageSince = device.now
        }
        if Observer.isWatching { device.noteProvider(.messageHeld, kind, "") }
        device.rules.dueAt = min(device.rules.dueAt, tokenAt)
    }

    /// The limit lets the message through that has waited.
    private static func releaseMessage<World, Observer>(toApp app: Int, on device: inout Device<World, Observer>) {
        bookMessageWait(ofApp: app, on: &device)
        device.rules.state(ofApp: app).pointee.messageAt = .never
        guard let kind = device.kindWithMessages(ofApp: app) else { return }
        if !device.condition.isOnline {
            device.rules.state(ofApp: app).pointee.isCounted = true
            device.apps.holdPush(to: app)
            return
        }
        deliver(toApp: app, kind, bucket(ofApp: app, on: &device), on: &device)
    }

    /// Books how long the limit has held a message since it was looked at last.
    private static func bookMessageWait<World, Observer>(ofApp app: Int, on device: inout Device<World, Observer>) {
        let state = device.rules.state(ofApp: app)
        guard state.pointee.messageAt < .never, let kind = device.kindWithMessages(ofApp: app) else { return }
        let held = device.now - state.pointee.messageSince
        device.quotas(kind).add(held.microseconds, to: .waitTime(.messages, bucket(ofApp: app, on: &device)))
        state.pointee.messageSince = device.now
    }

    private static func deliver<World, Observer>(
        toApp app: Int, _ first: Int, _ bucket: StandbyBucket, on device: inout Device<World, Observer>
    ) {
        device.rules.state(ofApp: app).pointee.messages.take(
            at: device.now, device.android.pointee.messages.collapsible)
        device.quotas(first)[.used(.messages, bucket)] += 1
        for kind in 0..<device.prepared.kinds.count where device.takesMessages(kind, ofApp: app) {
            let messages = device.android.pointee.refreshes[kind].messages
            var isUrgent = messages.isUrgent
            if isUrgent
                && device.android.pointee.lowered.holds(
                    device.streams.number(.loweredMessage, sub: kind, at: device.now.address))
            {
                isUrgent = false
                device.quotas(kind)[.lowered] += 1
            }
            let means: RefreshMeans =
                switch messages.handler {
                case .direct: isUrgent ? .urgentMessage : .message
                case .work: .work
                case .expedited: isUrgent ? .expedited : .work
                }
            request(kind, means, .push, on: &device)
        }
        device.rules.dueAt = device.now
    }

    static func countRequest<World, Observer>(at arrival: Instant, of device: inout Device<World, Observer>) {
        let minute = (arrival - device.reportFrom).microseconds / Duration.minutes(1).microseconds
        device.reportedCells[device.android.pointee.minutesAt + Int(minute)] += 1
    }
}

extension DeviceSimulation where Rules == AndroidRules {
    fileprivate var android: UnsafePointer<PreparedAndroid> {
        guard let android = prepared.android else { preconditionFailure("an Android device in a plan without any") }
        return UnsafePointer(android)
    }

    /// The counts of a kind's refreshes.
    fileprivate mutating func quotas(_ kind: Int) -> CountBlock<QuotaCounts> {
        CountBlock(cells, at: android.pointee.quotas(ofSegment: segment, kind: kind, display.device))
    }

    /// Whether a kind of an app takes messages and has an instance.
    fileprivate mutating func takesMessages(_ kind: Int, ofApp app: Int) -> Bool {
        kinds[kind].app == app && (kinds[kind].takesPushes || kinds[kind].contentPushes != nil)
            && hasInstance(where: { $0.kind == kind && $0.isInstalled })
    }

    /// The first of them; nil if none does.
    fileprivate mutating func kindWithMessages(ofApp app: Int) -> Int? {
        for kind in 0..<prepared.kinds.count where takesMessages(kind, ofApp: app) { return kind }
        return nil
    }

    // Notes of a trace.

    fileprivate mutating func noteDoze(_ phase: DozeState.Phase) {
        switch phase {
        case .awake: note(.dozeEnd)
        case .waiting: note(.dozeWaiting)
        case .lightIdle: note(.lightDoze)
        case .lightWindow: note(.lightWindow)
        case .deepIdle: note(.deepDoze)
        case .deepWindow: note(.deepWindow)
        }
    }

    fileprivate mutating func noteProvider(_ event: TraceEvent, _ kind: Int, _ words: String) {
        let id = prepared.plan.kinds[kind].id
        note(event, detail: words.isEmpty ? id : "\(id): \(words)")
    }

    /// Why a refresh runs now, and for how long it has waited.
    fileprivate mutating func refreshText(_ kind: Int) -> String {
        let provider = rules.providerState(kind)
        if provider.everClosed.isEmpty { return provider.means.name }
        let gates = provider.everClosed.gates.map(\.name).joined(separator: ", ")
        return "\(provider.means.name), has waited \(TimeText.duration(now - provider.since)) under \(gates)"
    }
}

extension AndroidRules {
    fileprivate func providerState(_ kind: Int) -> ProviderState { provider(kind).pointee }

    static func code<World, Observer, Coder: StateCoder>(
        _ device: inout Device<World, Observer>, _ coder: inout Coder
    ) {
        device.rules.handling?.code(&coder)
        var fields = device.rules.doze.fields
        coder.code(&fields.phase)
        coder.code(&fields.isScreenOn)
        coder.code(&fields.isCharging)
        coder.code(&fields.phaseEnd)
        coder.code(&fields.deepAt)
        coder.code(&fields.nextIdle)
        coder.code(&fields.nextWindow)
        if Coder.isReading { device.rules.doze.fields = fields }
        let count = device.rules.messageCount
        var (minute, inMinute, hour, inHour) = (count.minute, count.inMinute, count.hour, count.inHour)
        coder.code(&minute)
        coder.code(&inMinute)
        coder.code(&hour)
        coder.code(&inHour)
        if Coder.isReading {
            device.rules.messageCount = MessageCount(minute: minute, inMinute: inMinute, hour: hour, inHour: inHour)
        }
        for kind in 0..<device.prepared.kinds.count {
            if Coder.isReading { device.rules.provider(kind).initialize(to: ProviderState()) }
            device.rules.provider(kind).pointee.code(&coder)
        }
        for app in 0..<device.prepared.plan.apps.count {
            if Coder.isReading { device.rules.state(ofApp: app).initialize(to: JobState()) }
            device.rules.state(ofApp: app).pointee.code(&coder, device.android.pointee.messages.collapsible)
        }
        if Coder.isReading { device.rules.findDue(device.prepared) }
        let isAhead = device.rules.nextAt >= coder.base
        _ = coder.holds(isAhead, "a clock of Android that stands before its device")
    }
}
