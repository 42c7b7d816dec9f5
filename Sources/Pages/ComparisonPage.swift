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
        let first, second, difference: Double
        let row: PageRow

        init?(_ row: PageRow) {
            guard let first = row.number("baseline_mean"), let second = row.number("variant_mean"),
                let difference = row.number("difference")
            else { return nil }
            (self.first, self.second, self.difference, self.row) = (first, second, difference, row)
        }

        var metric: String { row["metric"] }
        var measure: Measure { MetricText.measure(ofUnit: row["unit"]) }
        var relative: Double? { row.number("relative_change") }
        /// Whether it can be told from chance: its interval leaves nothing out.
        var isSure: Bool {
            guard let low = row.number("interval_low"), let high = row.number("interval_high") else { return false }
            return low > 0 || high < 0
        }
    }

    private let source: PageSource
    private let facts: Facts
    /// Each pair with its metrics, in the order of the table.
    private let pairs: [(first: String, second: String, count: String, rows: [Row])]

    private static let most = 25
    /// A longer bar is cut.
    private static let mostRatio = 4.0

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
            if let row = Row(row) { pairs[pairs.count - 1].rows.append(row) }
        }
        self.pairs = pairs
    }

    func html() throws(OutputProblem) -> String {
        var sections: [PageDocument.Section?] = []
        for (place, pair) in pairs.enumerated() {
            let rows = Self.once(pair.rows)
            let charts = [forest(place, pair.first, pair.second, rows), headlines(place, pair.rows)]
            sections.append(
                PageDocument.Section(
                    "pair-\(place + 1)", pairs.count == 1 ? "Differences" : "\(pair.second) beside \(pair.first)",
                    charts))
        }
        sections.append(
            try .origin(
                origin,
                html:
                    "<p class=\"say\">Runs of one seed share people, habits and content\(hasIntervals ? "; intervals are those of paired differences, at 95\u{A0}%" : ". One pair of runs has no intervals: `--repeat` tells a difference from chance").</p>",
                source))
        return PageDocument(
            sort: "comparison", title: facts.comparison,
            facts:
                "\(pairs.count == 1 ? "\(pairs[0].count) pair\(pairs[0].count == "1" ? "" : "s") of runs" : "\(pairs.count) comparisons")",
            verdict: verdict, sections: sections, version: facts.reloadsim
        ).html
    }

    /// Whether any pair was repeated.
    private var hasIntervals: Bool { pairs.contains { $0.count != "1" } }

    private var origin: [(String, Phrase?)] {
        let compared = facts.compared ?? []
        return [("Comparison", Phrase(facts.comparison))]
            + zip(compared.count == 1 ? ["Study"] : ["First", "Second"], compared).map { ($0, Phrase($1)) } + [
                ("Overrides", facts.overrides.flatMap { $0.isEmpty ? nil : Phrase($0.joined(separator: ", ")) }),
                ("Version", Phrase("reloadsim " + facts.reloadsim)),
            ]
    }

    private var verdict: String {
        "<div class=\"panel\"><h2>\(pairs.count == 1 ? "What differs" : "What differs from \(Markup.escaped(pairs.first?.first ?? ""))")</h2>"
            + pairs.map { pair in
                let rows = Self.once(pair.rows)
                let differing = UsualFigures.first(rows.filter { isTold($0, pair.count) }, \.metric)
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
                return sentence.said
            }.joined() + "</div>"
    }

    /// One pair of runs says nothing about chance: every difference is shown.
    private func isTold(_ row: Row, _ count: String) -> Bool { count == "1" ? row.difference != 0 : row.isSure }

    private func told(_ row: Row) -> Phrase {
        let change = row.relative.map { " (\(Self.signed($0)))" } ?? ""
        let (first, second) = (FigureLabel.text(row.first, row.measure), FigureLabel.text(row.second, row.measure))
        return "\(row.metric) goes from \(first) to \(second)\(change)"
    }

    private static func signed(_ share: Double) -> String { (share > 0 ? "+" : "") + FigureLabel.text(share, .share) }

    /// The rows of a pair, each figure once.
    private static func once(_ rows: [Row]) -> [Row] {
        UsualFigures.once(rows, \.metric) { row in [row.first, row.second, row.difference] }
    }

    /// A frame of metrics, painted by whether the second of a pair has more or less than the first.
    private func frame(_ rows: [Row], _ columns: [Frame.Column]) -> Frame {
        Frame("metric", rows.map(\.metric), columns, source: "comparison.csv")
            .grouped("second", [("more", .series(5)), ("less", .series(0))]) { rows[$0.place].difference > 0 ? 0 : 1 }
    }

    /// The figures of a pair beside each other.
    private static func both(_ row: Row) -> String {
        "\(FigureLabel.text(row.first, row.measure)) → \(FigureLabel.text(row.second, row.measure))"
    }

    private func forest(_ place: Int, _ first: String, _ second: String, _ rows: [Row]) -> Chart {
        let count = pairs[place].count
        let relative = rows.filter { row in row.relative != nil && row.first != 0 && isTold(row, count) }
        func column(_ name: String, _ cells: String, as mark: Mark? = nil) -> Frame.Column {
            Frame.Column(
                name, relative.map { row in row.row.number(cells).map { $0 / row.first } }, .share, as: mark,
                cells: relative.map { $0.row[cells] })
        }
        // One metric that grows a hundredfold would press all others into a point.
        func isShown(_ place: Int) -> Bool { place < Self.most && relative[place].relative!.magnitude <= 3 }
        let left = relative.indices.count { !isShown($0) }
        let frame = frame(
            relative,
            [
                column("first", "baseline_mean"), column("second", "variant_mean"),
                column("difference", "difference"), column("interval from", "interval_low", as: .low),
                column("to", "interval_high", as: .high),
                Frame.Column(
                    "change", relative.map(\.relative), .share, .series(5),
                    cells: relative.map { $0.row["relative_change"] }),
                .texts("effect", relative.map { $0.row["effect"] }),
            ]
        ).drawing { isShown($0.place) }
        let finding =
            UsualFigures.first(relative, \.metric).first.map {
                "\($0.metric) changes most\(UsualFigures.name(of: $0.metric) == nil ? "" : " of the usual figures"): \(Self.signed($0.relative!))"
            }
            ?? "Nothing can be told from chance"
        return Chart(
            "forest-\(place + 1)", frame, .estimates,
            says:
                "Changes relative to \(first)\(count == "1" ? "" : ", with 95\u{A0}% intervals"), the largest effect first: to the right more, to the left less.\(left > 0 ? " \(left) more that differ, or change more than threefold, stand in the table." : "")",
            finding: pairs.count == 1 ? finding : "\(second): \(finding)", isWide: true
        ) {
            $0.line = 0
            $0.figure = { "\(Self.both(relative[$0.place])), \(Self.signed(relative[$0.place].relative!))" }
        }
    }

    /// The usual figures, whether they differ or not.
    private func headlines(_ place: Int, _ rows: [Row]) -> Chart? {
        let found = UsualFigures.chosen(from: rows, \.metric).filter { $0.first > 0 || $0.second > 0 }
        if found.isEmpty { return nil }
        let pair = pairs[place]
        func isCut(_ row: Row) -> Bool { row.first == 0 || row.second / row.first > Self.mostRatio }
        func cells(_ column: String) -> [String] { found.map { $0.row[column] } }
        let frame = frame(
            found,
            [
                .texts("first", cells("baseline_mean")), .texts("second", cells("variant_mean")),
                Frame.Column(
                    "share of the first", found.map { isCut($0) ? Self.mostRatio : $0.second / $0.first },
                    .share, .series(5)),
            ])
        return Chart(
            "figures-\(place + 1)", frame, .estimates,
            says:
                "Each bar is the second over the first; the line of the first is 100\u{A0}%.\(found.contains(where: isCut) ? " Bars with » are cut at \(FigureLabel.text(Self.mostRatio, .share)): they go further." : "")",
            finding: "The usual figures, \(pair.second) as a share of \(pair.first)", isWide: true
        ) {
            $0.line = 1
            $0.figure = { Self.both(found[$0.place]) + (isCut(found[$0.place]) ? " »" : "") }
        }
    }
}
