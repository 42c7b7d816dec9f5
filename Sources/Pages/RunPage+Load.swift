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
