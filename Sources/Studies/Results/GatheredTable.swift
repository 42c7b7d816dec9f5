import Basics
import ResultFiles
import Foundation
import Reporting
import ScenarioFiles

/// One table of all runs of a study together: each row with its point, replication, seed, run and axes before it.
package struct GatheredTable {
    private let source: TableDeclaration

    /// - Parameters:
    ///   - name: the table's, such as `load_peaks`.
    ///   - columns: those that tell the study's points apart.
    /// - Throws: a sentence if runs have no such table, or if a column of it has the name of an axis.
    package init(_ name: String, columns: [String], at place: String) throws(StudyProblem) {
        let name = name.hasSuffix(".csv") ? String(name.dropLast(4)) : name
        guard let source = RunTables.declaration(named: name) else {
            throw StudyProblem(
                place, expected: "a table of a run: \(RunTables.names.joined(separator: ", "))", found: "'\(name)'",
                nearest: Nearest.name(to: name, among: RunTables.names))
        }
        let taken = Set(source.columns.map(\.name)).union(["point", "replication", "seed", "run"])
        if let column = columns.first(where: { taken.contains($0) || taken.contains($0 + "_text") }) {
            throw StudyProblem(
                place, expected: "a table without a column '\(column)', as an axis is called",
                found: "'\(name)' (name the axis: \(column)_of_axis:\(column)=…)")
        }
        self.source = source
    }

    struct Row {
        let run: StudyRun
        let values, cells: [String]
    }

    private func table(_ axes: [AxisColumn]) -> Table<Row> {
        Table(
            source.name, "The rows of `\(source.fileName)` of all runs of a study. " + source.meaning,
            [
                .run(\.run), .axes(axes, \.values), .written(source.columns, \.cells),
            ])
    }

    func declaration(_ axes: [AxisColumn]) -> TableDeclaration { table(axes).declaration }

    /// Runs without the table, such as those of a scenario without a service, have no rows.
    func write(
        _ runs: [StudyRun], of study: Study, _ axes: [AxisColumn], from folder: StudyFolder, to output: OutputFolder
    ) throws {
        try output.write(table(axes)) { (add) throws(OutputProblem) in
            for run in runs {
                let path = folder.path(of: run) + "/" + source.fileName
                if !FileManager.default.fileExists(atPath: path) { continue }
                let found: CSVTable
                do throws(CSVProblem) { found = try CSVTable.read(file: path) } catch {
                    throw OutputProblem(error.description)
                }
                guard found.header == source.columns.map(\.name) else {
                    throw OutputProblem(
                        "\(path): expected the columns \(source.header), found \(found.header.joined(separator: ","))")
                }
                let values = study.values(of: run.point)
                for cells in found.rows { try add(Row(run: run, values: values, cells: cells)) }
            }
        }
    }
}
