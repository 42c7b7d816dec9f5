import ResultFiles

/// The page of a comparison: what differs, the largest effect first.
struct ComparisonPage {
    private struct Facts: Decodable {
        let reloadsim, comparison: String
        /// The paths of what is compared, and what was set over both scenarios.
        let compared, overrides: [String]?
    }

    /// One metric of one comparison.
    private struct Row {
        let metric, unit: String
        let first, second, difference: Double
        let low, high, relative, effect: Double?
        let row: PageRow

        /// Whether it can be told from chance: its interval leaves nothing out.
        var isSure: Bool {
            guard let low, let high else { return false }
            return low > 0 || high < 0
        }
    }

    private let source: PageSource
    private let facts: Facts
    /// Each pair with its metrics, in the order of the table.
    private let pairs: [(first: String, second: String, count: String, rows: [Row])]

    private static let most = 25

    init(_ source: PageSource) throws(OutputProblem) {
        self.source = source
        facts = try source.manifest(of: "a comparison")
        let table = try source.table(
            "comparison.csv",
            [
                "baseline", "variant", "metric", "unit", .count("pairs"), .number("baseline_mean"),
                .number("variant_mean"), .number("difference"),
                .number("interval_low"), .number("interval_high"), .number("relative_change"), .number("effect"),
            ])
        var pairs: [(first: String, second: String, count: String, rows: [Row])] = []
        for row in table.rows {
            if pairs.last.map({ $0.first != row["baseline"] || $0.second != row["variant"] }) ?? true {
                pairs.append((row["baseline"], row["variant"], row["pairs"], []))
            }
            guard let first = row.number("baseline_mean"), let second = row.number("variant_mean"),
                let difference = row.number("difference")
            else { continue }
            pairs[pairs.count - 1].rows.append(
                Row(
                    metric: row["metric"], unit: row["unit"], first: first, second: second, difference: difference,
                    low: row.number("interval_low"),
                    high: row.number("interval_high"), relative: row.number("relative_change"),
                    effect: row.number("effect"), row: row))
        }
        self.pairs = pairs
    }

    func html() throws(OutputProblem) -> String {
        var sections: [PageDocument.Section] = []
        for (place, pair) in pairs.enumerated() {
            let rows = Self.once(pair.rows)
            var charts = [PageChart(forest(place, pair.first, pair.second, rows), isWide: true)]
            if let chart = headlines(place, pair.rows) { charts.append(PageChart(chart, isWide: true)) }
            sections.append(
                PageDocument.Section(
                    "pair-\(place + 1)", pairs.count == 1 ? "Differences" : "\(pair.second) beside \(pair.first)",
                    charts: charts))
        }
        sections.append(
            PageDocument.Section(
                "origin", "Where it came from",
                html: PageParts.facts(origin)
                    + "<p class=\"say\">Runs of one seed share people, habits and content; intervals are those of paired differences, at "
                    + "95\u{A0}%.</p>" + PageParts.folded("Files", try PageFiles(source).html)))
        return PageDocument(
            sort: "comparison", title: facts.comparison, lead: "",
            facts:
                "\(pairs.count == 1 ? "\(pairs[0].count) pair\(pairs[0].count == "1" ? "" : "s") of runs" : "\(pairs.count) comparisons")",
            verdict: verdict, sections: sections, version: facts.reloadsim
        ).html
    }

    private var origin: [(String, Phrase)] {
        var list: [(String, Phrase)] = [("Comparison", Phrase(facts.comparison))]
        let compared = facts.compared ?? []
        list += zip(compared.count == 1 ? ["Study"] : ["First", "Second"], compared).map { ($0, Phrase($1)) }
        if let overrides = facts.overrides, !overrides.isEmpty {
            list.append(("Overrides", Phrase(overrides.joined(separator: ", "))))
        }
        return list + [("Version", Phrase("reloadsim " + facts.reloadsim))]
    }

    private var verdict: String {
        "<div class=\"panel\"><h2>\(pairs.count == 1 ? "What differs" : "What differs from \(Markup.escaped(pairs.first?.first ?? ""))")</h2>"
            + pairs.map { pair in
                let rows = Self.once(pair.rows)
                let differing = rows.filter { isTold($0, pair.count) }
                let sentence: Phrase
                if let first = differing.first {
                    let others = differing.dropFirst().prefix(2)
                    sentence =
                        "\(pair.second), beside \(pair.first): \(told(first))\(others.map { "; \(told($0).plain)" }.joined()). "
                        + "\(FigureLabel.text(Double(differing.count))) of \(FigureLabel.text(Double(rows.count))) "
                        + "metrics differ\(pair.count == "1" ? "" : " surely")."
                } else {
                    sentence = "\(pair.second), beside \(pair.first): nothing can be told from chance."
                }
                return "<p class=\"say\">\(sentence.html)</p>"
            }.joined() + "</div>"
    }

