import Basics

/// The lengths of Doze (N7, N8), which a maker can change: each is a key of a scenario.
public struct DozeTimes: Hashable, Sendable, BitwiseCopyable {
    /// From the screen's end to the first light idleness: 60 s and 3 min.
    public var lightAfter = Duration.minutes(4)
    /// The first light idleness; each later one is twice as long, up to the longest.
    public var lightIdle = Duration.minutes(5)
    public var longestLightIdle = Duration.minutes(15)
    /// The window for maintenance after each: 1 to 5 min.
    public var lightWindow = Duration.minutes(1)
    /// How long a device lies still before deep Doze: 30 min and 30 min.
    public var deepAfter = Duration.minutes(60)
    /// The first deep idleness; each later one is twice as long, up to the longest.
    public var deepIdle = Duration.minutes(60)
    public var longestDeepIdle = Duration.hours(6)
    /// The window for maintenance after the first of them; each later one is twice as long, up to the longest.
    public var deepWindow = Duration.minutes(5)
    public var longestDeepWindow = Duration.minutes(10)

    public init() {}
}

/// Doze on one device (N7, N8): the ladder of its light and its deep idleness, and where the device is on it.
///
/// The screen and charging end it, and hold it off; motion ends deep Doze, and lets the time to it begin again.
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
        case .waiting, .lightIdle, .lightWindow: deepAt = now + times.deepAfter
        case .deepIdle, .deepWindow: beginWaiting(at: now, times)
        }
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
        case .lightIdle: (phase, phaseEnd) = (.lightWindow, now + times.lightWindow)
        case .lightWindow: idle(.lightIdle, at: now, longest: times.longestLightIdle)
        case .deepIdle:
            (phase, phaseEnd) = (.deepWindow, now + nextWindow)
            nextWindow = min(nextWindow * 2, times.longestDeepWindow)
        case .deepWindow: idle(.deepIdle, at: now, longest: times.longestDeepIdle)
        }
    }

    private mutating func idle(_ phase: Phase, at now: Instant, longest: Duration) {
        (self.phase, phaseEnd) = (phase, now + nextIdle)
        nextIdle = min(nextIdle * 2, longest)
    }

    private mutating func settle(at now: Instant, _ times: DozeTimes) {
        if isScreenOn || isCharging {
            (phase, phaseEnd, deepAt) = (.awake, .never, .never)
        } else {
            beginWaiting(at: now, times)
        }
    }

    private mutating func beginWaiting(at now: Instant, _ times: DozeTimes) {
        (phase, phaseEnd, deepAt) = (.waiting, now + times.lightAfter, now + times.deepAfter)
    }
}

// MARK: What is kept of it

extension DozeState {
    /// All that it holds, to be written down and read back.
    public struct Fields: Sendable {
        public var phase: Phase
        public var isScreenOn, isCharging: Bool
        public var phaseEnd, deepAt: Instant
        public var nextIdle, nextWindow: Duration
    }

    public var fields: Fields {
        get {
            Fields(
                phase: phase, isScreenOn: isScreenOn, isCharging: isCharging, phaseEnd: phaseEnd, deepAt: deepAt,
                nextIdle: nextIdle, nextWindow: nextWindow)
        }
        set {
            (phase, isScreenOn, isCharging) = (newValue.phase, newValue.isScreenOn, newValue.isCharging)
            (phaseEnd, deepAt) = (newValue.phaseEnd, newValue.deepAt)
            (nextIdle, nextWindow) = (newValue.nextIdle, newValue.nextWindow)
        }
    }
}
