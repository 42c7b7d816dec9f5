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

/// The window of a periodic job (N2): the last `flex` of each period.
public enum PeriodicJob {
    public static let leastPeriod = Duration.minutes(15)

    /// When the first window opens after an instant; one that opens then has opened by now.
    public static func windowAfter(_ now: Instant, anchor: Instant, period: Duration, flex: Duration) -> Instant {
        precondition(flex > .zero && flex <= period, "a window of \(flex.microseconds) µs")
        return ProviderAlarm.next(after: now, anchor: anchor + (period - flex), period: period)
    }
}

/// Alarms of one app that go off in Doze (N6): at most so many in any hour.
public struct IdleAlarmLog: Sendable, BitwiseCopyable {
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
