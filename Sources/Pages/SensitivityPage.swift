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
        /// The 95 % interval of the value; nil where it is not known.
        let interval: ClosedRange<Double>?

        /// Whether its whole interval is above nothing.
        var isSure: Bool { value > 0 && interval.map { $0.lowerBound > 0 } ?? true }

        /// Whether the two can be told apart: their intervals do not cross.
        func isApart(from other: Index) -> Bool {
            guard let interval, let its = other.interval else { return false }
            return interval.lowerBound > its.upperBound || its.lowerBound > interval.upperBound
        }
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
        let apart = zip(ranking, ranking.dropFirst()).map { isApart($0.factor, $1.factor, outputs) }
        let rows = ranking.enumerated().map { place, key in
            [
                "\(place + 1)", "<code>\(Markup.escaped(key.factor))</code>", FigureLabel.text(key.share, .share),
                place < apart.count ? apart[place] ? "yes" : "not converged" : "",
                "\(key.first) of \(outputs.count)", Markup.escaped(MetricText.words(key.strongest)),
            ]
        }
        let heading = heading(ranking.map { ($0.factor, $0.share) }, apart, outputs)
        return "<div class=\"panel\(apart.allSatisfy(\.self) ? "" : " ill")\"><h2>\(Markup.escaped(heading))</h2>"
            + PageParts.table(
                [
                    "rank", "key",
                    "\(isSobol ? "share of the total indices" : "share of the effects"), mean over metrics",
                    "apart from the next", "first in", "matters most for",
                ], rows, label: "Ranking of keys") + "<div class=\"after\"></div>"
            + outputs.map { sentence($0, $1).said }.joined()
            + (apart.allSatisfy(\.self)
                ? ""
                : Phrase("Where intervals cross, \(Self.cure(isSobol)) narrows them.").said) + "</div>"
    }

    private static func cure(_ isSobol: Bool) -> String {
        isSobol ? "a larger design (--base)" : "a larger design (--trajectories)"
    }

    /// The order of the keys as far as it is told: the same that the table has.
    private func heading(
        _ shares: [(factor: String, share: Double)], _ apart: [Bool], _ outputs: [(String, [Index])]
    ) -> String {
        let ranking = shares.map(\.factor)
        guard let first = ranking.first else { return "No key matters" }
        let sure = Set(outputs.flatMap(\.1).filter(\.isSure).map(\.factor))
        if sure.isEmpty { return "No key matters by more than chance explains" }
        if let isFirst = apart.first, !isFirst {
            return "Not converged: \(first) ranks first, and its interval crosses that of \(ranking[1])"
        }
        let most = "\(first) matters most"
        // A key whose part would be printed as 0 % is not named.
        guard ranking.count > 1, sure.contains(ranking[1]), shares[1].share >= 0.005 else { return most }
        return apart.count < 2 || apart[1]
            ? "\(most), then \(ranking[1])" : "\(most); the order of the others is not converged"
    }

    /// Whether two keys can be told apart in every metric on which one of them surely has an effect.
    private func isApart(_ one: String, _ other: String, _ outputs: [(String, [Index])]) -> Bool {
        let pairs = outputs.compactMap { _, indices -> (Index, Index)? in
            guard let a = indices.first(where: { $0.factor == one }),
                let b = indices.first(where: { $0.factor == other })
            else { return nil }
            return a.isSure || b.isSure ? (a, b) : nil
        }
        return !pairs.isEmpty && pairs.allSatisfy { $0.isApart(from: $1) }
    }

    /// An index with its interval.
    private func text(_ index: Index) -> String {
        let measure: Measure = isSobol ? .share : .number
        let interval = index.interval.map {
            " (\(FigureLabel.text($0.lowerBound, measure)) to \(FigureLabel.text($0.upperBound, measure)))"
        }
        return FigureLabel.text(index.value, measure) + (interval ?? "")
    }

    /// The keys that a metric depends on, as far as its intervals tell.
    private func sentence(_ output: String, _ indices: [Index]) -> Phrase {
        let name = MetricText.title(output)
        guard let first = indices.first, first.value > 0 else { return "\(name): the same at every point." }
        if !indices.contains(where: \.isSure) {
            return "\(name): no key by more than chance explains."
        }
        if indices.count > 1, !first.isApart(from: indices[1]) {
            return
                "\(name): not converged. The intervals of \(first.factor), \(text(first)), and \(indices[1].factor), \(text(indices[1])), cross."
        }
        let second = indices.dropFirst().first.flatMap { second -> Index? in
            second.isSure && (indices.count < 3 || second.isApart(from: indices[2])) ? second : nil
        }
        let then = second.map { "; then on \($0.factor), \(text($0))" } ?? ""
        return isSobol
            ? "\(name): most on \(first.factor), with which \(figure(first, output, .share)) of its variance stays while all others are known\(then)."
            : "\(name): most on \(first.factor), which moves it by \(figure(first, output, .number)) on average from one end to the other\(then)."
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
            let interval = row.number(column + "_low").flatMap { low in
                row.number(column + "_high").map { min(low, $0)...max(low, $0) }
            }
            return Index(
                factor: row["factor"], first: row.number("first"), value: value, row: row, interval: interval)
        }
        return found.sorted { $0.value == $1.value ? $0.factor < $1.factor : $0.value > $1.value }
    }

    private func chart(_ output: String, _ indices: [Index]) -> Chart {
        let first = indices[0]
        let isConverged = indices.count < 2 || first.isApart(from: indices[1])
        let name = MetricText.title(output)
        let title =
            !indices.contains(where: \.isSure)
            ? "\(name): depends on none of the keys\(first.value > 0 ? " by more than chance explains" : "")"
            : !isConverged
                ? "\(name): not converged, \(first.factor) and \(indices[1].factor) cross"
                : isSobol
                    ? "\(name): \(first.factor), \(FigureLabel.text(first.value, .share)) of the variance with its interactions"
                    : "\(name): \(first.factor) moves it by \(FigureLabel.text(first.value))"
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
            says: (isSobol
                ? "The share of the variance that goes if a key alone is known, and with its interactions, with the 95\u{A0}% interval of the latter."
                : "The mean size of a key’s effect from one end to the other, in the metric’s unit, with its 95\u{A0}% interval.")
                + " Metric: \(output).",
            finding: title)
    }
}
