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
        let sections = [
            PageDocument.Section("load", "Both runs", [loadChart, stateChart, peakChart]),
            PageDocument.Section("figures", "Figures", html: figures),
            PageDocument.Section(
                "origin", "Where they came from",
                html: [(a, first), (b, second)].map { name, run in
                    "<h3>\(Markup.escaped(name))</h3>"
                        + PageParts.facts([("Folder", Phrase(run.source.name))] + run.origin)
                }.joined()),
        ]
        return PageDocument(
            sort: "runs", title: "\(a) and \(b)",
            facts:
                "\(FigureLabel.text(first.facts.seconds, .duration)) and \(FigureLabel.text(second.facts.seconds, .duration))",
            verdict: verdict, sections: sections, version: first.facts.reloadsim
        ).html
    }

    /// The usual figures that both have.
    private var shared: [(name: String, first: Figure, second: Figure, change: Double?)] {
        UsualFigures.names.compactMap { name in
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
        let (views, others) = (
            shared.filter { UsualFigures.views.contains($0.name) },
            shared.filter { !UsualFigures.views.contains($0.name) }
        )
        let largest = others.compactMap { row in row.change.map { (row, $0) } }.max { $0.1.magnitude < $1.1.magnitude }
        var html = "<div class=\"panel\"><h2>\(Markup.escaped(b)) beside \(Markup.escaped(a))</h2>"
        if views.first?.name == UsualFigures.views[0] {
            let parts = views.map { "\(MetricText.words($0.name)) \($0.first.text) and \($0.second.text)" }
            html += Phrase("What people see: \(parts.joined(separator: "; ")).").said
        }
        if let (row, change) = largest, change != 0 {
            let size = (change > 0 ? "+" : "") + FigureLabel.text(change, .share)
            html +=
                Phrase(
                    "Of the other figures \(MetricText.words(row.name)) differs most: \(row.first.text) and \(row.second.text) (\(size))."
                ).said
        }
        if !unlike.isEmpty {
            html +=
                Phrase("The runs are unlike: \(unlike.joined(separator: ", ")). Differences may be due to that.").said
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

    private var runs: [(name: String, run: RunPage)] { [(names.0, first), (names.1, second)] }

    /// A metric of both, as the page shows it.
    private func texts(_ metric: String, none: String) -> String {
        runs.map { "\($0.run.metrics.figure(metric)?.text ?? none) in \($0.name)" }.joined(separator: ", ")
    }

    /// The largest bin of each column, of both: from the start of each report.
    private var loadChart: Chart {
        let width = first.load.binWidth
        let bins = runs.map { Int(cutting: (Double($0.run.load.bins) * $0.run.load.binWidth / width).rounded(.up)) }
        let time = TimeColumns(bins: bins.max()!, binWidth: width, most: TimeColumns.mostHalf, first.clock)
        let columns = runs.enumerated().map { place, run in
            let (load, total) = (run.run.load, run.run.load.byRegion.total)
            // Those that begin with the bin, or have it in them.
            let rates = (0..<time.reduction.bins).map { bin -> Double? in
                let at = Int(cutting: Double(bin) * width / load.binWidth)
                return at < load.bins ? Double(total[at]) / load.binWidth : nil
            }
            return time.most("\(run.name), most a second", rates, .number, .series(place))
        }
        return Chart(
            "both-loads", time.frame(columns, source: "load.csv"), .steps,
            says:
                "Requests a second at the edge, the largest \(first.binName) of each column, from the start of each report.",
            finding: "Largest second: \(texts("load_peak_1s", none: "none"))", isWide: true
        ) { $0.behind = runs.flatMap(\.run.incidents.shades) }
    }

    private var stateChart: Chart? {
        let states = RunPage.states.map { state in
            Frame.Column(
                state.words, runs.map { $0.run.metrics.value("share_\(state.name)") }, .share, state.paint,
                cells: runs.map { $0.run.metrics.figure("share_\(state.name)")?.value ?? "" })
        }.filter { $0.values.contains { $0 ?? 0 > 0 } }
        guard runs.allSatisfy({ $0.run.metrics.figure("share_fresh") != nil }), !states.isEmpty else { return nil }
        return Chart(
            "both-views", Frame("run", runs.map(\.name), states, source: "summary.csv"), .bars,
            says: "The content that people see, as shares of all views.",
            finding: "Fresh views: \(texts("share_fresh", none: "none"))"
        ) { $0.figure = { "\(runs[$0.place].run.metrics.figure("views")?.text ?? "0") views" } }
    }

    private var peakChart: Chart? {
        let windows = ["1s", "10s", "1m", "5m", "1h"].filter { window in
            runs.allSatisfy { $0.run.metrics.value("load_peak_\(window)") != nil }
        }
        let rows = windows.flatMap { window in
            runs.map { (window, $0.name, $0.run.metrics.value("load_peak_\(window)") ?? 0) }
        }
        if rows.isEmpty { return nil }
        // Each width has a scale of its own, since its figures have a size of their own.
        let shares = rows.indices.map { rows[$0].2 / max(rows[$0].2, rows[$0 ^ 1].2, 1) as Double? }
        let peaks = Frame(
            "window", rows.map { "largest \($0.0), \($0.1)" },
            [.counts("requests", rows.map(\.2), drawn: shares, .series(0))], source: "summary.csv"
        ).grouped("run", [(names.0, .series(0)), (names.1, .series(1))]) { $0.place % 2 }
        return Chart(
            "both-peaks", peaks, .bars,
            says: "Requests in the largest window of each width; the longer bar of a width is the larger window.",
            finding: "The largest windows of both"
        ) { $0.figure = { $0.cell("requests") } }
    }

    private var figures: String {
        let (a, b) = names
        return PageParts.table(
            ["figure", "metric", a, b, "change"],
            shared.map {
                [
                    Markup.escaped(MetricText.words($0.name)), "<code>\(Markup.escaped($0.name))</code>", $0.first.html,
                    $0.second.html,
                    $0.change.map { ($0 > 0 ? "+" : "") + FigureLabel.text($0, .share) } ?? "",
                ]
            }, label: "Figures of both runs")
    }
}
