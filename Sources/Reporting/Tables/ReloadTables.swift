import ResultFiles
import Basics
import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let reloads = RunTable(
        "reloads",
        "The reloads of \(ReportWords.stratum) that ended in the report, by cause, payment and outcome a row. Rows without reloads are left out.",
        [
            .stratum(\.stratum), .cause(\.cause), .charged(\.charged),
            .key(
                "outcome",
                "How they ended: " + ReportWords.listed(ReloadOutcome.allCases.map(\.name))
                    + ". `ok` brought a timeline; `taken` was granted, but a free reload took it before it ran (G8); `placeholder` made no request, because the provider's condition was unmet (P8)."
            ) { $0.outcome.name },
            .sum("reloads", "Reloads.", \.reloads),
            .derived(
                "per_instance_day",
                "The same for each instance of the segment, kind and device and 24 hours; it adds up over causes, payments and outcomes.",
                \.perInstanceDay),
        ]
    ) { (report, add: Table<EndedReloads>.RowSink) throws(OutputProblem) in
        for reloads in report.stratumReloads {
            for cause in ReloadCause.allCases {
                for charged in [true, false] {
                    for outcome in ReloadOutcome.allCases {
                        let ended = reloads.counts[.ended(cause, charged: charged, outcome)]
                        if ended == 0 { continue }
                        try add(
                            EndedReloads(
                                stratum: reloads.stratum, cause: cause, charged: charged, outcome: outcome,
                                reloads: ended,
                                perInstanceDay: Ratio.perDay(ended, of: reloads.counts[.instances], over: report.span)))
                    }
                }
            }
        }
    }

    static let reloadCauses = RunTable(
        "reload_causes",
        "The effects of one cause on \(ReportWords.stratum) a row. Causes that did not arise are left out.",
        [
            .stratum(\.stratum), .cause(\.cause),
            .sum("started_charged", "Reloads granted and charged in the report.") { $0.started(charged: true) },
            .sum("started_free", "Free reloads begun in the report.") { $0.started(charged: false) },
            .sum("ended_charged", "Charged reloads ended in the report.") { $0.ended(charged: true) },
            .sum("ended_free", "Free reloads ended in the report.") { $0.ended(charged: false) },
            .sum("merged", "Causes that another reload served (G8).", \.merged),
            .sum(
                "unchanged_charged",
                "Charged reloads that brought what was shown already: content of the same key and no newer version (C3)."
            ) {
                $0.unchanged(charged: true)
            },
            .sum("unchanged_free", "Free reloads that did.") { $0.unchanged(charged: false) },
            .sum("requests", "Requests sent.", \.requests),
            .derived(
                "charged_per_instance_day",
                "The charged reloads begun, for each instance of the segment, kind and device and 24 hours."
            ) { $0.perInstanceDay($0.started(charged: true)) },
            .derived(
                "free_per_instance_day",
                "The free reloads begun, for each instance and 24 hours: what an exemption is worth (section 7)."
            ) { $0.perInstanceDay($0.started(charged: false)) },
            .derived("requests_per_instance_day", "The requests sent, for each instance and 24 hours.") {
                $0.perInstanceDay($0.requests)
            },
            .derived("share_of_requests", "The requests sent, of all of the segment, kind and device.") {
                Ratio.of($0.requests, to: $0.counts.sum(.requestsSent))
            },
        ]
    ) { (report, add: Table<CauseCounts>.RowSink) throws(OutputProblem) in
        for reloads in report.stratumReloads {
            for cause in ReloadCause.allCases {
                let row = CauseCounts(stratum: reloads.stratum, cause: cause, counts: reloads.counts, span: report.span)
                if !row.isZero { try add(row) }
            }
        }
    }

    static let reloadTotals = RunTable(
        "reload_totals",
        "The reloads and requests of \(ReportWords.stratum) a row: carried in + started = ended + carried out, for reloads."
            + " Requests that arrive at the edge = sent + carried in − carried out.",
        [
            .stratum(\.stratum), .instances { $0.counts[.instances] },
            .sum("carried_in", "Reloads granted or under way at the start of the report.") { $0.counts[.carriedIn] },
            .sum("started", "Reloads granted or begun in it.") { $0.counts.sum(.started) },
            .sum("ended", "Reloads ended in it.") { $0.counts.sum(.ended) },
            .sum("carried_out", "Reloads granted or under way at its end.") { $0.counts[.carriedOut] },
            .sum("coalesced", "Reloads that ran with another instance's (G7).") { $0.counts[.coalesced] },
            .sum("early", "Those among them that ran before they were due.") { $0.counts[.early] },
            .sum("entries", "Entries of the timelines that came (R6).") { $0.counts[.entries] },
            .sum("requests_sent", "Requests sent in the report.") { $0.counts.sum(.requestsSent) },
            .sum("requests_carried_in", "Requests sent before it that arrive at the edge in it.") {
                $0.counts[.requestsCarriedIn]
            },
            .sum("requests_carried_out", "Requests sent in it that arrive at the edge after it.") {
                $0.counts[.requestsCarriedOut]
            },
            .sum("requests_answered", "Requests answered in it.") { $0.counts[.requestsAnswered] },
            .sum("requests_refused", "Requests refused with an error in it.") { $0.counts[.requestsRefused] },
            .sum("requests_timed_out", "Requests given up in it.") { $0.counts[.requestsTimedOut] },
        ]
    ) { (report, add: Table<StratumReloads>.RowSink) throws(OutputProblem) in
        for reloads in report.stratumReloads { try add(reloads) }
    }

    static let reloadDelays = RunTable(
        "reload_delays",
        "How long the reloads of \(ReportWords.stratum) took from due to done, if they brought a timeline, by payment a row. Quantiles are within"
            + " 1/16 of the value. Rows without reloads are left out.",
        [
            .stratum(\.stratum), .charged(\.charged),
            .sum("reloads", "Reloads that brought a timeline.", \.reloads),
            .derived("p50_s", unit: "s", "Half of them took at most this long.") { $0.quantile(0.5) },
            .derived("p95_s", unit: "s", "95 % of them took at most this long.") { $0.quantile(0.95) },
            .derived("p99_s", unit: "s", "99 % of them took at most this long.") { $0.quantile(0.99) },
            .derived(
                "longest_s", unit: "s", adds: .maximum,
                "All took less than this: the upper end of the longest one's bin.", \.longest),
        ]
    ) { (report, add: Table<ReloadDelays>.RowSink) throws(OutputProblem) in
        for reloads in report.stratumReloads {
            for charged in [true, false] {
                let row = ReloadDelays(
                    stratum: reloads.stratum, charged: charged, bins: Array(reloads.counts[.delays(charged: charged)]))
                if row.reloads > 0 { try add(row) }
            }
        }
    }
}

