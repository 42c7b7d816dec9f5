import Basics

/// Ties the instants of a run to the calendar and the clock of UTC, for windows of limits and capacity by the hour.
public struct ServerCalendar: BitwiseCopyable, Sendable {
    private let startUnixMicroseconds: Int64

    /// - Parameter clock: the scenario's; by default a run begins at midnight of the first day of 1970.
    public init(_ clock: ScenarioClock = ScenarioClock(startUnixMicroseconds: 0)) {
        startUnixMicroseconds = clock.startUnixMicroseconds
    }

    /// The number of the window of some length that an instant lies in. Windows of whole hours and days begin with
    /// them.
    public func window(of length: Duration, at now: Instant) -> Int64 {
        let (quotient, rest) = (startUnixMicroseconds + now.microseconds)
            .quotientAndRemainder(dividingBy: length.microseconds)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// How long the window of some length lasts from an instant on, above 0.
    public func left(ofWindow length: Duration, at now: Instant) -> Duration {
        let next = (window(of: length, at: now) + 1) * length.microseconds
        return Duration(microseconds: next - startUnixMicroseconds - now.microseconds)
    }

    /// The time since midnight.
    public func timeOfDay(at now: Instant) -> Duration { .days(1) - left(ofWindow: .days(1), at: now) }

    /// The next instant, later than `now`, at which it is a time of the day.
    public func next(_ timeOfDay: Duration, after now: Instant) -> Instant {
        let wait = timeOfDay - self.timeOfDay(at: now)
        return now + (wait > .zero ? wait : wait + .days(1))
    }
}
