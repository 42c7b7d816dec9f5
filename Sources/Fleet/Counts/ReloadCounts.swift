import Basics
import Statistics
import WidgetPlatform

/// Counts of the reloads, requests and budgets of one stratum.
public enum ReloadCounts: CountBlockKind {
    public static var size: Int { Cells<ReloadCounts>.unchanged.end }

    /// Where the counts of the stratum's accounts of a pool stand.
    @inline(__always) public static func place(of pool: BudgetPool, in stratum: BlockPlace<ReloadCounts>) -> BlockPlace<
        PoolCounts
    > {
        BlockPlace(offset: stratum.offset + Cells.pools(pool).start)
    }
}

extension Cells<ReloadCounts> {
    public typealias ByCause = CellsBy<ReloadCounts, ReloadCause>
    public typealias ByCharge = CellsByTwo<ReloadCounts, ReloadCause, Charge>

    @inline(__always) public static var instances: Self { Self() }
    /// Reloads granted (charged) or begun (free).
    @inline(__always) public static var started: ByCharge { .init(after: instances) }
    /// Reloads that ended, each by outcome.
    @inline(__always) public static var ended: ByCharge { .init(after: started, each: ReloadOutcome.count) }
    /// Causes that another reload served.
    @inline(__always) public static var merged: ByCause { .init(after: ended) }
    /// Reloads granted or under way at the start and at the end of the span.
    @inline(__always) public static var carriedIn: Self { Self(after: merged) }
    @inline(__always) public static var carriedOut: Self { Self(after: carriedIn) }
    /// Reloads that ran with another instance's, and those among them that ran before they were due (G7).
    @inline(__always) public static var coalesced: Self { Self(after: carriedOut) }
    @inline(__always) public static var early: Self { Self(after: coalesced) }
    /// The histograms of the delay from due to done of the reloads that brought a timeline, charged before free.
    @inline(__always) public static var delays: Self { Self(after: early, 2 * LogHistogram.binCount) }
    /// Waits that a gate held, and microseconds of it.
    @inline(__always) public static var waits: CellsByTwo<ReloadCounts, WaitEnd, Gate> {
        .init(after: delays, each: 3)
    }
    /// Whole waits of more than nothing, and their microseconds.
    @inline(__always) public static var wholeWaits: CellsBy<ReloadCounts, WaitEnd> { .init(after: waits, each: 3) }
    @inline(__always) static var pools: CellsBy<ReloadCounts, BudgetPool> {
        .init(after: wholeWaits, each: PoolCounts.size)
    }
    @inline(__always) public static var requestsSent: ByCause { .init(after: pools) }
    /// Requests sent in the span, or carried into it, that were answered, refused with an error or timed out.
    @inline(__always) public static var requestsAnswered: Self { Self(after: requestsSent) }
    @inline(__always) public static var requestsRefused: Self { Self(after: requestsAnswered) }
    @inline(__always) public static var requestsTimedOut: Self { Self(after: requestsRefused) }
    /// Requests sent before the span that arrive in it, and sent in it that arrive after it.
    @inline(__always) public static var requestsCarriedIn: Self { Self(after: requestsTimedOut) }
    @inline(__always) public static var requestsCarriedOut: Self { Self(after: requestsCarriedIn) }
    /// Entries of the timelines that came (R6).
    @inline(__always) public static var entries: Self { Self(after: requestsCarriedOut) }
    /// Reloads that brought what was shown already: content of the same key and no newer version (C3).
    @inline(__always) public static var unchanged: ByCharge { .init(after: entries) }

    @inline(__always) public static func delays(charged: Bool) -> Self {
        Self(start: delays.start + (charged ? 0 : LogHistogram.binCount), count: LogHistogram.binCount)
    }
    @inline(__always) public static func ended(_ cause: ReloadCause, charged: Bool, _ outcome: ReloadOutcome) -> Self {
        ended(cause, charged: charged)[outcome.ordinal]
    }
}

/// Counts of one pool of budget of one stratum: the instances' own accounts, or those of their pushed reloads.
public enum PoolCounts: CountBlockKind {
    public static var size: Int { Cells<PoolCounts>.allowance.end }
    /// The hours of the local clock.
    public static var hours: Int { 24 }
}

extension Cells<PoolCounts> {
    /// Accounts in the span.
    @inline(__always) public static var accounts: Self { Self() }
    /// Microtokens by local hour.
    @inline(__always) public static var accrued: Self { Self(after: accounts, PoolCounts.hours) }
    @inline(__always) public static var expired: Self { Self(after: accrued, PoolCounts.hours) }
    /// Tokens by local hour.
    @inline(__always) public static var spent: Self { Self(after: expired, PoolCounts.hours) }
    @inline(__always) private static var balances: Self { Self(after: spent, 2 * PoolCounts.hours) }
    /// How often a balance was read at the hour's beginning.
    @inline(__always) public static var readings: Self { Self(after: balances, PoolCounts.hours) }
    /// Microtokens at the ends of the span.
    @inline(__always) public static var opening: Self { Self(after: readings) }
    @inline(__always) public static var closing: Self { Self(after: opening) }
    /// The accounts' daily allowance at the end of the span, microtokens.
    @inline(__always) public static var allowance: Self { Self(after: closing) }

    /// The sum of the balances read at the hour's beginning, microtokens.
    @inline(__always) public static func balances(atHour hour: Int) -> Self {
        Self(start: balances[2 * hour].start, count: 2)
    }
}

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
