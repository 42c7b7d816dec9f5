import Basics
import Reporting
import Studies

/// The points of a sweep for people: a row each, the best of a metric marked.
struct PointText {
    private let study: Study
    private let figures: PointFigures
    /// The metric by which the points are sorted; nil for their order in the design.
    private let sorted: String?

    init(_ study: Study, _ figures: PointFigures, sorted: String?) {
        (self.study, self.figures, self.sorted) = (study, figures, sorted)
    }

    private var table: AlignedTable {
        let axes = study.columns
        var table = AlignedTable(
            header: axes
                + zip(figures.metrics, figures.units).map { $1.isEmpty || $1 == "share" ? $0 : "\($0) (\($1))" }
                + (sorted == nil ? [] : [""]), toTheLeft: [])
        for (place, point) in figures.points.enumerated() {
            table.add(
                point.values
                    + zip(point.figures, figures.units).map { Self.text($0, unit: $1) }
                    + (sorted == nil ? [] : [place == 0 && sortedFigure(point) != nil ? "least" : ""]))
        }
        return table
    }

    private static func text(_ figure: PointFigure?, unit: String) -> String {
        guard let figure else { return "-" }
        func number(_ value: Double) -> String {
            unit == "share"
                ? Figures.short(value * 100) + " %"
                : value.magnitude >= 1_000 ? FigureText.grouped(Int64(cutting: value.rounded())) : Figures.short(value)
        }
        guard let interval = figure.interval else { return number(figure.mean) }
        return "\(number(figure.mean)) (\(number(interval.lowerBound)) to \(number(interval.upperBound)))"
    }

    private func sortedFigure(_ point: PointFigures.Point) -> PointFigure? {
        sorted.flatMap { figures.metrics.firstIndex(of: $0) }.flatMap { point.figures[$0] }
    }

    /// A sentence on the intervals that there are; empty without any.
    private var note: String {
        let shown = figures.points.flatMap { $0.figures.compactMap { $0 } }.filter { $0.interval != nil }
        let parts = [
            shown.contains { $0.replications == 1 }
                ? "the range of 95 % of other draws, as a single run states it" : nil,
            shown.contains { $0.replications > 1 } ? "the 95 % interval of the mean over replications" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "" : "in brackets: " + parts.joined(separator: ", or ") + "\n"
    }

    var text: String { table.text + note }
    var markdown: String { table.markdown + (note.isEmpty ? "" : "\n" + note) }
}
