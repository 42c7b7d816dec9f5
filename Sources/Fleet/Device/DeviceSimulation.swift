import Basics
import People
import Statistics
import WidgetPlatform

/// The simulation of one device from the start of the run to its end: the loop.
///
/// It moves from one instant at which anything happens to the next and takes the events of the instant in the order of their priority (T3). The rules are in
/// `WidgetPlatform` and people's behaviour comes from the world; the two meet here, and the outcome is counted.
///
/// All of its methods are `mutating`, those too that only count: the compiler copies the whole value, six kilobytes, for a call that is not.
struct DeviceSimulation<World: WorldSource, Observer: DeviceObserver> {
    var world: World
    var observer: Observer
    let prepared: PreparedPlan
    let parametersAt: UnsafePointer<PlatformParameters>
    let reportFrom: Instant
    /// The run's, but in a sample that stops before it.
    var end: Instant

    // The device and its person.
    let segment: Int
    /// Draws that are looked up.
    let streams: RandomStreams
    /// The glances that show the today view; nil if nothing stands there (V2).
    var todayViewGlances: TodayViewGlances?
    var fixFailing: [(from: Instant, to: Instant)]
    var clocks: DeviceClocks
    var now: Instant = .start
    let device: DeviceKind
    let hasPasscode: Bool
    var hidesLockScreen, hidesAlwaysOn: Bool
    var person: PersonState
    var use = DeviceUse()
    var display: DisplayState
    var condition: DeviceCondition
    var apps: AppStates
    var whereabouts: Whereabouts
    var budget: AccrualInterval
    var link: ServiceLink

    // The kinds, instances and stacks on the device, in memory that somebody else owns.
    let kinds: UnsafeMutablePointer<PreparedKind>
    var kindStates: UnsafeMutablePointer<KindState>
    var instances: UnsafeMutablePointer<InstanceState>
    var briefs: UnsafeMutablePointer<InstanceBrief>
    let instanceCount: Int
    /// Instances that are not installed yet.
    var missingCount: Int
    /// The instances with something to do in this instant, in order.
    var active: UnsafeMutablePointer<Int>
    var activeCount = 0
    var stacks: UnsafeMutablePointer<StackState>
    let stackCount: Int
    /// The surfaces with a stack of several widgets.
    var stackSurfaces = SurfaceSet()
    /// By app.
    var silentPushes: UnsafeMutablePointer<SilentPushState>
    var campaigns: UnsafeMutablePointer<CampaignState>
    let campaignCount: Int
    /// The background fetches of the segment's apps.
    let fetchPlans: UnsafeBufferPointer<PreparedFetch>
    var fetches: UnsafeMutablePointer<FetchState>
    let fetchCount: Int

    // State that concerns several instances.

    /// Whether any instance has a pending reload for an environment change or a reboot (F4).
    var hasPendingChanges = false
    /// Whether any reload waits at a gate, or, a free one, for the device to be unlocked.
    var hasHeldReload = false
    /// Whether a gate may have opened or closed for every waiting reload.
    var gatesMoved = false

    // Where counts go: a scratch block until the warm-up is over, the run's own afterwards.
    var cells: UnsafeMutablePointer<Int64>
    let reportedCells: UnsafeMutablePointer<Int64>
    let load: LoadBuffer
    let devicePlace: BlockPlace<DeviceCounts>
    var events: Int64 = 0

    var parameters: PlatformParameters {
        @inline(__always) _read { yield parametersAt.pointee }
    }

    /// The stream of an instance's own draws of a purpose.
    @inline(__always) mutating func stream(_ purpose: Purpose, of i: Int) -> RandomStream { streams[purpose, sub: instances[i].number] }

    var zoneTable: ZoneTable { prepared.zones[whereabouts.zone] }
    /// A watch stays unlocked while it is worn (D6).
    var isLocked: Bool { hasPasscode && !(device == .watch ? display.isWorn : use.isInSession) }
    /// Whether what is viewed now is seen on a locked screen: a session that is locked at the instant of its pickup was unlocked for its views.
    var isLockedForViews: Bool { isLocked && display.unlockedAt != now }
    /// In use now: in a session, or at the instant of a glance (D3).
    var isInUse: Bool { use.isInSession || display.glancedAt == now }

