import Basics
import ResultFiles

/// The page of a study: its metrics over what it varies.
struct StudyPage {
    private struct Facts: Decodable {
        struct Run: Decodable {
            let run: String
            let point, replication: Int
            let seed: String
            let failure: String?
        }
        struct FrontierMetric: Decodable {
            let metric, unit: String
            let more_is_better: Bool?
        }
        let reloadsim, study: String
        let columns: [String]
        let points: Int
        let runs: [Run]
        /// Two metrics in which no point of the frontier is beaten; nil if nothing was asked for.
        let frontier: [FrontierMetric]?
        /// The sentence on the points that hold all targets, and how many they are; nil without targets.
        let target_sentence: String?
        let holding_points: Int?
        /// A sentence on each metric that is judged: the best point and how surely it is.
        let winners: [String]?
    }

    /// One metric at one point.
    struct Sample {
        let mean: Double
        let low, high: Double?
        let text: String
    }

    private let source: PageSource
    private let facts: Facts
    /// One or more.
    private let points: [(number: Int, values: [String])]
    /// Where a point stands among them.
    private let places: [Int: Int]
    /// Those worth a chart, in the order of the usual figures; each has a sample, and samples of known points alone.
    private let metrics: [(name: String, unit: String, samples: [Int: Sample])]

    /// More points or runs than a page shows one by one.
    private static let mostRows = 500

