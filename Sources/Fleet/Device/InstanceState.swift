import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// All that changes of one instance during a device's life. It lies in memory that a worker allocates once.
///
/// The order of the fields is that of how they change: what is the same in most devices of a segment, what changes with
/// every reload and view, what few instances ever have. A suspended device behind a service is put together line by
/// line of the cache, and fewest lines hold what differs so.
struct InstanceState {
    /// Its index among the ways in which an instance can stand on the device, and its own number on the device.
    let placement, number: Int
    let kind, app: Int
    /// The index of the stack that it lies in (V3), −1 for none.
    let stack: Int
    /// The key of its content unless it shows the place where the person is, 0 for none; and the one that it had at
    /// first.
    var chosenKey: Int64
    let drawnKey: Int64
    let installedAt: Instant
    /// The balance with which its account opens (B5).
    var opening: OpeningBalance
    let surface: Surface
    let family: WidgetFamily
    let renderingMode: RenderingMode
    /// Whether it shows the place where the person is.
    let followsPerson: Bool

    // Small states.

    /// The location mode of its app on this device (L3); counts that are told apart by it go to the one in force.
    var mode: LocationMode
    /// Whether the significant changes that reach its app are those of reduced accuracy.
    let isReduced: Bool
    /// Whether the content that is there at first is alternate content, though its place may be known (L6).
    var startsAlternate = false
    /// Whether it is there at first with a placeholder, because its condition is unmet (P8).
    var startsUnmet = false
    /// Whether the system knows it yet.
    var isInstalled = false
    /// Whether it was there at the last wake-up, so that the device-day counts (B2).
    var sawWakeUp = false
    /// Whether a call of its app at this instant means it.
    var isCalled = false
    /// Whether the view of this instant leads to the use of its button, and to a tap (V5).
    var isInteracting = false
    var isTapped = false
    /// Whether it is on the screen of a surface that is open (V7–V9).
    var isShown = false
    /// The views that wait to be healed (V6).
    var unhealed = UnhealedViews()
    /// The cause of the reload that its policy asks for (P3–P6).
    var dueCause = ReloadCause.after
    /// The showing of surfaces that has viewed it last (V2); 0 for none.
    var viewedShowing: UInt32 = 0
    /// Its draws so far; `DeviceSimulation.stream(_:of:)` has their streams.
    var dispatchDelays = DrawCount(), legs = DrawCount(), jitters = DrawCount(), fixes = DrawCount(),
        freeDelays = DrawCount()
    var viewsToday: Int64 = 0
    /// Where its counts stand.
    var counts: InstancePlaces

    // Shown content (P1, C2).

    /// The content that is there when the instance is: when it was fetched, `never` for none, and for which place, 0
    /// for none.
    var initialFetched: Instant = .never
    var initialPlace: Int64 = 0
    /// When that asks for the next reload, if its policy does not say so alone (T4); `never` else.
    var initialDue: Instant = .never
    var content = ShownContent.placeholder
    /// When the timeline on the screen was fetched, and the date of its last entry.
    var fetched: Instant = .longAgo
    var lastEntry: Instant = .longAgo
    /// The first version that it lacks.
    var version = VersionPosition.none
    /// From when what it shows is stale (C3): the next version, or the end of validity.
    var staleFrom: Instant = .never
    /// Up to when its waking time has been counted.
    var countedUntil: Instant = .never
    /// Until when the views that wait to be healed can be; `longAgo` for none.
    var healUntil: Instant = .longAgo
    var lastKnownPlace: Int64 = 0
    /// When the latest timeline that brought a new version came (V3).
    var newSince: Instant = .longAgo
    /// The date that the timeline prefers (F5); `never` for none.
    var preferred: Instant = .never
    /// When it asks to be reloaded (P3–P6).
    var dueAt: Instant = .never

    // Its reload (G6–G8).

    /// When the event comes for which its phase waits: a gate opens or closes by itself, the dispatch, the reload's
    /// next step or answer; `never` if there is no reload, or if only an event can continue it.
    var reloadAt: Instant = .never
    var lastBackgroundRun: Instant = .longAgo
    var slot = ReloadSlot()
    var inFlight = InFlightReload()
    var wait = GateWait()

