import Measures
import People
import SimulatedTime
import Stochastics
import WidgetPlatform

/// The life of one device from the start of the run to its end: the loop.
///
/// It moves from one instant at which anything happens to the next and takes the events of the instant in the order of their ranks (T3). What a
/// rule decides stands in `WidgetPlatform`; what people do comes from the world; here the two meet, and what comes of it is counted.
///
/// All of its methods are `mutating`, those too that only count: the compiler copies the whole value, five kilobytes, for a call that is not.
struct DeviceLife<World: WorldSource, Observer: LifeObserver> {
    var world: World
    var observer: Observer
    let prepared: PreparedPlan
    /// A client gives a try up after this time (S3).
    let timeout: Duration
    /// Whether the service fails at any time.
    let hasFailures: Bool
    let parameters: PlatformParameters
    let kinds: UnsafeMutablePointer<PreparedKind>
    let instances: UnsafeMutablePointer<InstanceState>
    let briefs: UnsafeMutablePointer<InstanceBrief>
    let instanceCount: Int
    /// The instances with something to do in this instant, in order.
    let active: UnsafeMutablePointer<Int>
    var activeCount = 0

    // Where counts go: a scratch block until the warm-up is over, the run's own afterwards.
    var cells: UnsafeMutablePointer<Int64>
    let reportedCells: UnsafeMutablePointer<Int64>
    let load: LoadBuffer
    let devicePlace: BlockPlace<DeviceCounts>
    var events: Int64 = 0

    /// Whether this is the person's first device, which counts what is the person's own.
    let countsPerson: Bool
    var borderTally = WorldTally()

    // Time.
    var now: Instant = .start
    let reportFrom: Instant
    let end: Instant
    /// How far the device can live by itself: to the end, or until a request of it can be answered (S5).
    var horizon: Instant
    /// The end of the window in which the fleet and its service are; requests that leave the device go here. Nil without a service.
    var windowEnd: Instant = .start
    let outbox: RequestOutbox?
    /// Requests so far, and what is left of the client's budget of retries, in thousandths (S3).
    var requestNumber: UInt32 = 0
    var retryAccount: Int64
    var borderAt: Instant

    // The device.
    let device: DeviceKind
    let hasPasscode: Bool
    var hidesLockScreen, hidesAlwaysOn: Bool
    /// Whether the display has dimmed since the latest pickup (R4).
    var isDimmed = false
    /// A watch is on the wrist, and since when that is counted; other devices are always at hand (V4).
    var isWorn: Bool
    var wornSince: Instant = .start
    let stacks: UnsafeMutablePointer<StackState>
    let stackCount: Int
    /// The surfaces with a stack of several widgets.
    var stackSurfaces = SurfaceSet()
    /// Instances that are not installed yet.
    var missingCount: Int
    /// Whether any instance is owed a reload for an environment change or a reboot (F4).
    var owesAny = false
    /// Whether any view since the last lock waits to be healed (V6).
    var hasUnhealed = false
    /// Whether any view of this instant leads to the use of a button (V5).
    var hasInteractions = false
    /// Whether any app that was opened or closed in this instant calls for reloads.
    var hasOwnCalls = false
    var fixFailing: [(from: Instant, to: Instant)]
    /// Draws that are looked up.
    let streams: RandomStreams
    let segment: Int
    /// The next edit of any instance's configuration that is due (F8).
    var editDue: Instant = .never
    var use = DeviceUse()
    /// From when the session under way is counted.
    var sessionSince: Instant = .never
    var glancedAt: Instant = .never
    /// When the latest session began.
    var unlockedAt: Instant = .never
    /// Whether a pickup of this instant has not shown its surfaces yet.
    var hasPickup = false
    /// Showings of surfaces so far, each of which views an instance once (V2).
    var showingNumber = 0
    /// Pickups of the person so far, by which what they do at one is looked up: a look or an unworn watch moves none of it.
    var pickupNumber: UInt64 = 0
    var shown = SurfaceSet()
    var isAsleep: Bool
    /// Whether a wake-up of the run has begun a device-day (T5).
    var hasWokenUp = false
    var isOnline = true
    /// Apps with a push that waits for a connection, bit by index (B7), and whether anything does.
    var heldPushes: UInt16 = 0
    var hasHeldCalls = false
    var hasBackgroundRefresh: Bool
    var isLowPower = false

    // Its apps, bit by index.
    var foreground: UInt16 = 0
    var navigating: UInt16 = 0
    var playing: UInt16 = 0
    var signedIn: UInt16
    var signedInAtStart: UInt16 = .max
    /// When a widget of the app was last viewed, by app.
    let lastWidgetView: UnsafeMutablePointer<Instant>
    let kindStates: UnsafeMutablePointer<KindState>
    let campaigns: UnsafeMutablePointer<CampaignState>
    let campaignCount: Int
    /// The next call of an app or push to it (T3, rank 7).
    var callsAt: Instant = .never

    // Its place and zone.
    var zone: Int
    var zoneChangeAt: Instant = .never
    /// The filters of full and of reduced accuracy.
    var changes: (SignificantChanges, SignificantChanges)
    var reportAt: (Instant, Instant) = (.never, .never)
    let hasReduced: Bool
    /// Whether an instance follows the person with full accuracy: the filter of full accuracy counts the device's changes in any case.
    let hasFull: Bool

