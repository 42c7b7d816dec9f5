import Basics
import DeviceStorage
import People
import Statistics
import WidgetPlatform

/// The display, and whether the device is at hand, unlocked and in use (D3, D6, V2, V4, R4).
struct DisplayState {
    let device: DeviceKind
    private let hasPasscode: Bool
    /// Whether the person has chosen to hide content on the locked or on the dimmed display (R3, R4).
    var hidesLockScreen = false
    var hidesAlwaysOn = false
    private(set) var use = DeviceUse()
    /// Showings of surfaces so far, and one more: each views an instance once (V2).
    private(set) var showingNumber: UInt32 = 1
    /// Whether any view since the last lock waits to be healed (V6).
    private var hasUnhealed = false
    /// The surfaces that have come on the screen in this instant and that nobody has looked at yet.
    private(set) var shown = SurfaceSet()
    /// A watch is on the wrist, and since when that is counted; other devices are always at hand (V4).
    private(set) var isWorn: Bool
    private var wornSince: Instant = .start
    /// From when the session under way is counted, when the latest one began, and when the latest glance was.
    private var sessionSince: Instant = .never
    private var unlockedAt: Instant = .never
    private var glancedAt: Instant = .never
    /// Whether the display has dimmed since the latest pickup (R4), and when: as that ended, if nothing recorded says
    /// otherwise.
    private(set) var isDimmed = false
    private(set) var dimmedSince: Instant = .longAgo
    /// Whether windows cover a Mac's desktop, so that its widgets are dimmed (R4).
    private var isCovered = false

    init(_ device: DeviceKind, hasPasscode: Bool, isWorn: Bool) {
        (self.device, self.hasPasscode, self.isWorn) = (device, hasPasscode, isWorn)
    }

    /// The surfaces that every pickup shows: the lock screen, or a watch's face (V2, V4).
    static var alwaysShown: SurfaceSet { SurfaceSet(.lockScreen).union(SurfaceSet(.watchFace)) }

    /// A watch stays unlocked while it is worn (D6).
    @inline(__always) var isLocked: Bool { hasPasscode && !(device == .watch ? isWorn : use.isInSession) }

    /// Whether what is viewed now is seen on a locked screen: a session that is locked at the instant of its pickup was
    /// unlocked for its views.
    @inline(__always) func isLockedForViews(at now: Instant) -> Bool { isLocked && unlockedAt != now }

    /// Whether content is hidden from who looks at the display now.
    @inline(__always) func hidesContent(at now: Instant) -> Bool {
        (hidesLockScreen && isLockedForViews(at: now)) || (hidesAlwaysOn && isDimmed)
    }

    /// In use now: in a session, or at the instant of a glance (D3).
    @inline(__always) func isInUse(at now: Instant) -> Bool { use.isInSession || glancedAt == now }

    /// How bright a surface is seen: the whole display is dimmed, or windows cover the desktop (R4).
    @inline(__always) func luminance(of surface: Surface) -> Luminance {
        (isDimmed && surface != .car) || (isCovered && surface == .desktop) ? .low : .active
    }

    /// How much of the session under way is counted by now, and of the time that a watch has been worn.
    @inline(__always) func sessionTime(at now: Instant) -> Duration { use.isInSession ? now - sessionSince : .zero }
    func wornTime(at now: Instant) -> Duration { device == .watch && isWorn ? now - wornSince : .zero }

    // Each transition returns whether it takes place.

    /// A session begins: unlocked, in use (D3, D6). A watch off the wrist shows nothing (V4).
    @inline(__always) mutating func pickUp(at now: Instant, showing surfaces: SurfaceSet) -> Bool {
        if !isWorn { return false }
        use.isInSession = true
        unlockedAt = now
        isDimmed = false
        sessionSince = now
        show(surfaces.union(Self.alwaysShown))
        return true
    }

    /// The lock screen only, never unlocked; use at its instant (D3).
    @inline(__always) mutating func glance(at now: Instant, showing surfaces: SurfaceSet) -> Bool {
        if !isWorn { return false }
        use.last = now
        isDimmed = false
        glancedAt = now
        show(surfaces.union(Self.alwaysShown))
        return true
    }

