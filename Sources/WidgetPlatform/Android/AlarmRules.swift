import Basics

/// The alarm of a provider's `updatePeriodMillis` (N1): one for all of its instances, at whole periods from when the
/// first of them was added, or from the unlock after a boot.
public enum ProviderAlarm {
    public static let leastPeriod = Duration.minutes(30)

    /// The first whole period after an instant.
    public static func next(after now: Instant, anchor: Instant, period: Duration) -> Instant {
        let passed = (now - anchor).microseconds
        let periods = passed < 0 ? 0 : passed / period.microseconds + 1
        return anchor + period * periods
    }
}

/// A periodic job (N2): it runs `work` after the end of its last run.
public enum PeriodicJob {
    public static let leastPeriod = Duration.minutes(15)
    public static let leastFlex = Duration.minutes(5)
}

/// Alarms of one app that count against a limit (N6): at most so many in any hour.
public struct AlarmLog: Sendable, BitwiseCopyable {
    public static let most = 72
    public static let window = Duration.hours(1)

    /// In order, microseconds.
    private var times = InlineArray<72, Int64>(repeating: 0)
    public private(set) var count = 0

    public init() {}

    /// When the next may go off: now, or as the earliest of the last `limit` is an hour ago.
    public func opening(from now: Instant, limit: Int) -> Instant {
        precondition((1...Self.most).contains(limit), "\(limit) alarms an hour")
        if count < limit { return now }
        return max(now, Instant(microseconds: times[count - limit]) + Self.window)
    }

    public mutating func add(at now: Instant) {
        var gone = count == Self.most ? 1 : 0
        while gone < count && times[gone] <= (now - Self.window).microseconds { gone += 1 }
        for i in gone..<max(gone, count) { times[i - gone] = times[i] }
        for i in count - gone..<count { times[i] = 0 }
        count -= gone
        times[count] = now.microseconds
        count += 1
    }

    public func time(_ place: Int) -> Instant { Instant(microseconds: times[place]) }
    public mutating func restore(_ time: Instant) {
        precondition(count < Self.most, "more alarms than are remembered")
        times[count] = time.microseconds
        count += 1
    }
}

/// How many alarms of its own an app has in any hour, by bucket (N6).
public struct AlarmQuota: Hashable, Sendable, BitwiseCopyable {
    public var workingSet = 10
    public var frequent = 2
    public var rare = 1
    /// The time between two alarms of an app in bucket `restricted`.
    public static let restrictedGap = Duration.hours(24)

    public init() {}

    /// Nil for bucket `active`, which has no limit, and for `restricted`, whose limit is `restrictedGap`.
    public func alarms(in bucket: StandbyBucket) -> Int? {
        switch bucket {
        case .active, .restricted: nil
        case .workingSet: workingSet
        case .frequent: frequent
        case .rare: rare
        }
    }
}