    // Its budget and views (B1–B5).

    var history: ViewHistory
    var accounts: InstanceAccounts

    // States that few instances ever have.

    /// The views that openings of the app have counted as and no day has yet, in millionths (B2): a day takes the whole
    /// ones.
    var appUse: Int64 = 0
    var firstTimelineAt: Instant = .never
    /// How many changes of `manual` content it has seen (C1).
    var changesSeen: Int64 = 0
    /// The aligned time that `dueAt` stands for, and the latest one served (P5).
    var alignedDate: Instant = .never
    var servedDate: Instant = .longAgo
    /// Its configuration (F8): when the person next wants another, and how often they have had one.
    var editAt: Instant = .never
    var edits: UInt64 = 0
    /// Pending reloads (F3, F4, F6).
    var pendingLocation = PendingChanges()
    var pendingEnvironment = PendingChanges()
    var pendingReboot = PendingChanges()
    /// The actions of interactions that have not returned yet.
    var actions = PendingInstants()
    /// The calls by openings and closings of its app in this instant, which wait for their priority.
    var ownCalls = OwnCalls()
    /// The calls from the foreground that the platform lets through (F1).
    var calls = ForegroundCalls()
    /// The content that was transferred in the background and is still to be shown (S8).
    var loaded = LoadedContent()
    /// The pushes about new versions of its content (B7).
    var pushes = VersionPushes()

    /// An instance before the system knows it.
    init(
        _ placement: Placement, index: Int, number: Int, segment: Int, device: DeviceKind, isAccented: Bool,
        chosenKey: Int64, mode: LocationMode, isReduced: Bool, installedAt: Instant, opening: OpeningBalance,
        _ prepared: PreparedPlan
    ) {
        self.placement = index
        self.number = number
        kind = placement.kind
        app = prepared.kinds[placement.kind].app
        surface = placement.surface
        family = placement.family
        renderingMode = placement.surface.renderingMode(isAccented: isAccented)
        stack = placement.stack ?? -1
        followsPerson = placement.location == .current
        self.chosenKey = chosenKey
        drawnKey = chosenKey
        self.mode = mode
        self.isReduced = isReduced
        self.installedAt = installedAt
        self.opening = opening
        counts = InstancePlaces(
            placement, segment: segment, device, CountedMode(followsPerson ? mode : nil), in: prepared.layout)
        accounts = InstanceAccounts(
            closedAt: installedAt,
            hasPushPool: prepared.plan.parameters.pushBudget != .shared && prepared.kinds[placement.kind].takesPushes,
            areUsed: !prepared.kinds[placement.kind].isFreeControl)
        history = ViewHistory(window: prepared.plan.parameters.allowance.windowDays)
    }

    /// A view in the unit of `appUse`.
    private static var view: Int64 { 1_000_000 }

    /// A device-day begins: the one before counts if the instance was there from its beginning on (B2).
    mutating func beginDay(at now: Instant) {
        countedUntil = now
        if sawWakeUp { history.complete(views: viewsToday + appUse / Self.view) }
        appUse = sawWakeUp ? appUse % Self.view : 0
        sawWakeUp = true
        viewsToday = 0
    }

    /// Takes the waking time since the last count, and how much of it the content was stale (C3); nil for none.
    @inline(__always) mutating func takeWakingTime(until now: Instant) -> (whole: Duration, stale: Duration)? {
        guard isInstalled, firstTimelineAt <= now else { return nil }
        let from = max(countedUntil, firstTimelineAt)
        countedUntil = now
        return now > from ? (now - from, now - min(now, max(from, staleFrom))) : nil
    }

    /// Puts content on the screen: its timeline, and from when it is stale (P1, C3).
    ///
    /// - Parameter zone: that of the device.
    mutating func show(
        _ content: ShownContent, fetched: Instant, _ prepared: UnsafePointer<PreparedKind>,
        _ state: UnsafePointer<KindState>,
        in zone: UnsafePointer<ZoneTable>, at now: Instant
    ) -> Timeline {
        take(content, prepared, in: zone)
        return begin(
            prepared.pointee.shape, validFor: prepared.pointee.validFor, fetched: fetched,
            isRegular: content.kind == .regular, state, in: zone, at: now)
    }