    /// A surface is opened (V7–V9): on a watch that is a use for its instant; a car's display is none of the phone's.
    mutating func open(at now: Instant) -> Bool {
        if !isWorn { return false }
        guard device == .watch else { return true }
        isDimmed = false
        glancedAt = now
        if !use.isInSession { use.last = now }
        return true
    }

    /// The display dims, until the next pickup (R4).
    mutating func dim(at now: Instant) -> Bool {
        if use.isInSession || !isWorn { return false }
        if !isDimmed { dimmedSince = now }
        isDimmed = true
        showAnew()
        return true
    }

    /// The person looks at the dimmed display, which has been so since its latest use: the system knows of no use (R4).
    mutating func look(at surfaces: SurfaceSet) -> Bool {
        if use.isInSession || !isWorn { return false }
        if !isDimmed { dimmedSince = use.last }
        isDimmed = true
        show(surfaces)
        return true
    }

    /// Windows cover a Mac's desktop, or free it (R4).
    mutating func cover(_ isCovered: Bool) -> Bool {
        if self.isCovered == isCovered { return false }
        self.isCovered = isCovered
        showAnew()
        return true
    }

    /// The session ends.
    @inline(__always) mutating func lock(at now: Instant) -> Bool {
        if !use.isInSession { return false }
        use.isInSession = false
        use.last = now
        return true
    }

    /// A watch goes on the wrist, or comes off (V4): a pickup of this instant has nothing to show any more then.
    mutating func wear(_ on: Bool, at now: Instant) -> Bool {
        if on == isWorn { return false }
        if !on { _ = takeShown() }
        isWorn = on
        wornSince = now
        return true
    }

    /// Surfaces come on the screen in this instant.
    @inline(__always) mutating func show(_ surfaces: SurfaceSet) {
        shown = surfaces
        showAnew()
    }

    /// Anything seen from here on is seen again as a view of its own.
    @inline(__always) private mutating func showAnew() { showingNumber += 1 }

    @inline(__always) mutating func takeShown() -> SurfaceSet {
        defer { shown = SurfaceSet() }
        return shown
    }

    /// A view waits to be healed until the lock.
    @inline(__always) mutating func addUnhealed() { hasUnhealed = true }

    @inline(__always) mutating func takeUnhealed() -> Bool {
        defer { hasUnhealed = false }
        return hasUnhealed
    }

    /// A session under way is counted from the start of the report on.
    mutating func beginReport(at now: Instant) {
        if use.isInSession { sessionSince = now }
        wornSince = now
    }

    func checkInvariants() { precondition(isWorn || shown.isEmpty, "a watch off the wrist shows something") }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isDimmed)
        coder.code(&isWorn)
        if device == .watch { coder.code(&wornSince) }
        if device == .mac { coder.code(&isCovered) }
        coder.code(&hasUnhealed)
        coder.code(&use.isInSession)
        coder.code(&use.last)
        // A drawn display is dim from the end of its latest use.
        if Coder.isReading { dimmedSince = use.last }
        if use.isInSession { coder.code(&sessionSince) }
        let isPast = use.last <= coder.base && (!use.isInSession || sessionSince <= coder.base)
        _ = coder.holds(isPast, "a session that is still to come")
    }
}

/// The surface of a device that is shown from an opening on (V7–V9), if it has one.
struct OpenedSurface: BitwiseCopyable {
    /// Nil on a device without any widget there.
    var surface: Surface?
    /// From when the time for which it is open is counted; `never` while it is not.
    private(set) var since: Instant = .never
    /// The person's usual waking hours, between which bedtime lies.
    let usual: UsualWaking
    /// Whether a workout is under way.
    var isWorkout = false
    /// Whether a person at a tile continues to the next.
    var furtherTile = Bernoulli.never

    init(usual: UsualWaking) { self.usual = usual }

    var isOpen: Bool { since < .never }

    mutating func open(at now: Instant) { since = now }
    mutating func leave() { since = .never }

    /// One that is open is counted from the start of the report on.
    mutating func beginReport(at now: Instant) { if isOpen { since = now } }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isWorkout)
        if surface == nil { return }
        coder.code(&since)
        let isPast = since == .never || since <= coder.base
        _ = coder.holds(isPast, "an opening that is still to come")
    }
}
