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
        let row: PageRow
        /// Whether its whole interval is above nothing.
        let isSure: Bool
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
        let charts = outputs.filter { !$0.1.isEmpty }.map(chart)
        let sections = [
            PageDocument.Section("indices", isSobol ? "Shares of the variance" : "Effects", charts),
            try .origin(
                [
                    ("Sensitivity", "\(facts.sensitivity)"),
                    ("Method", isSobol ? "Sobol’s indices by Saltelli’s design" : "Morris’s elementary effects"),
                    ("Keys", "\(facts.keys.joined(separator: ", "))"), ("Version", "reloadsim \(facts.reloadsim)"),
                ],
                html:
                    "<p class=\"say\">The runs, and every metric of them, stand in the <a href=\"../report.html\">study</a> one folder above.</p>",
                source),
        ]
        return PageDocument(
            sort: "sensitivity", title: facts.sensitivity,
            facts: "\(facts.keys.count) keys · \(outputs.count) metrics · \(isSobol ? "Sobol" : "Morris")",
            verdict: verdict(outputs), sections: sections, version: facts.reloadsim
        ).html
    }

    private func verdict(_ outputs: [(String, [Index])]) -> String {
        let ranking = ranking(outputs)
        let sure = Set(outputs.flatMap(\.1).filter(\.isSure).map(\.factor))
        // Keys whose part would be printed as 0 % are not named.
        let named = ranking.filter { sure.contains($0.factor) && $0.share >= 0.005 }.prefix(2)
        let heading =
            named.isEmpty
            ? ranking.isEmpty ? "No key matters" : "No key matters by more than chance explains"
            : "\(named[0].factor) matters most\(named.count > 1 ? ", then \(named[1].factor)" : "")"
        let rows = ranking.enumerated().map { place, key in
            [
                "\(place + 1)", "<code>\(Markup.escaped(key.factor))</code>", FigureLabel.text(key.share, .share),
                "\(key.first) of \(outputs.count)", "<code>\(Markup.escaped(key.strongest))</code>",
            ]
        }
        return "<div class=\"panel\"><h2>\(Markup.escaped(heading))</h2>"
            + PageParts.table(
                [
                    "rank", "key",
                    "\(isSobol ? "share of the total indices" : "share of the effects"), mean over metrics",
                    "first in", "matters most for",
                ], rows, label: "Ranking of keys") + "<div class=\"after\"></div>"
            + outputs.map { output, indices in
                let phrase: Phrase
                let known = indices.filter(\.isSure)
                if known.isEmpty, let first = indices.first, first.value > 0 {
                    phrase = "\(output) depends on none of the keys by more than chance explains."
                } else if let first = known.first {
                    let second = known.dropFirst().first
                    phrase =
                        isSobol
                        ? "\(output) depends most on \(first.factor): with all others known, \(figure(first, output, .share)) of its variance "
                            + "stays\(second.map { "; then on \($0.factor), \(figure($0, output, .share).text)" } ?? "")."
                        : "\(output) depends most on \(first.factor): it moves by \(figure(first, output, .number)) on average from one end to the "
                            + "other\(second.map { "; then on \($0.factor), \(figure($0, output, .number).text)" } ?? "")."
                } else {
                    phrase = "\(output) is the same at every point."
                }
                return phrase.said
            }.joined() + "</div>"
    }

    /// The keys by the mean over metrics of their share in all keys' indices, the most important first.
    private func ranking(_ outputs: [(String, [Index])]) -> [(
        factor: String, share: Double, first: Int, strongest: String
    )] {
        var shares: [String: [(output: String, share: Double)]] = [:]
        var first: [String: Int] = [:]
        let moved = outputs.filter { $0.1.contains { $0.value > 0 } }
        for (output, indices) in moved {
            let sum = indices.reduce(0) { $0 + max(0, $1.value) }
            for index in indices { shares[index.factor, default: []].append((output, max(0, index.value) / sum)) }
            first[indices[0].factor, default: 0] += 1
        }
        return shares.map { factor, found in
            (
                factor, found.reduce(0) { $0 + $1.share } / Double(moved.count), first[factor] ?? 0,
                found.max { ($0.share, $1.output) < ($1.share, $0.output) }?.output ?? ""
            )
        }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
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
            return Index(
                factor: row["factor"], first: row.number("first"), value: value, row: row,
                isSure: value > 0 && (row.number(column + "_low").map { $0 > 0 } ?? true))
        }
        return found.sorted { $0.value == $1.value ? $0.factor < $1.factor : $0.value > $1.value }
    }

    private func chart(_ output: String, _ indices: [Index]) -> Chart {
        let first = indices.first(where: \.isSure) ?? indices[0]
        let text = FigureLabel.text(first.value, isSobol ? .share : .number)
        let title =
            !first.isSure
            ? "\(output) depends on none of the keys\(indices[0].value > 0 ? " by more than chance explains" : "")"
            : isSobol
                ? "\(output): \(first.factor), \(text) of the variance with its interactions"
                : "\(output): \(first.factor) moves it by \(text)"
        func column(_ name: String, as mark: Mark? = nil, paint: Paint? = nil) -> Frame.Column {
            Frame.Column(
                name, indices.map { $0.row.number(name).map { max(0, $0) } }, .number, paint, as: mark,
                cells: indices.map { $0.row[name] })
        }
        let alone = indices.map { min(max(0, $0.first ?? 0), max(0, $0.value)) }
        let keys = Frame(
            "key", indices.map(\.factor),
            isSobol
                ? [
                    Frame.Column("alone", alone, .share, .series(0)),
                    Frame.Column("with others", zip(indices, alone).map { max(0, $0.value - $1) }, .share, .series(4)),
                    column("first"), column("first_low"), column("first_high"), column("total"),
                    column("total_low", as: .low), column("total_high", as: .high),
                ]
                : [
                    column("mu_star", paint: .series(0)), column("mu_star_low", as: .low),
                    column("mu_star_high", as: .high), column("mu"), column("sigma"),
                ], source: "indices.csv")
        return Chart(
            "index-" + IDText.of(output), keys, .bars,
            says: isSobol
                ? "The share of the variance that goes if a key alone is known, and with its interactions, with the 95\u{A0}% interval of the latter."
                : "The mean size of a key’s effect from one end to the other, in the metric’s unit, with its 95\u{A0}% interval.",
            finding: title)
    }
}
