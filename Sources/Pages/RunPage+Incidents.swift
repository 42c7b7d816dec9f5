import Basics
import ResultFiles

/// The planned events of a run's service: shades on every chart of the load, and their consequences.
struct PageIncidents {
    struct Incident {
        /// From the start of the report; the report's end for an event that was not over.
        let from, to: Double
        let text: IncidentText
    }

    let incidents: [Incident]
    /// The rows of all of them by region; nil without a service.
    fileprivate let table: PageTable?

    fileprivate static let figures: [Series] = [
        .cell("requests", "requests"), .cell("failed", "failed"),
        .cell("share_failed", "share failed", .share, .series(5)),
        .cell("worst_minute_failed", "failed in the worst minute"),
        .cell("worst_minute_share_failed", "share of the worst minute", .share),
        .cell("well_after_s", "well after", .duration),
    ]

    init(_ source: PageSource, seconds: Double, clock: PageClock) throws(OutputProblem) {
        let (start, end): (ResultColumn, ResultColumn) = (.number("start_s"), .number("end_s"))
        let minute: [ResultColumn] = [.amount("worst_minute_start_s"), .amount("worst_minute_requests")]
        let well: [ResultColumn] = [.amount("well_after_least_s"), .amount("well_after_most_s")]
        let table = try source.tableIfPresent(
            "service_incidents.csv", ["event", "region", start, end] + minute + well + Self.figures.map(\.source))
        self.table = table
        incidents = (table?.rows(["region": "*"]) ?? []).compactMap { row in
            guard let from = row.number(start.name) else { return nil }
            let parts = table?.rows(["event": row["event"], start.name: row[start.name]]) ?? []
            func count(_ column: String, of row: PageRow) -> Int64 { Int64(cutting: row.amount(column) ?? 0) }
            func failures(_ row: PageRow) -> IncidentText.Failures {
                .init(requests: count("requests", of: row), failed: count("failed", of: row))
            }
            // Results of earlier versions have no such column.
            func until(_ row: PageRow) -> LocalTime? { row.amount("counted_to_s").map(clock.local) }
            func worstMinute(_ row: PageRow) -> IncidentText.Failures? {
                row.amount("worst_minute_start_s").map { _ in
                    .init(
                        requests: count("worst_minute_requests", of: row), failed: count("worst_minute_failed", of: row)
                    )
                }
            }
            let to = row.number(end.name)
            let worst = row.amount("worst_minute_start_s").flatMap { start in
                worstMinute(row).map { (clock.local(start), $0) }
            }
            return Incident(
                from: from, to: to ?? seconds,
                text: IncidentText(
                    event: row["event"], from: clock.local(from), to: to.map(clock.local), until: until(row),
                    all: failures(row),
                    worst: worst, wellFrom: row.amount("well_after_s").map { clock.local(from + $0) },
                    wellRange: row.amount(well[0].name).map {
                        .init(
                            least: clock.local(from + $0),
                            most: row.amount(well[1].name).map { clock.local(from + $0) })
                    },
                    regions: parts.filter { $0["region"] != "*" }.map {
                        ($0["region"], until($0), failures($0), worstMinute($0)?.isUnwell ?? false)
                    }))
        }
    }

    /// Behind the marks of a chart over time, whose colours they would change.
    var shades: [PlotLayer] { incidents.map { .shade(from: $0.from, to: $0.to) } }
    /// The sentence of a chart on its shades; empty without any.
    var shadeNote: String { incidents.isEmpty ? "" : " Planned events are shaded." }
    /// The event with the most failures; nil if no minute of any is unwell.
    var worst: IncidentText? {
        incidents.map(\.text).filter(\.isUnwell).max { $0.all.failed < $1.all.failed }
    }

    /// The names of those that the page speaks of, at their beginnings.
    func flags(upTo end: Double) -> [PlotFlag] {
        let named = Set(IncidentText.worst(of: incidents.map(\.text)).shown.map(\.event))
        return incidents.filter { named.contains($0.text.event) && $0.from >= 0 && $0.from <= end }.prefix(named.count)
            .map { PlotFlag(x: $0.from, y: nil, text: $0.text.event) }
    }

    /// A sentence for each that the page speaks of.
    var sentences: [Phrase] {
        let (shown, others) = IncidentText.worst(of: incidents.map(\.text))
        return shown.map { Phrase($0.sentence + ".") }
            + (others == 0
                ? []
                : ["\(others) more planned events, with fewer failures, stand in service_incidents.csv."])
    }
}

