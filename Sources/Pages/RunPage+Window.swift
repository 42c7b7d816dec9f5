import ResultFiles
import Basics

/// The load near its largest second, and how much of the report has how much of it.
extension RunPage {
    /// Five minutes before and after the largest second, at a tenth of a second.
    func windowChart(_ peaks: Peaks) throws(OutputProblem) -> ChartFigure? {
        guard let second = peaks.second else { return nil }
        guard
            let table = try source.rows(
                "load_peak_window.csv", ["stage", "window_s", .amount("start_s"), "endpoint", .count("requests")],
                where: ["stage": { $0 == "edge" }, "window_s": { $0 == "1" }])
        else { return nil }
        var endpoints = table.values("endpoint")
        // All together stand beside the parts, or alone.
        if endpoints.count > 1 { endpoints.removeAll { $0 == "*" } }
        let middle = Int(cutting: (second.start * 10).rounded())
        let first = max(0, middle - 3_000)
        let last = min(Int(cutting: (facts.seconds * 10).rounded()), middle + 3_010)
        if endpoints.isEmpty || last <= first { return nil }
        var series = PartedSeries(bins: last - first)
        // Tenths without requests have no row.
        for name in endpoints {
            let part = series.place(of: name)
            for row in table.rows(["endpoint": name]) {
                guard let start = row.number("start_s"), start <= facts.seconds else { continue }
                let bin = Int(cutting: (start * 10).rounded()) - first
                if bin >= 0 && bin < last - first { series.add(row.count("requests"), part: part, bin: bin) }
            }
        }
        try series.check(source.name + "/load_peak_window.csv")
        let parts = series.largest(Paint.seriesCount - 1, others: "other endpoints")
        let total = (0..<(last - first)).map { bin in parts.counts.reduce(0) { $0 + $1[bin] } }
        let columns = ColumnReduction(bins: total.count, most: Self.mostColumns, nice: [1, 2, 5, 10, 20, 50, 100])
        let seconds = (0..<columns.columns).map { Double(columns.range($0).count) / 10 }
        let sums = parts.counts.map { columns.sums($0) }
        let (most, least) = (columns.most(total), columns.least(total))
        let yTicks = Ticks.upTo(Double(most.max() ?? 0) * 10)
        let x = Scale.linear(Double(first) / 10, Double(last) / 10)
        var plot = Plot(
            height: 230, x: x, y: Scale.linear(0, yTicks[yTicks.count - 1].value), xTicks: clockTicks(x), yTicks: yTicks
        )
        plot.layers = (columns.width > 1 ? [.columns(most.map { Double($0) * 10 }, .faint)] : []) + stack(sums, seconds)
        if columns.width > 1 { plot.layers.append(.steps(least.map { Double($0) * 10 }, .least)) }
        plot.flags = [
            PlotFlag(
                x: second.start + 0.5, y: min(second.perSecond, plot.y.high), "largest second \(second.figure.text)")
        ]
        let usual = columns.sums(total).sorted()[columns.columns / 2]
        let ratio =
            usual == 0
            ? ""
            : ", \(FigureLabel.text(second.requests / (Double(usual) / (Double(columns.width) / 10)))) times the usual second of these ten minutes"
        let names = endpoints.count > 1 ? parts.names : []
        return ChartFigure(
            "peak-window",
            title: "Around the largest second: \(second.figure.text) requests at \(clock.text(second.start))\(ratio)",
            description:
                "Requests a second within five minutes of it, in columns of \(FigureLabel.text(Double(columns.width) / 10, .duration)). The pale "
                + "columns are the largest tenth of a second of each, the fine line the smallest.",
            plot,
            legend: names.enumerated().map { ($1, Paint.series($0)) }
                + (columns.width > 1 ? [("largest tenth", .faint)] : []),
            table: ChartTable(
                columns: ["from (\(clock.zone))", "requests"]
                    + (columns.width > 1 ? ["largest tenth", "smallest tenth"] : []) + names,
                rows: (0..<columns.columns).map { column in
                    let local = clock.ticks.local(Double(first + columns.range(column).lowerBound) / 10)
                    return [LocalText.clock(local, seconds: true), "\(sums.reduce(0) { $0 + $1[column] })"]
                        + (columns.width > 1 ? ["\(most[column])", "\(least[column])"] : [])
                        + (names.isEmpty ? [] : sums.map { "\($0[column])" })
                }, source: "load_peak_window.csv", followsPlot: true))
    }

    /// The load-duration curve: for how much of the report the load is at least so high.
    func durationChart() throws(OutputProblem) -> ChartFigure? {
        let figures: [ResultColumn] = [.amount("share"), "least_requests", .amount("least_per_s")]
        guard let table = try source.tableIfPresent("load_duration.csv", ["stage", "endpoint", "window_s"] + figures)
        else { return nil }
        let curves = ["1", "60"].compactMap { window -> (window: String, rows: [PageRow])? in
            let rows = table.rows(["stage": "edge", "endpoint": "*", "window_s": window]).filter {
                ($0.number("share") ?? 0) > 0
            }
            return rows.count > 1 ? (window, rows) : nil
        }
        let shares = curves.flatMap { $0.rows.compactMap { $0.number("share") } }
        let rates = curves.flatMap { $0.rows.compactMap { $0.number("least_per_s") } }
        guard let least = shares.min(), let most = rates.max(), most > 0, least < 1 else { return nil }
        let x = Scale.logarithmic(least, 1)
        let yTicks = Ticks.upTo(most)
        var plot = Plot(
            x: x, y: Scale.linear(0, yTicks[yTicks.count - 1].value),
            xTicks: Plot.thinned(Ticks.logarithmic(least, 1, .share), on: x), yTicks: yTicks)
        for (place, curve) in curves.enumerated() {
            let points = curve.rows.compactMap { row in
                row.number("share").flatMap { share in row.number("least_per_s").map { PlotPoint(share, $0) } }
            }
            plot.layers.append(.line(points.sorted { $0.x < $1.x }, .series(place)))
        }
        func rate(_ share: Double) -> String? {
            guard
                let row = curves.first?.rows.filter({ ($0.number("share") ?? 0) >= share }).min(by: {
                    ($0.number("share") ?? 0) < ($1.number("share") ?? 0)
                })
            else { return nil }
            return row.number("least_per_s").map { FigureLabel.text($0) }
        }
        let title =
            rate(0.01).map { one in
                "1\u{A0}% of the seconds have \(one) requests or more"
                    + (rate(0.5).map { ", half of them \($0) or more" } ?? "")
            }
            ?? "How long the load is how high"
        return ChartFigure(
            "load-duration", title: title,
            description:
                "The load that the given share of seconds and of minutes reaches or exceeds, in requests a second; shares on a logarithmic axis.",
            plot,
            legend: curves.enumerated().map { ($1.window == "1" ? "seconds" : "minutes", .series($0)) },
            table: ChartTable(
                columns: ["windows", "share", "requests or more", "a second"],
                rows: curves.flatMap { curve in
                    curve.rows.map {
                        [
                            curve.window == "1" ? "seconds" : "minutes", $0["share"], $0["least_requests"],
                            $0["least_per_s"],
                        ]
                    }
                },
                source: "load_duration.csv"))
    }
}
