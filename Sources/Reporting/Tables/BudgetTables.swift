import Measures
import RunFiles
import WidgetPlatform

extension RunTable {
    static let budget = RunTable(
        "budget",
        "The tokens of one pool of \(ReportWords.line) in one hour of the local day a row, summed over the days of the report (section 5). Pools without accounts are left"
            + " out.",
        [
            .line(\.pool.line), .pool(\.pool.name),
            .key("local_hour", "The hour of the local day, 0 to 23.", \.hour),
            .sum("accrued_tokens", unit: "tokens", "Tokens accrued (B4).") { Millionths($0[PoolField.hourAccrued]) },
            .sum("expired_tokens", unit: "tokens", "Tokens lost above the cap (B5).") { Millionths($0[PoolField.hourExpired]) },
            .sum("spent_tokens", unit: "tokens", "Tokens charged (B1).") { $0[PoolField.hourSpent] },
            .sum("balance_readings", "Readings of balances at the hour's beginning.") { $0[PoolField.hourReadings] },
            .derived("mean_balance_tokens", unit: "tokens", "The mean of these readings.", \.meanBalance),
        ]
    ) { (report, add: Table<BudgetHour>.Adding) throws(OutputProblem) in
        for pool in report.pools {
            for hour in 0..<MeasureLayout.hours { try add(BudgetHour(pool: pool, hour: hour)) }
        }
    }

    static let budgetTotals = RunTable(
        "budget_totals",
        "The ledger of one pool of \(ReportWords.line) a row: opening + accrued = spent + expired + closing, exactly (T4). Pools without accounts are left out.",
        [
            .line(\.line), .pool(\.name), .sum("accounts", "Accounts: in the pool `own`, one an instance.", \.accounts),
            .sum("opening_tokens", unit: "tokens", "Balances at the start of the report.") { Millionths($0.counts[PoolField.opening]) },
            .sum("accrued_tokens", unit: "tokens", "Tokens accrued.") { Millionths($0.allHours(PoolField.hourAccrued)) },
            .sum("spent_tokens", unit: "tokens", "Tokens charged.") { $0.allHours(PoolField.hourSpent) },
            .sum("expired_tokens", unit: "tokens", "Tokens lost above the cap.") { Millionths($0.allHours(PoolField.hourExpired)) },
            .sum("closing_tokens", unit: "tokens", "Balances at the end of the report.") { Millionths($0.counts[PoolField.closing]) },
            .derived(
                "mean_allowance_tokens", unit: "tokens", "The mean daily allowance of an account at the end of the report (B2).",
                \.meanAllowance),
        ]
    ) { (report, add: Table<BudgetPool>.Adding) throws(OutputProblem) in
        for pool in report.pools { try add(pool) }
    }

    static let budgetWaits = RunTable(
        "budget_waits",
        "The waits of due reloads of \(ReportWords.line), by what held them and by how they ended a row (section 6). A wait can stand under"
            + " several gates at once; `\(BudgetWaits.whole)` counts each whole wait once. Rows without waits are left out.",
        [
            .line(\.line),
            .key(
                "gate",
                "The closed gate: " + ReportWords.listed(Gate.allCases.map(\.name)) + "; `\(BudgetWaits.whole)` for the whole wait.", \.gate),
            .key("ended_by", "`grant`, or `free` if a free reload took the waiting one with it (G8). A free one that the lock held ends by `grant`.", \.end),
            .sum("waits", "Waits; they add up over segments, kinds, devices and ends, but not over gates.", \.waits),
            .sum("wait_s", unit: "s", "Their time; it adds up as they do.") { Millionths($0.time) },
            .derived("mean_wait_s", unit: "s", "Their mean time.", \.meanTime),
        ]
    ) { (report, add: Table<BudgetWaits>.Adding) throws(OutputProblem) in
        for kind in report.kindCounts {
            for (gate, name) in (Gate.allCases.map(\.name) + [BudgetWaits.whole]).enumerated() {
                for (end, endName) in ["grant", "free"].enumerated() {
                    let at =
                        gate < Gate.allCases.count ? KindField.waits + (end * MeasureLayout.gates + gate) * 3 : KindField.wholeWaits + end * 3
                    let waits = kind.counts[at]
                    if waits == 0 { continue }
                    try add(BudgetWaits(line: kind.line, gate: name, end: endName, waits: waits, time: kind.counts.wide(at + 1)))
                }
            }
        }
    }
}

/// One pool of budget of a line: its accounts together.
private struct BudgetPool {
    let line: ReportLine
    let name: String
    let counts: Counts

    var accounts: Int64 { counts[PoolField.accounts] }
    var meanAllowance: Double? { Ratio.ofMillionths(Int128(counts[PoolField.allowance]), to: accounts) }

    func allHours(_ field: Int) -> Int64 { counts.sum(field, count: MeasureLayout.hours) }
}

private struct BudgetHour {
    let pool: BudgetPool
    let hour: Int

    var meanBalance: Double? {
        Ratio.ofMillionths(pool.counts.wide(PoolField.hourBalance + 2 * hour), to: self[PoolField.hourReadings])
    }

    /// The hour's count of a field that has one for each hour.
    subscript(_ field: Int) -> Int64 { pool.counts[field + hour] }
}

/// Waits of a line that one gate held and that ended in one way.
private struct BudgetWaits {
    /// What stands in `gate` for the whole wait.
    static let whole = "any"

    let line: ReportLine
    let gate, end: String
    /// 1 or more.
    let waits: Int64
    /// Microseconds.
    let time: Int128

    var meanTime: Double { Ratio.ofMillionths(time, to: waits)! }
}

extension RunReport {
    /// Every line and pool of budget with accounts.
    fileprivate var pools: [BudgetPool] {
        kindCounts.flatMap { kind in
            ReportWords.pools.enumerated().map { pool, name in
                BudgetPool(
                    line: kind.line, name: name, counts: kind.counts.part(KindField.pools + pool * PoolField.size, size: PoolField.size))
            }
        }.filter { $0.accounts > 0 }
    }
}
