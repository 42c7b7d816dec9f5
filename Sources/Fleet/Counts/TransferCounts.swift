import Basics
import Statistics

/// Counts of the transfers in the background of one kind in the reported span (S8).
public enum TransferCounts: NamedCounts {
    public typealias Name = TransferCount
    public static var size: Int { Cells<TransferCounts>.deferrals.end }
}

/// One of them, in the order of the cells.
public enum TransferCount: UInt8, CountIndex, NamedCase {
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

extension Cells<TransferCounts> {
    /// Microseconds from hand-overs to the first requests, and their histogram: `LogHistogram`.
    public static var deferralSum: Self { Self(after: named, 2) }
    public static var deferrals: Self { Self(after: deferralSum, LogHistogram.binCount) }
}
