import ResultFiles
import Basics

/// The part of the page about the service behind the fleet.
extension RunPage {
    /// More names of events than stand beside each other.
    private static let mostFlags = 40
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
        if table.values("pool").count > Self.mostPools {
            throw OutputProblem("\(source.name)/service.csv: expected at most \(Self.mostPools) pools, found more")
        }
        let bins = ServiceBins(table, binWidth: load.binWidth, bins: load.bins, flows: flows)
        let shades = try eventShades()
        var charts = [PageChart(flowChart(bins, shades), isWide: true)]
        let times: [ResultColumn] = [.amount("p50_s"), .amount("p99_s"), .amount("longest_s")]
        if let table = try source.tableIfPresent(
            "service_latency_bins.csv", [.amount("bin_start_s"), "pool", "measure"] + times)
        {
            for pool in bins.pools {
                charts.append(waitChart(table, pool, bins.count, shades))
            }
        }
        for pool in bins.pools { charts.append(serverChart(bins, pool, shades)) }
        charts += try levelCharts(shades).map { PageChart($0) }
        charts.append(cacheChart(bins, shades))
        for chart in try receiverCharts(bins.count, shades) { charts.append(chart) }
        charts.append(try latencyChart())
        for pool in bins.pools { charts.append(needChart(pool)) }
        return PageDocument.Section("service", "Service", charts: charts)
    }

    /// The events of the service over the report.
    private func eventShades() throws(OutputProblem) -> [PlotLayer] {
        guard let table = try source.tableIfPresent("service_events.csv", ["event", .number("end_s")]),
            table.has("start_s")
        else { return [] }
        return table.rows.compactMap { row in
            guard let from = row.number("start_s"), let to = row.number("end_s") else { return nil }
            return .shade(from: from, to: to, row["event"])
        }
    }

    private func flowChart(_ bins: ServiceBins, _ shades: [PlotLayer]) -> ChartFigure {
        let columns = ColumnReduction(bins: bins.count, most: Self.mostColumns, nice: Self.roundMinutes)
        let seconds = (0..<columns.columns).map { Double(columns.range($0).count) * load.binWidth }
        let (offered, served) = (bins.sum("offered"), bins.sum("served"))
        let failed = zip(bins.sum("refused"), bins.sum("timed_out")).map(+)
        let origin = bins.sum("origin_requests")
        let series: [(String, [Int64], Paint)] = [
            ("served", served, .series(2)), ("refused or timed out", failed, .series(5)),
            ("at the origin", origin, .series(0)),
        ]
        func rates(_ counts: [Int64]) -> [Double] { zip(columns.sums(counts), seconds).map { Double($0) / $1 } }
        let most = columns.most(offered).map { Double($0) / load.binWidth }
        let highest = max(most.max() ?? 0, series.map { rates($0.1).max() ?? 0 }.max() ?? 0, 1e-9)
        let yTicks = Ticks.upTo(highest)
        var plot = timePlot(height: 240, bins: bins.count, yTicks)
        plot.layers = shades + (columns.width > 1 ? [.columns(most, .faint)] : [.columns(rates(offered), .faint)])
        plot.layers += series.map { .steps(rates($0.1).map { $0 }, $0.2) }
        plot.endLabels = series.map { EndLabel($0.0, y: rates($0.1).last ?? 0, paint: $0.2) }
        plot.flags = shades.prefix(Self.mostFlags).compactMap { layer in
            guard case .shade(let from, _, let name) = layer, from >= 0, from <= plot.x.high else { return nil }
            return PlotFlag(x: from, y: nil, name)
        }
        let share = metrics.figure("service.share_served")?.text ?? "none"
        let second = metrics.figure("service.origin_peak_1s")?.text ?? "0"
        let bin = binName
        return ChartFigure(
            "service-flow",
            title: "\(share) of the requests were served; at most \(second) reached the origin in a second",
            description:
                "Requests a second: offered as the pale area\(columns.width > 1 ? ", the largest \(bin) of each column" : ""), and what became of them.",
            plot,
            legend: [("offered", .faint)] + series.map { ($0.0, $0.2) },
            table: ChartTable(
                columns: [
                    "from (\(clock.zone))", "offered", "served", "refused", "timed out", "at the origin",
                    "largest \(bin) offered",
                ],
                rows: (0..<columns.columns).map { column in
                    [start(column, of: columns)]
                        + [offered, served, bins.sum("refused"), bins.sum("timed_out"), origin].map {
                            "\($0[columns.range(column)].reduce(0, +))"
                        }
                        + ["\(offered[columns.range(column)].max()!)"]
                }, source: "service.csv", followsPlot: true))
    }

    /// Waits for a server by bin: the largest of each column's medians, 99 % and longest.
    private func waitChart(_ table: PageTable, _ pool: String, _ count: Int, _ shades: [PlotLayer]) -> ChartFigure? {
        let quantiles = [
            ("p50_s", "p50", Paint.series(0)), ("p99_s", "p99", .series(1)), ("longest_s", "longest", .series(5)),
        ]
        var values = quantiles.map { _ in [Double?](repeating: nil, count: count) }
        for row in table.rows(["pool": pool, "measure": "queue_wait"]) {
            guard let start = row.number("bin_start_s"), start >= 0, Int(cutting: start / load.binWidth) < count else {
                continue
            }
            for (place, quantile) in quantiles.enumerated() {
                values[place][Int(cutting: start / load.binWidth)] = row.number(quantile.0)
            }
        }
        guard let highest = values[2].compactMap({ $0 }).max(), highest > 0 else { return nil }
        let columns = ColumnReduction(bins: count, most: 360, nice: Self.roundMinutes)
        let most = values.map { all in (0..<columns.columns).map { all[columns.range($0)].compactMap { $0 }.max() } }
        // A millisecond, unless all waits are shorter.
        let low = min(max(0.001, highest / 1e5), highest / 10)
        let y = Scale.logarithmic(low, highest * 1.1)
        var plot = timePlot(bins: count, Ticks.durations(low, highest * 1.1), y: y)
        plot.layers = shades + zip(most, quantiles).map { .steps($0, $1.2) }
        let worst = most[2].indices.max { (most[2][$0] ?? 0) < (most[2][$1] ?? 0) }!
        let at = start(worst, of: columns)
        return ChartFigure(
            "waits-" + IDText.of(pool),
            title: "\(pool): the longest wait for a server is \(FigureLabel.text(highest, .duration)), at \(at)",
            description:
                "Waits of admitted requests by bin on a logarithmic axis, the largest of each column; what is shorter than "
                + "\(FigureLabel.text(low, .duration)) stands at the bottom.",
            plot,
            legend: quantiles.map { ($0.1, $0.2) },
            table: ChartTable(
                columns: ["from (\(clock.zone))"] + quantiles.map { "\($0.1), s" },
                rows: (0..<columns.columns).map { column in
                    [start(column, of: columns)]
                        + most.map { $0[column].map { FigureLabel.significant($0) } ?? "" }
                }, source: "service_latency_bins.csv", followsPlot: true))
    }

    private func serverChart(_ bins: ServiceBins, _ pool: String, _ shades: [PlotLayer]) -> ChartFigure? {
        let (busy, servers) = (bins.utilisation(of: pool), bins.servers(of: pool))
        guard busy.contains(where: { $0 != nil }) else { return nil }
        let columns = ColumnReduction(bins: bins.count, most: 360, nice: Self.roundMinutes)
        func most(_ values: [Double?]) -> [Double?] {
            (0..<columns.columns).map { values[columns.range($0)].compactMap { $0 }.max() }
        }
        let highest = most(busy)
        let yTicks = Ticks.upTo(max(1, highest.compactMap { $0 }.max() ?? 1), .share)
        var plot = timePlot(bins: bins.count, yTicks)
        plot.layers = shades + [.columns(highest.map { $0 ?? 0 }, .series(4)), .steps(highest, .series(0))]
        let counts = servers.compactMap { $0 }
        let (least, largest) = (counts.min() ?? 0, counts.max() ?? 0)
        let have =
            counts.isEmpty
            ? ""
            : least == largest
                ? " of \(FigureLabel.text(largest)) servers"
                : " of \(FigureLabel.text(least)) to \(FigureLabel.text(largest)) servers"
        let peak = metrics.value("service.\(pool).utilisation_peak_1m") ?? highest.compactMap { $0 }.max() ?? 0
        return ChartFigure(
            "servers-" + IDText.of(pool),
            title: "\(pool): the busiest minute takes \(FigureLabel.text(peak, .share))\(have)",
            description: "Busy time over server time, the largest bin of each column.", plot,
            table: ChartTable(
                columns: ["from (\(clock.zone))", "utilisation, most", "servers, most", "longest queue"],
                rows: (0..<columns.columns).map { column in
                    [
                        start(column, of: columns),
                        highest[column].map { FigureLabel.text($0, .share) } ?? "",
                        servers[columns.range(column)].compactMap { $0 }.max().map {
                            FigureLabel.grouped($0, decimals: 0)
                        } ?? "",
                        FigureLabel.grouped(bins.queues(of: pool)[columns.range(column)].max()!, decimals: 0),
                    ]
                }, source: "service.csv", followsPlot: true))
    }

    private func cacheChart(_ bins: ServiceBins, _ shades: [PlotLayer]) -> ChartFigure? {
        guard let share = metrics.figure("service.share_hits"), metrics.value("service.share_hits") ?? 0 > 0 else {
            return nil
        }
        let columns = ColumnReduction(bins: bins.count, most: 360, nice: Self.roundMinutes)
        let kept = zip(bins.sum("hits"), bins.sum("stale_while_revalidate")).map(+)
        let offered = bins.sum("offered")
        let (sums, all) = (columns.sums(kept), columns.sums(offered))
        let shares = zip(sums, all).map { $1 == 0 ? nil : min(1, Double($0) / Double($1)) as Double? }
        var plot = timePlot(bins: bins.count, Ticks.upTo(1, .share), y: .linear(0, 1))
        plot.layers = shades + [.columns(shares.map { $0 ?? 0 }, .series(4)), .steps(shares, .series(0))]
        return ChartFigure(
            "cache", title: "The edge answers \(share.text) of what it may keep",
            description:
                "Answers from the edge at once, fresh or stale while they are renewed, over all requests of the fleet.",
            plot,
            table: ChartTable(
                columns: ["from (\(clock.zone))", "offered", "from the edge", "share"],
                rows: (0..<columns.columns).map { column in
                    [
                        start(column, of: columns), "\(all[column])", "\(sums[column])",
                        shares[column].map { FigureLabel.text($0, .share) } ?? "",
                    ]
                }, source: "service.csv", followsPlot: true))
    }

    /// The largest second of each region that others fail over to, and the part of it from elsewhere.
    private func receiverCharts(_ count: Int, _ shades: [PlotLayer]) throws(OutputProblem) -> [ChartFigure] {
        let counts = ["largest_second_requests", "largest_second_moved"]
        guard
            let table = try source.tableIfPresent(
                "failover.csv", [.amount("bin_start_s"), "region"] + counts.map { .count($0) })
        else { return [] }
        return table.values("region").map { region in
            var bins = counts.map { _ in [Int64](repeating: 0, count: count) }
            for row in table.rows(["region": region]) {
                guard let start = row.number("bin_start_s"), start >= 0, Int(cutting: start / load.binWidth) < count
                else { continue }
                for (place, name) in counts.enumerated() {
                    bins[place][Int(cutting: start / load.binWidth)] = row.count(name)
                }
            }
            return receiverChart(region, all: bins[0], moved: bins[1], shades)
        }
    }

    private func receiverChart(_ region: String, all: [Int64], moved: [Int64], _ shades: [PlotLayer]) -> ChartFigure {
        let columns = ColumnReduction(bins: all.count, most: 360, nice: Self.roundMinutes)
        // The bin of each column that has the largest second.
        let largest = (0..<columns.columns).map { column in columns.range(column).max { all[$0] < all[$1] }! }
        let seconds = largest.map { Double(all[$0]) as Double? }
        let most = largest.max { all[$0] < all[$1] }!
        let yTicks = Ticks.upTo(Double(max(1, all[most])))
        var plot = timePlot(bins: all.count, yTicks)
        plot.layers = shades + [.columns(largest.map { Double(moved[$0]) }, .series(4)), .steps(seconds, .series(0))]
        let share = all[most] == 0 ? 0 : Double(moved[most]) / Double(all[most])
        return ChartFigure(
            "receiver-" + IDText.of(region),
            title:
                "\(region): the largest second has \(FigureLabel.grouped(Double(all[most]), decimals: 0)) requests, \(FigureLabel.text(share, .share)) of them from elsewhere",
            description: "The largest second of each column, and as columns the requests in it that have failed over.",
            plot,
            legend: [("all", .series(0)), ("from elsewhere", .series(4))],
            table: ChartTable(
                columns: ["from (\(clock.zone))", "largest second", "from elsewhere"],
                rows: (0..<columns.columns).map { column in
                    [start(column, of: columns), "\(all[largest[column]])", "\(moved[largest[column]])"]
                }, source: "failover.csv", followsPlot: true))
    }

    private func latencyChart() throws(OutputProblem) -> ChartFigure? {
        let times: [ResultColumn] = [.amount("p50_s"), .amount("p99_s"), .amount("longest_s")]
        guard let table = try source.tableIfPresent("service_latencies.csv", ["pool", "measure", "requests"] + times)
        else { return nil }
        let rows = table.rows.filter { ($0.number("longest_s") ?? 0) > 0 }
        guard !rows.isEmpty else { return nil }
        let names = [
            "queue_wait": "waits for a server", "origin_time": "time at the origin",
            "response_time": "answer at the device",
        ]
        let hasPools = table.values("pool").count > 1
        let answers = table.rows.filter { $0["measure"] == "response_time" }.max {
            ($0.number("p99_s") ?? 0) < ($1.number("p99_s") ?? 0)
        }
        return ChartFigure(
            "latencies",
            title: answers.map {
                "99\u{A0}% of the answers take at most \(FigureLabel.text($0.number("p99_s") ?? 0, .duration))"
            } ?? "How long requests take",
            description:
                "Times on a logarithmic axis: the point is the median, the thick line ends at 99\u{A0}%, the thin one at the longest.",
            IntervalRows(
                rows.map { row in
                    let (p50, p99, longest) = (
                        row.number("p50_s") ?? 0, row.number("p99_s") ?? 0, row.number("longest_s") ?? 0
                    )
                    return IntervalRows.Row(
                        "\(names[row["measure"]] ?? row["measure"])\(hasPools ? ", \(row["pool"])" : "")",
                        figure: "\(FigureLabel.text(p50, .duration)) · 99 %: \(FigureLabel.text(p99, .duration))",
                        value: p50, interval: p50...max(p50, p99),
                        reach: p50...max(p50, longest), paint: .series(0))
                }, measure: .duration, isLogarithmic: true),
            table: ChartTable(
                columns: ["time", "pool", "requests", "p50, s", "p99, s", "longest, s"],
                rows: rows.map { row in
                    [
                        names[row["measure"]] ?? row["measure"], row["pool"], row["requests"], row["p50_s"],
                        row["p99_s"], row["longest_s"],
                    ]
                },
                source: "service_latencies.csv"))
    }

    /// Servers that there were beside those that the closed forms ask for.
    private func needChart(_ pool: String) -> ChartFigure? {
        let rows: [(String, String)] = [
            ("servers, mean", "servers_mean"), ("Erlang C: 99\u{A0}% wait at most 50 ms", "servers_erlang_c_wait_p99_50ms"),
            ("the same with one server out", "servers_erlang_c_n_plus_1"),
            ("the same with two out", "servers_erlang_c_n_plus_2"),
            ("Erlang C: at most 20\u{A0}% wait", "servers_erlang_c_waiting_20pct"),
            ("square-root rule, 20\u{A0}% wait", "servers_square_root_waiting_20pct"),
        ]
        let found = rows.compactMap { name, metric -> (String, Figure, Double, Bool)? in
            let full = "service.\(pool).\(metric)"
            return metrics.figure(full).flatMap { figure in
                metrics.value(full).map { (name, figure, $0, metric == "servers_mean") }
            }
        }
        guard let need = metrics.figure("service.\(pool).servers_erlang_c_wait_p99_50ms"), found.count > 1 else {
            return nil
        }
        let have = metrics.figure("service.\(pool).servers_mean")
        return ChartFigure(
            "need-" + IDText.of(pool),
            title: "\(pool): Erlang C asks for \(need.text) servers in the busiest minute"
                + (have.map { ", and there were \($0.text)" } ?? "; the pool has no limit"),
            description:
                "Servers simulated, and those that closed forms say for requests at random with the same mean time of service.",
            BarRows(
                found.map { name, figure, value, isOwn in
                    BarRows.Row(name, figure: figure.text, [BarRows.Part(value, isOwn ? .series(0) : .series(7))])
                }),
            table: ChartTable(
                columns: ["figure", "servers"], rows: found.map { [$0.0, $0.1.value ?? ""] }, source: "summary.csv"))
    }
}

