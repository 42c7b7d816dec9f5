import Foundation
import Reporting
import ScenarioFiles

/// The metrics of one run as its files have them: those of `summary.csv`, then those of `service_summary.csv` under the names that thresholds use.
package struct RunFigures: Sendable {
    package struct Figure: Hashable, Sendable {
        package let metric: String
        package let unit: String
        /// As the file writes it; empty if it is not defined.
        package let text: String

        /// Nil if it is not defined.
        package var value: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
    }

    package let figures: [Figure]

    /// Reads the files in a run's folder.
    package init(folder: String) throws(CSVProblem) {
        let summary = try CSVTable.read(file: folder + "/summary.csv")
        guard summary.header == ["metric", "unit", "value"] else {
            throw CSVProblem(description: "\(folder)/summary.csv: expected the columns metric, unit and value, found \(summary.header)")
        }
        try Self.checkValues(of: summary, at: 2, folder + "/summary.csv")
        var figures = summary.rows.map { Figure(metric: $0[0], unit: $0[1], text: $0[2]) }
        let path = folder + "/service_summary.csv"
        if FileManager.default.fileExists(atPath: path) {
            let service = try CSVTable.read(file: path)
            guard service.header == ["metric", "pool", "unit", "value"] else {
                throw CSVProblem(description: "\(path): expected the columns metric, pool, unit and value, found \(service.header)")
            }
            try Self.checkValues(of: service, at: 3, path)
            figures += service.rows.map { Figure(metric: SummaryMetrics.name($0[0], pool: $0[1]), unit: $0[2], text: $0[3]) }
        }
        self.figures = figures
    }

    /// Throws unless every cell of a column is a number or, of a metric that is not defined, empty.
    private static func checkValues(of table: CSVTable, at column: Int, _ path: String) throws(CSVProblem) {
        for (index, row) in table.rows.enumerated() {
            let text = row[column]
            if text.isEmpty || Double(text)?.isFinite == true { continue }
            throw CSVProblem(
                description:
                    "\(path): row \(index + 1), column \(table.header[column]): expected a number, or nothing where \(row[0]) is not defined, "
                    + "found '\(text)'")
        }
    }

    /// The value of a metric; nil if the run does not have it or it is not defined.
    package func value(_ metric: String) -> Double? { figures.first { $0.metric == metric }?.value }
}
