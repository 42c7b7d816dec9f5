import Basics

/// A checked distribution of durations ready to draw from: seconds in the distribution, a `Duration` in the draw.
///
/// Every draw follows one rule: the distribution's seconds, times a factor where the caller has one, to the nearest
/// microsecond (`Duration.init(seconds:)`), and no less than the `least` that the distribution was prepared with.
/// Nothing else is cut.
@frozen public struct DurationDistribution: Sendable, BitwiseCopyable {
    /// The distribution in seconds, for means and other moments at set-up.
    public let seconds: PreparedDistribution
    /// The lower bound of every draw: 0 for a length, a microsecond where what begins must end later, less than any
    /// draw for an offset of either sign.
    public let least: Duration

    /// One draw. It does not fall with `u`.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> Duration { max(least, Duration(seconds: seconds.draw(u))) }

    /// One draw of the distribution, times a factor of 0 or more.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64, times factor: Double) -> Duration {
        max(least, Duration(seconds: seconds.draw(u) * factor))
    }
}

extension Distribution {
    /// The distribution in seconds as one of lengths, its table taken from `tables` or made there.
    ///
    /// - Parameter least: 0 or more. A distribution that can draw less than 0 is a problem: its `range` says where its
    ///   draws are clipped.
    public func preparedDurations(atLeast least: Duration = .zero, with tables: inout StandardTables)
        throws(DistributionProblem)
        -> DurationDistribution
    {
        guard leastDraw >= 0 else {
            throw DistributionProblem(
                name: "duration", found: "a distribution that reaches below 0", expected: "lengths of 0 or more")
        }
        return DurationDistribution(seconds: try prepared(with: &tables), least: least)
    }

    /// The distribution in seconds as one of offsets, which can be of either sign: jitter, or how far a time lies from
    /// the usual one.
    public func preparedOffsets(with tables: inout StandardTables) throws(DistributionProblem) -> DurationDistribution {
        DurationDistribution(
            seconds: try prepared(with: &tables), least: Duration(microseconds: -Duration.longest.microseconds))
    }
}
