import Basics
import DeviceStorage
import Statistics

/// Episodes of a device: low power, no connection, the wrist, the bedside, the desk, looks at a dimmed display (D7, D8,
/// V4, R4), openings of its Smart Stack or tiles, workouts, and the display of a car (V7–V9).
///
/// They fire a few times a day at most, so the world asks one clock for all of them.
struct DeviceOccasions {
    /// When the next of them comes, and which it is.
    private(set) var nextAt: Instant = .never
    private var next = Clock.look
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
            owner.isOnPower ? nil : habits.pointer(to: \.lowPower), starts: streams[.lowPowerStart],
            lengths: streams[.lowPowerLength], isResumed: isResumed)
        offline = EpisodeProcess(
            habits.pointer(to: \.offline), starts: streams[.offlineStart], lengths: streams[.offlineLength],
            isResumed: isResumed)
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

    /// Whether the device is on its person's wrist, if it is a watch.
    var isWorn: Bool { wear.isWorn }
    var isMac: Bool { desk.isMac }

    /// Its clocks, in the order in which they are taken at one instant: views come after all that changes (T3).
    private enum Clock: CaseIterable { case wear, lowPower, offline, standby, workout, desk, look, drive, opening }

    private func nextAt(of clock: Clock) -> Instant {
        switch clock {
        case .wear: wear.nextAt
        case .lowPower: lowPower.nextAt
        case .offline: offline.nextAt
        case .standby: standby.nextAt
        case .workout: workouts.nextAt
        case .desk: desk.nextAt
        case .look: looks.nextAt
        case .drive: drives.nextAt
        case .opening: openings.nextAt
        }
    }

    private mutating func findNext() {
        (nextAt, next) = (.never, .look)
        for clock in Clock.allCases where nextAt(of: clock) < nextAt { (nextAt, next) = (nextAt(of: clock), clock) }
    }

    /// Whether the next is the opening of a surface, and not its end.
    var isOpening: Bool { next == .drive && !drives.isShown || next == .opening && openings.isOpeningNext }

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
        defer { findNext() }
        switch next {
        case .wear: return wear.advance() ? .watchOn : .watchOff
        case .lowPower: return lowPower.advance() ? .lowPowerOn : .lowPowerOff
        case .offline: return offline.advance() ? .offline : .online
        case .standby:
            standby.advance(streams)
            return .standbyLook
        case .workout: return .workout(workouts.advance(in: zone, streams))
        case .desk: return .desktopLook(isCovered: desk.advance(streams))
        case .look:
            looks.advance(streams[.alwaysOnLook])
            return .look
        case .drive: return drives.advance(streams) ? .open(instance: -1) : .close
        case .opening: return openings.advance(in: zone, streams) ? .open(instance: -1) : .close
        }
    }

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
