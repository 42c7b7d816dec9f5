import RunFiles

/// One CSV file of a run: a table, and the rows that a report has for it.
struct RunTable: Sendable {
    let declaration: TableDeclaration
    /// Writes the whole text of the table.
    let write: @Sendable (RunReport, _ sink: ByteSink) throws(OutputProblem) -> Void

    /// - Parameter rows: adds every row that the report has.
    init<Row>(
        _ name: String, _ meaning: String, _ columns: [Columns<Row>],
        rows: @escaping @Sendable (RunReport, _ add: Table<Row>.Adding) throws(OutputProblem) -> Void
    ) {
        let table = Table(name, meaning, columns)
        declaration = table.declaration
        write = { (report, sink) throws(OutputProblem) in
            try table.write(into: sink) { (add) throws(OutputProblem) in try rows(report, add) }
        }
    }

    /// Every file of a run, in the order of writing; those of a service come last.
    static let all = withoutService + ofService

    /// The files that every run has.
    static let withoutService: [RunTable] = [
        .summary, .thresholds, .fleet, .load, .loadPeaks, .loadPeakCauses, .budget, .budgetTotals, .budgetWaits, .reloads, .reloadCauses,
        .reloadTotals, .reloadDelays, .staleness, .viewsByHour, .location, .presentation, .presentationSurfaces,
    ]

    /// The files that a run has only if its scenario has a service.
    static let ofService: [RunTable] = [.service, .serviceLatencies, .serviceEvents, .serviceSummary]
}
