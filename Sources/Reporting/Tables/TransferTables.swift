import Fleet
import Statistics

extension RunTable {
    static let backgroundTransfers: RunTable = RunTable(
        "background_transfers",
        "The transfers in the background of one kind a row (S8): started + carried in = completed + failed + carried out, and completed + waiting in = shown + dropped + waiting out. The file is there only if a kind has `fetch: background`.",
        [
            .key("kind", "The kind.", \.kind),
            .figures(
                \.counts,
                [
                    .count(.started, "Transfers that extensions handed to the system."),
                    .count(.carriedIn, "Those that were under way as the report began."),
                    .count(.completed, "Transfers whose answers came."),
                    .count(.failed, "Transfers that failed for good (S3)."),
                    .count(.carriedOut, "Those that were on their way as the report ended."),
                    .count(.sent, "Transfers whose requests were sent."),
                    .count(.heldOffline, "Transfers that waited for a connection when they were to be sent."),
                    .mean(
                        "deferral_mean_s", { $0.wide(.deferralSum) }, of: { $0[.sent] },
                        "The mean time from a hand-over to the sending."),
                    .quantiles(
                        "deferral", at: [50, 95], of: { $0.sum(.deferrals) },
                        { LogHistogram.quantile($1, of: $0.bins(.deferrals)) }
                    ) {
                        "\($0) of them were sent after at most this time."
                    },
                ]),
            .figures(
                \.counts,
                [
                    .count(.waitingIn, "What had been transferred before the report and not shown yet."),
                    .count(.shownFree, "What was transferred and then shown by a free reload."),
                    .count(.shownCharged, "What a charged reload showed."),
                    .count(.dropped, "What was transferred for a choice that the instance has no longer (F8)."),
                    .count(.waitingOut, "What was still to be shown as the report ended."),
                ]),
        ]
    ) { (report) -> [(kind: String, counts: BlockSum<TransferCounts>)] in
        let measures = report.result.measures
        return report.result.scenario.plan.kinds.filter { $0.transfer != nil }.enumerated().map { place, kind in
            (kind.id, BlockSum(measures, at: measures.layout.place(ofTransferKind: place)))
        }
    }
}
