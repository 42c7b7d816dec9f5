import Fleet
import WidgetPlatform

extension RunTable {
    static let budget: RunTable = RunTable(
        "budget",
        "The tokens of one pool of \(ReportWords.stratum) in one hour of the local day a row, summed over the days of the report (section 5). Pools without accounts are left"
            + " out.",
        [
            .stratum(\.pool.stratum), .pool(\.pool.part),
            .key("local_hour", "The hour of the local day, 0 to 23.", \.hour),
            .sum("accrued_tokens", unit: "tokens", "Tokens accrued (B4).") {
                Millionths($0.pool.counts[.accrued[$0.hour]])
            },
            .sum("expired_tokens", unit: "tokens", "Tokens lost above the cap (B5).") {
                Millionths($0.pool.counts[.expired[$0.hour]])
            },
            .sum("spent_tokens", unit: "tokens", "Tokens charged (B1).") { $0.pool.counts[.spent[$0.hour]] },
            .sum("balance_readings", "Readings of balances at the hour's beginning.") {
                $0.pool.counts[.readings[$0.hour]]
            },
            .derived("mean_balance_tokens", unit: "tokens", "The mean of these readings.") {
                Ratio.ofMillionths(
                    $0.pool.counts.wide(.balances(atHour: $0.hour)), to: $0.pool.counts[.readings[$0.hour]])
            },
        ]
    ) { (report) -> [(pool: PoolLedger, hour: Int)] in
        report.pools.flatMap { pool in (0..<PoolCounts.hours).map { (pool, $0) } }
    }

    static let budgetTotals: RunTable = RunTable(
        "budget_totals",
        "The ledger of one pool of \(ReportWords.stratum) a row: opening + accrued = spent + expired + closing, exactly (T4). Pools without accounts are left out.",
        [
            .stratum(\.stratum), .pool(\.part),
            .sum("accounts", "Accounts: in the pool `own`, one an instance.") { $0.counts[.accounts] },
            .figures(\.counts, [.ledger, .allowance]),
        ]
    ) { (report) -> [PoolLedger] in report.pools }

    static let budgetWaits: RunTable = RunTable(
        "budget_waits",
        "The waits of due reloads of \(ReportWords.stratum), by what held them and by how they ended a row (section 6). A wait can stand under"
            + " several gates at once; `\(wholeWait)` counts each whole wait once. Rows without waits are left out.",
        [
            .stratum(\.stratum),
            .key(
                "gate",
                "The closed gate: " + ReportWords.listed(Gate.self)
                    + "; `\(wholeWait)` for the whole wait."
            ) { $0.part.0?.name ?? wholeWait },
            .key(
                "ended_by",
                "`grant`, or `free` if a free reload took the waiting one with it (G8). A free one that the lock held ends by `grant`."
            ) { $0.part.1 == .granted ? "grant" : "free" },
            .sum(
                "waits", "Waits; they add up over segments, kinds, devices and ends, but not over gates.", \.waits.count
            ),
            .sum("wait_s", unit: "s", "Their time; it adds up as they do.") { Millionths($0.waits.time) },
            .derived("mean_wait_s", unit: "s", "Their mean time.") {
                Ratio.ofMillionths($0.waits.time, to: $0.waits.count)!
            },
        ]
    ) { (report) -> [StratumRow<(Gate?, WaitEnd), BlockSum<ReloadCounts>>] in
        report.stratumReloads.by(Gate.allCases + [nil], WaitEnd.allCases).filter { $0.waits.count > 0 }
    }

    /// The value of `gate` for the whole wait.
    private static let wholeWait = "any"
}

/// One pool of budget of a stratum: its accounts together.
private typealias PoolLedger = StratumRow<BudgetPool, BlockSum<PoolCounts>>

extension StratumRow where Part == (Gate?, WaitEnd), Counts == BlockSum<ReloadCounts> {
    fileprivate var waits: Waits { counts.waits(part.1, part.0) }
}

extension RunReport {
    /// Every stratum and pool of budget with accounts.
    fileprivate var pools: [PoolLedger] {
        stratumReloads.by(BudgetPool.allCases).map {
            PoolLedger(stratum: $0.stratum, part: $0.part, counts: $0.counts.pool($0.part))
        }.filter { $0.counts[.accounts] > 0 }
    }
}
