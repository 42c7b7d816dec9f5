import Basics

/// The lengths of Doze (N7, N8), which a maker can change: each is a key of a scenario.
public struct DozeTimes: Hashable, Sendable, BitwiseCopyable {
    /// From the screen's end to the first light idleness: 60 s and 3 min.
    public var lightAfter = Duration.minutes(4)
    /// The first light idleness; each later one is twice as long, up to the longest.
    public var lightIdle = Duration.minutes(5)
    public var longestLightIdle = Duration.minutes(15)
    /// The longest window for maintenance after each, 1 to 5 min, and the shortest.
    public var lightWindow = Duration.minutes(1)
    public var leastLightWindow = Duration.seconds(5)
    /// From the screen's end to deep Doze, and from a motion that is watched.
    public var deepAfter = Duration.minutes(60)
    public var deepAfterMotion = Duration.minutes(40)
    /// The last part of each, in which motion is watched.
    public var still = Duration.minutes(30)
    /// The first deep idleness; each later one is twice as long, up to the longest.
    public var deepIdle = Duration.minutes(60)
    public var longestDeepIdle = Duration.hours(6)
    /// The longest window for maintenance after the first of them; after each later one it is twice as long, up to the
    /// longest. All are at least so long.
    public var deepWindow = Duration.minutes(5)
    public var longestDeepWindow = Duration.minutes(10)
    public var leastDeepWindow = Duration.seconds(30)
    /// Whether a screen that is on and locked leaves Doze as it is.
    public var waitsForUnlock = true

    public init() {}
}

