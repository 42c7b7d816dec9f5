import Basics
import ResultFiles

/// The page of a plan: the answer, and what was tried on the way.
struct PlanPage {
    private struct Facts: Decodable {
        let reloadsim, plan, find: String
        let targets: [String]
        let replications: Int
        /// The sentences on the last month of a growing fleet, on all people for whom a sample stands, on the run of
        /// which a month is, and on draws of the unknowns; nil without one.
        let growth_sentence, whole_sentence, month_sentence, unknowns_sentence: String?
        /// Nil in results of earlier versions.
        let scenario_sha256, seed: String?
        /// Represented people are those for whom the simulated ones stand; nil if that is themselves.
        let people, represents: Int?
        let overrides, command: [String]?
    }

    private let source: PageSource
    private let facts: Facts
    private let plan, trials: PageTable
    /// The candidates, and the months of a growing fleet; results of earlier versions have none.
    private let points, growth: PageTable?
    /// The column of what was looked for, and those of the targets' metrics.
    private let axis: String
    /// The column of the same as it is written.
    private let shown: String
    private let metrics: [String]

    init(_ source: PageSource) throws(OutputProblem) {
        self.source = source
        facts = try source.manifest(of: "a plan")
        plan = try source.table(
            "plan.csv", ["figure", "unit", .number("value"), .number("interval_low"), .number("interval_high")])
        points = try Self.pointTable("points.csv", ["point"], source)
        growth = try Self.pointTable("growth.csv", ["month", "people"], source)
        let header = try source.table("trials.csv", [.count("replication"), .flag("holds")]).header
        guard let first = header.first, let replication = header.firstIndex(of: "replication"),
            let holds = header.firstIndex(of: "holds"), replication < holds
        else {
            throw OutputProblem(
                "\(source.name)/trials.csv: expected a column of values, replication, metrics and holds")
        }
        axis = first
        shown = header.contains(first + "_text") ? first + "_text" : first
        metrics = Array(header[(replication + 1)..<holds])
        // The metrics' names are known from the header alone.
        trials = try source.table("trials.csv", [.count("replication"), .flag("holds")] + metrics.map { .number($0) })
    }

    /// A table with a column for each metric and its ends.
    ///
    /// - Parameter keys: columns of counts before them.
    private static func pointTable(_ file: String, _ keys: [String], _ source: PageSource) throws(OutputProblem)
        -> PageTable?
    {
        let counts = (keys + ["replications", "holding"]).map { ResultColumn.count($0) }
        guard let found = try source.tableIfPresent(file, counts) else { return nil }
        return try source.table(file, counts + metrics(of: found).map { .number($0) })
    }

    private static func metrics(of table: PageTable) -> [String] {
        table.header.filter { table.header.contains($0 + "_low") && table.header.contains($0 + "_high") }
    }

    /// The rows of such a table, a figure for each metric that costs or says anything.
    ///
    /// - Parameters:
    ///   - heads: the columns before the metrics, each with its cell.
    ///   - key: the column that names a row.
    private func pointRows(
        _ table: PageTable, key: String, label: String, _ heads: [(name: String, cell: (PageRow) -> String)]
    ) -> String {
        let metrics = Self.metrics(of: table).filter { name in
            !UsualFigures.isCost(name) || table.rows.contains { ($0.number(name) ?? 0) != 0 }
        }
        let rows = table.rows.map { row in
            heads.map { Markup.escaped($0.cell(row)) } + ["\(row["holding"]) of \(row["replications"])"]
                + metrics.map { name in
                    guard let value = row.number(name) else { return "" }
                    let unit = plan.row(["figure": name])?["unit"] ?? ""
                    return Figure(
                        text: FigureLabel.text(value, MetricText.measure(ofUnit: unit)), value: row[name],
                        source: "\(table.file): \(name) where \(key)=\(row[key])"
                    ).html
                }
        }
        return PageParts.table(
            heads.map(\.name) + ["targets hold in"] + metrics.map(MetricText.words), rows,
            label: label)
    }