    init(_ source: PageSource) throws(OutputProblem) {
        self.source = source
        facts = try source.manifest(of: "a study")
        let columns = facts.columns
        let design = try source.table("design.csv", [.count("point")] + columns.map { ResultColumn($0, .text) })
        var points: [(number: Int, values: [String])] = []
        var seen: Set<Int> = []
        for row in design.rows {
            guard let number = Int(row["point"]), seen.insert(number).inserted else { continue }
            points.append((number, columns.map { Self.value($0, in: row) }))
        }
        if points.isEmpty {
            throw OutputProblem("\(source.name)/design.csv: expected the points of the study, found no row")
        }
        self.points = points
        places = Dictionary(points.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
        guard
            let table = try source.rows(
                "study.csv",
                [
                    .count("point"), "metric", "unit", .number("mean"), .number("interval_low"),
                    .number("interval_high"),
                ],
                where: ["metric": { UsualFigures.name(of: $0) != nil }])
        else {
            throw source.missing("study.csv")
        }
        let draws = try Self.draws(source)
        metrics = UsualFigures.chosen(from: table.values("metric"), \.self).compactMap { name in
            var samples: [Int: Sample] = [:]
            var unit = ""
            for row in table.rows(["metric": name]) {
                unit = row["unit"]
                guard let point = Int(row["point"]), seen.contains(point), let mean = row.number("mean") else {
                    continue
                }
                // A single run has no interval of its own, and may state the range of other draws.
                let range = row["interval_low"].isEmpty ? draws[name]?[point] : nil
                samples[point] = Sample(
                    mean: mean, low: row.number("interval_low") ?? range?.low,
                    high: row.number("interval_high") ?? range?.high, text: row["mean"])
            }
            let means = samples.values.map(\.mean)
            guard let low = means.min(), let high = means.max(), low < high || points.count == 1 else { return nil }
            return (name, unit, samples)
        }
    }

    /// For each metric of `points.csv` the range of other draws at each point, where single runs state one.
    private static func draws(_ source: PageSource) throws(OutputProblem) -> [String: [Int: (
        low: Double, high: Double
    )]] {
        guard let header = try source.tableIfPresent("points.csv", [.count("point")])?.header else { return [:] }
        let names = header.filter { header.contains($0 + "_low") && header.contains($0 + "_high") }
        let ends = names.flatMap { [ResultColumn.number($0 + "_low"), .number($0 + "_high")] }
        let table = try source.table("points.csv", [.count("point")] + ends)
        var draws: [String: [Int: (low: Double, high: Double)]] = [:]
        for row in table.rows {
            guard let point = Int(row["point"]) else { continue }
            for name in names {
                guard let low = row.number(name + "_low"), let high = row.number(name + "_high") else { continue }
                draws[name, default: [:]][point] = (low, high)
            }
        }
        return draws
    }

    /// The value that a point sets on an axis, as it was written.
    private static func value(_ axis: String, in row: PageRow) -> String {
        let text = row[axis + "_text"]
        return text.isEmpty ? row[axis] : text
    }

    func html() throws(OutputProblem) -> String {
        let failed = facts.runs.filter { $0.failure != nil }
        let frontier = try frontier()
        let sections = [
            PageDocument.Section("frontier", "Frontier", [frontier]),
            PageDocument.Section("metrics", "Metrics", metrics.map(chart), areSmall: true),
            PageDocument.Section("points", "Points", html: pointTable),
            failed.isEmpty ? nil : PageDocument.Section("failed", "Failed runs", html: failedTable(failed)),
            try .origin(
                [
                    ("Study", "\(facts.study)"), ("Version", "reloadsim \(facts.reloadsim)"),
                    ("Every metric", "study.csv, over replications; runs.csv, of each run"),
                ],
                html:
                    "<p class=\"say\">Each run’s scenario, overrides and seed stand in <a href=\"manifest.json\">manifest.json</a>, its own tables in the folder <code>runs</code>.</p>",
                source),
        ]
        let times = Set(facts.runs.map(\.replication)).count
        return PageDocument(
            sort: "study", title: facts.study,
            facts:
                "\(count(points.count, "point")) over \(facts.columns.isEmpty ? "nothing" : facts.columns.joined(separator: ", ")) · "
                + "\(count(times, "replication")) · \(count(facts.runs.count, "run"))",
            verdict: verdict(failed: failed.count, frontier?.title), sections: sections, version: facts.reloadsim
        ).html
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(FigureLabel.text(Double(number))) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The heading says what the study was for: which points hold the targets, or else what changes most.
    private func verdict(failed: Int, _ frontier: String?) -> String {
        let runs =
            failed == 0
            ? "All \(count(facts.runs.count, "run")) are complete"
            : "\(failed) of \(count(facts.runs.count, "run")) failed"
        let targets = facts.target_sentence.map { Markup.escaped($0.prefix(1).uppercased() + $0.dropFirst()) }
        let winners = (facts.winners ?? []).map(Markup.escaped)
        let sentences =
            [targets].compactMap { $0 } + winners
            + [largestEffect, frontier.map(Markup.escaped), runs].compactMap { $0 }
        let isWell = failed == 0 && facts.holding_points != 0
        let rows = metrics.map { name, unit, samples -> [String] in
            let (least, most) = ends(samples)
            return [
                Markup.escaped(MetricText.words(name)), figure(least, of: name, unit), figure(most, of: name, unit),
            ]
        }
        return "<div class=\"panel \(isWell ? "well" : "ill")\"><h2>\(sentences[0]).</h2>"
            + (rows.isEmpty
                ? "" : PageParts.table(["figure", "least", "most"], rows, label: "Least and most of each figure"))
            + "<div class=\"after\">" + sentences.dropFirst().map { "<p class=\"say\">\($0).</p>" }.joined()
            + "</div></div>"
    }

    /// The metric that differs most between two points, by its ratio, among those that can be told from chance where
    /// there are replications; nil for a single point.
    private var largestEffect: String? {
        if points.count == 1 { return nil }
        if metrics.isEmpty { return "No figure differs between the points" }
        var largest: (ratio: Double, sentence: String)?
        for (name, unit, samples) in metrics {
            let (least, most) = ends(samples)
            if let high = least.sample.high, let low = most.sample.low, high >= low { continue }
            // A rise from nothing has no ratio, and comes last.
            let ratio = least.sample.mean > 0 ? most.sample.mean / least.sample.mean : 0.5
            if ratio > largest?.ratio ?? 0 {
                largest = (
                    ratio,
                    "\(Markup.escaped(MetricText.title(name))): the largest ratio, from \(figure(least, of: name, unit)) to \(figure(most, of: name, unit))"
                )
            }
        }
        return largest?.sentence ?? "Nothing can be told from chance"
    }

    /// A metric's mean at a point.
    private func figure(_ end: (point: Int, sample: Sample), of name: String, _ unit: String) -> String {
        let figure = Figure(
            text: FigureLabel.text(end.sample.mean, MetricText.measure(ofUnit: unit)), value: end.sample.text,
            source: "study.csv: mean where point=\(end.point), metric=\(name)"
        )
        return figure.html + " <span class=\"soft\">at \(Markup.escaped(label(end.point)))</span>"
    }

    private func ends(_ samples: [Int: Sample]) -> (
        least: (point: Int, sample: Sample), most: (point: Int, sample: Sample)
    ) {
        let order = points.compactMap { point in samples[point.number].map { (point: point.number, sample: $0) } }
        let least = order.min { $0.sample.mean < $1.sample.mean }!
        let most = order.max { $0.sample.mean < $1.sample.mean }!
        return (least, most)
    }

    /// A point by what it sets.
    private func label(_ number: Int) -> String {
        guard let point = places[number].map({ points[$0] }) else { return "" }
        if facts.columns.isEmpty { return "the scenario" }
        if facts.columns == ["scenario"] { return point.values[0] }
        return zip(facts.columns, point.values).map { "\($0)=\($1)" }.joined(separator: ", ")
    }

    // MARK: Charts

    /// All points over the two metrics of the frontier, with the line of those that no other beats.
    private func frontier() throws(OutputProblem) -> Chart? {
        guard let chosen = facts.frontier, chosen.count == 2 else { return nil }
        let (across, upwards) = (chosen[0].metric, chosen[1].metric)
        let ends = ["_low", "_high"].map { upwards + $0 }
        let table = try source.table(
            "points.csv",
            [.count("point"), .number(across), .number(upwards), .flag("frontier")] + ends.map { .number($0) })
        let rows = table.rows.filter {
            Int($0["point"]) != nil && $0.number(across) != nil && $0.number(upwards) != nil
        }
        if rows.isEmpty { return nil }
        let measures = chosen.map { MetricText.measure(ofUnit: $0.unit) }
        let x = rows.map { $0.number(across) ?? 0 }
        let (scale, ticks) = Scale.holding(x.min()!, x.max()!, measures[0])
        let frame = Frame(
            "point", rows.map { label(Int($0["point"]) ?? 0) },
            [
                Frame.Column(across, x, measures[0]),
                Frame.Column(upwards, rows.map { $0.number(upwards) }, measures[1], .series(0)),
                Frame.Column("interval from", rows.map { $0.number(ends[0]) }, measures[1], as: .low),
                Frame.Column("to", rows.map { $0.number(ends[1]) }, measures[1], as: .high),
            ], source: table.file
        ).at(x, scale, ticks)
            .grouped(
                "frontier",
                [("beaten", .series(7)), ("on the frontier", .good), ("too close to call", .series(1))]
            ) {
                let row = rows[$0.place]
                return row["frontier"] == "true" ? 1 : row["near_frontier"] == "true" ? 2 : 0
            }
        let close = rows.count { $0["near_frontier"] == "true" }
        func wanted(_ metric: Facts.FrontierMetric) -> String {
            "\(MetricText.words(metric.metric)) (\(metric.metric)), the \(metric.more_is_better ?? false ? "more" : "less") the better"
        }
        let best = frame.rows.filter { rows[$0.place]["frontier"] == "true" }.map {
            PlotPoint(x: $0[across], y: $0[upwards])
        }
        return Chart(
            "frontier-chart", frame, .points,
            says: "Across: \(wanted(chosen[0])). Upwards: \(wanted(chosen[1])).",
            finding:
                "\(best.count) of \(count(rows.count, "point")) \(best.count == 1 ? "is" : "are") not beaten in both figures\(close > 0 ? "; \(close) more \(close == 1 ? "is" : "are") too close to call" : "")",
            isWide: true
        ) { $0.behind = [.line(best.sorted { $0.x < $1.x }, .faint)] }
    }

    /// More points than stand below each other.
    private static let mostNamed = 40

    private func chart(_ metric: (name: String, unit: String, samples: [Int: Sample])) -> Chart {
        let measure = MetricText.measure(ofUnit: metric.unit)
        let samples = points.map { metric.samples[$0.number] }
        let (least, most) = ends(metric.samples)
        func chart(_ mark: Mark, _ frame: Frame, _ says: String, _ finding: String? = nil) -> Chart {
            func text(_ end: (point: Int, sample: Sample)) -> String {
                "\(FigureLabel.text(end.sample.mean, measure)) (\(label(end.point)))"
            }
            let title =
                points.count == 1
                ? FigureLabel.text(least.sample.mean, measure) : "from \(text(least)) to \(text(most))"
            return Chart(
                "metric-" + IDText.of(metric.name), frame, mark, says: "\(says) Metric: \(metric.name).",
                finding: "\(MetricText.title(metric.name)): \(finding ?? title)")
        }
        let means = [
            Frame.Column("mean", samples.map { $0?.mean }, measure, .series(0)),
            Frame.Column("interval from", samples.map { $0?.low }, measure, as: .low),
            Frame.Column("to", samples.map { $0?.high }, measure, as: .high),
        ]
        /// The points by what they set on each axis.
        func byAxes() -> Frame {
            Frame(
                facts.columns[0], points.map { $0.values[0] },
                facts.columns.indices.dropFirst().map { axis in
                    .texts(facts.columns[axis], points.map { $0.values[axis] })
                } + means, source: "study.csv")
        }
        func byAxes(at axis: NumberAxis) -> Frame {
            byAxes().at(axis.values, axis.scale, axis.ticks)
        }
        let isSingle = Set(facts.runs.map(\.replication)).count == 1
        let interval =
            samples.contains { $0?.low != nil }
            ? isSingle ? " with the range of 95\u{A0}% of other draws" : " with its 95\u{A0}% interval" : ""
        let mean = isSingle ? "One run" : "The mean over the replications"
        let description = "\(mean)\(interval), at every point."
        if facts.columns.count == 2, isGrid {
            return chart(
                .cells, byAxes(),
                "\(mean)\(interval): \(facts.columns[1]) across, \(facts.columns[0]) down.")
        }
        if facts.columns.count == 1, facts.columns != ["scenario"], let axis = NumberAxis(points.map { $0.values[0] }) {
            return chart(.estimates, byAxes(at: axis), description + " Across: \(facts.columns[0]).")
        }
        if points.count > Self.mostNamed, let (axis, numbers, correlation) = steepest(metric.samples) {
            return chart(
                .points, byAxes(at: numbers),
                "\(description) The axis across is that it goes with most, \(axis): rank correlation \(FigureLabel.grouped(correlation, decimals: 2)).",
                "from \(FigureLabel.text(least.sample.mean, measure)) to \(FigureLabel.text(most.sample.mean, measure)), most with \(axis)"
            )
        }
        let frame = Frame("point", points.map { label($0.number) }, means, source: "study.csv")
        return chart(.estimates, frame.drawing { $0.place < Self.mostNamed }, description)
    }

    /// Whether the points of two axes lie on a grid that has room.
    private var isGrid: Bool {
        let (rows, columns) = (Set(points.map { $0.values[0] }).count, Set(points.map { $0.values[1] }).count)
        return rows <= 40 && columns <= 24 && rows * columns <= max(points.count * 2, 4)
    }

    /// The axis of numbers with which a metric rises or falls most, by the correlation of ranks.
    private func steepest(_ samples: [Int: Sample]) -> (axis: String, numbers: NumberAxis, correlation: Double)? {
        let found = points.indices.filter { samples[points[$0].number] != nil }
        let means = ranks(found.map { samples[points[$0].number]!.mean })
        var best: (axis: String, numbers: NumberAxis, correlation: Double)?
        for (place, axis) in facts.columns.enumerated() {
            guard let numbers = NumberAxis(points.map { $0.values[place] }, hasRoundTicks: true) else { continue }
            let correlation = Self.correlation(ranks(found.map { numbers.values[$0] }), means)
            if best == nil || correlation.magnitude > best!.correlation.magnitude {
                best = (axis, numbers, correlation)
            }
        }
        return best
    }

    /// The places of values in their order; equal ones share the middle.
    private func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] == values[$1] ? $0 < $1 : values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var begin = 0
        while begin < order.count {
            var end = begin
            while end < order.count && values[order[end]] == values[order[begin]] { end += 1 }
            for place in begin..<end { ranks[order[place]] = Double(begin + end - 1) / 2 }
            begin = end
        }
        return ranks
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let n = Double(a.count)
        let (x, y) = (a.reduce(0, +) / n, b.reduce(0, +) / n)
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for (p, q) in zip(a, b) {
            xx += (p - x) * (p - x)
            yy += (q - y) * (q - y)
            xy += (p - x) * (q - y)
        }
        return xx == 0 || yy == 0 ? 0 : xy / (xx * yy).squareRoot()
    }

