import Measures
import WidgetPlatform

extension ReportTable {
    static let budget = ReportTable(
        "budget",
        "The tokens of one pool of \(line) in one hour of the local day a row, summed over the days of the report (section 5). Pools without accounts are left"
            + " out.",
        Column.line + [
            .pool,
            .key("local_hour", type: .integer, "The hour of the local day, 0 to 23."),
            .amount("accrued_tokens", unit: "tokens", "Tokens accrued (B4)."),
            .amount("expired_tokens", unit: "tokens", "Tokens lost above the cap (B5)."),
            .count("spent_tokens", unit: "tokens", "Tokens charged (B1)."),
            .count("balance_readings", "Readings of balances at the hour's beginning."),
            .derived("mean_balance_tokens", unit: "tokens", "The mean of these readings."),
        ])

    static let budgetTotals = ReportTable(
        "budget_totals",
        "The ledger of one pool of \(line) a row: opening + accrued = spent + expired + closing, exactly (T4). Pools without accounts are left out.",
        Column.line + [
            .pool, .count("accounts", "Accounts: in the pool `own`, one an instance."),
            .amount("opening_tokens", unit: "tokens", "Balances at the start of the report."),
            .amount("accrued_tokens", unit: "tokens", "Tokens accrued."),
            .count("spent_tokens", unit: "tokens", "Tokens charged."),
            .amount("expired_tokens", unit: "tokens", "Tokens lost above the cap."),
            .amount("closing_tokens", unit: "tokens", "Balances at the end of the report."),
            .derived("mean_allowance_tokens", unit: "tokens", "The mean daily allowance of an account at the end of the report (B2)."),
        ])

    static let budgetWaits = ReportTable(
        "budget_waits",
        "The waits of due reloads of \(line), by what held them and by how they ended a row (section 6). A wait can stand under"
            + " several gates at once; `\(wholeWait)` counts each whole wait once. Rows without waits are left out.",
        Column.line + [
            .key(
                "gate",
                "The closed gate: " + Gate.allCases.map { "`\($0.name)`" }.joined(separator: ", ") + "; `\(wholeWait)` for the whole wait."),
            .key("ended_by", "`grant`, or `free` if a free reload took the waiting one with it (G8)."),
            .derived(
                "waits", type: .integer, adds: .sum, optional: false,
                "Waits; they add up over segments, kinds, devices and ends, but not over gates."),
            .derived("wait_s", unit: "s", adds: .sum, optional: false, "Their time; it adds up as they do."),
            .derived("mean_wait_s", unit: "s", optional: false, "Their mean time."),
        ])

    static let wholeWait = "any"
}

extension RunReport {
    func writeBudget(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachPool { (line, pool, counts) throws(OutputProblem) in
            for hour in 0..<MeasureLayout.hours {
                let readings = counts[PoolField.hourReadings + hour]
                csv.line(line)
                csv.plain(pool)
                csv.integer(hour)
                csv.millionths(Int128(counts[PoolField.hourAccrued + hour]))
                csv.millionths(Int128(counts[PoolField.hourExpired + hour]))
                csv.integer(counts[PoolField.hourSpent + hour])
                csv.integer(readings)
                csv.number(Ratio.ofMillionths(counts.wide(PoolField.hourBalance + 2 * hour), to: readings))
                try csv.endRow()
            }
        }
    }

    func writeBudgetTotals(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachPool { (line, pool, counts) throws(OutputProblem) in
            let accounts = counts[PoolField.accounts]
            csv.line(line)
            csv.plain(pool)
            csv.integer(accounts)
            csv.millionths(Int128(counts[PoolField.opening]))
            csv.millionths(Int128(counts.sum(PoolField.hourAccrued, count: MeasureLayout.hours)))
            csv.integer(counts.sum(PoolField.hourSpent, count: MeasureLayout.hours))
            csv.millionths(Int128(counts.sum(PoolField.hourExpired, count: MeasureLayout.hours)))
            csv.millionths(Int128(counts[PoolField.closing]))
            csv.number(Ratio.ofMillionths(Int128(counts[PoolField.allowance]), to: accounts))
            try csv.endRow()
        }
    }

    func writeBudgetWaits(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachLine { (line, counts) throws(OutputProblem) in
            for (gate, name) in (Gate.allCases.map(\.name) + [ReportTable.wholeWait]).enumerated() {
                for (end, endName) in ["grant", "free"].enumerated() {
                    let at =
                        gate < Gate.allCases.count ? KindField.waits + (end * MeasureLayout.gates + gate) * 3 : KindField.wholeWaits + end * 3
                    let waits = counts[at]
                    if waits == 0 { continue }
                    csv.line(line)
                    csv.plain(name)
                    csv.plain(endName)
                    csv.integer(waits)
                    csv.millionths(counts.wide(at + 1))
                    csv.number(Ratio.ofMillionths(counts.wide(at + 1), to: waits))
                    try csv.endRow()
                }
            }
        }
    }
}
