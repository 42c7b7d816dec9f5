import Basics
import Foundation
import ResultFiles

/// The part of the page about the service behind the fleet.
extension RunPage {
    /// As many as a scenario may have.
    private static let mostPools = 100

    func serviceSection() throws(OutputProblem) -> PageDocument.Section? {
        let flows = ["offered", "served", "refused", "timed_out", "hits", "stale_while_revalidate", "origin_requests"]
        guard
            let table = try source.tableIfPresent(
                "service.csv",
                [
                    .amount("bin_start_s"), "pool", "region", .amount("utilisation"), .amount("servers"),
                    .amount("longest_queue"),
                ] + flows.map { .count($0) })
        else { return nil }
        let pools = table.values("pool")
        if pools.count > Self.mostPools {
            throw OutputProblem("\(source.name)/service.csv: expected at most \(Self.mostPools) pools, found more")
        }
        let times: [ResultColumn] = [.amount("p50_s"), .amount("p99_s"), .amount("longest_s")]
        let waits = try source.tableIfPresent(
            "service_latency_bins.csv", [.amount("bin_start_s"), "pool", "measure"] + times)
        var charts = try incidentCharts(table)
        charts.append(flowChart(table))
        charts += pools.map { pool in waits.flatMap { waitChart($0, pool) } }
        charts += pools.map { serverChart(table.rows(["pool": $0]), $0) }
        charts += try levelCharts()
        charts.append(cacheChart(table))
        charts += try receiverCharts()
        charts.append(try latencyChart())
        charts += pools.map(needChart)
        return PageDocument.Section("service", "Service", charts)
    }

    private func flowChart(_ table: PageTable) -> Chart {
        let time = time(most: TimeColumns.most)
        func bins(_ flow: String) -> [Double?] { time.bins(table.rows, flow) }
        let (offered, refused, late) = (bins("offered"), bins("refused"), bins("timed_out"))
        let mean = time.isReduced ? ", mean" : ""
        let failed = zip(refused, late).map { ($0 ?? 0) + ($1 ?? 0) as Double? }
        let frame = time.frame(
            [
                time.isReduced
                    ? time.extreme("offered, largest \(binName)", offered, { $0.max() }, .faint, as: .columns)
                    : time.sum("offered", offered, .faint, as: .columns),
                time.sum("served" + mean, bins("served"), .series(2)), time.sum("refused", refused),
                time.sum("timed out", late), time.sum("failed" + mean, failed, .series(5)),
                time.sum("at the origin" + mean, bins("origin_requests"), .series(0)),
            ] + (time.isReduced ? [time.sum("offered, mean", offered, .series(1))] : []),
            source: "service.csv")
        let share = metrics.figure("service.share_served")?.text ?? "none"
        let second = metrics.figure("service.origin_peak_1s")?.text ?? "0"
        return Chart(
            "service-flow", frame, .steps,
            says:
                "Requests a second: offered as the pale area, and what became of them as lines\(time.isReduced ? ". The area is the largest \(binName) of each column of \(FigureLabel.text(time.width, .duration)), the lines are its means" : "").\(incidents.shadeNote)",
            finding: "\(share) of the requests were served; at most \(second) reached the origin in a second",
            isWide: true
        ) {
            $0.behind = incidents.shades
            $0.flags = incidents.flags(upTo: facts.seconds)
        }
    }

    /// Waits for a server by bin: the largest of each column's medians, 99 % and longest.
    private func waitChart(_ table: PageTable, _ pool: String) -> Chart? {
        let time = time(most: TimeColumns.mostHalf)
        let rows = table.rows(["pool": pool, "measure": "queue_wait"])
        func most(_ name: String, _ column: String, _ paint: Paint) -> Frame.Column {
            time.most(name, time.bins(rows, column, join: max), .duration, paint)
        }
        let waits = time.frame(
            [
                most("p50", "p50_s", .series(0)), most("p99", "p99_s", .series(1)),
                most("longest", "longest_s", .series(5)),
            ], source: "service_latency_bins.csv")
        guard let worst = waits.most("longest"), worst["longest"] > 0 else { return nil }
        return Chart(
            "waits-" + IDText.of(pool), waits, .steps,
            says:
                "Waits of admitted requests by bin on a logarithmic axis, the largest of each column; what is shorter than the axis stands at its bottom.",
            finding: "\(pool): the longest wait for a server is \(worst.text("longest")), at \(worst.name)"
        ) {
            $0.behind = incidents.shades
            $0.isLogarithmic = true
        }
    }

