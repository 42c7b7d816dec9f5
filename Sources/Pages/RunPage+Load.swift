import ResultFiles

/// The largest windows of a run's load at the edge.
struct Peaks {
    struct Window {
        let seconds: Int
        /// Requests in the largest sliding window.
        let figure: Figure
        let requests: Double
        let perSecond: Double
        /// From the start of the report.
        let start: Double
        /// The cause with most requests in the minutes that it touches.
        let leading: (cause: String, share: Figure)?
    }

    private let windows: [Int: Window]

    /// - Parameter windows: of equal widths the first one counts.
    init(_ windows: [Window]) {
        self.windows = Dictionary(windows.map { ($0.seconds, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ seconds: Int) -> Window? { windows[seconds] }
    var second: Window? { self[1] }
}

/// The parts of one window's minutes by cause, all regions together.
struct PeakParts {
    let seconds: Int
    /// The largest first, each once.
    let causes: [(cause: String, requests: Int64)]
    let total: Int64
    private let byCause: [String: Int64]

    init(seconds: Int, causes: [(cause: String, requests: Int64)]) {
        (self.seconds, self.causes) = (seconds, causes)
        total = causes.reduce(0) { $0 + $1.requests }
        byCause = Dictionary(causes.map { ($0.cause, $0.requests) }, uniquingKeysWith: { first, _ in first })
    }

    func requests(of cause: String) -> Int64 { byCause[cause] ?? 0 }
}

extension RunPage {
    private static let edge: KeyValuePairs = ["stage": "edge", "endpoint": "*"]

    func peakParts() throws(OutputProblem) -> [PeakParts] {
        let table = try source.table(
            "load_peak_causes.csv", ["stage", "endpoint", "window_s", "cause", .count("minute_requests")])
        var seen: Set<String> = []
        let widths = table.rows(Self.edge).map { $0["window_s"] }.filter { seen.insert($0).inserted }
        return widths.map { width in
            var sums: [(cause: String, requests: Int64)] = []
            var places: [String: Int] = [:]
            for row in table.rows(["stage": "edge", "endpoint": "*", "window_s": width]) {
                if let at = places[row["cause"]] {
                    sums[at].requests += row.count("minute_requests")
                } else {
                    places[row["cause"]] = sums.count
                    sums.append((row["cause"], row.count("minute_requests")))
                }
            }
            let order = sums.enumerated().sorted { ($0.element.requests, $1.offset) > ($1.element.requests, $0.offset) }
            return PeakParts(seconds: Int(width) ?? 0, causes: order.map(\.element))
        }
    }

    func peaks(_ parts: [PeakParts]) throws(OutputProblem) -> Peaks {
        let table = try source.table(
            "load_peaks.csv",
            [
                "stage", "endpoint", .count("window_s"), .amount("sliding_peak_requests"),
                .amount("sliding_peak_per_s"), .amount("sliding_start_s"),
            ])
        var windows: [Peaks.Window] = []
        let partsBySeconds = Dictionary(parts.map { ($0.seconds, $0) }, uniquingKeysWith: { first, _ in first })
        for row in table.rows(Self.edge) {
            guard let found = table.row(["stage": "edge", "endpoint": "*", "window_s": row["window_s"]]),
                let figure = found.figure("sliding_peak_requests"),
                let requests = row.number("sliding_peak_requests"), requests > 0,
                let rate = row.number("sliding_peak_per_s"),
                let start = row.number("sliding_start_s"), let seconds = Int(row["window_s"])
            else { continue }
            guard start <= facts.seconds else {
                throw OutputProblem(
                    "\(source.name)/load_peaks.csv: expected windows within the report, found one that starts after \(row["sliding_start_s"]) s"
                )
            }
            let leading = partsBySeconds[seconds].flatMap { part in
                part.total == 0
                    ? nil
                    : part.causes.first.map {
                        (cause: $0.cause, share: Figure.derived(Double($0.requests) / Double(part.total), .share))
                    }
            }
            windows.append(
                Peaks.Window(
                    seconds: seconds, figure: figure, requests: requests, perSecond: rate, start: start,
                    leading: leading))
        }
        return Peaks(windows)
    }

    func loadSection() throws(OutputProblem) -> (section: PageDocument.Section, peak: Peaks) {
        let parts = try peakParts()
        let peaks = try peaks(parts)
        let hours = try hours()
        var charts = [PageChart(loadChart(peaks, hours), isWide: true)]
        if let chart = try representedChart(hours) { charts.append(PageChart(chart, isWide: true)) }
        if let chart = try windowChart(peaks) { charts.append(PageChart(chart, isWide: true)) }
        if let chart = try minutesChart(peaks) { charts.append(PageChart(chart)) }
        if let chart = peakChart(parts, peaks) { charts.append(PageChart(chart)) }
        if let chart = try durationChart() { charts.append(PageChart(chart)) }
        if let chart = try endpointChart() { charts.append(PageChart(chart)) }
        return (PageDocument.Section("load", "Load", charts: charts), peaks)
    }

    /// At most so many columns: fewer than a wide screen has pixels for.
    static let mostColumns = 720

    /// Numbers of minutes that make a column of a round length.
    static let roundMinutes = [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1_440]

    private func loadChart(_ peaks: Peaks, _ hours: [LoadHourRange]) -> ChartFigure {
        let columns = ColumnReduction(bins: load.bins, most: Self.mostColumns, nice: Self.roundMinutes)
        let parts = load.byRegion.largest(Paint.seriesCount - 1, others: "other regions")
        let seconds = (0..<columns.columns).map { Double(columns.range($0).count) * load.binWidth }
        let (most, least) = (columns.most(load.total), columns.least(load.total))
        let sums = parts.counts.map { columns.sums($0) }
        func rate(_ count: Int64) -> Double { Double(count) / load.binWidth }

        // The largest second may be far above all minutes: it is on the scale only if it does not press the rest down.
        let top = max(rate(most.max() ?? 0), peaks[60]?.perSecond ?? 0, 1e-9)
        let second = peaks.second?.perSecond ?? 0
        let highest = second <= top * 1.7 ? max(top, second) : top
        let yTicks = Ticks.upTo(highest)
        let x = Scale.linear(0, Double(load.bins) * load.binWidth)
        var plot = Plot(
            height: 260, x: x, y: Scale.linear(0, yTicks[yTicks.count - 1].value), xTicks: clockTicks(x), yTicks: yTicks
        )
        plot.layers = (columns.width > 1 ? [.columns(most.map(rate), .faint)] : []) + stack(sums, seconds)
        if columns.width > 1 { plot.layers.append(.steps(least.map(rate), .least)) }
        let band = hours.compactMap { $0.redraw }
        if !band.isEmpty { plot.layers.append(.band(band, .ink)) }
        let ends = stackEnds(parts, sums, seconds)
        plot.endLabels = ends
        plot.flags = flags(peaks, highest: highest)

        let width = FigureLabel.text(Double(columns.width) * load.binWidth, .duration)
        let bin = binName
        let table = ChartTable(
            columns: ["from (\(clock.zone))", "requests", "a second"]
                + (columns.width > 1 ? ["largest \(bin)", "smallest \(bin)"] : []) + parts.names,
            rows: (0..<columns.columns).map { column in
                let sum = sums.reduce(0) { $0 + $1[column] }
                return [
                    clock.text(Double(columns.range(column).lowerBound) * load.binWidth), "\(sum)",
                    FigureLabel.significant(Double(sum) / seconds[column]),
                ]
                    + (columns.width > 1 ? ["\(most[column])", "\(least[column])"] : []) + sums.map { "\($0[column])" }
            }, source: "load.csv", followsPlot: true)
        let extremes =
            columns.width > 1 ? " The pale columns are the largest \(bin) of each, the fine line the smallest." : ""
        let draws =
            band.isEmpty ? "" : " In 95 % of other draws of the fleet an hour’s mean lies in the grey band."
        return ChartFigure(
            "load-curve", title: loadTitle(peaks),
            description:
                "Requests a second at the edge by region, in columns of \(width), \(clock.zone) time.\(extremes)\(draws)",
            plot,
            legend: zip(parts.names, parts.names.indices).map { ($0, Paint.series($1)) }
                + (columns.width > 1 ? [("largest \(bin)", .faint)] : [])
                + (band.isEmpty ? [] : [("95 % of other draws", .ink)]), table: table
        )
    }

    /// A bin in words: `minute`, or its length.
    var binName: String {
        load.binWidth == 60 ? "minute" : load.binWidth == 3_600 ? "hour" : FigureLabel.text(load.binWidth, .duration)
    }

    private func loadTitle(_ peaks: Peaks) -> String {
        guard let second = peaks.second else { return "No requests in the report" }
        let leading = second.leading.map { ": \(CauseText.words($0.cause)), \($0.share.text) of its minute" } ?? ""
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
                    "\(name) \(window.figure.text)\(isOn ? "" : " ↑") · \(day)\(LocalText.clock(local))"))
        }
        return flags
    }

