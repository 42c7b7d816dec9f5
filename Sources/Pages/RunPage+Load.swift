import Basics
import ResultFiles

/// The largest windows of a run's load at the edge.
struct Peaks {
    struct Window {
        let seconds: Int
        /// Requests in the largest sliding window.
        let figure: Figure
        let requests, perSecond: Double
        /// From the start of the report.
        let start: Double
        /// The requests of the minutes that it touches by cause, all regions together, the largest first.
        let causes: Frame

        /// All requests of its minutes.
        var total: Double { causes.sum("requests") }
        /// The cause with most of them.
        var leading: (cause: String, share: Figure)? {
            total == 0 ? nil : causes.rows.first.map { ($0.name, .derived($0["requests"] / total, .share)) }
        }
    }

    /// One of each width, in the order of the table.
    let windows: [Window]

    subscript(_ seconds: Int) -> Window? { windows.first { $0.seconds == seconds } }
    var second: Window? { self[1] }
}

extension RunPage {
    func peaks() throws(OutputProblem) -> Peaks {
        let minutes = try source.table(
            "load_peak_causes.csv", ["stage", "endpoint", "window_s", "cause", .count("minute_requests")])
        let table = try source.table(
            "load_peaks.csv",
            [
                "stage", "endpoint", .count("window_s"), .amount("sliding_peak_requests"),
                .amount("sliding_peak_per_s"), .amount("sliding_start_s"),
            ])
        var windows: [Peaks.Window] = []
        for width in table.values("window_s", of: table.rows(["stage": "edge", "endpoint": "*"])) {
            let keys: KeyValuePairs = ["stage": "edge", "endpoint": "*", "window_s": width]
            guard let row = table.row(keys), let figure = row.figure("sliding_peak_requests"),
                let requests = row.number("sliding_peak_requests"), requests > 0,
                let rate = row.number("sliding_peak_per_s"),
                let start = row.number("sliding_start_s"), let seconds = Int(width)
            else { continue }
            guard start <= facts.seconds else {
                throw OutputProblem(
                    "\(source.name)/load_peaks.csv: expected windows within the report, found one that starts after \(row["sliding_start_s"]) s"
                )
            }
            let causes = minutes.frame(
                by: "cause", of: minutes.rows(keys), [.count("minute_requests", "requests")], words: CauseText.words
            ).sorted { $0["requests"] }
            windows.append(
                Peaks.Window(
                    seconds: seconds, figure: figure, requests: requests, perSecond: rate, start: start,
                    causes: causes))
        }
        return Peaks(windows: windows)
    }

    func loadSection(_ peaks: Peaks) throws(OutputProblem) -> PageDocument.Section? {
        let hours = try hours()
        return PageDocument.Section(
            "load", "Load",
            [
                loadChart(peaks, redraws(hours)), try representedChart(hours), try windowChart(peaks),
                try minutesChart(peaks), peakChart(peaks), try representedWindows(), try durationChart(),
                try endpointChart(),
            ])
    }

    /// The report's bins in columns.
    func time(most: Int) -> TimeColumns {
        TimeColumns(bins: load.bins, binWidth: load.binWidth, most: most, clock)
    }

    private func loadChart(_ peaks: Peaks, _ redraws: [PlotInterval]) -> Chart {
        let time = time(most: TimeColumns.most)
        let total = load.byRegion.total.map { Double($0) as Double? }
        let parts = load.byRegion.largest(Paint.seriesCount - 1, others: "other regions")
        let extremes = time.extremes(binName, total)
        let said =
            extremes.isEmpty
            ? ""
            : " The columns are means; the pale ones are the largest \(binName) of each, the fine line the smallest."
        let draws =
            redraws.isEmpty ? "" : " In 95 % of other draws of the fleet an hour’s mean lies in the band."
        // The largest second may be far above all minutes: it is on the scale only if it does not press the rest down.
        let top = max(
            total.reduce(0) { max($0, $1 ?? 0) } / load.binWidth, peaks[60]?.perSecond ?? 0)
        let second = peaks.second?.perSecond ?? 0
        let highest = second <= top * 1.7 ? max(top, second) : top
        return Chart(
            "load-curve", time.frame(time.stack(parts) + extremes, source: "load.csv"), .stack,
            says:
                "Requests a second at the edge by region, in columns of \(FigureLabel.text(time.width, .duration)), \(clock.zone) time.\(said)\(draws)\(incidents.shadeNote)",
            finding: loadTitle(peaks), isWide: true
        ) {
            $0.behind = incidents.shades
            if !redraws.isEmpty {
                $0.front = [.band(redraws, .range)]
                $0.legend = [("95 % of other draws", .range)]
            }
            $0.flags = flags(peaks, highest: highest) + incidents.flags(upTo: facts.seconds)
            $0.reach = highest
        }
    }

    /// A bin in words: `minute`, or its length.
    var binName: String {
        load.binWidth == 60 ? "minute" : load.binWidth == 3_600 ? "hour" : FigureLabel.text(load.binWidth, .duration)
    }

