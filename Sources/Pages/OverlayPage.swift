import ResultFiles
import Basics

/// The page of two runs side by side.
struct OverlayPage {
    private let first, second: RunPage

    init(_ first: PageSource, _ second: PageSource) throws(OutputProblem) {
        (self.first, self.second) = (try RunPage(first), try RunPage(second))
    }

    /// The names that tell the runs apart: their scenarios, or their folders where those are alike.
    private var names: (String, String) {
        if first.facts.scenario != second.facts.scenario { return (first.facts.scenario, second.facts.scenario) }
        let folders = [first, second].map { String($0.source.name.split(separator: "/").last ?? "run") }
        return folders[0] == folders[1] ? (first.source.name, second.source.name) : (folders[0], folders[1])
    }

    func html() throws(OutputProblem) -> String {
        let (a, b) = names
        var charts = [PageChart(loadChart, isWide: true)]
        if let chart = stateChart { charts.append(PageChart(chart)) }
        charts.append(PageChart(peakChart))
        let sections = [
            PageDocument.Section("load", "Both runs", charts: charts),
            PageDocument.Section("figures", "Figures", html: figures),
            PageDocument.Section(
                "origin", "Where they came from",
                html: [(a, first), (b, second)].map { name, run in
                    "<h3>\(Markup.escaped(name))</h3>"
                        + PageParts.facts([("Folder", Phrase(run.source.name))] + run.origin)
                }.joined()),
        ]
        return PageDocument(
            sort: "runs", title: "\(a) and \(b)", lead: "",
            facts:
                "\(FigureLabel.text(first.facts.seconds, .duration)) and \(FigureLabel.text(second.facts.seconds, .duration))",
            verdict: verdict, sections: sections, version: first.facts.reloadsim
        ).html
    }

    /// The usual figures that both have.
    private var shared: [(name: String, first: Figure, second: Figure, change: Double?)] {
        StudyPage.headline.compactMap { name in
            guard let a = first.metrics.figure(name), let b = second.metrics.figure(name),
                let x = first.metrics.value(name),
                let y = second.metrics.value(name), x != 0 || y != 0
            else { return nil }
            // Both cells would have one address: which run they are of stands in neither.
            return (name, Figure(text: a.text), Figure(text: b.text), x == 0 ? nil : y / x - 1)
        }
    }

    private var verdict: String {
        let (a, b) = names
        let unlike = unlikeness
        let largest = shared.compactMap { row in row.change.map { (row, $0) } }.max { $0.1.magnitude < $1.1.magnitude }
        var html = "<div class=\"panel\"><h2>\(Markup.escaped(b)) beside \(Markup.escaped(a))</h2>"
        if let (row, change) = largest, change != 0 {
            let size = (change > 0 ? "+" : "") + FigureLabel.text(change, .share)
            html +=
                "<p class=\"say\">\(Markup.escaped("\(row.name) differs most: \(row.first.text) and \(row.second.text) (\(size))."))</p>"
        }
        if !unlike.isEmpty {
            html +=
                "<p class=\"say\">\(Markup.escaped("The runs are unlike: \(unlike.joined(separator: ", ")). Differences may be due to that."))</p>"
        }
        return html + "</div>"
    }

    private var unlikeness: [String] {
        var found: [String] = []
        if first.facts.people != second.facts.people {
            found.append(
                "\(FigureLabel.text(Double(first.facts.people))) and \(FigureLabel.text(Double(second.facts.people))) people"
            )
        }
        if first.facts.seconds != second.facts.seconds {
            found.append(
                "\(FigureLabel.text(first.facts.seconds, .duration)) and \(FigureLabel.text(second.facts.seconds, .duration)) of report"
            )
        }
        if first.facts.seed != second.facts.seed { found.append("seeds \(first.facts.seed) and \(second.facts.seed)") }
        return found
    }

