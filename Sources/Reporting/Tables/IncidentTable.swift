import ResultFiles
import Basics

extension RunTable {
    static let serviceIncidents: RunTable = RunTable(
        "service_incidents",
        "The requests of the fleet during one planned event of the service (S4), or while devices of a region are sent to another one without an outage (S7): all regions together and each with requests, one a row, by the minutes of the report from the event's beginning to its end, or until all was well again if that was later: up to `counted_to_s`. Rows of regions have each their own end, and do not add up. The file is there only if the scenario has a service (S2).",
        [
            .key("event", "The event's name, or the two regions.", \.incident.event),
            .key(
                "region", "The edge region that the requests reached; `\(ReportWords.all)` for all together.", \.region),
            .key("start_s", unit: "s", "When the event began, from the start of the report; negative in the warm-up.") {
                $0.incident.from
            },
            .clocks(of: "start", \.start),
            .derived(
                "end_s", unit: "s",
                "When it was over, from the start of the report; empty if it was not at the report's end.",
                \.incident.to),
            .clocks(of: "end", ofOptional: \.end),
            .derived(
                "counted_to_s", unit: "s", "The end of the minutes that are counted, from the start of the report.",
                \.part.until),
            .derived("requests", "Requests that ended.", \.part.failures.requests),
            .derived("failed", "Those of them that were refused or timed out.", \.part.failures.failed),
            .derived("share_failed", "Their share; empty without requests.") { Ratio.of($0.part.failures) },
            .derived(
                "worst_minute_start_s", unit: "s",
                "The beginning of the minute with the most failures, from the start of the report; empty if none failed."
            ) { $0.part.worst.map { Int64($0.minute) * 60 } },
            .derived("worst_minute_requests", "Requests that ended in it.") { $0.part.worst?.failures.requests },
            .derived("worst_minute_failed", "Those of them that failed.") { $0.part.worst?.failures.failed },
            .derived("worst_minute_share_failed", "Their share.") { $0.part.worst.flatMap { Ratio.of($0.failures) } },
            .derived(
                "well_after_s", unit: "s",
                "From the beginning of the event until all was well again; of all together until every region was: until the first minute in which requests ended after the last one with more than a hundredth of failures, at most an hour after the event or another such minute and before the next event. 0 if there was none; empty if no request ended after it, before the next event or the end of the report.",
                \.part.wellAfter),
            .derived(
                "well_after_least_s", unit: "s",
                "The shortest such time of this run and of its half samples, where people stand for others before a service: an echo that just overruns in one of them is none in another. Empty where they do not.",
                \.part.wellAfterRange?.least),
            .derived(
                "well_after_most_s", unit: "s",
                "The longest of them; empty if any of these does not know it.", \.part.wellAfterRange?.most),
        ]
    ) { (report, add: Table<IncidentRow>.RowSink) throws(OutputProblem) in
        for incident in report.incidents {
            for (region, part) in [(ReportWords.all, incident.all)] + incident.regions.map({ ($0.name, $0.part) }) {
                try add(
                    IncidentRow(
                        incident: incident, region: region, part: part, start: report.instant(after: incident.from),
                        end: incident.to.map(report.instant)))
            }
        }
    }
}

private struct IncidentRow {
    let incident: Incident
    let region: String
    let part: Incident.Part
    let start: ReportInstant
    let end: ReportInstant?
}

extension Ratio {
    fileprivate static func of(_ failures: Incident.Failures) -> Double? { of(failures.failed, to: failures.requests) }
}