    // MARK: Tables

    private var pointTable: String {
        let shown = points.prefix(Self.mostRows)
        var complete: [Int: Int] = [:]
        for run in facts.runs where run.failure == nil { complete[run.point, default: 0] += 1 }
        let rows = shown.map { point -> [String] in
            ["\(point.number)"] + point.values.map { Markup.escaped($0) } + ["\(complete[point.number] ?? 0)"]
                + metrics.map { metric in
                    metric.samples[point.number].map { sample in
                        Figure(
                            text: FigureLabel.text(sample.mean, MetricText.measure(ofUnit: metric.unit)),
                            value: sample.text,
                            source: "study.csv: mean where point=\(point.number), metric=\(metric.name)"
                        ).html
                    } ?? ""
                }
        }
        let rest =
            points.count > shown.count
            ? "<p class=\"say\">\(FigureLabel.text(Double(points.count - shown.count))) more points stand in <a href=\"study.csv\">study.csv</a>.</p>"
            : ""
        return PageParts.table(
            ["point"] + facts.columns + ["runs"] + metrics.map { MetricText.words($0.name) }, rows, label: "Points")
            + rest
    }

    private func failedTable(_ failed: [Facts.Run]) -> String {
        let rows = failed.prefix(Self.mostRows).map { run in
            [
                Markup.escaped(run.run), Markup.escaped(label(run.point)), "\(run.replication)",
                Markup.escaped(run.seed),
                "<span class=\"wrap\">\(Markup.escaped(run.failure ?? ""))</span>",
            ]
        }
        return PageParts.table(["run", "point", "replication", "seed", "why"], rows, label: "Failed runs")
    }
}

