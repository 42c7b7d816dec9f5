import Basics
import DeviceStorage
import Statistics

/// The hours of a day in which a Mac is used, and what its sessions show (D1, V2, R4).
struct DeskProcess {
    /// The next look at the desktop in the session under way.
    private(set) var nextAt: Instant = .never
    let isMac: Bool
    private let device: UnsafePointer<PreparedDeviceHabits>
    private let isOffice: Bool
    /// The end of the session under way, and whether windows cover the desktop at its next look.
    private var lock: Instant = .never
    private var isCovered = false
    private var hours = DrawCount(), looks = DrawCount(), centers = DrawCount()

    init(_ owner: DeviceOwner) {
        device = owner.device
        isMac = owner.device.pointee.kind == .mac
        isOffice = owner.isOfficeMac
    }

    /// The hours of use of a waking day, as far as its person is awake and at hand, and how much of a day's mean that
    /// is; empty on a day without.
    ///
    /// - Parameter isAway: whether the Mac stands where the person is not today.
    mutating func hours(
        from wake: Instant, to onset: Instant, on date: CivilDate, in zone: UnsafePointer<ZoneTable>, isAway: Bool,
        _ streams: RandomStreams
    ) -> (from: Instant, to: Instant, part: Double) {
        let use = device.pointee.desk.hours(isOffice: isOffice)
        let draws = hours.nextPair(of: streams[.deskHours])
        let (clock, length) = (use.from.draw(draws.first), use.time.draw(draws.second))
        let begin = zone.pointee.instant(of: date, fromMidnight: clock)
        let (from, to) = (max(wake, begin), min(onset, begin + length))
        guard from < to, !isAway, !isOffice || date.isWorkday else { return (wake, wake, 0) }
        return (from, to, (to - from).inSeconds / use.meanTime)
    }

    /// A session begins; returns what it shows at once.
    mutating func beginSession(at now: Instant, lock: Instant, _ streams: RandomStreams) -> SurfaceSet {
        self.lock = lock
        findNext(after: now, streams)
        return device.pointee.desk.notificationCenter.holds(centers.next(of: streams[.notificationCenter]))
            ? SurfaceSet(.notificationCenter) : SurfaceSet()
    }

    private mutating func findNext(after instant: Instant, _ streams: RandomStreams) {
        let desk = device.pointee.desk
        guard desk.looks.everCome else { return }
        let draws = looks.nextPair(of: streams[.desktopLook])
        let at = desk.looks.next(after: instant, draws.first)
        nextAt = at < lock ? at : .never
        isCovered = desk.covered.holds(draws.second)
    }

    mutating func sleep() { nextAt = .never }

    /// The person looks at the desktop; returns whether windows cover it.
    mutating func advance(_ streams: RandomStreams) -> Bool {
        let wasCovered = isCovered
        findNext(after: nextAt, streams)
        return wasCovered
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard isMac else { return }
        coder.code(&hours)
        coder.code(&looks)
        coder.code(&centers)
        coder.code(&nextAt)
        guard nextAt < .never else { return }
        coder.code(&lock, near: nextAt)
        coder.code(&isCovered)
    }
}

/// Looks at a phone that lies charging in landscape at night (V4).
struct StandbyProcess {
    private(set) var nextAt: Instant = .never
    private let device: UnsafePointer<PreparedDeviceHabits>
    private let isPutUp: Bool
    /// Seconds.
    private let usualNight: Double
    private let exponential: QuantileTable
    /// Seconds between two looks at any time of the present night on average, and when the night ends.
    private var gap = Double.infinity
    private var wakeAt: Instant = .never
    private var nights = DrawCount(), looks = DrawCount()

    /// The look at bedtime comes within so long of falling asleep. Assumption.
    private static let bedtime: UInt64 = 600_000_000

