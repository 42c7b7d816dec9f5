import ResultFiles
import Basics
import Reporting
import ScenarioFiles

/// The metrics of one run as its `summary.csv` has them, under the names that thresholds use.
package struct RunFigures: Sendable {
    package struct Figure: Hashable, Sendable {
        package let metric, unit: String
        /// As the file writes it; empty if it is not defined.
        package let text: String
        /// Where the value lies in 95 % of other draws of the fleet; nil where that is not known.
        package let draws: ClosedRange<Double>?
        /// The part's metric without the part.
        fileprivate let plainMetric: String
        fileprivate let scope: SummaryScope

        /// Nil if it is not defined.
        package var value: Double? { ResultColumn.number(in: text) }
    }

    package let figures: [Figure]
    private let places: [String: Int]

    /// Reads the file in a run's folder.
    package init(folder: String) throws(CSVProblem) {
        let path = folder + "/summary.csv"
        let values: [ResultColumn] = ["scope", "name", "metric", "unit", .number("value")]
        let ranges = ["represented_value", "redraw_p2_5", "redraw_p97_5", "represented_p2_5", "represented_p97_5"].map {
            ResultColumn($0, .number)
        }
        // Results of earlier versions have no ranges.
        let table = try CSVTable.read(file: path)
        let hasRanges = table.header.contains("represented_value")
        let columns = values + ranges
        let summary = try ResultTable(table, hasRanges ? columns : values, file: path)
        // A run that stands for others states its figures for them; what is not known for them is not defined.
        let standsForOthers = hasRanges && summary.rows.contains { !$0[columns[5]].isEmpty }
        let (scopes, names, metrics) = (summary.cells("scope"), summary.cells("name"), summary.cells("metric"))
        let (units, texts) = (summary.cells("unit"), summary.cells(columns[standsForOthers ? 5 : 4]))
        let first = standsForOthers ? 8 : 6
        let ends = hasRanges ? [first, first + 1].map { summary.cells(columns[$0]) } : []
        var figures: [Figure] = []
        figures.reserveCapacity(scopes.count)
        for row in scopes.indices {
            guard let scope = SummaryScope(rawValue: scopes[row]) else {
                let known = SummaryScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw CSVProblem(
                    description: "\(path): row \(row + 1), column scope: expected \(known), found '\(scopes[row])'")
            }
            var draws: ClosedRange<Double>?
            if hasRanges, let low = ResultColumn.number(in: ends[0][row]),
                let high = ResultColumn.number(in: ends[1][row]), low <= high
            {
                draws = low...high
            }
            figures.append(
                Figure(
                    metric: scope.name(of: metrics[row], names[row]), unit: units[row], text: texts[row], draws: draws,
                    plainMetric: metrics[row], scope: scope))
        }
        self.figures = figures
        places = Dictionary(figures.enumerated().map { ($1.metric, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private init(_ figures: [Figure], places: [String: Int]) { (self.figures, self.places) = (figures, places) }

    /// These with other values, without ranges, of some metrics.
    ///
    /// - Parameter value: the value of a figure, or nil for one that is not defined; nil to leave the figure.
    func replacing(_ value: (Figure) -> Double??) -> RunFigures {
        RunFigures(
            figures.map { figure in
                guard let value = value(figure) else { return figure }
                return Figure(
                    metric: figure.metric, unit: figure.unit, text: value.map { "\($0)" } ?? "", draws: nil,
                    plainMetric: figure.plainMetric, scope: figure.scope)
            }, places: places)
    }

    /// The value of a metric; nil if the run does not have it or it is not defined.
    package func value(_ metric: String) -> Double? { figure(metric)?.value }

    /// The figure of a metric; nil if the run does not have it.
    ///
    /// The only part of its sort has no rows beside those of all together, nor have all pools beside the only one: a
    /// name of one finds the other.
    package func figure(_ metric: String) -> Figure? {
        if let place = places[metric] { return figures[place] }
        guard let dot = metric.lastIndex(of: ".") else { return nil }
        let plain = String(metric[metric.index(after: dot)...])
        if metric[..<dot] == "service" {
            let own = figures.filter { $0.scope == .pool && $0.plainMetric == plain }
            if own.count == 1 { return own[0] }
        }
        // A part that has rows of its own has no other figures.
        let part = metric[...dot]
        if figures.contains(where: { $0.metric.hasPrefix(part) }) { return nil }
        return places[plain].map { figures[$0] }
    }
}
