import Basics
import Statistics

/// Counts of the Live Activities of one kind in the reported span (O1–O6).
public enum ActivityCounts: NamedCounts {
    public typealias Name = ActivityCount
    public static var size: Int { Cells<ActivityCounts>.lags.end }
}

/// One of them, in the order of the cells.
public enum ActivityCount: UInt8, CountIndex, NamedCase {
    /// Activities begun by a push and by the app, those present as the report began and as it ended.
    case begunByPush, begunByApp, carriedIn, carriedOut
    /// Ends by the event, and at the longest time that the system lets one be active.
    case endedByEvent, endedByTime
    /// Removals from the lock screen: by a person while it was active or after its end, and by the system.
    case dismissedActive, dismissedEnded, removed
    /// Tries of the server: those that the push service accepts, refuses for now, and refuses because the activity is
    /// there no longer. A broadcast is one try for all devices.
    case sent, refused, unregistered
    /// Pushes that were refused as often as they may be tried.
    case givenUp
    /// Pushes to a device that the push service took on, and those that were under way as the report began and ended.
    case accepted, pushesCarriedIn, pushesCarriedOut
    /// Their outcomes: shown; taken the place of by a newer one at the push service or on the device; too old for a
    /// device that was offline; dropped because the budget was spent; come when the activity had ended; a beginning
    /// beyond the day's limit.
    case shown, collapsed, superseded, expired, dropped, tooLate, startRefused
    /// Pushes of priority 10 that found no token, and those of them that were shown later.
    case throttled, shownLate
    /// Pushes that reached a device that was not in use.
    case wakeUps

    public static var last: Self { .wakeUps }

    /// The outcomes of an accepted push.
    public static let outcomes: [Self] = [
        .shown, .collapsed, .superseded, .expired, .dropped, .tooLate, .startRefused,
    ]
}

/// The places where an activity is seen.
public enum ActivitySurface: UInt8, CountIndex, NamedCase {
    case lockScreen, dimmed, island, watch

    public static var last: Self { .watch }

    public var name: String {
        switch self {
        case .lockScreen: "lock_screen"
        case .dimmed: "always_on"
        case .island: "dynamic_island"
        case .watch: "watch"
        }
    }
}

/// The state in which a person sees an activity.
public enum ActivityViewState: UInt8, CountIndex, NamedCase {
    /// All updates so far are shown.
    case current
    /// It lacks an update.
    case behind
    /// The system has marked it as stale, whether it lacks one or not.
    case markedStale

    public static var last: Self { .markedStale }
}

extension Cells<ActivityCounts> {
    @inline(__always) public static var views: CellsByTwo<ActivityCounts, ActivitySurface, ActivityViewState> {
        .init(after: named)
    }
    /// Microseconds from updates to their showing.
    @inline(__always) public static var delaySum: Self { Self(after: views, 2) }
    /// Over views: microseconds since the first update appeared that they lacked.
    @inline(__always) public static var lagSum: Self { Self(after: delaySum, 2) }
    /// Microseconds that activities were there, and the part of it in which they lacked an update.
    @inline(__always) public static var presentTime: Self { Self(after: lagSum, 2) }
    @inline(__always) public static var behindTime: Self { Self(after: presentTime, 2) }
    /// Microseconds that pushes waited for a token before they were shown.
    @inline(__always) public static var tokenWaitSum: Self { Self(after: behindTime, 2) }
    /// The histogram of the times from an update to its showing: `LogHistogram`.
    @inline(__always) public static var delays: Self { Self(after: tokenWaitSum, LogHistogram.binCount) }
    /// The histogram of the lags at views that lacked an update: `LogHistogram`.
    @inline(__always) public static var lags: Self { Self(after: delays, LogHistogram.binCount) }
}

/// The priority of a push.
public enum PushPriority: UInt8, CountIndex {
    /// 10: at once, and out of a budget.
    case high
    /// 5: when it suits the device, and free.
    case low

    public static var last: Self { .low }

    /// As a push's header has it.
    public var number: Int {
        switch self {
        case .high: 10
        case .low: 5
        }
    }
}

/// A cause under which sendings of one sort are counted: the priority, and whether the push service refuses the push,
/// for now or for good.
public enum SendCause {
    public static let count = 2 * PushPriority.count

    public static func ordinal(_ priority: PushPriority, isRefused: Bool) -> Int {
        (isRefused ? PushPriority.count : 0) + priority.ordinal
    }
}

/// Counts of the pushes of one kind and priority in one minute of the report.
public enum PushMinuteCounts: NamedCounts {
    public typealias Name = PushMinuteCount
    public static var size: Int { PushMinuteCount.count }
}

public enum PushMinuteCount: UInt8, CountIndex, NamedCase {
    case sent, refused, accepted, collapsed, superseded, expired, dropped, throttled, shown
    /// Microseconds from updates to their showing, of those shown in the minute.
    case delay

    public static var last: Self { .delay }
}