/// Reloads of a stratum of one cause and payment that ended in one way.
private struct EndedReloads {
    let stratum: ReportStratum
    let cause: ReloadCause
    let charged: Bool
    let outcome: ReloadOutcome
    let reloads: Int64
    let perInstanceDay: Double?
}

/// The effects of one cause on a stratum.
private struct CauseCounts {
    let stratum: ReportStratum
    let cause: ReloadCause
    /// The stratum's.
    let counts: BlockSum<ReloadCounts>
    let span: Duration

    func started(charged: Bool) -> Int64 { counts[.started(cause, charged: charged)] }
    func unchanged(charged: Bool) -> Int64 { counts[.unchanged(cause, charged: charged)] }
    func ended(charged: Bool) -> Int64 { counts.sum(.ended(cause, charged: charged)) }
    var merged: Int64 { counts[.merged(cause)] }
    var requests: Int64 { counts[.requestsSent(cause)] }

    /// Whether the cause did not arise.
    var isZero: Bool {
        [true, false].allSatisfy { started(charged: $0) == 0 && ended(charged: $0) == 0 } && merged == 0
            && requests == 0
    }

    func perInstanceDay(_ count: Int64) -> Double? { Ratio.perDay(count, of: counts[.instances], over: span) }
}

/// How long some reloads of a stratum took.
private struct ReloadDelays {
    let stratum: ReportStratum
    let charged: Bool
    /// The bins of a `LogHistogram`, not all of them empty.
    let bins: [Int64]

    var reloads: Int64 { bins.reduce(0, +) }
    /// Seconds.
    var longest: Double { Double(LogHistogram.bounds(of: bins.lastIndex { $0 != 0 }!).upper) / 1_000 }

    func quantile(_ q: Double) -> Double { min(ReportQuantile.seconds(q, ofLog: bins)!, longest) }
}