    private func loadTitle(_ peaks: Peaks) -> String {
        guard let second = peaks.second else { return "No requests in the report" }
        let leading = second.leading.map { ": \($0.cause), \($0.share.text) of its minute" } ?? ""
        return "Largest second \(second.figure.text) at \(clock.text(second.start)) \(clock.zone)\(leading)"
    }

    private func flags(_ peaks: Peaks, highest: Double) -> [PlotFlag] {
        var flags: [PlotFlag] = []
        for (seconds, name) in [(1, "largest second"), (60, "minute"), (3_600, "hour")] {
            guard let window = peaks[seconds], window.start + Double(seconds) <= facts.seconds + 1 else { continue }
            let isOn = window.perSecond <= highest * 1.000001
            let local = clock.ticks.local(window.start)
            let day = facts.seconds > 86_400 ? LocalText.weekday(local) + " " : ""
            flags.append(
                PlotFlag(
                    x: window.start + Double(seconds) / 2, y: isOn ? window.perSecond : nil,
                    text: "\(name) \(window.figure.text)\(isOn ? "" : " ↑") · \(day)\(LocalText.clock(local))"))
        }
        return flags
    }

    /// A run has seven widths of windows; no chart has more rows than this.
    private static let mostWindows = 100

    /// The make-up of the largest windows.
    private func peakChart(_ peaks: Peaks) -> Chart? {
        let windows = peaks.windows.filter { $0.total > 0 }.prefix(Self.mostWindows)
        guard let first = windows.first, let leading = first.leading, let last = windows.last,
            let cause = last.leading
        else { return nil }
        var counts: [String: [Double?]] = [:]
        for (place, window) in windows.enumerated() {
            for row in window.causes.rows {
                counts[row.name, default: windows.map { _ in 0 }][place] = row["requests"]
            }
        }
        guard counts.count <= PartedSeries.mostNames else { return nil }
        let weights = counts.mapValues { zip($0, windows).reduce(0) { $0 + $1.0! / $1.1.total } }
        let order = weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let frame = Frame(
            "largest window", windows.map { "\(Self.windowName($0.seconds)), \(clock.text($0.start))" },
            [
                .texts("requests in it", windows.map { $0.figure.value ?? "" }),
                .counts("in its minutes", windows.map(\.total)),
            ]
                + order.enumerated().map { place, cause in
                    .counts(cause, counts[cause]!, .series(min(place, Paint.seriesCount - 1)))
                }, source: "load_peak_causes.csv, load_peaks.csv")
        let difference =
            cause.cause == leading.cause
            ? ", as in the largest \(Self.windowName(last.seconds)) (\(cause.share.text))"
            : "; the largest \(Self.windowName(last.seconds)) is mostly \(cause.cause)"
        return Chart(
            "peak-causes", frame.shares(), .bars,
            says: "The requests of the whole minutes that each largest window touches, by cause.",
            finding:
                "Mostly \(leading.cause): \(leading.share.text) of the largest second’s minute\(windows.count > 1 ? difference : "")"
        ) { $0.figure = { windows[$0.place].figure.text } }
    }

    static func windowName(_ seconds: Int) -> String {
        switch seconds {
        case 1: "second"
        case 60: "minute"
        case 3_600: "hour"
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h"
        }
    }

    /// Where the requests go, if there is more than one endpoint.
    private func endpointChart() throws(OutputProblem) -> Chart? {
        let peak = Series.cell("sliding_peak_requests", "largest second")
        let table = try source.table("load_peaks.csv", ["stage", "endpoint", "window_s", peak.source])
        let seconds = table.rows(["stage": "edge", "window_s": "1"]).filter { $0["endpoint"] != "*" }
        let endpoints = table.frame(by: "endpoint", of: seconds, [peak])
        func column(_ name: String, _ metric: String, _ paint: Paint? = nil) -> Frame.Column {
            metrics.column(name, endpoints.names.map { "endpoint.\($0).\(metric)" }, paint)
        }
        let rows = endpoints.adding(column("requests", "requests_total"))
            .adding(column("a second", "load_mean_per_s", .series(0))).sorted()
        guard rows.names.count > 1, let first = rows.rows.first, first.sum > 0 else { return nil }
        return Chart(
            "endpoints", rows, .bars,
            says: "Mean requests a second by endpoint, and the largest second of each.",
            finding:
                "“\(first.name)” takes \(FigureLabel.text(first.sum / rows.sum("a second"), .share)) of the requests"
        ) { $0.figure = { "\($0.text("a second")) · largest second \($0.text("largest second"))" } }
    }
}