    /// Takes content that is to be shown, and finds where it stands among the versions of its key.
    @inline(__always) mutating func take(
        _ content: ShownContent, _ prepared: UnsafePointer<PreparedKind>, in zone: UnsafePointer<ZoneTable>
    ) {
        self.content = content
        if content.kind == .regular && prepared.pointee.source.isEmpty(madeAt: content.madeAt, in: zone.pointee) {
            self.content.kind = .empty
        }
        version =
            content.kind == .regular
            ? prepared.pointee.source.position(key: content.place, madeAt: content.madeAt, after: version) : .none
    }

    /// Begins the timeline of the content that was taken.
    ///
    /// - Parameter isRegular: whether it is content of its key, or the answer that there is none yet.
    @inline(__always) mutating func begin(
        _ shape: TimelineShape, validFor: Duration?, fetched: Instant, isRegular: Bool,
        _ state: UnsafePointer<KindState>, in zone: UnsafePointer<ZoneTable>, at now: Instant
    ) -> Timeline {
        var midnight = Instant.never
        if case .untilMidnight = shape {
            midnight = zone.pointee.instant(
                of: zone.pointee.localTime(at: fetched).date.advanced(by: 1), at: ClockTime(microseconds: 0))
        }
        let timeline = Timeline(shape: shape, fetched: fetched, validFor: validFor, midnight: midnight)
        content.validUntil = timeline.validUntil
        self.fetched = fetched
        lastEntry = timeline.lastEntry
        if firstTimelineAt == .never { firstTimelineAt = max(fetched, .start) }
        let usedUp = timeline.validUntil < .never ? timeline.validUntil + .microsecond : .never
        staleFrom = min(version.nextAt, usedUp)
        changesSeen = state.pointee.changesSeen(madeAt: content.madeAt)
        if changesSeen < state.pointee.changes && isRegular { staleFrom = min(staleFrom, now) }
        return timeline
    }

    /// A provider returns its placeholder, `never` to be reloaded (P8).
    mutating func showPlaceholder() {
        content = .placeholder
        staleFrom = .never
        clearDue()
    }

    // Its policy (P3–P6, S3).

    @inline(__always) mutating func setDue(at date: Instant, _ cause: ReloadCause, now: Instant) {
        preferred = date
        dueAt = date == .never ? .never : max(date, now)
        dueCause = cause
        if cause == .backoff { alignedDate = .never }
    }

    @inline(__always) mutating func clearDue() { (dueAt, preferred, alignedDate) = (.never, .never, .never) }

    @inline(__always) mutating func fallDue() {
        dueAt = .never
        if alignedDate < .never { (servedDate, alignedDate) = (alignedDate, .never) }
    }

    /// The person sets the instance to another of its choices, and will want a further one some day (F8).
    mutating func edit(
        at now: Instant, _ device: UnsafePointer<PreparedDevice>, _ streams: RandomStreams,
        _ exponential: QuantileTable
    ) {
        edits += 1
        editAt = RandomArrivals(perYear: device.pointee.placements[placement].editsPerYear, exponential).next(
            after: now, streams.number(.configurationEdit, sub: number, at: edits))
        // Another choice than the present one: a popular one may have to be drawn again.
        let mostAttempts: UInt64 = 32
        for attempt in 0..<mostAttempts {
            let key = device.pointee.chosenKey(
                placement: placement, streams.number(.editedChoice, sub: number, at: edits * mostAttempts + attempt))
            if key != chosenKey {
                chosenKey = key
                break
            }
        }
    }

    /// Another mode is in force, and counts go to it from here on.
    mutating func allow(_ mode: LocationMode, on device: DeviceKind, in layout: MeasureLayout) {
        counts.move(from: CountedMode(self.mode), to: CountedMode(mode), on: device, in: layout)
        self.mode = mode
    }
}