    /// One pair of runs says nothing about chance: every difference is shown.
    private func isTold(_ row: Row, _ count: String) -> Bool { count == "1" ? row.difference != 0 : row.isSure }

    private func told(_ row: Row) -> Phrase {
        let measure = MetricText.measure(ofUnit: row.unit)
        let change = row.relative.map { " (\(Self.signed($0)))" } ?? ""
        return
            "\(row.metric) goes from \(FigureLabel.text(row.first, measure)) to \(FigureLabel.text(row.second, measure))\(change)"
    }

    private static func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + FigureLabel.text(share, .share) }

    /// Without rows of a part whose figures are those of the whole, such as the only segment's: of equal ones that with
    /// the shortest name.
    private static func once(_ rows: [Row]) -> [Row] {
        var shortest: [String: String] = [:]
        func key(_ row: Row) -> String {
            [
                row.metric.split(separator: ".").last.map(String.init) ?? "", row.row["baseline_mean"],
                row.row["variant_mean"], row.row["difference"],
            ].joined(
                separator: " ")
        }
        for row in rows {
            let known = shortest[key(row)]
            if known == nil || row.metric.count < known!.count { shortest[key(row)] = row.metric }
        }
        return rows.filter { shortest[key($0)] == $0.metric }
    }

    private func forest(_ place: Int, _ first: String, _ second: String, _ rows: [Row]) -> ChartFigure {
        let count = pairs[place].count
        let relative = rows.filter { row in row.relative != nil && row.first != 0 && isTold(row, count) }
        // One metric that grows a hundredfold would press all others into a point.
        let shown = relative.prefix(Self.most).filter { ($0.relative ?? 0).magnitude <= 3 }
        let left = relative.count - shown.count
        let bars = shown.map { row -> IntervalRows.Row in
            let interval = row.low.flatMap { low in
                row.high.map { high -> ClosedRange<Double> in
                    let (a, b) = (low / row.first, high / row.first)
                    return min(a, b)...max(a, b)
                }
            }
            let measure = MetricText.measure(ofUnit: row.unit)
            return IntervalRows.Row(
                row.metric,
                figure:
                    "\(FigureLabel.text(row.first, measure)) → \(FigureLabel.text(row.second, measure)), \(Self.signed(row.relative!))",
                value: row.relative!,
                interval: interval, paint: row.difference > 0 ? .series(5) : .series(0))
        }
        let finding =
            relative.first.map { "\($0.metric) changes most: \(Self.signed($0.relative!))" }
            ?? "Nothing can be told from chance"
        let title = pairs.count == 1 ? finding : "\(second): \(finding)"
        return ChartFigure(
            "forest-\(place + 1)", title: title,
            description:
                "Changes relative to \(first), with 95\u{A0}% intervals, the largest effect first: to the right more, to the left "
                + "less.\(left > 0 ? " \(left) more that differ, or change more than threefold, stand in the table." : "")",
            IntervalRows(bars, measure: .share, line: 0),
            legend: [("more than \(first)", .series(5)), ("less", .series(0))],
            table: ChartTable(
                columns: ["metric", "first", "second", "difference", "interval from", "to", "change", "effect"],
                rows: relative.map { row in
                    [row.metric]
                        + [
                            "baseline_mean", "variant_mean", "difference", "interval_low", "interval_high",
                            "relative_change", "effect",
                        ].map { row.row[$0] }
                }, source: "comparison.csv"))
    }

    /// The usual figures, whether they differ or not.
    private func headlines(_ place: Int, _ rows: [Row]) -> ChartFigure? {
        let found = StudyPage.headline.compactMap { name in
            rows.first { $0.metric == name } ?? rows.first { StudyPage.plain($0.metric) == name }
        }.filter {
            $0.first > 0 || $0.second > 0
        }
        if found.isEmpty { return nil }
        let pair = pairs[place]
        return ChartFigure(
            "figures-\(place + 1)", title: "The usual figures, \(pair.second) as a share of \(pair.first)",
            description: "Each bar is the second over the first; the line of the first is 100\u{A0}%.",
            IntervalRows(
                found.map { row in
                    let measure = MetricText.measure(ofUnit: row.unit)
                    let value = row.first == 0 ? 2 : min(row.second / row.first, 4)
                    return IntervalRows.Row(
                        row.metric,
                        figure: "\(FigureLabel.text(row.first, measure)) → \(FigureLabel.text(row.second, measure))",
                        value: value,
                        interval: min(1, value)...max(1, value), paint: value > 1 ? .series(5) : .series(0))
                }, measure: .share, line: 1),
            table: ChartTable(
                columns: ["metric", "first", "second"],
                rows: found.map { [$0.metric, $0.row["baseline_mean"], $0.row["variant_mean"]] },
                source: "comparison.csv"))
    }
}
