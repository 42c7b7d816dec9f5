/// The counts of a span for a month, and their cost.
///
/// A month is the mean one of a year of 365.25 days. A span that is not typical of the month gives a month that is not
/// either.
public enum MonthlyUse {
    /// Days of a month.
    public static let days = 30.4375
    public static let hours = days * 24

    /// A count of a span as that of a month.
    ///
    /// - Parameter seconds: of the span, above 0.
    public static func amount(_ count: Double, inSeconds seconds: Double) -> Double {
        precondition(seconds > 0, "a span of \(seconds) s")
        return count * (days * 86_400 / seconds)
    }
}

extension ServicePrices {
    /// The cost of a number of servers for a month.
    public func cost(ofServers servers: Double) -> Double { servers * MonthlyUse.hours * serverHour }
    /// The cost of a number of requests.
    public func cost(ofRequests requests: Double) -> Double { requests / 1e6 * millionRequests }
    /// The cost of a number of pushes.
    public func cost(ofPushes pushes: Double) -> Double { pushes / 1e6 * millionPushes }
    /// The cost of a number of bytes; a gigabyte is 10⁹ of them.
    public func cost(ofBytes bytes: Double) -> Double { bytes / 1e9 * gigabyte }
}
