import Measures
import WidgetPlatform

extension ReportTable {
    static let reloads = ReportTable(
        "reloads",
        "The reloads of \(line) that ended in the report, by cause, payment and outcome a row. Rows without reloads are left out.",
        Column.line + [
            .cause, .charged,
            .key(
                "outcome",
                "How they ended: " + ReloadOutcome.allCases.map { "`\($0.name)`" }.joined(separator: ", ")
                    + " (charged, but a free reload took it before it ran, G8)."),
            .count("reloads", "Reloads."),
            .derived(
                "per_instance_day", optional: true,
                "The same for each instance of the segment, kind and device and 24 hours; it adds up over causes, payments and outcomes."),
        ])

    static let reloadCauses = ReportTable(
        "reload_causes",
        "What one cause did to \(line) a row. Causes that did not arise are left out.",
        Column.line + [
            .cause,
            .count("started_charged", "Reloads granted and charged in the report."),
            .count("started_free", "Free reloads begun in the report."),
            .count("ended_charged", "Charged reloads ended in the report."),
            .count("ended_free", "Free reloads ended in the report."),
            .count("merged", "Causes that another reload served (G8)."),
            .count("requests", "Requests sent."),
            .derived(
                "charged_per_instance_day", "The charged reloads begun, for each instance of the segment, kind and device and 24 hours."),
            .derived(
                "free_per_instance_day", "The free reloads begun, for each instance and 24 hours: what an exemption is worth (section 7)."),
            .derived("requests_per_instance_day", "The requests sent, for each instance and 24 hours."),
            .derived("share_of_requests", "The requests sent, of all of the segment, kind and device."),
        ])

    static let reloadTotals = ReportTable(
        "reload_totals",
        "The reloads and requests of \(line) a row: carried in + started = ended + carried out, for reloads."
            + " Requests that arrive at the edge = sent + carried in − carried out.",
        Column.line + [
            .instances,
            .count("carried_in", "Reloads granted or under way at the start of the report."),
            .count("started", "Reloads granted or begun in it."),
            .count("ended", "Reloads ended in it."),
            .count("carried_out", "Reloads granted or under way at its end."),
            .count("coalesced", "Reloads that ran with another instance's (G7)."),
            .count("early", "Those among them that ran before they were due."),
            .count("entries", "Entries of the timelines that came (R6)."),
            .count("requests_sent", "Requests sent in the report."),
            .count("requests_carried_in", "Requests sent before it that arrive at the edge in it."),
            .count("requests_carried_out", "Requests sent in it that arrive at the edge after it."),
            .count("requests_answered", "Requests answered in it."),
            .count("requests_refused", "Requests refused with an error in it."),
            .count("requests_timed_out", "Requests given up in it."),
        ])

    static let reloadDelays = ReportTable(
        "reload_delays",
        "How long the reloads of \(line) took from due to done, if they brought a timeline, by payment a row. Quantiles are within"
            + " 1/16 of the value. Rows without reloads are left out.",
        Column.line + [
            .charged,
            .count("reloads", "Reloads that brought a timeline."),
            .derived("p50_s", unit: "s", optional: false, "Half of them took at most this long."),
            .derived("p95_s", unit: "s", optional: false, "95 % of them took at most this long."),
            .derived("p99_s", unit: "s", optional: false, "99 % of them took at most this long."),
            .derived(
                "longest_s", unit: "s", adds: .maximum, optional: false, "All took less than this: the upper end of the longest one's bin."),
        ])
}

extension RunReport {
    func writeReloads(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachLine { (line, counts) throws(OutputProblem) in
            for cause in ReloadCause.allCases {
                for charged in [true, false] {
                    for outcome in ReloadOutcome.allCases {
                        let at = (Int(cause.rawValue) * 2 + (charged ? 1 : 0)) * MeasureLayout.outcomes + Int(outcome.rawValue)
                        let reloads = counts[KindField.ended + at]
                        if reloads == 0 { continue }
                        csv.line(line)
                        csv.plain(cause.name)
                        csv.boolean(charged)
                        csv.plain(outcome.name)
                        csv.integer(reloads)
                        csv.number(perDay(reloads, of: counts[KindField.instances]))
                        try csv.endRow()
                    }
                }
            }
        }
    }

    func writeReloadCauses(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachLine { (line, counts) throws(OutputProblem) in
            let instances = counts[KindField.instances]
            let requests = counts.sum(KindField.requestsSent, count: MeasureLayout.causes)
            for cause in ReloadCause.allCases {
                let i = Int(cause.rawValue)
                let row = [
                    counts[KindField.started + i * 2 + 1], counts[KindField.started + i * 2],
                    counts.sum(KindField.ended + (i * 2 + 1) * MeasureLayout.outcomes, count: MeasureLayout.outcomes),
                    counts.sum(KindField.ended + i * 2 * MeasureLayout.outcomes, count: MeasureLayout.outcomes),
                    counts[KindField.merged + i], counts[KindField.requestsSent + i],
                ]
                if row.allSatisfy({ $0 == 0 }) { continue }
                csv.line(line)
                csv.plain(cause.name)
                for count in row { csv.integer(count) }
                for count in [row[0], row[1], row[5]] { csv.number(perDay(count, of: instances)) }
                csv.number(Ratio.of(row[5], to: requests))
                try csv.endRow()
            }
        }
    }

    func writeReloadTotals(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachLine { (line, counts) throws(OutputProblem) in
            csv.line(line)
            csv.integer(counts[KindField.instances])
            csv.integer(counts[KindField.reloadsCarriedIn])
            csv.integer(counts.sum(KindField.started, count: MeasureLayout.causes * 2))
            csv.integer(counts.sum(KindField.ended, count: MeasureLayout.causes * 2 * MeasureLayout.outcomes))
            csv.integer(counts[KindField.reloadsCarriedOut])
            csv.integer(counts[KindField.coalesced])
            csv.integer(counts[KindField.early])
            csv.integer(counts[KindField.entries])
            csv.integer(counts.sum(KindField.requestsSent, count: MeasureLayout.causes))
            csv.integer(counts[KindField.requestsCarriedIn])
            csv.integer(counts[KindField.requestsCarriedOut])
            csv.integer(counts[KindField.requestsAnswered])
            csv.integer(counts[KindField.requestsRefused])
            csv.integer(counts[KindField.requestsTimedOut])
            try csv.endRow()
        }
    }

    func writeReloadDelays(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachLine { (line, counts) throws(OutputProblem) in
            for (charged, field) in [(true, KindField.delayCharged), (false, KindField.delayFree)] {
                let delays = counts[field, LogHistogram.binCount]
                guard let longest = delays.lastIndex(where: { $0 != 0 }) else { continue }
                csv.line(line)
                csv.boolean(charged)
                csv.integer(delays.reduce(0, +))
                for q in [0.5, 0.95, 0.99] { csv.number(LogHistogram.quantile(q, of: delays)) }
                csv.number(Double(LogHistogram.bounds(of: longest - delays.startIndex).upper) / 1_000)
                try csv.endRow()
            }
        }
    }
}