/// The rows of `service.csv` in their bins.
struct ServiceBins {
    let pools: [String]
    let count: Int
    private var sums: [String: [Int64]] = [:]
    private var busy: [String: [Double?]] = [:]
    private var have: [String: [Double?]] = [:]
    private var longest: [String: [Double]] = [:]

    init(_ table: PageTable, binWidth: Double, bins: Int, flows: [String]) {
        pools = table.values("pool")
        count = bins
        for flow in flows { sums[flow] = Array(repeating: 0, count: bins) }
        for pool in pools {
            busy[pool] = Array(repeating: nil, count: bins)
            have[pool] = Array(repeating: nil, count: bins)
            longest[pool] = Array(repeating: 0, count: bins)
        }
        for row in table.rows {
            guard let start = row.number("bin_start_s"), start >= 0, Int(cutting: start / binWidth) < bins else {
                continue
            }
            let (bin, pool) = (Int(cutting: start / binWidth), row["pool"])
            for flow in flows { sums[flow]![bin] += row.count(flow) }
            // The rows of a pool's regions add up.
            if let share = row.number("utilisation") { busy[pool]![bin] = (busy[pool]![bin] ?? 0) + share }
            if let servers = row.number("servers") { have[pool]![bin] = servers }
            longest[pool]![bin] = max(longest[pool]![bin], row.number("longest_queue") ?? 0)
        }
    }

    func sum(_ flow: String) -> [Int64] { sums[flow] ?? [] }
    func utilisation(of pool: String) -> [Double?] { busy[pool] ?? [] }
    func servers(of pool: String) -> [Double?] { have[pool] ?? [] }
    func queues(of pool: String) -> [Double] { longest[pool] ?? [] }
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
