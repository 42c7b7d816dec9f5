import ResultFiles
import Basics
import Fleet
import Statistics
import WidgetPlatform

/// A part of a stratum, with the stratum's counts of reloads.
private typealias ReloadRow<Part> = StratumRow<Part, BlockSum<ReloadCounts>>

extension StratumRow where Counts == BlockSum<ReloadCounts> {
    fileprivate func perInstanceDay(_ count: Int64) -> Double? {
        Ratio.perDay(count, of: counts[.instances], over: stratum.span)
    }
}

extension ReloadRow<(charge: (ReloadCause, Bool), outcome: ReloadOutcome)> {
    fileprivate var ended: Int64 { counts[.ended(part.charge.0, charged: part.charge.1, part.outcome)] }
}

extension Figures<ReloadRow<ReloadCause>> {
    fileprivate static let ofCause: Self = [
        .count(
            "started_charged", { $0.counts[.started($0.part, charged: true)] },
            "Reloads granted and charged in the report."),
        .count("started_free", { $0.counts[.started($0.part, charged: false)] }, "Free reloads begun in the report."),
        .count(
            "ended_charged", { $0.counts.sum(.ended($0.part, charged: true)) }, "Charged reloads ended in the report."),
        .count("ended_free", { $0.counts.sum(.ended($0.part, charged: false)) }, "Free reloads ended in the report."),
        .count("merged", { $0.counts[.merged($0.part)] }, "Causes that another reload served (G8)."),
        .count(
            "unchanged_charged", { $0.counts[.unchanged($0.part, charged: true)] },
            "Charged reloads that brought what was shown already: content of the same key and no newer version (C3)."),
        .count("unchanged_free", { $0.counts[.unchanged($0.part, charged: false)] }, "Free reloads that did."),
        .count("requests", { $0.counts[.requestsSent($0.part)] }, "Requests sent."),
    ]
}

extension RunTable {
    static let reloads: RunTable = RunTable(
        "reloads",
        "The reloads of \(ReportWords.stratum) that ended in the report, by cause, payment and outcome a row. Rows without reloads are left out.",
        [
            .stratum(\.stratum), .cause(\.part.charge.0), .charged(\.part.charge.1),
            .word(
                "outcome", "How they ended",
                rest:
                    ". `ok` brought a timeline; `taken` was granted, but a free reload took it before it ran (G8); `placeholder` made no request, because the provider's condition was unmet (P8).",
                \.part.outcome), .sum("reloads", "Reloads.", \.ended),
            .derived(
                "per_instance_day",
                "The same for each instance of the segment, kind and device and 24 hours; it adds up over causes, payments and outcomes."
            ) { $0.perInstanceDay($0.ended) },
        ]
    ) { (report) -> [ReloadRow<(charge: (ReloadCause, Bool), outcome: ReloadOutcome)>] in
        let charges = ReloadCause.allCases.flatMap { [($0, true), ($0, false)] }
        return report.stratumReloads.by(charges.flatMap { charge in ReloadOutcome.allCases.map { (charge, $0) } })
            .filter { $0.ended > 0 }
    }

    static let reloadCauses: RunTable = RunTable(
        "reload_causes",
        "The effects of one cause on \(ReportWords.stratum) a row. Causes that did not arise are left out.",
        [
            .stratum(\.stratum), .cause(\.part), .figures(.ofCause),
            .derived(
                "charged_per_instance_day",
                "The charged reloads begun, for each instance of the segment, kind and device and 24 hours."
            ) { $0.perInstanceDay($0.counts[.started($0.part, charged: true)]) },
            .derived(
                "free_per_instance_day",
                "The free reloads begun, for each instance and 24 hours: what an exemption is worth (section 7)."
            ) { $0.perInstanceDay($0.counts[.started($0.part, charged: false)]) },
            .derived("requests_per_instance_day", "The requests sent, for each instance and 24 hours.") {
                $0.perInstanceDay($0.counts[.requestsSent($0.part)])
            },
            .derived("share_of_requests", "The requests sent, of all of the segment, kind and device.") {
                Ratio.of($0.counts[.requestsSent($0.part)], to: $0.counts.sum(.requestsSent.all))
            },
        ]
    ) { (report) -> [ReloadRow<ReloadCause>] in
        report.stratumReloads.by(ReloadCause.allCases).filter { !Figures.ofCause.isZero($0) }
    }

    static let reloadTotals: RunTable = RunTable(
        "reload_totals",
        "The reloads and requests of \(ReportWords.stratum) a row: carried in + started = ended + carried out, for reloads."
            + " Requests that arrive at the edge = sent + carried in − carried out.",
        [
            .stratum(\.stratum),
            .figures(
                \.counts,
                [
                    .instances { $0[.instances] },
                    .count("carried_in", .carriedIn, "Reloads granted or under way at the start of the report."),
                    .count("started", .started.all, "Reloads granted or begun in it."),
                    .count("ended", .ended.all, "Reloads ended in it."),
                    .count("carried_out", .carriedOut, "Reloads granted or under way at its end."),
                    .coalesced.named("coalesced"), .early.named("early"),
                    .count("entries", .entries, "Entries of the timelines that came (R6)."), .requestsSent,
                    .count(
                        "requests_carried_in", .requestsCarriedIn,
                        "Requests sent before the report that arrive at the edge in it."),
                    .count(
                        "requests_carried_out", .requestsCarriedOut,
                        "Requests sent in it that arrive at the edge after it."),
                    .count("requests_answered", .requestsAnswered, "Requests answered in it."),
                    .count("requests_refused", .requestsRefused, "Requests refused with an error in it."),
                    .count("requests_timed_out", .requestsTimedOut, "Requests given up in it."),
                ]),
        ]
    ) { (report) -> [ReloadRow<Void>] in report.stratumReloads }

    static let reloadDelays: RunTable = RunTable(
        "reload_delays",
        "How long the reloads of \(ReportWords.stratum) took from due to done, if they brought a timeline, by payment a row. Quantiles are within"
            + " 1/16 of the value. Rows without reloads are left out.",
        [
            .stratum(\.stratum), .charged(\.part),
            .sum("reloads", "Reloads that brought a timeline.") { $0.counts.reduce(0, +) },
            .several(
                [50, 95, 99].map { percent in
                    .derived("p\(percent)_s", unit: "s", "\(percent) % of them took at most this long.") {
                        let quantile = LogHistogram.quantile(Double(percent) / 100, of: $0.counts)!
                        return min(SignificantDigits.rounded(quantile, to: 3), longest($0.counts))
                    }
                }),
            .derived(
                "longest_s", unit: "s", adds: .maximum,
                "All took less than this: the upper end of the longest one's bin."
            ) { longest($0.counts) },
        ]
    ) { (report) -> [StratumRow<Bool, [Int64]>] in
        report.stratumReloads.by([true, false]).map {
            StratumRow(stratum: $0.stratum, part: $0.part, counts: Array($0.counts.bins(.delays(charged: $0.part))))
        }.filter { row in row.counts.contains { $0 != 0 } }
    }

    /// The upper end of the last bin of a `LogHistogram` that is not empty, in seconds.
    private static func longest(_ bins: [Int64]) -> Double {
        Double(LogHistogram.bounds(of: bins.lastIndex { $0 != 0 }!).upper) / 1_000
    }
}
