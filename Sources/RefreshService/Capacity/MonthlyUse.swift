import Basics

/// The counts of a span for a month, and their cost.
///
/// A month is the mean one of a year of 365.25 days. A part of a day says nothing of a month: nights and mornings
/// differ.
public enum MonthlyUse {
    /// Days of a month.
    public static let days = 30.4375
    public static let hours = days * 24

    /// A count of a span as that of a month; nil for a span that is not of whole days, one or more, to the hour by
    /// which clocks change.
    public static func amount(_ count: Double, in span: Duration) -> Double? {
        let day = Duration.days(1)
        let rest = Duration(microseconds: span.microseconds % day.microseconds)
        guard span >= day - .hours(1), min(rest, day - rest) <= .hours(1) else { return nil }
        return count * (days * day.inSeconds / span.inSeconds)
    }
}