/// The minutes round the largest second, by cause and region.
extension RunPage {
    func minutesChart(_ peaks: Peaks) throws(OutputProblem) -> Chart? {
        guard let second = peaks.second else { return nil }
        let keys: [ResultColumn] = ["stage", "window_s", .number("start_s"), "region", "cause", .count("requests")]
        guard
            let table = try source.rows(
                "load_peak_minutes.csv", keys, where: ["stage": { $0 == "edge" }, "window_s": { $0 == "1" }])
        else {
            return nil
        }
        // The table has some minutes before and after; what lies further away is not of this second.
        let near = max(0, second.start - 3_600)...min(facts.seconds, second.start + 3_600)
        let starts = table.rows.compactMap { $0.number("start_s") }.filter { near.contains($0) }
        guard let first = starts.min(), let last = starts.max() else { return nil }
        let minutes = Int(cutting: (last - first) / 60) + 1
        var (causes, regions) = (PartedSeries(bins: minutes), PartedSeries(bins: minutes))
        for row in table.rows {
            guard let start = row.number("start_s"), (first...last).contains(start) else { continue }
            let minute = Int(cutting: (start - first) / 60)
            causes.add(row.count("requests"), part: causes.place(of: row["cause"]), bin: minute)
            regions.add(row.count("requests"), part: regions.place(of: row["region"]), bin: minute)
        }
        for series in [causes, regions] { try series.check(source.name + "/load_peak_minutes.csv") }
        let time = TimeColumns(bins: minutes, binWidth: 60, from: first, most: minutes, clock, isNear: true)
        let places = regions.largest(regions.names.count, others: "")
        let frame = time.frame(
            time.stack(causes.largest(Paint.seriesCount, others: "others"), words: CauseText.words)
                + (places.names.count > 1
                    ? places.names.indices.map { time.sum(places.names[$0], places.values($0)) } : []),
            source: "load_peak_minutes.csv")
        let minute = min(max(Int(cutting: (second.start - first) / 60), 0), minutes - 1)
        return Chart(
            "peak-minutes", frame, .stack,
            says: "Requests a second at the edge in each minute round the largest second, by cause.",
            finding: minutesTitle(causes, at: minute, time.start(minute))
        ) { $0.behind = incidents.shades }
    }

    /// How the minute of the largest second stands out, and which cause makes it so.
    private func minutesTitle(_ causes: PartedSeries, at minute: Int, _ start: String) -> String {
        let total = causes.total
        let here =
            "The minute of the largest second, \(start), has \(FigureLabel.grouped(Double(total[minute]), decimals: 0)) requests"
        func usual(_ counts: [Int64]) -> Int64 { counts.sorted()[counts.count / 2] }
        let surplus = causes.counts.map { $0[minute] - usual($0) }
        guard total[minute] > usual(total), let most = surplus.indices.max(by: { surplus[$0] < surplus[$1] }),
            surplus[most] > 0
        else { return here }
        return here
            + ", the usual one round it \(FigureLabel.grouped(Double(usual(total)), decimals: 0)): most comes on top by \(CauseText.words(causes.names[most]))"
    }
}

/// The objectives of the service on the page: how each spends its error budget.
extension RunPage {
    func levelCharts() throws(OutputProblem) -> [Chart?] {
        guard
            let levels = try source.tableIfPresent(
                "service_levels.csv",
                [
                    "objective", .number("share"), .number("within_s"), .number("budget_spent"),
                    .number("burn_worst_1h"),
                ]),
            let bins = try source.tableIfPresent(
                "service_level_bins.csv",
                [.amount("bin_start_s"), "objective", .count("requests"), .count("bad"), .number("budget_spent")]),
            let alerts = try source.tableIfPresent(
                "service_alerts.csv", ["objective", "rule", .amount("start_s"), .number("end_s")])
        else { return [] }
        // Rows of regions follow those of all together.
        var seen: Set<String> = []
        return levels.rows.filter { seen.insert($0["objective"]).inserted }.map { level in
            let name = level["objective"]
            return levelChart(level, name, bins.rows(["objective": name]), alerts.rows(["objective": name]))
        }
    }

    private func levelChart(_ level: PageRow, _ name: String, _ bins: [PageRow], _ alerts: [PageRow]) -> Chart? {
        guard let spent = level.number("budget_spent"), let share = level.number("share"), !bins.isEmpty else {
            return nil
        }
        let time = time(most: TimeColumns.mostHalf)
        let spending = time.reduced(time.bins(bins, "budget_spent")) { $0.last { $0 != nil } ?? nil }
        let frame = time.frame(
            [
                time.sum("requests", time.bins(bins, "requests")), time.sum("bad", time.bins(bins, "bad")),
                Frame.Column("budget spent", spending, .share, .series(5)),
            ], source: "service_level_bins.csv")
        let fired = alerts.compactMap { alert in
            alert.number("start_s").map { PlotLayer.shade(from: $0, to: alert.number("end_s") ?? .infinity) }
        }
        let within = level.number("within_s").map { " within \(FigureLabel.text($0, .duration))" } ?? ""
        let burn =
            level.number("burn_worst_1h").map {
                "; the worst hour burns it \(FigureLabel.text($0)) times as fast as it may"
            } ?? ""
        let rules = Set(alerts.map { $0["rule"] }).sorted().joined(separator: "; ")
        return Chart(
            "level-" + IDText.of(name), frame, .steps,
            says:
                "\(FigureLabel.text(share, .share)) of the requests shall be answered\(within). The line is the budget spent so far. Alerts that would have fired: \(rules.isEmpty ? "none" : rules).",
            finding: "\(name): \(FigureLabel.text(spent, .share)) of the error budget is spent\(burn)"
        ) { $0.behind = incidents.shades + fired + [.rule(1, "all of the budget")] }
    }
}

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