    private var candidateSections: [PageDocument.Section] {
        var sections: [PageDocument.Section] = []
        if let points {
            let axis = points.header.contains(axis + "_text") ? axis + "_text" : axis
            sections.append(
                PageDocument.Section(
                    "candidates", "Candidates",
                    html: pointRows(points, key: "point", label: "Candidates", [(self.axis, { $0[axis] })])))
        }
        if let growth {
            sections.append(
                PageDocument.Section(
                    "growth", "As the fleet grows",
                    html: pointRows(
                        growth, key: "month", label: "Months",
                        [("month", { $0["month"] }), ("people", { $0["people"] })])))
        }
        return sections
    }

    private func value(_ figure: String) -> Double? { plan.row(["figure": figure])?.number("value") }

    private func figure(_ name: String, _ measure: Measure? = nil) -> Figure? {
        guard let row = plan.row(["figure": name]) else { return nil }
        return row.figure("value", measure ?? MetricText.measure(ofUnit: row["unit"]))
    }

    func html() throws(OutputProblem) -> String {
        let sections =
            [PageDocument.Section("trials", "What was tried", metrics.map(chart) + [erlang])] + candidateSections + [
                PageDocument.Section("figures", "At the answer", html: figures),
                try .origin(origin, source),
            ]
        return PageDocument(
            sort: "plan", title: facts.plan,
            facts: Phrase(
                "\(facts.find) · \(facts.replications) replication\(facts.replications == 1 ? "" : "s")"
                    + (facts.people.map { " · \(PageParts.people($0, standingFor: facts.represents))" } ?? "")
                    + (facts.seed.map { " · seed \($0)" } ?? "")),
            verdict: verdict, sections: sections,
            version: facts.reloadsim
        ).html
    }

    private var origin: [(String, Phrase?)] {
        // A folder elsewhere says nothing to another reader.
        let words = facts.command?.map { $0.hasPrefix("/") ? String($0.split(separator: "/").last ?? "") : $0 }
        return [
            ("Command", words.map { Phrase($0.map(ShellText.quoted).joined(separator: " ")) }),
            ("Plan", "\(facts.plan)"), ("Looked for", "\(facts.find)"),
            ("Targets", "\(facts.targets.joined(separator: "; "))"), ("Replications", "\(facts.replications)"),
            ("SHA-256 of the scenario", facts.scenario_sha256.map { Phrase($0) }),
            ("Overrides", facts.overrides.flatMap { $0.isEmpty ? nil : Phrase($0.joined(separator: ", ")) }),
            ("People", facts.people.map { Phrase(FigureText.grouped($0)) }), ("Seed", facts.seed.map { Phrase($0) }),
            ("Version", "reloadsim \(facts.reloadsim)"),
        ]
    }

    private func trials(at text: String) -> [PageRow] { trials.rows([shown: text]) }

    /// The text of the answer in the trials: the value that reads as the plan's number.
    private var answerText: String? {
        guard let answer = value("answer") else { return nil }
        return trials.values(shown).first { NumberAxis.number($0) == answer }
    }

