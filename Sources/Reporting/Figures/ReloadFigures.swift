import Fleet
import Statistics
import WidgetPlatform

/// Waits of due reloads: how many, and microseconds.
struct Waits {
    var count: Int64 = 0
    var time: Int128 = 0
}

/// Sums that several figures share.
extension BlockSum where Block == ReloadCounts {
    /// Reloads of some causes that were granted (charged) or begun (free).
    func started(_ causes: [ReloadCause] = ReloadCause.allCases, charged: Bool) -> Int64 {
        causes.reduce(0) { $0 + self[.started($1, charged: charged)] }
    }

    /// Reloads of all causes, free and charged, that ended so.
    func ended(_ outcome: ReloadOutcome) -> Int64 {
        ReloadCause.allCases.reduce(0) {
            $0 + self[.ended($1, charged: false, outcome)] + self[.ended($1, charged: true, outcome)]
        }
    }

    /// Those that ran and brought no timeline: by an error, a time-out or no connection.
    var failed: Int64 { ended(.error) + ended(.timeout) + ended(.offline) }

    var requestsFailed: Int64 { self[.requestsRefused] + self[.requestsTimedOut] }

    /// Waits that ended so, held by a gate; whole waits if it is nil.
    func waits(_ end: WaitEnd, _ gate: Gate?) -> Waits {
        let cells: Cells<ReloadCounts> = gate.map { .waits(end, $0) } ?? .wholeWaits(end)
        return Waits(count: self[cells.number], time: wide(cells.time))
    }
}

extension Figures {
    static func instances(_ instances: @escaping @Sendable (Source) -> Int64) -> Self {
        count("instances", instances, "Instances of widgets in the reported span.")
    }
}

extension Figures<BlockSum<ReloadCounts>> {
    static let requestsSent = count(
        "requests_sent", unit: "requests", .requestsSent.all, "Requests that devices sent in the reported span.")
    static let charged = count(
        "reloads_charged", unit: "reloads", { $0.started(charged: true) }, "Reloads granted and charged (B1).")
    static let merged = count("reloads_merged", unit: "causes", .merged.all, "Causes that another reload served (G8).")
    static let coalesced = count(
        "reloads_coalesced", unit: "reloads", .coalesced, "Reloads that ran with another instance's (G7).")
    static let early = count(
        "reloads_early", unit: "reloads", .early, "Coalesced reloads that ran before they were due (G7).")
    static let failed = count(
        "reloads_failed", unit: "reloads", \.failed, "Reloads that ended by an error, a time-out or no connection.")
}

extension Figures<BlockSum<PoolCounts>> {
    /// The ledger: opening + accrued = spent + expired + closing.
    static let ledger: Self = [
        amount("opening_tokens", "tokens", { Int128($0[.opening]) }, "Balances at the start of the report."),
        amount("accrued_tokens", "tokens", { Int128($0.sum(.accrued)) }, "Tokens accrued in the report (B4)."),
        count("spent_tokens", unit: "tokens", .spent, "Tokens charged in the report (B1)."),
        amount(
            "expired_tokens", "tokens", { Int128($0.sum(.expired)) }, "Tokens lost above the cap in the report (B5)."),
        amount("closing_tokens", "tokens", { Int128($0[.closing]) }, "Balances at the end of the report."),
    ]
    static let allowance = mean(
        "mean_allowance_tokens", unit: "tokens", { Int128($0[.allowance]) }, of: { $0[.accounts] },
        "The mean daily allowance of an account at the end of the report (B2); the summary has that of the instances' own accounts."
    )
}
