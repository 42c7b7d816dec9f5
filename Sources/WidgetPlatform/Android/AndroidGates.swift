import Basics

/// The means by which a provider on Android is refreshed (N1, N2, N6, N10).
public enum RefreshMeans: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    /// `updatePeriodMillis`.
    case alarm
    /// The app's own alarm, which goes off in Doze too.
    case idleAlarm
    /// A job, periodic or called for once.
    case work
    /// A job that runs at once.
    case expedited
    /// A message of ordinary and of high priority, whose handler fetches by itself.
    case message, urgentMessage
    /// The system asks for the widgets of an app that has been updated.
    case update

    /// The rule that it stands in.
    public var rule: String {
        switch self {
        case .alarm, .update: "N1"
        case .idleAlarm: "N6"
        case .work: "N2"
        case .expedited: "N5"
        case .message, .urgentMessage: "N10"
        }
    }
}

/// A gate that can hold a refresh back on Android (section 13).
public enum AndroidGate: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    /// N7, N8: the device is idle.
    case doze
    /// N4: the app's jobs have used up the time of their bucket.
    case jobs
    /// N5: the same of expedited work.
    case expedited
    /// N6: the app's alarms of its bucket, or those in Doze of this hour, are used up.
    case alarms
    /// N2: a job waits for a connection.
    case network
    /// N9: power is low, or the person has restricted what apps do in the background.
    case power
    /// N11: the maker's own killer has ended the app.
    case killer
    /// N10: too many messages of one app, or of all.
    case messages
    /// N1: the device has not been unlocked since its boot.
    case locked

    /// The rule that it stands in, and in words why it holds a refresh back and what opens it.
    private var facts: (rule: String, reason: String, opening: String) {
        switch self {
        case .doze: ("N7", "the device is in Doze", "a window of Doze, the screen, motion or a charger")
        case .jobs:
            ("N4", "the run time of the app's bucket is used up", "time of the bucket, a higher bucket or a charger")
        case .expedited:
            (
                "N5", "the expedited run time of the app's bucket is used up",
                "time of the bucket, a higher bucket or a charger"
            )
        case .alarms:
            ("N6", "the app's alarms of its bucket, or in Doze, are used up", "the end of the quota's span, or use")
        case .network: ("N2", "no connection", "a connection")
        case .power: ("N9", "power is low, or the app is restricted", "power, or a restriction taken back")
        case .killer: ("N11", "the maker's killer has ended the app", "a session of the person")
        case .messages: ("N10", "too many messages", "the end of the limit's span")
        case .locked: ("N1", "not unlocked since the boot", "an unlock")
        }
    }

    public var rule: String { facts.rule }
    public var reason: String { facts.reason }
    public var opening: String { facts.opening }
}

/// The gates that are closed for a refresh.
@frozen public struct AndroidGateSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable public init(_ gate: AndroidGate) { rawValue = 1 << gate.rawValue }

    /// The gates in the set, in order.
    public var gates: [AndroidGate] { AndroidGate.allCases.filter { contains(AndroidGateSet($0)) } }

    /// Calls a function with each gate in the set, without making an array.
    @inlinable @inline(__always) public func forEach(_ body: (AndroidGate) -> Void) {
        var rest = rawValue
        while rest != 0 {
            guard let gate = AndroidGate(rawValue: UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)) else {
                preconditionFailure("a set with a gate of no name, \(rawValue)")
            }
            body(gate)
            rest &= rest &- 1
        }
    }
}