    private var verdict: String {
        guard let answer = figure("answer") else {
            return "<div class=\"panel ill\"><h2>There is no answer.</h2></div>"
        }
        let text = answerText.map { trials(at: $0) } ?? []
        let holding = text.count { $0["holds"] == "true" }
        let isConfirmed = !text.isEmpty && holding == text.count
        var sentences: [Phrase] = []
        let unit = MetricText.measure(ofUnit: plan.row(["figure": "answer"])?["unit"] ?? "")
        let targets = facts.targets.map { text in
            ThresholdText(text).map { MetricText.words($0.metric) + text.dropFirst($0.metric.count) } ?? text
        }.joined(separator: " and ")
        if let mean = plan.row(["figure": "answer_mean"]), let low = mean.number("interval_low"),
            let high = mean.number("interval_high"), let value = figure("answer_mean", unit)
        {
            sentences.append(
                low == high
                    ? "It is the same in every replication."
                    : "On average over the replications it is \(value), with a 95\u{A0}% interval of \(FigureLabel.text(low, unit)) to \(FigureLabel.text(high, unit))."
            )
        }
        sentences.append(
            "\(targets.prefix(1).uppercased() + targets.dropFirst()): that holds there in \(FigureLabel.text(Double(holding))) of "
                + "\(FigureLabel.text(Double(text.count))) replications."
        )
        var certainty: Phrase = facts.replications == 1 ? ", by one seed" : ""
        if let neighbour = figure("neighbour", unit), let share = figure("neighbour.share_holding") {
            let measured = metrics.compactMap { metric -> String? in
                figure("neighbour.\(metric)").map { "\(MetricText.words(metric)) \($0.text)" }
            }.joined(separator: ", ")
            if value("neighbour.share_holding") ?? 0 > 0 { certainty = ": too close to call beside \(neighbour)" }
            sentences.append(
                "One step before it, at \(neighbour), they hold in \(share) of them\(measured.isEmpty ? "" : ": \(measured)")."
            )
        }
        if let sentence = facts.whole_sentence { sentences.append(Phrase("Of \(sentence).")) }
        if let sentence = facts.unknowns_sentence { sentences.append(Phrase("Under unknowns: \(sentence).")) }
        if let sentence = facts.month_sentence {
            sentences.append(Phrase("\(sentence.prefix(1).uppercased() + sentence.dropFirst())."))
        }
        if let sentence = facts.growth_sentence { sentences.append(Phrase("As the fleet grows: \(sentence).")) }
        let pools = plan.rows.compactMap { row -> String? in
            row["figure"].hasSuffix(".servers_erlang_c_peak_1m")
                ? String(row["figure"].dropFirst("service.".count).dropLast(".servers_erlang_c_peak_1m".count)) : nil
        }
        for pool in pools {
            guard let peak = figure("service.\(pool).servers_erlang_c_peak_1m") else { continue }
            let mean = figure("service.\(pool).servers_erlang_c_mean")
            sentences.append(
                "\(pool): Erlang’s formula, for arrivals at random, asks for \(peak) servers in the busiest "
                    + "minute\(mean.map { " and \($0.text) at the mean rate" } ?? "")."
            )
        }
        return
            "<div class=\"panel \(isConfirmed ? "well" : "ill")\"><h2>\(Markup.escaped(axis)): \(answer.html)\(certainty.html)</h2>"
            + PageParts.cards(cards) + sentences.map(\.said).joined() + "</div>"
    }

    /// The metrics of the targets at the answer, and its cost.
    private var cards: [(name: String, figure: Phrase, note: Phrase)] {
        let costs = plan.values("figure").filter {
            $0.hasSuffix("cost_per_month") && !metrics.contains($0) && value($0) ?? 0 != 0
        }
        return (metrics + costs.prefix(1)).compactMap { name in
            guard let row = plan.row(["figure": name]), let figure = figure(name) else { return nil }
            let targets = facts.targets.filter { ThresholdText($0)?.metric == name }.map {
                "target:\($0.dropFirst(name.count))"
            }
            let unit = MetricText.suffix(ofUnit: row["unit"])
            return (
                MetricText.words(name), "\(figure)\(unit)", Phrase(targets.joined(separator: "; "))
            )
        }
    }

