import ResultFiles

/// The page of a comparison: what people see first, then what differs, the largest effect first.
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
        var words: String { MetricText.words(metric) }
        var measure: Measure { MetricText.measure(ofUnit: row["unit"]) }
        var relative: Double? { row.number("relative_change") }
        var effect: Double { row.number("effect") ?? 0 }
        /// Whether no share says by how much it rises.
        var isFromNothing: Bool { first == 0 && second != 0 }
        var isNothing: Bool { first == 0 && second == 0 }
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
    /// A longer bar is cut: one metric that grows a hundredfold would press all others into a point.
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
            let charts = [
                views(place, pair.rows), headlines(place, pair.rows), forest(place, pair.first, pair.second, rows),
            ]
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
        // The heading of one pair says what becomes of the fresh views.
        let fresh = pairs.count == 1 ? pairs[0].rows.first { $0.metric == UsualFigures.views[0] } : nil
        let heading =
            pairs.count == 1
            ? fresh.map { freshness($0, pairs[0].count).plain } ?? "What differs"
            : "What differs from \(pairs.first?.first ?? "")"
        return "<div class=\"panel\"><h2>\(Markup.escaped(heading))</h2>"
            + pairs.map { pair in
                let rows = Self.once(pair.rows)
                let differing = rows.filter { isTold($0, pair.count) }
                let name: Phrase = "\(pair.second), beside \(pair.first): "
                guard !differing.isEmpty else {
                    return (name + "nothing can be told from chance.").said
                }
                let views = Self.views(of: pair.rows)
                var parts = views.enumerated().compactMap { place, row -> Phrase? in
                    if place == 0 { return freshness(row, pair.count, isInside: true) }
                    return isTold(row, pair.count) ? told(row) : nil
                }
                let others = differing.filter { !UsualFigures.views.contains($0.metric) }
                parts += UsualFigures.first(others, \.metric).prefix(parts.isEmpty ? 3 : 2).map(told)
                let sentence = parts.dropFirst().reduce(parts[0]) { $0 + "; " + $1 }
                return
                    (name + sentence + ". "
                    + "\(FigureLabel.text(Double(differing.count))) of \(FigureLabel.text(Double(rows.count))) "
                    + "metrics differ\(pair.count == "1" ? "" : " surely").").said
            }.joined() + "</div>"
    }

    /// The shares of fresh views and of the ways of not being fresh that any view has.
    private static func views(of rows: [Row]) -> [Row] {
        let found = UsualFigures.views.compactMap { name in rows.first { $0.metric == name && !$0.isNothing } }
        return found.first?.metric == UsualFigures.views[0] ? found : []
    }

    /// The first thing to know of a pair: whether more of what people see is fresh, or less.
    private func freshness(_ row: Row, _ count: String, isInside: Bool = false) -> Phrase {
        let name = isInside ? row.words : MetricText.title(row.metric)
        let (first, second) = (FigureLabel.text(row.first, row.measure), FigureLabel.text(row.second, row.measure))
        if row.first == row.second { return "\(name) stay at \(first)" }
        if !isTold(row, count) { return "\(name), \(first) and \(second), cannot be told apart" }
        func points(_ share: Double) -> String { FigureLabel.text(share.magnitude * 100) }
        let interval = row.row.number("interval_low").flatMap { low in
            row.row.number("interval_high").map { high in
                let ends = [low.magnitude, high.magnitude].sorted()
                return " by \(points(row.difference)) points (\(points(ends[0])) to \(points(ends[1])))"
            }
        }
        return "\(name) \(row.difference > 0 ? "rise" : "fall") from \(first) to \(second)\(interval ?? "")"
    }

    /// One pair of runs says nothing about chance: every difference is shown.
    private func isTold(_ row: Row, _ count: String) -> Bool { count == "1" ? row.difference != 0 : row.isSure }

    private func told(_ row: Row) -> Phrase {
        let (first, second) = (FigureLabel.text(row.first, row.measure), FigureLabel.text(row.second, row.measure))
        return "\(row.words) \(first) → \(second) (\(Self.change(of: row)))"
    }

    /// The change from the first to the second; a share above the doubled would be read as the ratio.
    private static func change(of row: Row) -> String {
        if row.isFromNothing { return "from nothing" }
        guard let change = row.relative else { return "unchanged" }
        if change > 2 { return "\(FigureLabel.text(change + 1)) times" }
        return (change > 0 ? "+" : "") + FigureLabel.text(change, .share)
    }

    /// The rows of a pair, each figure once.
    private static func once(_ rows: [Row]) -> [Row] {
        UsualFigures.once(rows, \.metric) { row in [row.first, row.second, row.difference] }
    }

    /// A frame of metrics, painted by whether the second of a pair has more or less than the first.
    private func frame(_ rows: [Row], _ columns: [Frame.Column]) -> Frame {
        Frame(
            "figure", rows.map(\.words), [.texts("metric", rows.map(\.metric))] + columns, source: "comparison.csv"
        ).grouped("second", [("more", .series(5)), ("less", .series(0))]) { rows[$0.place].difference > 0 ? 0 : 1 }
    }

    /// The figures of a pair beside each other.
    private static func both(_ row: Row) -> String {
        "\(FigureLabel.text(row.first, row.measure)) → \(FigureLabel.text(row.second, row.measure))"
    }

    /// The content that people see, of both: all ways of not being fresh beside each other.
    private func views(_ place: Int, _ rows: [Row]) -> Chart? {
        let found = Self.views(of: rows)
        if found.isEmpty { return nil }
        let pair = pairs[place]
        let columns = found.map { row in
            let state = RunPage.states[UsualFigures.views.firstIndex(of: row.metric)!]
            return Frame.Column(
                state.words, [row.first, row.second], .share, state.paint,
                cells: [row.row["baseline_mean"], row.row["variant_mean"]])
        }
        return Chart(
            "views-\(place + 1)", Frame("run", [pair.first, pair.second], columns, source: "comparison.csv"), .bars,
            says: "The content that people see, as shares of all views.",
            finding: "\(pairs.count == 1 ? "" : pair.second + ": ")\(freshness(found[0], pair.count).plain)",
            isWide: true
        ) { $0.figure = { "\(FigureLabel.text($0.value("fresh") ?? 0, .share)) fresh" } }
    }

    private func forest(_ place: Int, _ first: String, _ second: String, _ rows: [Row]) -> Chart {
        let count = pairs[place].count
        let told = rows.enumerated().filter { isTold($1, count) }.sorted { ($1.1.effect, $0.0) < ($0.1.effect, $1.0) }
            .map(\.1)
        /// Whether its bar would be longer than there is room for.
        func isCut(_ row: Row) -> Bool { row.relative.map { $0 > Self.mostRatio - 1 } ?? true }
        func column(_ name: String, _ cells: String, as mark: Mark? = nil) -> Frame.Column {
            Frame.Column(
                name, told.map { row in isCut(row) ? nil : row.row.number(cells).map { $0 / row.first } }, .share,
                as: mark, cells: told.map { $0.row[cells] })
        }
        let left = max(0, told.count - Self.most)
        let frame = frame(
            told,
            [
                column("first", "baseline_mean"), column("second", "variant_mean"),
                column("difference", "difference"), column("interval from", "interval_low", as: .low),
                column("to", "interval_high", as: .high),
                Frame.Column(
                    "change", told.map { isCut($0) ? Self.mostRatio - 1 : $0.relative }, .share, .series(5),
                    cells: told.map { $0.row["relative_change"] }),
                .texts("effect", told.map { $0.row["effect"] }),
            ]
        ).drawing { $0.place < Self.most }
        let isAnyCut = told.prefix(Self.most).contains(where: isCut)
        // A rise from nothing is the largest change there is, however little it is.
        let largest = UsualFigures.first(told.filter { !$0.isFromNothing }, \.metric).first ?? told.first
        let finding =
            largest.map {
                "\(UsualFigures.name(of: $0.metric) == nil ? "The largest change" : "The largest change of the usual figures"): "
                    + "\($0.words), \(Self.both($0)) (\(Self.change(of: $0)))"
            }
            ?? "Nothing can be told from chance"
        return Chart(
            "forest-\(place + 1)", frame, .estimates,
            says:
                "Changes relative to \(first)\(count == "1" ? "" : ", with 95\u{A0}% intervals"), the largest effect first: to the right more, to the left less.\(isAnyCut ? " Lines with » go further." : "")\(left > 0 ? " \(left) smaller changes stand in the table." : "")",
            finding: pairs.count == 1 ? finding : "\(second): \(finding)", isWide: true
        ) {
            $0.line = 0
            $0.figure = { row in
                let row = told[row.place]
                return "\(Self.both(row)), \(Self.change(of: row))\(isCut(row) ? " »" : "")"
            }
        }
    }

    /// The usual figures, whether they differ or not.
    private func headlines(_ place: Int, _ rows: [Row]) -> Chart? {
        let found = UsualFigures.chosen(from: rows, \.metric, isNothing: \.isNothing)
            .filter { $0.first > 0 || $0.second > 0 }
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
