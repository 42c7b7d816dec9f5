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