    /// A metric over the values that were tried, with the bound of its target.
    private func chart(_ metric: String) -> Chart? {
        let measure = MetricText.measure(ofUnit: plan.row(["figure": metric])?["unit"] ?? "")
        let rows = trials.rows.filter { NumberAxis.number($0[shown]) != nil && $0.number(metric) != nil }
        guard let axis = NumberAxis(trials.values(shown)), !rows.isEmpty else { return nil }
        let series: [Series] = [.cell("replication", "replication"), .cell(metric, metric, measure, .series(0))]
        let frame = trials.frame(self.axis, of: rows, series) { $0[shown] }
            .grouped(
                "targets",
                facts.targets.count == 1
                    ? [("the target holds", .good), ("the target is broken", .bad)]
                    : [("all targets hold", .good), ("a target is broken", .bad)]
            ) { rows[$0.place]["holds"] == "true" ? 0 : 1 }
            .at(rows.map { NumberAxis.number($0[shown]) ?? 0 }, axis.scale, axis.ticks)
        let targets = facts.targets.compactMap { text in
            ThresholdText(text).flatMap {
                $0.metric == metric ? (text: "target:\(text.dropFirst(metric.count))", bound: $0.bound.value) : nil
            }
        }
        let values = frame.rows.map { $0[metric] } + targets.map(\.bound)
        let means = Dictionary(grouping: frame.rows, by: \.name).compactMap { text, rows in
            NumberAxis.number(text).map { PlotPoint(x: $0, y: rows.reduce(0) { $0 + $1[metric] } / Double(rows.count)) }
        }.sorted { $0.x < $1.x }
        let there = figure(metric).map { "\($0.text) at \(answerText ?? "the answer")" } ?? "not defined at the answer"
        return Chart(
            "trial-" + IDText.of(metric), frame, .points,
            says:
                "Every value that was tried, a point for each replication, and the line of their means. Across: \(self.axis).\(facts.targets.count > 1 ? " The colour says whether all targets hold, those on other metrics too." : "") Metric: \(metric).",
            finding: "\(MetricText.title(metric)): \(there)", isWide: metrics.count == 1
        ) {
            $0.behind = targets.map { .rule($0.bound, $0.text) } + [.line(means, .faint)]
            // Far more than a hundredfold shows nothing of the least on an even axis.
            $0.isLogarithmic = values.min()! > 0 && values.max()! / values.min()! > 100
            if let answer = value("answer"), axis.scale.holds(answer) {
                $0.flags = [PlotFlag(x: answer, y: nil, text: "answer \(answerText ?? FigureLabel.text(answer))")]
            }
        }
    }

    /// The answer beside the closed form, if servers were looked for.
    private var erlang: Chart? {
        let words = [
            ("servers_erlang_c_peak_1m", "Erlang’s formula in the busiest minute"),
            ("servers_erlang_c_mean", "Erlang’s formula at the mean rate"),
            ("servers_n_plus_1", "with one server out"), ("servers_n_plus_2", "with two servers out"),
        ]
        let found = plan.rows.filter { $0["unit"] == "servers" && $0.number("value") != nil }.compactMap { row in
            words.first { row["figure"].hasSuffix("." + $0.0) }.map { (row, $0.1) }
        }
        guard let answer = plan.row(["figure": "answer"]), let need = figure("answer"),
            found.contains(where: { $0.1 == words[2].1 })
        else { return nil }
        let ratio = plan.rows.first { $0["figure"].hasSuffix(".servers_over_erlang_c_peak_1m") }?.number("value")
        let rows = [answer] + found.map(\.0)
        let servers = Frame(
            "figure", ["simulated: the answer"] + found.map(\.1),
            [Series.cell("value", "servers", .number, .series(0)).column(of: rows)], source: plan.file
        ).grouped("by", [("simulated", .series(0)), ("by Erlang’s formula", .series(7))]) { $0.place == 0 ? 0 : 1 }
        return Chart(
            "erlang", servers, .bars,
            says:
                "Servers for the same wait: simulated with the fleet’s own peaks, and by Erlang’s formula, which takes arrivals to come at random.",
            finding:
                "Simulated, the need is \(need.text) servers\(ratio.map { ": \(FigureLabel.text($0)) times that of Erlang’s formula" } ?? "")"
        )
    }

    private var figures: String {
        let rows = plan.rows.filter { !$0["figure"].hasPrefix("neighbour") && !$0["value"].isEmpty }.map {
            row -> [String] in
            let found = plan.row(["figure": row["figure"]]) ?? row
            let measure = MetricText.measure(ofUnit: row["unit"])
            let interval =
                row.number("interval_low").flatMap { low in
                    row.number("interval_high").map {
                        "\(FigureLabel.text(low, measure)) to \(FigureLabel.text($0, measure))"
                    }
                } ?? ""
            return [
                "<code>\(Markup.escaped(row["figure"]))</code>", found.figure("value", measure)?.html ?? "",
                Markup.escaped(interval),
                Markup.escaped(row["unit"]),
            ]
        }
        return PageParts.table(["figure", "value", "95\u{A0}% interval", "unit"], rows, label: "Figures at the answer")
    }
}