    private func serverChart(_ rows: [PageRow], _ pool: String) -> Chart? {
        let time = time(most: TimeColumns.mostHalf)
        // The rows of a pool's regions add up.
        let busy = time.most("utilisation, most", time.bins(rows, "utilisation"), .share, .series(0))
        guard let highest = busy.values.compactMap({ $0 }).max() else { return nil }
        func most(_ name: String, _ column: String) -> Frame.Column {
            let bins = time.bins(rows, column, join: max)
            return .counts(name, time.reduced(bins) { $0.compactMap { $0 }.max() })
        }
        let counts = rows.compactMap { $0.number("servers") }
        let range = (counts.min() ?? 0, counts.max() ?? 0)
        let have =
            counts.isEmpty
            ? ""
            : " of " + (range.0 == range.1 ? "" : FigureLabel.text(range.0) + " to ") + FigureLabel.text(range.1)
                + " servers"
        let peak = metrics.value("service.\(pool).utilisation_peak_1m") ?? highest
        let mean =
            metrics.figure("service.\(pool).utilisation_mean").map { _ in
                FigureLabel.text(metrics.value("service.\(pool).utilisation_mean") ?? 0, .share)
            }.map { "the mean minute takes \($0), " } ?? ""
        return Chart(
            "servers-" + IDText.of(pool),
            time.frame(
                [busy, most("servers, most", "servers"), most("longest queue", "longest_queue")],
                source: "service.csv"), .outline, says: "Busy time over server time, the largest bin of each column.",
            finding: "\(pool): \(mean)the busiest minute \(FigureLabel.text(peak, .share))\(have)"
        ) { $0.behind = incidents.shades }
    }

    private func cacheChart(_ table: PageTable) -> Chart? {
        guard let share = metrics.figure("service.share_hits"), metrics.value("service.share_hits") ?? 0 > 0 else {
            return nil
        }
        let time = time(most: TimeColumns.mostHalf)
        func bins(_ flow: String) -> [Double?] { time.bins(table.rows, flow) }
        let kept = zip(bins("hits"), bins("stale_while_revalidate")).map { ($0 ?? 0) + ($1 ?? 0) as Double? }
        let frame = time.frame(
            [time.sum("offered", bins("offered")), time.sum("from the edge", kept)], source: "service.csv"
        ).adding("share", .share, .series(0)) {
            $0["offered"] == 0 ? nil : min(1, $0["from the edge"] / $0["offered"])
        }
        return Chart(
            "cache", frame, .outline,
            says:
                "Answers from the edge at once, fresh or stale while they are renewed, over all requests of the fleet.",
            finding: "The edge answers \(share.text) of what it may keep"
        ) { $0.behind = incidents.shades }
    }

    /// The largest second of each region that others fail over to, and the part of it from elsewhere.
    private func receiverCharts() throws(OutputProblem) -> [Chart?] {
        let (all, moved) = ("largest_second_requests", "largest_second_moved")
        guard
            let table = try source.tableIfPresent(
                "failover.csv", [.amount("bin_start_s"), "region", .count(all), .count(moved)])
        else { return [] }
        let time = time(most: TimeColumns.mostHalf)
        return table.values("region").map { region in
            let rows = table.rows(["region": region])
            let (seconds, elsewhere) = (time.bins(rows, all), time.bins(rows, moved))
            // The bin of each column that has the largest second.
            let largest = time.reduction.reduced(Array(seconds.indices)) {
                $0.max { (seconds[$0] ?? 0) < (seconds[$1] ?? 0) }!
            }
            let frame = time.frame(
                [
                    .counts("largest second", largest.map { seconds[$0] }, .series(0)),
                    .counts("from elsewhere", largest.map { elsewhere[$0] }, .series(4), as: .columns),
                ], source: "failover.csv")
            guard let most = frame.most("largest second") else { return nil }
            let share = most["largest second"] == 0 ? 0 : most["from elsewhere"] / most["largest second"]
            return Chart(
                "receiver-" + IDText.of(region), frame, .steps,
                says: "The largest second of each column, and as columns the requests in it that have failed over.",
                finding:
                    "\(region): the largest second has \(most.cell("largest second")) requests, \(FigureLabel.text(share, .share)) of them from elsewhere"
            ) { $0.behind = incidents.shades }
        }
    }

    private func latencyChart() throws(OutputProblem) -> Chart? {
        let times: [Series] = [
            .cell("requests", "requests"), .cell("p50_s", "p50", .duration, .series(0)),
            .cell("p99_s", "p99", .duration, .series(0)), .cell("longest_s", "longest", .duration, .series(0)),
        ]
        guard
            let table = try source.tableIfPresent(
                "service_latencies.csv", ["pool", "measure"] + times.map(\.source))
        else { return nil }
        let names = [
            "queue_wait": "waits for a server", "origin_time": "time at the origin",
            "response_time": "answer at the device",
        ]
        let hasPools = table.values("pool").count > 1
        let latencies = table.frame("time", of: table.rows, times) { row in
            (names[row["measure"]] ?? row["measure"]) + (hasPools ? ", \(row["pool"])" : "")
        }.filter { $0["longest"] > 0 }
        if latencies.isEmpty { return nil }
        let answers = latencies.filter { $0.name.hasPrefix(names["response_time"]!) }.most("p99")
        return Chart(
            "latencies", latencies, .quantiles,
            says:
                "Times on a logarithmic axis: the point is the median, the thick line ends at 99\u{A0}%, the thin one at the longest.",
            finding: answers.map { "99\u{A0}% of the answers take at most \($0.text("p99"))" }
                ?? "How long requests take")
    }

