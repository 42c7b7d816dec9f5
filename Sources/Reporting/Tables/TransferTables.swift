import ResultFiles
import Basics
import Fleet
import Statistics

extension RunTable {
    static let backgroundTransfers = RunTable(
        "background_transfers",
        "The transfers in the background of one kind a row (S8): started + carried in = completed + failed + carried out, and completed + waiting in = shown + dropped + waiting out. The file is there only if a kind has `fetch: background`.",
        [
            .key("kind", "The kind.", \.kind),
            .transfer("started", "Transfers that extensions handed to the system.", .started),
            .transfer("carried_in", "Those that were under way as the report began.", .carriedIn),
            .transfer("completed", "Transfers whose answers came.", .completed),
            .transfer("failed", "Transfers that failed for good (S3).", .failed),
            .transfer("carried_out", "Those that were on their way as the report ended.", .carriedOut),
            .transfer("sent", "Transfers whose requests were sent.", .sent),
            .transfer(
                "held_offline", "Transfers that waited for a connection when they were to be sent.", .heldOffline),
            .derived("deferral_mean_s", unit: "s", "The mean time from a hand-over to the sending.") {
                Ratio.ofMillionths($0.counts.wide(.deferralSum), to: $0.counts[.sent])
            },
            .derived("deferral_p50_s", unit: "s", "Half of them were sent after at most this time.") {
                $0.deferral(0.5)
            },
            .derived("deferral_p95_s", unit: "s", "95 % of them were sent after at most this time.") {
                $0.deferral(0.95)
            },
            .transfer("waiting_in", "What had been transferred before the report and not shown yet.", .waitingIn),
            .transfer("shown_free", "What was transferred and then shown by a free reload.", .shownFree),
            .transfer("shown_charged", "What a charged reload showed.", .shownCharged),
            .transfer("dropped", "What was transferred for a choice that the instance has no longer (F8).", .dropped),
            .transfer("waiting_out", "What was still to be shown as the report ended.", .waitingOut),
        ]
    ) { (report, add: Table<KindTransfers>.RowSink) throws(OutputProblem) in
        let (layout, kinds) = (report.result.measures.layout, report.result.scenario.plan.kinds)
        for (place, kind) in kinds.filter({ $0.transfer != nil }).enumerated() {
            try add(
                KindTransfers(
                    kind: kind.id,
                    counts: BlockSum(report.result.measures, at: layout.place(ofTransferKind: place))))
        }
    }
}

/// The transfers of a kind.
private struct KindTransfers {
    let kind: String
    let counts: BlockSum<TransferCounts>

    /// A quantile of the deferrals in seconds; nil if nothing was sent.
    func deferral(_ q: Double) -> Double? { ReportQuantile.seconds(q, ofLog: Array(counts[.deferrals])) }
}

extension Columns where Row == KindTransfers {
    fileprivate static func transfer(_ name: String, _ meaning: String, _ count: TransferCount) -> Columns {
        .sum(name, meaning) { $0.counts[count] }
    }
}
