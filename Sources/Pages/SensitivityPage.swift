import ResultFiles

/// The page of a sensitivity: what each metric depends on.
struct SensitivityPage {
    private struct Facts: Decodable {
        let reloadsim, sensitivity: String
        let keys: [String]
    }

    private struct Index {
        let factor: String
        let first: Double?
        let value: Double
        let interval: ClosedRange<Double>?
        let row: PageRow
    }

    private let source: PageSource
    private let facts: Facts
    private let table: PageTable
    /// Whether the indices are shares of the variance, by Sobol, and not effects by Morris.
    private let isSobol: Bool

    init(_ source: PageSource) throws(OutputProblem) {
        self.source = source
        facts = try source.manifest(of: "a sensitivity")
        isSobol = try source.table("indices.csv", ["output", "factor"]).has("total")
        let figures =
            isSobol ? ["first", "total", "total_low", "total_high"] : ["mu_star", "mu_star_low", "mu_star_high"]
        table = try source.table("indices.csv", ["output", "factor"] + figures.map { .number($0) })
    }

    func html() throws(OutputProblem) -> String {
        let outputs = table.values("output").map { ($0, indices(of: $0)) }
        let charts = outputs.filter { !$0.1.isEmpty }.map { PageChart(chart($0.0, $0.1)) }
        let sections = [
            PageDocument.Section("indices", isSobol ? "Shares of the variance" : "Effects", charts: charts),
            PageDocument.Section(
                "origin", "Where it came from",
                html: PageParts.facts([
                    ("Sensitivity", "\(facts.sensitivity)"),
                    ("Method", isSobol ? "Sobol’s indices by Saltelli’s design" : "Morris’s elementary effects"),
                    ("Keys", "\(facts.keys.joined(separator: ", "))"),
                    ("Version", "reloadsim \(facts.reloadsim)"),
                ])
                    + "<p class=\"say\">The runs, and every metric of them, stand in the <a href=\"../report.html\">study</a> one folder above.</p>"
                    + PageParts.folded("Files", try PageFiles(source).html)),
        ]
        return PageDocument(
            sort: "sensitivity", title: facts.sensitivity, lead: "",
            facts: "\(facts.keys.count) keys · \(outputs.count) metrics · \(isSobol ? "Sobol" : "Morris")",
            verdict: verdict(outputs), sections: sections, version: facts.reloadsim
        ).html
    }

    private func verdict(_ outputs: [(String, [Index])]) -> String {
        "<div class=\"panel\"><h2>What matters</h2>"
            + outputs.map { output, indices in
                let phrase: Phrase
                if let first = indices.first, first.value > 0 {
                    let second = indices.dropFirst().first
                    phrase =
                        isSobol
                        ? "\(output) depends most on \(first.factor): with all others known, \(figure(first, output, .share)) of its variance "
                            + "stays\(second.map { "; then on \($0.factor), \(figure($0, output, .share).text)" } ?? "")."
                        : "\(output) depends most on \(first.factor): it moves by \(figure(first, output, .number)) on average from one end to the "
                            + "other\(second.map { "; then on \($0.factor), \(figure($0, output, .number).text)" } ?? "")."
                } else {
                    phrase = "\(output) is the same at every point."
                }
                return "<p class=\"say\">\(phrase.html)</p>"
            }.joined() + "</div>"
    }

    private func figure(_ index: Index, _ output: String, _ measure: Measure) -> Figure {
        table.row(["output": output, "factor": index.factor])?.figure(isSobol ? "total" : "mu_star", measure)
            ?? .derived(index.value, measure)
    }

    /// The largest first.
    private func indices(of output: String) -> [Index] {
        let column = isSobol ? "total" : "mu_star"
        let found = table.rows(["output": output]).compactMap { row -> Index? in
            guard let value = row.number(column) else { return nil }
            let interval = row.number(column + "_low").flatMap { low in
                row.number(column + "_high").map { low...max(low, $0) }
            }
            return Index(factor: row["factor"], first: row.number("first"), value: value, interval: interval, row: row)
        }
        return found.sorted { $0.value == $1.value ? $0.factor < $1.factor : $0.value > $1.value }
    }

    private func chart(_ output: String, _ indices: [Index]) -> ChartFigure {
        let first = indices[0]
        let title: String
        if first.value <= 0 {
            title = "\(output) depends on none of the keys"
        } else {
            let text = FigureLabel.text(first.value, isSobol ? .share : .number)
            title =
                isSobol
                ? "\(output): \(first.factor), \(text) of the variance with its interactions"
                : "\(output): \(first.factor) moves it by \(text)"
        }
        let rows = indices.map { index -> BarRows.Row in
            let text = FigureLabel.text(index.value, isSobol ? .share : .number)
            let alone = isSobol ? min(max(0, index.first ?? 0), max(0, index.value)) : max(0, index.value)
            var parts = [BarRows.Part(alone, .series(0))]
            if isSobol { parts.append(BarRows.Part(max(0, index.value - alone), .series(4))) }
            let interval = index.interval.map { max(0, $0.lowerBound)...max(0, $0.upperBound) }
            return BarRows.Row(index.factor, figure: text, parts, interval: interval)
        }
        let columns =
            isSobol
            ? ["first", "first_low", "first_high", "total", "total_low", "total_high"]
            : ["mu_star", "mu_star_low", "mu_star_high", "mu", "sigma"]
        return ChartFigure(
            "index-" + IDText.of(output), title: title,
            description: isSobol
                ? "The share of the variance that goes if a key alone is known, and with its interactions, with the 95\u{A0}% interval of the latter."
                : "The mean size of a key’s effect from one end to the other, in the metric’s unit, with its 95\u{A0}% interval.",
            BarRows(rows), legend: isSobol ? [("alone", .series(0)), ("with others", .series(4))] : [],
            table: ChartTable(
                columns: ["key"] + columns,
                rows: indices.map { index in [index.factor] + columns.map { index.row[$0] } }, source: "indices.csv"))
    }
}