    /// Continues with what stands on the device in other memory, which is a copy.
    mutating func adopt(_ memory: DeviceMemory) {
        world.adopt(memory.apps)
        (kindStates, instances, briefs, active) = (memory.kindStates, memory.instances, memory.briefs, memory.active)
        (stacks, campaigns, fetches, apps.lastWidgetView) = (memory.stacks, memory.campaigns, memory.fetches, memory.lastWidgetView)
        silentPushes = memory.silentPushes
    }

    /// Runs from the start to the end.
    mutating func live() {
        begin()
        advance()
        finish()
    }

    /// Runs from the start for a while only, as if the run ended there: to an instant, or until so many events have happened; for samples.
    ///
    /// - Returns: how far it has come. It looks after ever longer intervals whether there were enough events, so there can be twice as many.
    mutating func live(until last: Instant, events most: Int64) -> Instant {
        begin()
        var interval = Duration.minutes(1)
        while true {
            clocks.horizon = min(last, .start + interval)
            advance()
            if clocks.horizon == last || events >= most { break }
            interval = interval + interval
        }
        end = clocks.horizon
        finish()
        return end
    }

    /// Runs to the horizon.
    mutating func advance() {
        (clocks.worldAt, clocks.worldPriority) = (world.nextAt, world.nextPriority)
        clocks.slowAt = nextOfSlow
        var quickAt = nextOfQuick
        while true {
            let othersAt = min(clocks.worldAt, min(clocks.slowAt, quickAt))
            if clocks.instancesAt < othersAt {
                // Nothing but instances of the device.
                if clocks.instancesAt >= clocks.horizon { break }
                if clocks.soleInstance >= 0 {
                    runFastPath(of: clocks.soleInstance, before: othersAt)
                } else {
                    now = clocks.instancesAt
                    takeAnswers()
                    settleReloads()
                }
                // A timeline can bring pushes with it, and nothing else.
                quickAt = min(quickAt, clocks.callsAt)
                continue
            }
            if othersAt >= clocks.horizon { break }
            if clocks.worldAt == othersAt && usePlainly() {
                quickAt = nextOfQuick
                continue
            }
            now = othersAt
            if clocks.slowAt <= now {
                if clocks.reportStartsAt == now { beginReport() }
                if budget.calendar.to <= now { rollBudgets() }
            }
            takeInstant()
            if clocks.slowMoved || clocks.slowAt <= now {
                clocks.slowAt = nextOfSlow
                clocks.slowMoved = false
            }
            quickAt = nextOfQuick
            #if DEBUG
                checkInvariants()
            #endif
        }
    }

    /// Checks, after an instant, the invariants that the parts' comments state.
    private mutating func checkInvariants() {
        clocks.checkInvariants(at: now)
        precondition(clocks.slowAt == nextOfSlow, "a pickup, glance or lock has moved a clock that stands behind another")
        display.checkInvariants()
        apps.checkInvariants()
        whereabouts.checkInvariants(at: now)
        budget.checkInvariants(at: now)
    }

    /// The earliest of all clocks but the instances' own.
    var nextOfOthers: Instant {
        mutating get { min(world.nextAt, min(nextOfSlow, nextOfQuick)) }
    }

    /// The earliest of the clocks that no pickup, glance or lock moves.
    private var nextOfSlow: Instant {
        mutating get {
            min(min(budget.calendar.to, whereabouts.timeChangeAt), min(min(whereabouts.reportAt.0, whereabouts.reportAt.1), clocks.reportStartsAt))
        }
    }

    /// The earliest of the clocks that any use can move.
    private var nextOfQuick: Instant {
        mutating get { min(clocks.callsAt, min(clocks.actionsAt, clocks.tapEndsAt)) }
    }

    /// The events of one instant, by priority (T3).
    private mutating func takeInstant() {
        if clocks.instancesAt <= now { takeAnswers() }
        if clocks.tapEndsAt <= now { endTap() }
        takeWorld(through: .location)
        let isSlow = clocks.slowMoved || clocks.slowAt <= now
        if isSlow && whereabouts.reportAt.0 == now { reportChange(reduced: false) }
        if isSlow && whereabouts.reportAt.1 == now { reportChange(reduced: true) }
        takeWorld(through: .environment)
        if isSlow && whereabouts.timeChangeAt == now { changeClocks() }
        followUse()
    }

