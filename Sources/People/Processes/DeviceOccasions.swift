import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// Episodes of a device: low power, no connection, the wrist, the bedside, the desk, looks at a dimmed display (D7, D8,
/// V4, R4), openings of its Smart Stack or tiles, workouts, and the display of a car (V7–V9).
///
/// They fire a few times a day at most, so the world asks one clock for all of them.
struct DeviceOccasions {
    /// The next of them.
    private(set) var nextAt: Instant = .never
    private var lowPower, offline: EpisodeProcess
    private var wear: WearProcess
    private var standby: StandbyProcess
    private var looks: LookProcess
    private var desk: DeskProcess
    private var openings, workouts: OpeningProcess
    private var drives: DriveProcess
    private let streams: RandomStreams

    init(_ owner: DeviceOwner, isResumed: Bool = false) {
        streams = owner.streams
        let habits = owner.habits
        let waking = owner.traits.sleepTimes.usualWaking.workday.length
        lowPower = EpisodeProcess(
            owner.isOnPower ? nil : habits.pointer(to: \.lowPower), Self.lowPowerStreams(streams), isResumed: isResumed)
        offline = EpisodeProcess(habits.pointer(to: \.offline), Self.offlineStreams(streams), isResumed: isResumed)
        wear = WearProcess(owner.device, isWornAtNight: owner.isWornAtNight)
        standby = StandbyProcess(
            owner.device, isPutUp: owner.isPutInStandby, usualNight: .days(1) - waking,
            exponential: habits.pointee.exponential)
        looks = LookProcess(
            perDay: owner.hasAlwaysOnDisplay ? owner.device.pointee.looksPerDay : 0, waking: waking,
            exponential: habits.pointee.exponential)
        desk = DeskProcess(owner)
        func process(_ habits: UnsafePointer<PreparedOccasions>, starts: Purpose, lengths: Purpose) -> OpeningProcess {
            OpeningProcess(
                habits, waking: owner.traits.sleepTimes.usualWaking.workday,
                exponential: owner.habits.pointee.exponential,
                starts: starts, lengths: lengths)
        }
        openings = process(
            owner.device.pointer(to: \.openings.openings)!, starts: Purpose.surfaceOpening, lengths: Purpose.openingTime
        )
        workouts = process(
            owner.device.pointer(to: \.openings.workouts)!, starts: Purpose.workoutStart, lengths: Purpose.workoutTime)
        drives = DriveProcess(owner.device.pointer(to: \.openings.drives)!, owner.streams)
        findNext()
    }

    private static func lowPowerStreams(_ streams: RandomStreams) -> EpisodeProcess.Streams {
        EpisodeProcess.Streams(starts: streams[.lowPowerStart], lengths: streams[.lowPowerLength])
    }

    private static func offlineStreams(_ streams: RandomStreams) -> EpisodeProcess.Streams {
        EpisodeProcess.Streams(starts: streams[.offlineStart], lengths: streams[.offlineLength])
    }

    /// Whether the device is on its person's wrist, if it is a watch.
    var isWorn: Bool { wear.isWorn }
    var isMac: Bool { desk.isMac }

    /// Whether the next is the opening of a surface, which is a view (T3), and not its end.
    private(set) var isOpening = false

    private mutating func findNext() {
        let useAt = min(
            min(lowPower.nextAt, offline.nextAt), min(min(wear.nextAt, desk.nextAt), min(standby.nextAt, looks.nextAt)))
        let openingAt = min(
            drives.isShown ? .never : drives.nextAt, openings.isOpeningNext ? openings.nextAt : .never)
        nextAt = min(min(useAt, openingAt), min(drives.nextAt, min(openings.nextAt, workouts.nextAt)))
        isOpening =
            openingAt == nextAt && useAt > nextAt && workouts.nextAt > nextAt
            && !(drives.isShown && drives.nextAt == nextAt) && !(!openings.isOpeningNext && openings.nextAt == nextAt)
    }

    /// The run begins with a person asleep.
    mutating func beginAsleep(wake: Instant) {
        wear.beginAsleep()
        standby.beginAsleep(wake: wake, streams)
        findNext()
    }

    /// The person is up.
    mutating func wake(at now: Instant, zone: UnsafePointer<ZoneTable>) {
        wear.wake(at: now, zone: zone, streams)
        standby.wake()
        looks.wake(at: now, streams[.alwaysOnLook])
        openings.wake(at: now, in: zone, streams)
        workouts.wake(at: now, in: zone, streams)
        findNext()
    }

    /// The person sleeps.
    mutating func sleep(at now: Instant, wake: Instant) {
        wear.sleep(at: now)
        standby.sleep(at: now, wake: wake, streams)
        looks.sleep()
        desk.sleep()
        openings.sleep(at: now)
        workouts.sleep(at: now)
        findNext()
    }

    /// The hours of a waking day in which a Mac is used; see `DeskProcess.hours`.
    mutating func hours(
        from wake: Instant, to onset: Instant, on date: CivilDate, in zone: UnsafePointer<ZoneTable>, isAway: Bool
    ) -> (from: Instant, to: Instant, part: Double) {
        desk.hours(from: wake, to: onset, on: date, in: zone, isAway: isAway, streams)
    }

    /// A session on a Mac begins; returns what it shows at once.
    mutating func beginSession(at now: Instant, lock: Instant) -> SurfaceSet {
        defer { findNext() }
        return desk.beginSession(at: now, lock: lock, streams)
    }

    /// The person comes to another zone, by whose clock a watch is charged.
    mutating func move(to zone: UnsafePointer<ZoneTable>, at now: Instant) {
        wear.move(to: zone, at: now)
        openings.move(to: zone, at: now, streams)
        workouts.move(to: zone, at: now, streams)
        findNext()
    }

    /// The person sets out on a trip that ends at an instant.
    mutating func setOut(at now: Instant, until end: Instant, trip: UInt64) {
        drives.setOut(at: now, until: end, number: trip, streams)
        findNext()
    }

    /// Takes the next.
    mutating func advance(in zone: UnsafePointer<ZoneTable>) -> WorldEvent {
        let now = nextAt
        defer { findNext() }
        // An end comes before a beginning.
        if wear.nextAt == now { return wear.advance() ? .watchOn : .watchOff }
        if lowPower.nextAt == now {
            return lowPower.advance(Self.lowPowerStreams(streams)) ? .lowPowerOn : .lowPowerOff
        }
        if offline.nextAt == now { return offline.advance(Self.offlineStreams(streams)) ? .offline : .online }
        if standby.nextAt == now {
            standby.advance(streams)
            return .standbyLook
        }
        if drives.nextAt == now { return drives.advance(streams) ? .open(instance: -1) : .close }
        if workouts.nextAt == now { return .workout(workouts.advance(in: zone, streams)) }
        if openings.nextAt == now { return openings.advance(in: zone, streams) ? .open(instance: -1) : .close }
        if desk.nextAt == now { return .desktopLook(isCovered: desk.advance(streams)) }
        looks.advance(streams[.alwaysOnLook])
        return .look
    }
}

// MARK: State of a suspended device

extension DeviceOccasions {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        lowPower.code(&coder)
        offline.code(&coder)
        wear.code(&coder)
        standby.code(&coder)
        looks.code(&coder)
        desk.code(&coder)
        openings.code(&coder)
        workouts.code(&coder)
        drives.code(&coder)
        if Coder.isReading { findNext() }
    }
}
