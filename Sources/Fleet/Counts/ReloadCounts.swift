import Basics
import Statistics
import WidgetPlatform

/// Counts of the reloads, requests and budgets of one stratum.
public enum ReloadCounts: CountBlockKind {
    public static var size: Int { CountRange<ReloadCounts>.unchanged.end }

    /// Where the counts of the stratum's accounts of a pool stand.
    @inline(__always) public static func place(of pool: BudgetPool, in stratum: BlockPlace<ReloadCounts>) -> BlockPlace<
        PoolCounts
    > {
        BlockPlace(offset: stratum.offset + CountRange<ReloadCounts>.pools.start + pool.ordinal * PoolCounts.size)
    }
}

extension CountRange where Block == ReloadCounts {
    @inline(__always) static var instances: Self { Self(first: 1) }
    /// By cause, then free before charged.
    @inline(__always) public static var started: Self { Self(after: instances, ReloadCause.count * 2) }
    /// By cause, then free before charged, then outcome.
    @inline(__always) public static var ended: Self {
        Self(after: started, ReloadCause.count * 2 * ReloadOutcome.count)
    }
    @inline(__always) public static var merged: Self { Self(after: ended, ReloadCause.count) }
    @inline(__always) static var carried: Self { Self(after: merged, 2) }
    @inline(__always) static var company: Self { Self(after: carried, 2) }
    /// The histograms of all delays.
    @inline(__always) public static var delays: Self { Self(after: company, 2 * LogHistogram.binCount) }
    /// By end, then gate: the waits that it held, and a wide sum of microseconds.
    @inline(__always) static var waits: Self { Self(after: delays, WaitEnd.count * Gate.count * 3) }
    /// By end: waits of more than nothing, and a wide sum of microseconds.
    @inline(__always) static var wholeWaits: Self { Self(after: waits, WaitEnd.count * 3) }
    @inline(__always) static var pools: Self { Self(after: wholeWaits, BudgetPool.count * PoolCounts.size) }
    /// Requests sent in the span, by cause.
    @inline(__always) public static var requestsSent: Self { Self(after: pools, ReloadCause.count) }
    @inline(__always) static var requestsEnded: Self { Self(after: requestsSent, 3) }
    @inline(__always) static var requestsCarried: Self { Self(after: requestsEnded, 2) }
    @inline(__always) static var entries: Self { Self(after: requestsCarried, 1) }
    /// By cause, then free before charged.
    @inline(__always) public static var unchanged: Self { Self(after: entries, ReloadCause.count * 2) }

    /// Reloads of a cause that ended, free or charged, by outcome.
    @inline(__always) public static func ended(_ cause: ReloadCause, charged: Bool) -> Self {
        ended.part(from: (cause.ordinal * 2 + (charged ? 1 : 0)) * ReloadOutcome.count, count: ReloadOutcome.count)
    }

    /// The histogram of the delay from due to done of the reloads that brought a timeline.
    @inline(__always) public static func delays(charged: Bool) -> Self {
        delays.part(from: charged ? 0 : LogHistogram.binCount, count: LogHistogram.binCount)
    }
}