    /// Handles what the use of this instant shows and leads to (priorities 5 to 8).
    private mutating func followUse() {
        if display.hasPickup { showSurfaces() }
        takeWorld(through: .interaction)
        if display.hasInteractions { useButtons() }
        if display.hasTaps { takeTaps() }
        if clocks.actionsAt <= now { takeReturnedActions() }
        if clocks.callsAt == now {
            releaseForegroundCalls()
            releaseSilentPushes()
        }
        takeWorld(through: .call)
        if clocks.callsAt == now { takeCalls() }
        if apps.hasOwnCalls { takeOwnCalls() }
        settleReloads()
    }

    /// Pickups and locks, as long as nothing else happens on the device but what they lead to.
    ///
    /// - Returns: whether there was any.
    private mutating func usePlainly() -> Bool {
        var isAny = false
        // None of the world's events comes meanwhile.
        clocks.worldAt = .never
        while let pickup = world.nextPlainPickup(before: nextOfDevice) {
            isAny = true
            events += 1
            now = pickup.at
            if pickup.isGlance {
                glance()
                followUse()
                #if DEBUG
                    checkInvariants()
                #endif
                continue
            }
            pickUp(showing: pickup.surfaces)
            followUse()
            #if DEBUG
                checkInvariants()
            #endif
            guard world.takePlainLock(before: nextOfDevice) else { break }
            events += 1
            now = pickup.until
            lock()
            if hasHeldReload || nextOfDevice <= now || apps.hasOwnCalls { followUse() }
            gatesMoved = false
            #if DEBUG
                checkInvariants()
            #endif
        }
        if isAny { world.endPlainUse() }
        (clocks.worldAt, clocks.worldPriority) = (world.nextAt, world.nextPriority)
        return isAny
    }

    /// How far the device runs without the world's next event: up to the earliest of its own clocks, or to its horizon, which a request moves.
    private var nextOfDevice: Instant {
        mutating get { min(min(clocks.slowAt, clocks.horizon), min(clocks.instancesAt, nextOfQuick)) }
    }

    @inline(__always) private mutating func takeWorld(through priority: EventPriority) {
        if clocks.worldAt == now && clocks.worldPriority <= priority { takeEvents(through: priority) }
    }

    private mutating func takeEvents(through priority: EventPriority) {
        repeat {
            events += 1
            let event = world.next()
            (clocks.worldAt, clocks.worldPriority) = (world.nextAt, world.nextPriority)
            take(event)
        } while clocks.worldAt == now && clocks.worldPriority <= priority
    }

    /// One event of the world.
    private mutating func take(_ event: WorldEvent) {
        switch event {
        case .pickup(let surfaces): pickUp(showing: surfaces)
        case .glance: glance()
        case .lock: lock()
        default:
            clocks.slowMoved = true
            takeRare(event)
        }
    }

    /// An event of the world that is not a pickup, glance or lock.
    private mutating func takeRare(_ event: WorldEvent) {
        switch event {
        case .pickup, .glance, .lock: preconditionFailure("an event that is not rare")
        case .wake: wake()
        case .sleep: sleep()
        case .viewInstance(let index): viewAgain(index)
        case .viewSurface(let surface): view(surface)
        case .appOpen(let app): openApp(app)
        case .appClose(let app): closeApp(app)
        case .navigationStart(let app): beginUserSession(.navigation, of: app)
        case .navigationEnd(let app): endUserSession(.navigation, of: app)
        case .audioStart(let app): beginUserSession(.audio, of: app)
        case .audioEnd(let app): endUserSession(.audio, of: app)
        case .permission(let app, let mode): changePermission(of: app, to: mode)
        case .move: move()
        case .environment(let change, let zone): changeEnvironment(change, into: zone)
        case .appearance: switchAppearance()
        case .interact(let index): interact(index)
        case .tap(let index): tap(index)
        case .appTrigger(let kind): callForReload(ofKind: kind)
        case .push(let app): push(app)
        case .silentPush(let kind): receiveSilentPush(forKind: kind)
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
        case .desktopLook(let isCovered): lookAtDesktop(isCovered: isCovered)
        case .desktopCover(let isCovered): cover(isCovered)
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
