import Basics
import Foundation
import Reporting
import ResultFiles
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

/// A column that tells the points of a study apart, as its tables show it.
package struct AxisColumn: Hashable, Sendable {
    let name: String
    /// The kind of its values, if all of them are quantities of one kind: then they stand as numbers, with what an
    /// override writes beside them.
    let kind: Quantity.Kind?

    init(_ name: String, kind: Quantity.Kind?) { (self.name, self.kind) = (name, kind) }

    /// - Parameter values: all that it takes.
    init(_ name: String, values: some Sequence<String>) {
        var kinds: Set<Quantity.Kind> = []
        var isNumber = true
        for value in values {
            if let quantity = Quantity(value) { kinds.insert(quantity.kind) } else { isNumber = false }
        }
        self.init(name, kind: isNumber && kinds.count == 1 ? kinds.first : nil)
    }

    /// A value in the base unit of its kind.
    static func number(_ value: String) -> WrittenNumber {
        guard let quantity = Quantity(value) else { preconditionFailure("\(value) is no quantity") }
        return WrittenNumber(FigureText.shortest(quantity.double))
    }
}

extension Study {
    /// One for each of `columns`.
    var axisColumns: [AxisColumn] {
        columns.enumerated().map { place, name in AxisColumn(name, values: points.map { values(of: $0)[place] }) }
    }
}

extension Columns {
    /// A column for each axis: numbers in base units with the text of the override beside them, or that text alone.
    ///
    /// - Parameter values: one text for each axis.
    static func axes(_ axes: [AxisColumn], _ values: @escaping @Sendable (Row) -> [String]) -> Self {
        .several(
            axes.enumerated().map { place, axis -> Columns in
                guard let kind = axis.kind else { return .axis(axis.name) { values($0)[place] } }
                let unit = kind.one.unit
                return .several([
                    .key(
                        axis.name, unit: kind == .number ? nil : unit,
                        "The value that the axis sets, as a number\(kind == .number ? "" : " of \(unit)")."
                    ) {
                        AxisColumn.number(values($0)[place])
                    },
                    .derived(axis.name + "_text", "The same as an override writes it.") { values($0)[place] },
                ])
            })
    }
}