extension IncidentText {
    /// Between a number and its unit stands a blank at which no line ends.
    fileprivate var sentence: String { "\(span): \(consequences)".replacing(" %", with: "\u{A0}%") }
}

extension PageClock {
    func local(_ second: Double) -> LocalTime {
        LocalTime(localMicroseconds: Int64(cutting: (ticks.local(second) * 1e6).rounded()))
    }
}

extension RunPage {
    /// The shares of failed requests over the report, and those of each planned event.
    func incidentCharts(_ flows: PageTable) throws(OutputProblem) -> [Chart?] {
        [failureChart(flows), incidentChart()]
    }

    /// More regions than lines can be told apart.
    private static let mostLines = Paint.seriesCount - 2

    private func failureChart(_ flows: PageTable) -> Chart? {
        let time = time(most: TimeColumns.most)
        func counts(_ rows: [PageRow]) -> (ended: [Double?], failed: [Double?]) {
            let (refused, late) = (time.bins(rows, "refused"), time.bins(rows, "timed_out"))
            let failed = zip(refused, late).map { ($0 ?? 0) + ($1 ?? 0) as Double? }
            return (zip(time.bins(rows, "served"), failed).map { ($0 ?? 0) + ($1 ?? 0) }, failed)
        }
        func shares(_ counts: (ended: [Double?], failed: [Double?])) -> [Double?] {
            zip(counts.failed, counts.ended).map { $1 ?? 0 == 0 ? nil : ($0 ?? 0) / $1! }
        }
        let all = counts(flows.rows)
        let failed = all.failed.reduce(0) { $0 + ($1 ?? 0) }
        if failed == 0 { return nil }
        let regions = flows.values("region").map { name in (name, counts(flows.rows(["region": name]))) }
            .map { (name: $0, shares: shares($1), failed: $1.failed.reduce(0) { $0 + ($1 ?? 0) }) }
            .sorted { ($1.failed, $0.name) < ($0.failed, $1.name) }
        let lines = regions.count > 1 ? regions.filter { $0.failed > 0 }.prefix(Self.mostLines) : []
        let frame = time.frame(
            [
                time.sum("ended", all.ended), time.sum("failed", all.failed),
                time.most("all regions", shares(all), .share, .series(5)),
            ]
                + lines.enumerated().map {
                    time.most($1.name, $1.shares, .share, .series($0 < 5 ? $0 : $0 + 1))
                }, source: "service.csv")
        let share = failed / all.ended.reduce(0) { $0 + ($1 ?? 0) }
        return Chart(
            "failures", frame, .steps,
            says:
                "The share of the requests that were refused or timed out, of each column the \(binName) with the largest one.\(incidents.shadeNote)",
            finding: incidents.worst.map(\.sentence)
                ?? "\(FigureLabel.text(share, .share)) of the requests failed, \(FigureLabel.grouped(failed, decimals: 0)) in all",
            isWide: true
        ) {
            $0.behind = incidents.shades
            $0.flags = incidents.flags(upTo: facts.seconds)
        }
    }

    /// More rows than are looked at.
    private static let mostIncidentRows = 60

    private func incidentChart() -> Chart? {
        guard let table = incidents.table, let first = incidents.incidents.first else { return nil }
        let hasRegions = table.values("region").count > 2
        let rows = table.rows.filter { hasRegions || $0["region"] == "*" }
        let frame = table.frame("event", of: Array(rows.prefix(Self.mostIncidentRows)), PageIncidents.figures) { row in
            hasRegions ? "\(row["event"]), \(row["region"] == "*" ? "all regions" : row["region"])" : row["event"]
        }
        let count = incidents.incidents.count
        return Chart(
            "incidents", frame, .bars,
            says:
                "The share of failed requests in each planned event, from its beginning to its end\(hasRegions ? ", or until all was well again in the regions of the row" : " or until all was well again").",
            finding: count == 1
                ? "One planned event: \(first.text.event)"
                : "\(count) planned events"
                    + (incidents.worst.map { ", the most failures in \($0.event)" } ?? ", none with many failures")
        ) {
            $0.figure = { row in
                if row.value("share failed") == nil { return "no requests" }
                let well = row.value("well after").map {
                    $0 == 0 ? "always well" : "well after \(row.text("well after"))"
                }
                return "\(row.text("share failed")) failed · \(well ?? "not well again")"
            }
        }
    }
}
