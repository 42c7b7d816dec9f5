import Basics

/// Arrivals at random at a constant mean rate, each drawn from the one before: a Poisson process in simulated time.
///
/// `PoissonTimes` answers how many arrivals lie between two instants; this one needs a number an arrival and knows the
/// next one only.
@frozen public struct RandomArrivals: Sendable, BitwiseCopyable {
    /// Seconds from one to the next on average; infinite for what never comes.
    public let meanGap: Double
    @usableFromInline let exponential: QuantileTable

    /// - Parameters:
    ///   - meanGap: seconds, 0 or more; infinite for never.
    ///   - exponential: the table of the standard exponential.
    @inlinable
    public init(meanGap: Double, _ exponential: QuantileTable) {
        precondition(meanGap >= 0, "arrivals a mean of \(meanGap) s apart")
        self.meanGap = meanGap
        self.exponential = exponential
    }

    /// - Parameter perDay: arrivals in 24 hours on average, 0 or more.
    @inlinable
    public init(perDay: Double, _ exponential: QuantileTable) {
        self.init(meanGap: perDay > 0 ? 86_400 / perDay : .infinity, exponential)
    }

    /// - Parameter perYear: arrivals in a year of 365.25 days on average, 0 or more.
    @inlinable
    public init(perYear: Double, _ exponential: QuantileTable) { self.init(perDay: perYear / 365.25, exponential) }

    @inlinable public var everCome: Bool { meanGap < .infinity }

    /// The arrival that follows an instant; `never` if none does.
    @inlinable @inline(__always)
    public func next(after instant: Instant, _ u: UInt64) -> Instant {
        everCome ? instant + Duration(seconds: meanGap * exponential.value(u)) : .never
    }
}
