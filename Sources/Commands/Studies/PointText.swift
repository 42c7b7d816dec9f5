import Basics
import Pages
import Reporting
import Studies

/// The points of a sweep for people: a row each, the best of a metric marked.
struct PointText {
    let study: Study
    let figures: PointFigures
    /// The metric by which the points are sorted; nil for their order in the design.
    let sorted: String?

    /// The metric that has a bar at each point: the one that the points are sorted by, or the first.
    private var drawn: Int? {
        figures.metrics.isEmpty ? nil : sorted.flatMap { figures.metrics.firstIndex(of: $0) } ?? 0
    }

    private var table: AlignedTable {
        let place = figures.points.count > 1 ? drawn : nil
        let most = place.map { place in figures.points.reduce(0) { max($0, $1.figures[place]?.mean ?? 0) } } ?? 0
        let picture = most > 0 ? TerminalPicture.ofOutput : nil
        // Each with its heading and its cell for a point at a place of the order.
        var columns: [(heading: String, cell: (Int, PointFigures.Point) -> String)] =
            study.columns.enumerated().map { place, name in (name, { $1.values[place] }) }
        for (place, (name, unit)) in zip(figures.metrics, figures.units).enumerated() {
            let heading = unit.isEmpty || unit == "share" ? name : "\(name) (\(unit))"
            columns.append((heading, { Self.text($1.figures[place], unit: unit) }))
        }
        if !figures.targets.isEmpty { columns.append(("targets", { Self.verdict($1) })) }
        if figures.frontier != nil {
            columns.append(("frontier", { $1.isOnFrontier ? "yes" : $1.isNearFrontier ? "too close to call" : "" }))
        }
        if let sorted {
            let best = UsualFigures.isBetterMore(sorted) ? "most" : "least"
            columns.append(("", { $0 == 0 && sortedFigure($1) != nil ? best : "" }))
        }
        if let picture, let place {
            columns.append((figures.metrics[place], { picture.bar($1.figures[place]?.mean, of: most, width: 24) }))
        }
        var table = AlignedTable(
            header: columns.map(\.heading), toTheLeft: picture == nil ? [] : [columns.count - 1])
        for (number, point) in figures.points.enumerated() { table.add(columns.map { $0.cell(number, point) }) }
        return table
    }

    private static func verdict(_ point: PointFigures.Point) -> String {
        point.holds ? "hold" : point.holding == 0 ? "broken" : "hold in \(point.holding) of \(point.runs)"
    }

    private static func number(_ value: Double, _ unit: String) -> String {
        unit == "share"
            ? Figures.short(value * 100) + " %"
            : value.magnitude >= 1_000 ? FigureText.grouped(Int64(cutting: value.rounded())) : Figures.short(value)
    }

    /// The figure without its interval.
    static func mean(_ figure: PointFigure?, unit: String) -> String {
        figure.map { number($0.mean, unit) } ?? "-"
    }

    private static func text(_ figure: PointFigure?, unit: String) -> String {
        guard let figure else { return "-" }
        func number(_ value: Double) -> String { Self.number(value, unit) }
        guard let interval = figure.interval else { return number(figure.mean) }
        return "\(number(figure.mean)) (\(number(interval.lowerBound)) to \(number(interval.upperBound)))"
    }

    private func sortedFigure(_ point: PointFigures.Point) -> PointFigure? {
        sorted.flatMap { figures.metrics.firstIndex(of: $0) }.flatMap { point.figures[$0] }
    }

    private var note: String { intervalNote + targetNote + frontierNote + winnerNote }

    /// The winner of each judged metric, and how sure that is.
    private var winnerNote: String {
        figures.winners(sortedBy: sorted).map { VisibleText.of($0.sentence(columns: study.columns)) + "\n" }.joined()
    }

    private var targetNote: String {
        figures.targets.isEmpty ? "" : "targets: " + figures.targets.map(\.text).joined(separator: "; ") + "\n"
    }

    private var frontierNote: String {
        guard let metrics = figures.frontier else { return "" }
        return "frontier: no other point" + (figures.targets.isEmpty ? "" : " that holds the targets")
            + " has \(Self.better(metrics[0])) of \(metrics[0]) without \(Self.worse(metrics[1])) of \(metrics[1])\n"
    }

    private static func better(_ metric: String) -> String { UsualFigures.isBetterMore(metric) ? "more" : "less" }
    private static func worse(_ metric: String) -> String { UsualFigures.isBetterMore(metric) ? "less" : "more" }

    /// A sentence on the intervals that there are; empty without any.
    private var intervalNote: String {
        let shown = figures.points.flatMap { $0.figures.compactMap { $0 } }.filter { $0.interval != nil }
        let parts = [
            shown.contains { $0.replications == 1 }
                ? "the range of 95 % of other draws, as a single run states it" : nil,
            shown.contains { $0.replications > 1 } ? "the 95 % interval of the mean over replications" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "" : "in brackets: " + parts.joined(separator: ", or ") + "\n"
    }

    var text: String { table.text + note }
}
