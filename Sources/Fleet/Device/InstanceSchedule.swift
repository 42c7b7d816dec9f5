import Basics
import People
import WidgetPlatform

/// When each instance of a device has something to do next, and which have in the instant under way.
struct InstanceSchedule {
    private(set) var briefs: UnsafeMutablePointer<InstanceBrief>
    /// The instances with something to do in this instant, in order.
    private(set) var active: UnsafeMutablePointer<Int>
    private(set) var activeCount = 0
    let count: Int
    /// The surfaces with an instance.
    private(set) var surfaces = SurfaceSet()
    /// The earliest clock of any instance.
    private(set) var nextAt: Instant = .never
    /// The instance whose clock that is; −1 if it is that of several or of none, or if that is not known.
    private(set) var sole = -1
    /// Whether any reload waits at a gate, or, a free one, for the device to be unlocked.
    private(set) var hasHeld = false
    /// Whether any waits at a gate that the use of the device opens.
    private(set) var hasHeldByUse = false
    /// Whether any instance has a pending reload for an environment change or a reboot (F4).
    var hasPendingChanges = false
    /// The events to which any provider of a user's own listens (P9): such a device is followed as if a reload waited at a gate.
    private(set) var listens: ProviderContext.Events = []
    /// How many instances are not installed yet.
    var missingCount: Int

    init(_ memory: DeviceMemory, count: Int, _ kinds: UnsafePointer<PreparedKind>) {
        (briefs, active, self.count, missingCount) = (memory.briefs, memory.active, count, count)
        for i in 0..<count {
            briefs[i] = InstanceBrief(surface: memory.instances[i].surface, stack: memory.instances[i].stack)
            // The person comes to such a control by themselves (V10).
            if let place = (kinds + memory.instances[i].kind).pointee.control, place != .lockScreen {
                briefs[i].surface = SurfaceSet()
            }
            surfaces.insert(briefs[i].surface)
            if let provider = (kinds + memory.instances[i].kind).pointee.provider {
                listens.formUnion(provider._withUnsafeGuaranteedRef { $0.listens })
            }
        }
    }

    mutating func adopt(_ memory: DeviceMemory) { (briefs, active) = (memory.briefs, memory.active) }

    /// An instance has its place in its stack.
    mutating func place(_ i: Int, at place: Int) { briefs[i].stackPlace = Int8(place) }

    /// Something of an instance has changed: it is looked at in this instant.
    @inline(__always) mutating func touch(_ i: Int, at now: Instant) {
        briefs[i].at = now
        (nextAt, sole) = (now, -1)
    }

    /// Sets the clock of an instance. That of another one may be the next.
    @inline(__always) mutating func set(
        _ i: Int, at next: Instant, isHeld: Bool, byUse: Bool, awaitsAnswer: Bool, isGranted: Bool
    ) {
        briefs[i].at = next
        briefs[i].isHeld = isHeld
        briefs[i].isHeldByUse = byUse
        briefs[i].awaitsAnswer = awaitsAnswer
        briefs[i].isGranted = isGranted
    }

    /// A reload is granted: another that is dispatched in this instant looks for company.
    @inline(__always) mutating func grant(_ i: Int) { briefs[i].isGranted = true }

    /// An instance's clock may be the next one.
    mutating func follow(_ i: Int) { (nextAt, sole) = (min(nextAt, briefs[i].at), -1) }

    /// Finds the earliest clock of all, whose it is if it is one's alone, and whether any reload is held.
    mutating func findNext() {
        var (next, sole) = (Instant.never, -1)
        var (isAnyHeld, isAnyHeldByUse) = (!listens.isEmpty, listens.contains(.use))
        for i in 0..<count {
            let at = briefs[i].at
            sole = at < next ? i : at == next ? -1 : sole
            next = min(next, at)
            if briefs[i].isHeld { isAnyHeld = true }
            if briefs[i].isHeldByUse { isAnyHeldByUse = true }
        }
        (nextAt, self.sole, hasHeld, hasHeldByUse) = (next, sole, isAnyHeld, isAnyHeldByUse)
    }

    /// The earliest clock of the others, if it is before a limit, which it is else.
    func nextOfOthers(than i: Int, before limit: Instant) -> Instant {
        var limit = limit
        for j in 0..<count where j != i { limit = min(limit, briefs[j].at) }
        return limit
    }

    /// The instances with something to do now: their clock is due, or they wait and a gate may have moved.
    mutating func findActive(at now: Instant, gatesMoved: Bool) {
        activeCount = 0
        for i in 0..<count where briefs[i].at <= now || (gatesMoved && briefs[i].isHeld) {
            active[activeCount] = i
            activeCount += 1
        }
    }

    mutating func activateAlone(_ i: Int) {
        active[0] = i
        activeCount = 1
    }

    /// Another instance has something to do in this instant.
    mutating func activate(_ i: Int) {
        var place = activeCount
        while place > 0 && active[place - 1] > i { place -= 1 }
        if place > 0 && active[place - 1] == i { return }
        for k in stride(from: activeCount, to: place, by: -1) { active[k] = active[k - 1] }
        active[place] = i
        activeCount += 1
    }

    /// Forgets what is found again before the device continues.
    mutating func suspend() { (nextAt, sole) = (.never, -1) }

    func checkInvariants(at now: Instant) {
        precondition(nextAt >= now, "an instance's clock stands before \(now.microseconds) µs")
    }
}

/// The few bytes of every instance that the loop reads at each instant, kept apart from the instances' states.
struct InstanceBrief {
    /// When it has something to do next.
    var at: Instant = .never
    /// Whether a reload of it waits at a gate, or, a free one, for the device to be unlocked.
    var isHeld = false
    /// Whether that gate is one that the use of the device opens or closes: idle, protection.
    var isHeldByUse = false
    /// Whether what comes next is the answer to a request.
    var awaitsAnswer = false
    /// Whether a granted reload has not been dispatched.
    var isGranted = false
    /// Where it stands: the surface that shows it, its stack, −1 for none, and its place in that.
    fileprivate(set) var surface: SurfaceSet
    let stack: Int8
    var stackPlace: Int8 = 0

    init(surface: Surface, stack: Int) {
        self.surface = SurfaceSet(surface)
        self.stack = Int8(stack)
    }
}
