import ResultFiles
import Fleet
import WidgetPlatform

extension RunTable {
    static let budget = RunTable(
        "budget",
        "The tokens of one pool of \(ReportWords.stratum) in one hour of the local day a row, summed over the days of the report (section 5). Pools without accounts are left"
            + " out.",
        [
            .stratum(\.pool.stratum), .pool(\.pool.pool),
            .key("local_hour", "The hour of the local day, 0 to 23.", \.hour),
            .sum("accrued_tokens", unit: "tokens", "Tokens accrued (B4).") {
                Millionths($0.counts[.accrued(atHour: $0.hour)])
            },
            .sum("expired_tokens", unit: "tokens", "Tokens lost above the cap (B5).") {
                Millionths($0.counts[.expired(atHour: $0.hour)])
            },
            .sum("spent_tokens", unit: "tokens", "Tokens charged (B1).") { $0.counts[.spent(atHour: $0.hour)] },
            .sum("balance_readings", "Readings of balances at the hour's beginning.") { $0.readings },
            .derived("mean_balance_tokens", unit: "tokens", "The mean of these readings.", \.meanBalance),
        ]
    ) { (report, add: Table<BudgetHour>.RowSink) throws(OutputProblem) in
        for pool in report.pools {
            for hour in 0..<PoolCounts.hours { try add(BudgetHour(pool: pool, hour: hour)) }
        }
    }

    static let budgetTotals = RunTable(
        "budget_totals",
        "The ledger of one pool of \(ReportWords.stratum) a row: opening + accrued = spent + expired + closing, exactly (T4). Pools without accounts are left out.",
        [
            .stratum(\.stratum), .pool(\.pool),
            .sum("accounts", "Accounts: in the pool `own`, one an instance.", \.accounts),
            .sum("opening_tokens", unit: "tokens", "Balances at the start of the report.") {
                Millionths($0.counts[.opening])
            },
            .sum("accrued_tokens", unit: "tokens", "Tokens accrued.") { Millionths($0.counts.sum(.accrued)) },
            .sum("spent_tokens", unit: "tokens", "Tokens charged.") { $0.counts.sum(.spent) },
            .sum("expired_tokens", unit: "tokens", "Tokens lost above the cap.") {
                Millionths($0.counts.sum(.expired))
            },
            .sum("closing_tokens", unit: "tokens", "Balances at the end of the report.") {
                Millionths($0.counts[.closing])
            },
            .derived(
                "mean_allowance_tokens", unit: "tokens",
                "The mean daily allowance of an account at the end of the report (B2).",
                \.meanAllowance),
        ]
    ) { (report, add: Table<PoolLedger>.RowSink) throws(OutputProblem) in
        for pool in report.pools { try add(pool) }
    }

    static let budgetWaits = RunTable(
        "budget_waits",
        "The waits of due reloads of \(ReportWords.stratum), by what held them and by how they ended a row (section 6). A wait can stand under"
            + " several gates at once; `\(BudgetWaits.whole)` counts each whole wait once. Rows without waits are left out.",
        [
            .stratum(\.stratum),
            .key(
                "gate",
                "The closed gate: " + ReportWords.listed(Gate.allCases.map(\.name))
                    + "; `\(BudgetWaits.whole)` for the whole wait.", \.gate),
            .key(
                "ended_by",
                "`grant`, or `free` if a free reload took the waiting one with it (G8). A free one that the lock held ends by `grant`."
            ) {
                $0.end == .granted ? "grant" : "free"
            },
            .sum("waits", "Waits; they add up over segments, kinds, devices and ends, but not over gates.", \.waits),
            .sum("wait_s", unit: "s", "Their time; it adds up as they do.") { Millionths($0.time) },
            .derived("mean_wait_s", unit: "s", "Their mean time.", \.meanTime),
        ]
    ) { (report, add: Table<BudgetWaits>.RowSink) throws(OutputProblem) in
        for reloads in report.stratumReloads {
            for gate in Gate.allCases + [nil] {
                for end in WaitEnd.allCases {
                    let waits = reloads.counts[gate.map { .waits(end, under: $0) } ?? .wholeWaits(end)]
                    if waits == 0 { continue }
                    let time = reloads.counts.wide(gate.map { .waitTime(end, under: $0) } ?? .wholeWaitTime(end))
                    try add(
                        BudgetWaits(
                            stratum: reloads.stratum, gate: gate?.name ?? BudgetWaits.whole, end: end, waits: waits,
                            time: time))
                }
            }
        }
    }
}

/// One pool of budget of a stratum: its accounts together.
private struct PoolLedger {
    let stratum: ReportStratum
    let pool: BudgetPool
    let counts: BlockSum<PoolCounts>

    var accounts: Int64 { counts[.accounts] }
    var meanAllowance: Double? { Ratio.ofMillionths(Int128(counts[.allowance]), to: accounts) }
}

private struct BudgetHour {
    let pool: PoolLedger
    let hour: Int

    var counts: BlockSum<PoolCounts> { pool.counts }
    var readings: Int64 { counts[.readings(atHour: hour)] }
    var meanBalance: Double? { Ratio.ofMillionths(counts.wide(.balances(atHour: hour)), to: readings) }
}

/// Waits of a stratum that one gate held and that ended in one way.
private struct BudgetWaits {
    /// The value of `gate` for the whole wait.
    static let whole = "any"

    let stratum: ReportStratum
    let gate: String
    let end: WaitEnd
    /// 1 or more.
    let waits: Int64
    /// Microseconds.
    let time: Int128

    var meanTime: Double { Ratio.ofMillionths(time, to: waits)! }
}

extension RunReport {
    /// Every stratum and pool of budget with accounts.
    fileprivate var pools: [PoolLedger] {
        stratumReloads.flatMap { reloads in
            BudgetPool.allCases.map { PoolLedger(stratum: reloads.stratum, pool: $0, counts: reloads.counts.pool($0)) }
        }.filter { $0.accounts > 0 }
    }
}
