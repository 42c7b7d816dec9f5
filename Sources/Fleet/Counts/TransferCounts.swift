import Basics
import Statistics

/// Counts of the transfers in the background of one kind in the reported span (S8).
public enum TransferCounts: NamedCounts {
    public typealias Name = TransferCount
    public static var size: Int { CountRange<TransferCounts>.deferrals.end }
}

/// One of them, in the order of the cells.
public enum TransferCount: UInt8, CountIndex {
    /// Transfers handed over, those whose answer came and those that failed, and those under way as the report began
    /// and ended.
    case started, completed, failed, carriedIn, carriedOut
    /// Those whose first requests were sent, and those of them that had to wait for a connection.
    case sent, heldOffline
    /// Answers that were transferred and then shown by a free or a charged reload, or dropped because the instance was
    /// set to another choice, and those still to be shown as the report began and ended.
    case shownFree, shownCharged, dropped, waitingIn, waitingOut

    public static var last: Self { .waitingOut }
}

extension CountRange where Block == TransferCounts {
    @inline(__always) static var counts: Self { Self(first: TransferCount.count) }
    @inline(__always) static var sums: Self { Self(after: counts, 2) }
    /// The histogram of the times from the hand-over to the first request: `LogHistogram`.
    @inline(__always) public static var deferrals: Self { Self(after: sums, LogHistogram.binCount) }
}

extension CountAddress where Block == TransferCounts {
    static func deferral(_ time: Duration) -> Self { CountRange.deferrals[LogHistogram.bin(of: time)] }
}

extension WideAddress where Block == TransferCounts {
    /// Microseconds from hand-overs to the first requests.
    public static var deferralSum: Self { CountRange.sums.wide() }
}