/// Doze on one device (N7, N8): the ladder of its light and its deep idleness, and where the device is on it.
///
/// The screen and charging end it, and hold it off; motion that is watched ends deep Doze, and lets the time to it
/// begin again. A window ends with the last job that begins in it.
public struct DozeState: Hashable, Sendable, BitwiseCopyable {
    public enum Phase: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// The screen is on, or the device charges.
        case awake
        /// The screen is off, and Doze has not begun.
        case waiting
        case lightIdle, lightWindow, deepIdle, deepWindow
    }

    public private(set) var phase = Phase.waiting
    public private(set) var isScreenOn = false
    public private(set) var isCharging = false
    /// When the phase is over; `never` while awake.
    private var phaseEnd: Instant = .never
    /// When deep Doze begins if the device lies still till then; `never` while awake or in it.
    private var deepAt: Instant = .never
    /// From when on motion is watched; meaningless while awake.
    private var watchedFrom: Instant = .never
    /// The latest end of the window.
    private var windowEnd: Instant = .never
    /// The lengths of the next idleness and window of the ladder.
    private var nextIdle = Duration.zero
    private var nextWindow = Duration.zero

    /// A device whose screen turns off at an instant.
    public init(at now: Instant, isCharging: Bool, _ times: DozeTimes) {
        self.isCharging = isCharging
        settle(at: now, times)
    }

    /// When the phase changes by itself; `never` while awake.
    @inlinable public var nextAt: Instant { earliest }
    @usableFromInline var earliest: Instant { min(phaseEnd, deepAt) }

    /// Whether jobs, alarms and messages of ordinary priority wait for the next window.
    public var isIdle: Bool { phase == .lightIdle || phase == .deepIdle }
    public var isDeep: Bool { phase == .deepIdle || phase == .deepWindow }

    public mutating func turnScreen(on: Bool, at now: Instant, _ times: DozeTimes) {
        if on == isScreenOn { return }
        isScreenOn = on
        settle(at: now, times)
    }

    public mutating func charge(_ isOn: Bool, at now: Instant, _ times: DozeTimes) {
        if isOn == isCharging { return }
        isCharging = isOn
        settle(at: now, times)
    }

    /// The device is moved.
    public mutating func move(at now: Instant, _ times: DozeTimes) {
        switch phase {
        case .awake: break
        case .waiting, .lightIdle, .lightWindow:
            if now >= watchedFrom { setDeep(at: now + times.deepAfterMotion, times) }
        case .deepIdle, .deepWindow: beginWaiting(at: now, deepAt: now + times.deepAfterMotion, times)
        }
    }

    /// A job begins that ends at an instant: the window lasts to its end.
    public mutating func work(until end: Instant) {
        if phase == .lightWindow || phase == .deepWindow { phaseEnd = max(phaseEnd, min(windowEnd, end)) }
    }

    /// The phase changes by itself, at `nextAt`.
    public mutating func advance(at now: Instant, _ times: DozeTimes) {
        precondition(now == nextAt, "Doze changes at \(nextAt.microseconds) µs, not at \(now.microseconds)")
        if now == deepAt {
            (deepAt, nextIdle, nextWindow) = (.never, times.deepIdle, times.deepWindow)
            return idle(.deepIdle, at: now, longest: times.longestDeepIdle)
        }
        switch phase {
        case .awake: preconditionFailure("a device that is awake does not change by itself")
        case .waiting:
            nextIdle = times.lightIdle
            idle(.lightIdle, at: now, longest: times.longestLightIdle)
        case .lightIdle: open(.lightWindow, at: now, least: times.leastLightWindow, most: times.lightWindow)
        case .lightWindow: idle(.lightIdle, at: now, longest: times.longestLightIdle)
        case .deepIdle:
            open(.deepWindow, at: now, least: times.leastDeepWindow, most: nextWindow)
            nextWindow = min(nextWindow * 2, times.longestDeepWindow)
        case .deepWindow: idle(.deepIdle, at: now, longest: times.longestDeepIdle)
        }
    }

    private mutating func idle(_ phase: Phase, at now: Instant, longest: Duration) {
        (self.phase, phaseEnd) = (phase, now + nextIdle)
        nextIdle = min(nextIdle * 2, longest)
    }

    private mutating func open(_ phase: Phase, at now: Instant, least: Duration, most: Duration) {
        (self.phase, phaseEnd, windowEnd) = (phase, now + min(least, most), now + most)
    }

    private mutating func settle(at now: Instant, _ times: DozeTimes) {
        if isScreenOn || isCharging {
            (phase, phaseEnd, deepAt) = (.awake, .never, .never)
        } else {
            beginWaiting(at: now, deepAt: now + times.deepAfter, times)
        }
    }

    private mutating func beginWaiting(at now: Instant, deepAt: Instant, _ times: DozeTimes) {
        (phase, phaseEnd) = (.waiting, now + times.lightAfter)
        setDeep(at: deepAt, times)
    }

    private mutating func setDeep(at instant: Instant, _ times: DozeTimes) {
        (deepAt, watchedFrom) = (instant, instant - times.still)
    }
}

// MARK: What is kept of it

extension DozeState {
    /// All that it holds, to be written down and read back.
    public struct Fields: Sendable {
        public var phase: Phase
        public var isScreenOn, isCharging: Bool
        public var phaseEnd, deepAt, watchedFrom, windowEnd: Instant
        public var nextIdle, nextWindow: Duration
    }

    public var fields: Fields {
        get {
            Fields(
                phase: phase, isScreenOn: isScreenOn, isCharging: isCharging, phaseEnd: phaseEnd, deepAt: deepAt,
                watchedFrom: watchedFrom, windowEnd: windowEnd,
                nextIdle: nextIdle, nextWindow: nextWindow)
        }
        set {
            (phase, isScreenOn, isCharging) = (newValue.phase, newValue.isScreenOn, newValue.isCharging)
            (phaseEnd, deepAt) = (newValue.phaseEnd, newValue.deepAt)
            (watchedFrom, windowEnd) = (newValue.watchedFrom, newValue.windowEnd)
            (nextIdle, nextWindow) = (newValue.nextIdle, newValue.nextWindow)
        }
    }
}