    /// Servers that there were beside those that the closed forms ask for.
    private func needChart(_ pool: String) -> Chart? {
        let figures: [(name: String, metric: String)] = [
            ("servers, mean", "servers_mean"),
            ("Erlang C: 99\u{A0}% wait at most 50 ms", "servers_erlang_c_wait_p99_50ms"),
            ("the same with one server out", "servers_erlang_c_n_plus_1"),
            ("the same with two out", "servers_erlang_c_n_plus_2"),
            ("Erlang C: at most 20\u{A0}% wait", "servers_erlang_c_waiting_20pct"),
            ("square-root rule, 20\u{A0}% wait", "servers_square_root_waiting_20pct"),
        ]
        func figure(_ metric: String) -> Figure? { metrics.figure("service.\(pool).\(metric)") }
        let servers = Frame(
            "figure", figures.map(\.name),
            [metrics.column("servers", figures.map { "service.\(pool).\($0.metric)" }, .series(0))],
            source: "summary.csv"
        ).grouped("by", [("simulated", .series(0)), ("by formula", .series(7))]) { $0.place == 0 ? 0 : 1 }
            .filter { $0.value("servers") != nil }
        guard let need = figure("servers_erlang_c_wait_p99_50ms"), servers.names.count > 1 else { return nil }
        let have = figure("servers_mean").map { ", and there were \($0.text)" } ?? "; the pool has no limit"
        return Chart(
            "need-" + IDText.of(pool), servers, .bars,
            says:
                "Servers simulated, and those that formulas of queues say for requests at random with the same mean time of service.",
            finding: "\(pool): Erlang C asks for \(need.text) servers in the busiest minute\(have)")
    }
}

/// Names as identifiers in a page.
enum IDText {
    static func of(_ name: String) -> String {
        String(
            name.unicodeScalars.map {
                $0.properties.isAlphabetic && $0.isASCII || ("0"..."9").contains($0) ? Character($0) : "-"
            })
    }
}

/// Where a run came from, and its tables.
extension RunPage {
    /// The facts that identify the run. Where no command of its own made it, its command and overrides are left out.
    var origin: [(String, Phrase?)] {
        let overrides = facts.overrides.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }
        return [
            ("Command", facts.asked.map { Phrase($0.map(ShellText.quoted).joined(separator: " ")) }),
            ("Scenario", Phrase(facts.scenario)), ("SHA-256 of it", Phrase(facts.scenario_sha256)),
            ("SHA-256 of the record", facts.record_sha256.map { Phrase($0) }),
            ("Overrides", overrides.map { Phrase($0) }),
            ("People", Phrase(FigureLabel.grouped(Double(facts.people), decimals: 0))), ("Seed", Phrase(facts.seed)),
            ("Version", Phrase("reloadsim " + facts.reloadsim)), ("Fingerprint", Phrase(facts.fingerprint)),
            ("Report", Phrase("\(facts.report_start) to \(facts.end)")),
        ]
    }

    func originSection(_ resolved: ResolvedText) throws(OutputProblem) -> PageDocument.Section {
        try .origin(
            origin,
            html:
                "<p class=\"say\">The same version makes the same tables of the scenario as it ran, with every override and default in it: "
                + "<code>reloadsim run \(OutputFolder.resolvedScenarioName)</code>. Threads, times and folders stand in <a href=\"manifest.json\">manifest.json</a>.</p>"
                + PageParts.folded(
                    "The scenario as it ran", "<pre tabindex=\"0\">\(Markup.escaped(resolved.text))</pre>"), source)
    }
}

extension PageDocument.Section {
    private struct Package: Decodable {
        struct Resource: Decodable {
            let path: String
            let description: String?
        }
        let resources: [Resource]
    }

    /// The facts that the results came from, and the tables beside the page, each with its statement.
    static func origin(_ facts: [(String, Phrase?)], html: String = "", _ source: PageSource) throws(OutputProblem)
        -> Self
    {
        var files: [Package.Resource] = []
        if let bytes = try source.bytes("datapackage.json") {
            do {
                files = try JSONDecoder().decode(Package.self, from: Data(bytes)).resources
            } catch {
                throw OutputProblem(
                    "\(source.name)/datapackage.json: expected the description of tables, found something else")
            }
        }
        let table = PageParts.table(
            ["file", "a row"],
            files.filter { $0.path.hasSuffix(".csv") }.map {
                [
                    "<a href=\"\(Markup.escaped($0.path))\">\(Markup.escaped($0.path))</a>",
                    Markup.escaped($0.description ?? ""),
                ]
            }, label: "Files"
        ).replacing("<td>", with: "<td class=\"w\">")
        return Self(
            "origin", "Where it came from", html: PageParts.facts(facts) + html + PageParts.folded("Files", table))
    }
}

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