    init(
        _ device: UnsafePointer<PreparedDeviceHabits>, isPutUp: Bool, usualNight: Duration, exponential: QuantileTable
    ) {
        self.device = device
        self.isPutUp = isPutUp
        self.usualNight = usualNight.inSeconds
        self.exponential = exponential
    }

    mutating func sleep(at now: Instant, wake: Instant, _ streams: RandomStreams) {
        guard beginNight(wake: wake, seconds: (wake - now).inSeconds, streams) else { return }
        // The first look as the person goes to bed, the others at any time of the night.
        if RandomStream.uniform(looks.next(of: streams[.standbyLook])) < min(1, device.pointee.looksPerNight) {
            set(
                now
                    + Duration(
                        microseconds: Int64(
                            RandomStream.index(looks.next(of: streams[.standbyLook]), below: Self.bedtime))))
        }
    }

    /// The run begins in the night: the look at bedtime is over.
    mutating func beginAsleep(wake: Instant, _ streams: RandomStreams) {
        guard beginNight(wake: wake, seconds: usualNight, streams), gap < .infinity else { return }
        set(nextLook(after: .start, streams))
    }

    /// Whether the phone is put up tonight; sets the time between its looks.
    private mutating func beginNight(wake: Instant, seconds: Double, _ streams: RandomStreams) -> Bool {
        nextAt = .never
        guard isPutUp, device.pointee.standbyNight.holds(nights.next(of: streams[.standbyNight])) else { return false }
        wakeAt = wake
        let further = max(0, device.pointee.looksPerNight - 1)
        gap = further > 0 ? seconds / further : .infinity
        return true
    }

    private mutating func nextLook(after instant: Instant, _ streams: RandomStreams) -> Instant {
        RandomArrivals(meanGap: gap, exponential).next(after: instant, looks.next(of: streams[.standbyLook]))
    }

    private mutating func set(_ at: Instant) { nextAt = at < wakeAt ? at : .never }

    mutating func wake() { nextAt = .never }

    mutating func advance(_ streams: RandomStreams) {
        if gap < .infinity { set(nextLook(after: nextAt, streams)) } else { nextAt = .never }
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard isPutUp else { return }
        coder.code(&nextAt)
        coder.code(&gap)
        coder.code(&wakeAt)
        coder.code(&nights)
        coder.code(&looks)
    }
}

/// Looks at an always-on display that nobody wakes (R4), at random over the waking day.
struct LookProcess {
    private(set) var nextAt: Instant = .never
    private let arrivals: RandomArrivals
    private var looks = DrawCount()

    /// - Parameters:
    ///   - perDay: looks in a waking day.
    ///   - waking: the usual waking day.
    init(perDay: Double, waking: Duration, exponential: QuantileTable) {
        arrivals = RandomArrivals(meanGap: perDay > 0 ? waking.inSeconds / perDay : .infinity, exponential)
    }

    private mutating func findNext(after instant: Instant, _ stream: RandomStream) {
        guard arrivals.everCome else { return }
        nextAt = arrivals.next(after: instant, looks.next(of: stream))
    }

    mutating func wake(at now: Instant, _ stream: RandomStream) { findNext(after: now, stream) }

    mutating func sleep() { nextAt = .never }

    mutating func advance(_ stream: RandomStream) { findNext(after: nextAt, stream) }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard arrivals.everCome else { return }
        coder.code(&nextAt)
        coder.code(&looks)
    }
}

/// Which glances at a device show its today view (V2).
///
/// They are looked up by the pickup's number, so that only a device with something there need ask, and the answers move
/// with nothing else.
package struct TodayViewGlances {
    private let share: Bernoulli

    package init(_ owner: DeviceOwner) {
        share = owner.device.pointee.glanceShowsToday
    }

    /// Whether the glance that is so many pickups from the start shows it.
    ///
    /// - Parameter streams: the device's.
    package func isShown(atPickup number: UInt64, _ streams: RandomStreams) -> Bool {
        share.holds(streams.number(.glanceSurface, at: number))
    }
}