/// Values of an axis that are numbers, lengths of time or shares, at their places.
struct NumberAxis {
    let values: [Double]
    let scale: Scale
    let ticks: [Tick]

    static func number(_ text: String) -> Double? {
        ResultColumn.number(in: text) ?? DurationText.read(text).map { Double($0.microseconds) / 1e6 }
    }

    /// Nil if some value is not a number.
    ///
    /// - Parameter hasRoundTicks: whether ticks stand at round values and not at these.
    init?(_ texts: [String], hasRoundTicks: Bool = false) {
        var values: [Double] = []
        for text in texts {
            guard let value = Self.number(text) else { return nil }
            values.append(value)
        }
        guard let low = values.min(), let high = values.max(), low < high else { return nil }
        // Values that span orders of magnitude stand at equal distances for equal ratios.
        scale =
            low > 0 && high / low > 50
            ? Scale.logarithmic(low / 1.1, high * 1.1)
            : Scale.linear(low - (high - low) * 0.03, high + (high - low) * 0.03)
        self.values = values
        if hasRoundTicks {
            let measure: Measure = texts.allSatisfy { Double($0) == nil } ? .duration : .number
            ticks =
                scale.isLogarithmic
                ? Ticks.logarithmic(on: scale, measure) : Ticks.between(scale.low, scale.high, measure)
            return
        }
        ticks = zip(values, texts).uniqued(by: \.0).sorted { $0.0 < $1.0 }.map { Tick($0, $1) }
    }
}
