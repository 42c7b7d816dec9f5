import Basics

/// A gate that can hold a background reload back once it is due (P7, section 6).
public enum Gate: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    /// G1: no token.
    case budget
    /// G2: the last background reload ran too short a time ago.
    case gap
    /// G3: the device is not in use and has not been for long.
    case idle
    /// G4: protected content on a locked device.
    case protection
    /// G5: background refresh is off.
    case power

    /// The rule that it stands in, and in words why it holds a reload back and which event opens it.
    private var facts: (rule: String, reason: String, opening: String) {
        switch self {
        case .budget: ("G1", "no token is left", "a token")
        case .gap: ("G2", "too soon after the last background reload", "the end of the gap")
        case .idle: ("G3", "nobody has used the device for long", "use of the device")
        case .protection: ("G4", "protected content on a locked device", "an unlock")
        case .power: ("G5", "background refresh is off or power is low", "background refresh coming back")
        }
    }

    public var rule: String { facts.rule }
    public var reason: String { facts.reason }
    public var opening: String { facts.opening }
}

/// The gates that are closed for a reload.
@frozen public struct GateSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public init(_ gate: Gate) { rawValue = 1 << gate.rawValue }

    @inlinable @inline(__always) public func contains(_ gate: Gate) -> Bool { rawValue & 1 << gate.rawValue != 0 }
    @inlinable @inline(__always) public mutating func insert(_ gate: Gate) { formUnion(GateSet(gate)) }

    /// The gates in the set, G1 first.
    public var gates: [Gate] { Gate.allCases.filter { contains($0) } }

    /// Calls a function with each gate in the set, G1 first, without making an array.
    @inlinable @inline(__always)
    public func forEach(_ body: (Gate) -> Void) {
        var rest = rawValue
        while rest != 0 {
            guard let gate = Gate(rawValue: UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)) else {
                preconditionFailure("a set with a gate of no name, \(rawValue)")
            }
            body(gate)
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

    /// Whether the device counts as idle (G3): before its first use, or more than `idleAfter` since the last; the limit
    /// itself is not idle (T6).
    @inlinable public func isIdle(at instant: Instant, after idleAfter: Duration) -> Bool {
        if isInSession { return false }
        return last == .longAgo || instant - last > idleAfter
    }

    /// The first instant at which the device will be idle if nobody touches it; `never` while it is in session or
    /// already idle.
    @inlinable public func idleInstant(after idleAfter: Duration, seenFrom instant: Instant) -> Instant {
        if isInSession || isIdle(at: instant, after: idleAfter) { return .never }
        return last + idleAfter + Duration(microseconds: 1)
    }
}

/// The gap gate (G2): the time between background reloads of one instance.
public enum GapGate {
    /// The first instant at which the gate is open after a background reload that ran at `lastRun`; the limit itself is
    /// open (T6).
    @inlinable public static func opening(lastRun: Instant, minGap: Duration) -> Instant {
        lastRun == .longAgo ? .longAgo : lastRun + minGap
    }
}
