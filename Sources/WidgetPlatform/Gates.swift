import SimulatedTime

/// The gates that hold a background reload back (section 6), as a set of those that are closed.
@frozen public struct GateSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// G1: no token.
    public static let budget = GateSet(rawValue: 1 << 0)
    /// G2: the last background reload ran too short a time ago.
    public static let gap = GateSet(rawValue: 1 << 1)
    /// G3: the device is not in use and has not been for long.
    public static let idle = GateSet(rawValue: 1 << 2)
    /// G4: protected content on a locked device.
    public static let protection = GateSet(rawValue: 1 << 3)
    /// G5: background refresh is off.
    public static let power = GateSet(rawValue: 1 << 4)

    public static let count = 5
    public static let names = ["budget", "gap", "idle", "protection", "power"]
    public static let rules = ["G1", "G2", "G3", "G4", "G5"]
    /// In words, for traces: why each holds a reload back, and what opens it.
    public static let reasons = [
        "no token is left", "too soon after the last background reload", "nobody has used the device for long",
        "protected content on a locked device", "background refresh is off or power is low",
    ]
    public static let openings = ["a token", "the end of the gap", "use of the device", "an unlock", "background refresh coming back"]

    /// The indices of the gates in the set, G1 first.
    public var indices: [Int] {
        var indices: [Int] = []
        forEachIndex { indices.append($0) }
        return indices
    }

    /// The same without an array.
    @inlinable @inline(__always)
    public func forEachIndex(_ body: (Int) -> Void) {
        var rest = rawValue
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
    }
}

/// Use of a device by its person (D3): what the idle gate looks at (G3).
@frozen public struct DeviceUse: Hashable, Sendable {
    /// Whether a session is under way.
    public var isInSession = false
    /// The latest instant of use outside the present session: a lock, or a glance. `longAgo` before the first use.
    public var last: Instant = .longAgo

    @inlinable public init() {}

    /// Whether the device counts as idle (G3): before its first use, or more than `idleAfter` since the last; the limit itself is not idle (T6).
    @inlinable public func isIdle(at instant: Instant, after idleAfter: Duration) -> Bool {
        if isInSession { return false }
        return last == .longAgo || instant - last > idleAfter
    }

    /// The first instant at which the device will be idle if nobody touches it; `never` while it is in session or already idle.
    @inlinable public func idleInstant(after idleAfter: Duration, seenFrom instant: Instant) -> Instant {
        if isInSession || isIdle(at: instant, after: idleAfter) { return .never }
        return last + idleAfter + Duration(microseconds: 1)
    }
}

/// The gap gate (G2): the time between background reloads of one instance.
public enum GapGate {
    /// The first instant at which the gate is open after a background reload that ran at `lastRun`; the limit itself is open (T6).
    @inlinable public static func opening(lastRun: Instant, minGap: Duration) -> Instant {
        lastRun == .longAgo ? .longAgo : lastRun + minGap
    }
}