    // Its budgets' calendar.
    let usualWaking: UsualWaking
    let hourWeights: HourWeights
    var calendar: AccrualCalendar

    /// The earliest clock of any instance.
    var instancesAt: Instant = .never
    /// The instance whose clock that is; −1 if it is that of several or of none, or if that is not known.
    var soleInstance = -1
    /// When the first action of a button returns (F6).
    var actionsAt: Instant = .never
    /// Whether any reload waits at a gate, or, a free one, for the device to be unlocked.
    var hasHeldReload = false
    /// Whether a gate may have opened or closed for every waiting reload.
    var gatesMoved = false

    var zoneTable: ZoneTable { prepared.zones[zone] }
    /// A watch stays unlocked while it is worn (D6).
    var isLocked: Bool { hasPasscode && !(device == .watch ? isWorn : use.isInSession) }
    /// Whether what is viewed now is seen on a locked screen: a session that is locked at the instant of its pickup was unlocked for its views.
    var isLockedForViews: Bool { isLocked && unlockedAt != now }
    /// In use now: in a session, or at the instant of a glance (D3).
    var isInUse: Bool { use.isInSession || glancedAt == now }

    /// Lives from the start to the end.
    mutating func live() {
        begin()
        liveOn()
        finish()
    }

    /// Lives on to the horizon.
    mutating func liveOn() {
        var othersAt = nextOfOthers
        while true {
            if instancesAt < othersAt {
                // Nothing but instances of the device.
                if instancesAt >= horizon { break }
                now = instancesAt
                if soleInstance >= 0 {
                    settleAlone(soleInstance)
                } else {
                    takeAnswers()
                    settleReloads()
                }
                // A timeline can bring pushes with it, and nothing else.
                othersAt = min(othersAt, callsAt)
                continue
            }
            if othersAt >= horizon { break }
            now = othersAt
            if borderAt == now { crossBorder() }
            if calendar.to <= now { rollBudgets() }
            takeInstant()
            othersAt = nextOfOthers
        }
    }

    /// The earliest of all clocks but the instances' own.
    var nextOfOthers: Instant {
        mutating get {
            min(
                min(world.nextAt, callsAt),
                min(min(calendar.to, zoneChangeAt), min(min(reportAt.0, reportAt.1), min(borderAt, actionsAt))))
        }
    }

    /// The events of one instant, rank by rank (T3).
    private mutating func takeInstant() {
        if instancesAt <= now { takeAnswers() }
        takeWorld(through: .location)
        if reportAt.0 == now { reportChange(reduced: false) }
        if reportAt.1 == now { reportChange(reduced: true) }
        takeWorld(through: .environment)
        if zoneChangeAt == now { changeClocks() }
        if hasPickup { showSurfaces() }
        takeWorld(through: .interaction)
        if hasInteractions { useButtons() }
        if actionsAt <= now { takeReturnedActions() }
        takeWorld(through: .call)
        if callsAt == now { takeCalls() }
        if hasOwnCalls { takeOwnCalls() }
        settleReloads()
    }

    private mutating func takeWorld(through rank: Rank) {
        while world.nextAt == now && world.nextRank <= rank {
            events += 1
            take(world.next())
        }
    }

    /// One event of the world.
    private mutating func take(_ event: WorldEvent) {
        switch event {
        case .wake: wake()
        case .sleep: sleep()
        case .pickup(let surfaces): pickUp(showing: surfaces)
        case .glance: glance()
        case .lock: lock()
        case .viewInstance(let index): viewAgain(index)
        case .viewSurface(let surface): view(surface)
        case .appOpen(let app): openApp(app)
        case .appClose(let app): closeApp(app)
        case .navigationStart(let app): beginUserSession(.navigation, of: app)
        case .navigationEnd(let app): endUserSession(.navigation, of: app)
        case .audioStart(let app): beginUserSession(.audio, of: app)
        case .audioEnd(let app): endUserSession(.audio, of: app)
        case .move: move()
        case .environment(let change, let zone): changeEnvironment(change, into: zone)
        case .appearance: switchAppearance()
        case .interact(let index): interact(index)
        case .appTrigger(let kind): callForReload(ofKind: kind)
        case .push(let app): push(app)
        case .offline: connect(false)
        case .online: connect(true)
        case .lowPowerOn: setLowPower(true)
        case .lowPowerOff: setLowPower(false)
        case .refreshOff: setBackgroundRefresh(false)
        case .refreshOn: setBackgroundRefresh(true)
        case .watchOff: wear(false)
        case .watchOn: wear(true)
        case .lowLuminance: dim()
        case .look: look()
        case .standbyLook: lookAtStandby()
        }
    }

    /// Adds to a count of the device's segment.
    mutating func count(_ what: DeviceCount, _ amount: Int64 = 1) { deviceCounts[what] += amount }

    var deviceCounts: CountBlock<DeviceCounts> {
        mutating get { CountBlock(cells, at: devicePlace) }
    }

    /// The counts that an instance's reloads and budgets go to, and those of its views.
    mutating func reloadCounts(_ i: Int) -> CountBlock<ReloadCounts> { CountBlock(cells, at: instances[i].counts.reloads) }
    mutating func viewCounts(_ i: Int) -> CountBlock<ViewCounts> { CountBlock(cells, at: instances[i].counts.views) }
}