    /// Areas one upon another, painted from the top: each covers what is below it.
    func stack(_ sums: [[Int64]], _ seconds: [Double]) -> [PlotLayer] {
        var heights = [Double](repeating: 0, count: seconds.count)
        var layers: [PlotLayer] = []
        for (part, counts) in sums.enumerated() {
            for column in counts.indices { heights[column] += Double(counts[column]) / seconds[column] }
            layers.append(.columns(heights, .series(part)))
        }
        return layers.reversed()
    }

    private func stackEnds(_ parts: PartedSeries, _ sums: [[Int64]], _ seconds: [Double]) -> [EndLabel] {
        guard let last = seconds.indices.last else { return [] }
        var below = 0.0
        return parts.names.indices.map { part in
            let height = Double(sums[part][last]) / seconds[last]
            defer { below += height }
            return EndLabel(parts.names[part], y: below + height / 2, paint: .series(part))
        }
    }

    func clockTicks(_ x: Scale) -> [WidthClass: [Tick]] {
        Dictionary(
            uniqueKeysWithValues: WidthClass.allCases.map { ($0, clock.ticks.ticks(from: x.low, to: x.high, in: $0)) })
    }

    /// A run has seven widths of windows; no chart has more rows than this.
    private static let mostParts = 100

    /// The make-up of the largest windows.
    private func peakChart(_ parts: [PeakParts], _ peaks: Peaks) -> ChartFigure? {
        let parts = parts.filter { peaks[$0.seconds] != nil && $0.total > 0 }.prefix(Self.mostParts)
        guard let first = parts.first, let leading = first.causes.first else { return nil }
        var seen: Set<String> = []
        let causes = parts.flatMap { $0.causes.map(\.cause) }.filter { seen.insert($0).inserted }
        guard causes.count <= PartedSeries.mostNames else { return nil }
        let weights = causes.map { cause in parts.reduce(0.0) { $0 + Double($1.requests(of: cause)) / Double($1.total) }
        }
        let order = causes.indices.sorted { (weights[$0], $1) > (weights[$1], $0) }.map { causes[$0] }
        let named = Array(order.prefix(order.count <= Paint.seriesCount ? Paint.seriesCount : Paint.seriesCount - 1))
        let rows = parts.map { part -> BarRows.Row in
            let window = peaks[part.seconds]!
            var bars = named.enumerated().map { place, cause -> BarRows.Part in
                let share = Double(part.requests(of: cause)) / Double(part.total)
                return BarRows.Part(
                    share, .series(place), label: "\(CauseText.words(cause)) \(FigureLabel.text(share, .share))")
            }
            let rest = part.causes.lazy.filter { !named.contains($0.cause) }.reduce(0) { $0 + $1.requests }
            if rest > 0 { bars.append(BarRows.Part(Double(rest) / Double(part.total), .faint, label: "others")) }
            return BarRows.Row(
                "\(Self.windowName(part.seconds)), \(clock.text(window.start))", figure: window.figure.text, bars)
        }
        let others = order.dropFirst(named.count)
        let table = ChartTable(
            columns: ["largest window", "requests in it", "in its minutes"] + order.map { CauseText.words($0) },
            rows: parts.map { part in
                [Self.windowName(part.seconds), peaks[part.seconds]!.figure.value ?? "", "\(part.total)"]
                    + order.map { cause in "\(part.requests(of: cause))" }
            }, source: "load_peak_causes.csv, load_peaks.csv")
        let share = FigureLabel.text(Double(leading.requests) / Double(first.total), .share)
        let hour = parts.last.flatMap { part in part.causes.first.map { (part, $0) } }
        let difference =
            hour.map { part, cause in
                cause.cause == leading.cause
                    ? ", as in the largest \(Self.windowName(part.seconds)) (\(FigureLabel.text(Double(cause.requests) / Double(part.total), .share)))"
                    : "; the largest \(Self.windowName(part.seconds)) is mostly \(CauseText.words(cause.cause))"
            } ?? ""
        return ChartFigure(
            "peak-causes",
            title:
                "Mostly \(CauseText.words(leading.cause)): \(share) of the largest second’s minute\(parts.count > 1 ? difference : "")",
            description: "The requests of the whole minutes that each largest window touches, by cause.",
            BarRows(rows, most: 1),
            legend: named.enumerated().map { (CauseText.words($1), Paint.series($0)) }
                + (others.isEmpty ? [] : [("others", .faint)]), table: table)
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
    private func endpointChart() throws(OutputProblem) -> ChartFigure? {
        let table = try source.table(
            "load_peaks.csv", ["stage", "endpoint", "window_s", .amount("sliding_peak_requests")])
        let names = table.values("endpoint").filter { $0 != "*" }
        if names.count < 2 { return nil }
        var rows: [(name: String, mean: Double, peak: Figure, total: Figure)] = []
        for name in names {
            guard let second = table.row(["stage": "edge", "endpoint": name, "window_s": "1"]),
                let peak = second.figure("sliding_peak_requests"),
                let total = metrics.figure("endpoint.\(name).requests_total"),
                let mean = metrics.value("endpoint.\(name).load_mean_per_s")
            else { continue }
            rows.append((name, mean, peak, total))
        }
        rows = rows.enumerated().sorted { ($0.element.mean, $1.offset) > ($1.element.mean, $0.offset) }.map(\.element)
        guard let first = rows.first, first.mean > 0 else { return nil }
        let all = rows.reduce(0) { $0 + $1.mean }
        return ChartFigure(
            "endpoints", title: "“\(first.name)” takes \(FigureLabel.text(first.mean / all, .share)) of the requests",
            description: "Mean requests a second by endpoint; at the right, the largest second of each.",
            BarRows(
                rows.map {
                    BarRows.Row(
                        $0.name, figure: "largest second \($0.peak.text)",
                        [BarRows.Part($0.mean, .series(0), label: "\(FigureLabel.text($0.mean)) a second")])
                }),
            table: ChartTable(
                columns: ["endpoint", "requests", "a second", "largest second"],
                rows: rows.map {
                    [$0.name, $0.total.value ?? "", FigureLabel.significant($0.mean), $0.peak.value ?? ""]
                }, source: "summary.csv, load_peaks.csv"
            ))
    }
}