    /// The largest bin of each column, of both: from the start of each report.
    private var loadChart: ChartFigure {
        let (a, b) = names
        let runs = [first, second]
        let seconds = max(first.facts.seconds, second.facts.seconds)
        let x = Scale.linear(0, seconds)
        func columns(_ run: RunPage) -> ColumnReduction {
            ColumnReduction(bins: run.load.bins, most: 360, nice: RunPage.roundMinutes)
        }
        let rates = runs.map { run in columns(run).most(run.load.total).map { Double($0) / run.load.binWidth } }
        let yTicks = Ticks.upTo(max(rates.joined().max() ?? 0, 1e-9))
        var plot = Plot(
            height: 260, x: x, y: Scale.linear(0, yTicks[yTicks.count - 1].value), xTicks: first.clockTicks(x),
            yTicks: yTicks)
        for (place, run) in runs.enumerated() {
            let width = Double(columns(run).width) * run.load.binWidth
            let points = rates[place].enumerated().flatMap { column, rate in
                [PlotPoint(Double(column) * width, rate), PlotPoint(min(Double(column + 1) * width, seconds), rate)]
            }
            plot.layers.append(.line(points, .series(place)))
        }
        plot.endLabels = zip([a, b], rates).enumerated().compactMap { place, run in
            run.1.last.map { EndLabel(run.0, y: $0, paint: .series(place)) }
        }
        let (p, q) = (
            first.metrics.figure("load_peak_1s")?.text ?? "none", second.metrics.figure("load_peak_1s")?.text ?? "none"
        )
        let sum = columns(first).columns
        return ChartFigure(
            "both-loads", title: "Largest second: \(p) in \(a), \(q) in \(b)",
            description:
                "Requests a second at the edge, the largest \(first.binName) of each column, from the start of each report.",
            plot,
            legend: [(a, .series(0)), (b, .series(1))],
            table: ChartTable(
                columns: ["from", "\(a), most a second", "\(b), most a second"],
                rows: (0..<sum).map { column in
                    let start = Double(columns(first).range(column).lowerBound) * first.load.binWidth
                    let other = Int(cutting: start / (Double(columns(second).width) * second.load.binWidth))
                    return [
                        first.clock.text(start), FigureLabel.significant(rates[0][column]),
                        rates[1].indices.contains(other) ? FigureLabel.significant(rates[1][other]) : "",
                    ]
                }, source: "load.csv", followsPlot: true))
    }

    private var stateChart: ChartFigure? {
        let (a, b) = names
        let present = RunPage.states.filter {
            (first.metrics.value("share_\($0.name)") ?? 0) > 0 || (second.metrics.value("share_\($0.name)") ?? 0) > 0
        }
        guard let p = first.metrics.figure("share_fresh"), let q = second.metrics.figure("share_fresh"),
            !present.isEmpty
        else { return nil }
        return ChartFigure(
            "both-views", title: "Fresh views: \(p.text) in \(a), \(q.text) in \(b)",
            description: "The content that people see, as shares of all views.",
            BarRows(
                [(a, first), (b, second)].map { name, run in
                    BarRows.Row(
                        name, figure: "\(run.metrics.figure("views")?.text ?? "0") views",
                        present.map { state in
                            let share = run.metrics.value("share_\(state.name)") ?? 0
                            return BarRows.Part(
                                share, state.paint, label: "\(state.words) \(FigureLabel.text(share, .share))")
                        })
                }, most: 1), legend: present.map { ($0.words, $0.paint) },
            table: ChartTable(
                columns: ["run"] + present.map(\.words),
                rows: [(a, first), (b, second)].map { name, run in
                    [name] + present.map { run.metrics.figure("share_\($0.name)")?.value ?? "" }
                },
                source: "summary.csv"))
    }

    private var peakChart: ChartFigure {
        let (a, b) = names
        let windows = ["1s", "10s", "1m", "5m", "1h"]
        let rows = windows.compactMap { window -> (String, Double, Double)? in
            guard let x = first.metrics.value("load_peak_\(window)"),
                let y = second.metrics.value("load_peak_\(window)")
            else { return nil }
            return (window, x, y)
        }
        // Each width has a scale of its own, since its figures have a size of their own.
        let bars = rows.flatMap { window, x, y in
            [(a, x, Paint.series(0)), (b, y, .series(1))].map { name, value, paint in
                BarRows.Row(
                    "largest \(window), \(name)", figure: FigureLabel.text(value),
                    [BarRows.Part(value / max(x, y, 1), paint)])
            }
        }
        return ChartFigure(
            "both-peaks", title: "The largest windows of both",
            description:
                "Requests in the largest window of each width; the longer bar of a width is the larger window.",
            BarRows(bars, most: 1), legend: [(a, .series(0)), (b, .series(1))],
            table: ChartTable(
                columns: ["window", a, b],
                rows: rows.map {
                    ["\($0.0)", FigureLabel.grouped($0.1, decimals: 0), FigureLabel.grouped($0.2, decimals: 0)]
                },
                source: "summary.csv"))
    }

    private var figures: String {
        let (a, b) = names
        return PageParts.table(
            ["metric", a, b, "change"],
            shared.map {
                [
                    "<code>\(Markup.escaped($0.name))</code>", $0.first.html, $0.second.html,
                    $0.change.map { ($0 > 0 ? "+" : "") + FigureLabel.text($0, .share) } ?? "",
                ]
            }, label: "Figures of both runs")
    }
}
