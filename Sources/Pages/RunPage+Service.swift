import ResultFiles
import Basics

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