extension CountAddress where Block == ReloadCounts {
    @inline(__always) public static var instances: Self { CountRange.instances[0] }
    /// Reloads granted (charged) or begun (free).
    @inline(__always) public static func started(_ cause: ReloadCause, charged: Bool) -> Self {
        CountRange.started[cause.ordinal * 2 + (charged ? 1 : 0)]
    }
    @inline(__always) public static func ended(_ cause: ReloadCause, charged: Bool, _ outcome: ReloadOutcome) -> Self {
        CountRange.ended(cause, charged: charged)[outcome.ordinal]
    }
    /// Reloads that brought what was shown already: content of the same key and no newer version (C3).
    @inline(__always) public static func unchanged(_ cause: ReloadCause, charged: Bool) -> Self {
        CountRange.unchanged[cause.ordinal * 2 + (charged ? 1 : 0)]
    }
    /// Causes that another reload served.
    @inline(__always) public static func merged(_ cause: ReloadCause) -> Self { CountRange.merged[cause.ordinal] }
    /// Reloads granted or under way at the start and at the end of the span.
    @inline(__always) public static var carriedIn: Self { CountRange.carried[0] }
    @inline(__always) public static var carriedOut: Self { CountRange.carried[1] }
    /// Reloads that ran with another instance's, and those among them that ran before they were due (G7).
    @inline(__always) public static var coalesced: Self { CountRange.company[0] }
    @inline(__always) public static var early: Self { CountRange.company[1] }
    @inline(__always) public static func delay(_ delay: Duration, charged: Bool) -> Self {
        CountRange.delays(charged: charged)[LogHistogram.bin(of: delay)]
    }
    /// Waits that a gate held.
    @inline(__always) public static func waits(_ end: WaitEnd, under gate: Gate) -> Self {
        CountRange.waits[(end.ordinal * Gate.count + gate.ordinal) * 3]
    }
    /// Whole waits of more than nothing.
    @inline(__always) public static func wholeWaits(_ end: WaitEnd) -> Self { CountRange.wholeWaits[end.ordinal * 3] }
    @inline(__always) public static func requestsSent(_ cause: ReloadCause) -> Self {
        CountRange.requestsSent[cause.ordinal]
    }
    /// Requests sent in the span, or carried into it, that were answered, refused with an error or timed out.
    @inline(__always) public static var requestsAnswered: Self { CountRange.requestsEnded[0] }
    @inline(__always) public static var requestsRefused: Self { CountRange.requestsEnded[1] }
    @inline(__always) public static var requestsTimedOut: Self { CountRange.requestsEnded[2] }
    /// Requests sent before the span that arrive in it, and sent in it that arrive after it.
    @inline(__always) public static var requestsCarriedIn: Self { CountRange.requestsCarried[0] }
    @inline(__always) public static var requestsCarriedOut: Self { CountRange.requestsCarried[1] }
    /// Entries of the timelines that came (R6).
    @inline(__always) public static var entries: Self { CountRange.entries[0] }
}

extension WideAddress where Block == ReloadCounts {
    /// Microseconds that a gate held waits.
    @inline(__always) public static func waitTime(_ end: WaitEnd, under gate: Gate) -> Self {
        CountRange.waits.wide(at: (end.ordinal * Gate.count + gate.ordinal) * 3 + 1)
    }
    /// Microseconds of whole waits.
    @inline(__always) public static func wholeWaitTime(_ end: WaitEnd) -> Self {
        CountRange.wholeWaits.wide(at: end.ordinal * 3 + 1)
    }
}

/// Counts of one pool of budget of one stratum: the instances' own accounts, or those of their pushed reloads.
public enum PoolCounts: CountBlockKind {
    public static var size: Int { CountRange<PoolCounts>.borders.end }
    /// The hours of the local clock.
    public static var hours: Int { 24 }
}

extension CountRange where Block == PoolCounts {
    @inline(__always) static var accounts: Self { Self(first: 1) }
    /// Microtokens by local hour.
    @inline(__always) public static var accrued: Self { Self(after: accounts, PoolCounts.hours) }
    @inline(__always) public static var expired: Self { Self(after: accrued, PoolCounts.hours) }
    /// Tokens by local hour.
    @inline(__always) public static var spent: Self { Self(after: expired, PoolCounts.hours) }
    @inline(__always) static var balances: Self { Self(after: spent, 2 * PoolCounts.hours) }
    @inline(__always) static var readings: Self { Self(after: balances, PoolCounts.hours) }
    @inline(__always) static var borders: Self { Self(after: readings, 3) }
}

extension CountAddress where Block == PoolCounts {
    /// Accounts in the span.
    @inline(__always) public static var accounts: Self { CountRange.accounts[0] }
    @inline(__always) public static func accrued(atHour hour: Int) -> Self { CountRange.accrued[hour] }
    @inline(__always) public static func expired(atHour hour: Int) -> Self { CountRange.expired[hour] }
    @inline(__always) public static func spent(atHour hour: Int) -> Self { CountRange.spent[hour] }
    /// How often a balance was read at the hour's beginning.
    @inline(__always) public static func readings(atHour hour: Int) -> Self { CountRange.readings[hour] }
    /// Microtokens at the ends of the span.
    @inline(__always) public static var opening: Self { CountRange.borders[0] }
    @inline(__always) public static var closing: Self { CountRange.borders[1] }
    /// The accounts' daily allowance at the end of the span, microtokens.
    @inline(__always) public static var allowance: Self { CountRange.borders[2] }
}

extension WideAddress where Block == PoolCounts {
    /// The sum of the balances read at the hour's beginning, microtokens.
    @inline(__always) public static func balances(atHour hour: Int) -> Self { CountRange.balances.wide(at: 2 * hour) }
}
