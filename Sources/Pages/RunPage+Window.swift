import ResultFiles
import Basics

/// The load near its largest second, and how much of the report has how much of it.
extension RunPage {
    /// Five minutes before and after the largest second, at a tenth of a second.
    func windowChart(_ peaks: Peaks) throws(OutputProblem) -> Chart? {
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
        let time = TimeColumns(
            bins: last - first, binWidth: 0.1, from: Double(first) / 10, most: TimeColumns.most,
            round: TimeColumns.roundTenths, clock, isNear: true)
        let parts = series.largest(Paint.seriesCount - 1, others: "other endpoints")
        let frame = time.frame(
            time.stack(parts) { $0 == "*" ? "all endpoints" : $0 }
                + time.extremes("tenth", parts.total.map { Double($0) }), source: "load_peak_window.csv")
        let rates = frame["requests"].values.compactMap { $0 }
        let usual = rates.sorted()[rates.count / 2]
        let ratio =
            usual == 0
            ? "" : ", \(FigureLabel.text(second.requests / usual)) times the usual second of these ten minutes"
        return Chart(
            "peak-window", frame, .stack,
            says:
                "Requests a second within five minutes of it, in columns of \(FigureLabel.text(time.width, .duration)). The pale columns are the largest tenth of a second of each, the fine line the smallest.",
            finding:
                "Around the largest second: \(second.figure.text) requests at \(clock.text(second.start))\(ratio)",
            isWide: true
        ) {
            $0.behind = incidents.shades
            $0.flags = [
                PlotFlag(x: second.start + 0.5, y: second.perSecond, text: "largest second \(second.figure.text)")
            ]
        }
    }

    /// The load-duration curve: for how much of the report the load is at least so high.
    func durationChart() throws(OutputProblem) -> Chart? {
        let figures: [Series] = [
            .cell("least_requests", "requests or more"),
            .cell("least_per_s", "a second", .number, .series(0)),
        ]
        guard
            let table = try source.tableIfPresent(
                "load_duration.csv", ["stage", "endpoint", "window_s", .amount("share")] + figures.map(\.source))
        else { return nil }
        let windows = ["1", "60"].map { window in
            table.rows(["stage": "edge", "endpoint": "*", "window_s": window]).filter {
                ($0.number("share") ?? 0) > 0 && $0.number("least_per_s") != nil
            }
        }
        let rows = Array(windows.filter { $0.count > 1 }.joined())
        let shares = rows.map { $0.number("share") ?? 0 }
        guard let least = shares.min(), least < 1 else { return nil }
        let x = Scale.logarithmic(least, 1)
        let frame = table.frame("share", of: rows, figures, name: { $0["share"] }).at(
            shares, x, Ticks.logarithmic(least, 1, .share)
        ).grouped("windows", [("seconds", .series(0)), ("minutes", .series(1))]) {
            rows[$0.place]["window_s"] == "1" ? 0 : 1
        }
        guard frame.rows.contains(where: { $0["a second"] > 0 }) else { return nil }
        func rate(_ share: Double) -> String? {
            zip(frame.rows, shares).filter { $1 >= share && rows[$0.place]["window_s"] == "1" }.min { $0.1 < $1.1 }?.0
                .text("a second")
        }
        return Chart(
            "load-duration", frame, .line,
            says:
                "The load that the given share of seconds and of minutes reaches or exceeds, in requests a second; shares on a logarithmic axis.",
            finding: rate(0.01).map { one in
                "1\u{A0}% of the seconds have \(one) requests or more"
                    + (rate(0.5).map { ", half of them \($0) or more" } ?? "")
            } ?? "How long the load is how high")
    }
}
