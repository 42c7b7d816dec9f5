import Basics
import ResultFiles
import Simulation

/// A table, and the rows that a report has for it.
///
/// Each is declared with its type: where the compiler had to infer that of all tables together, it took 27 s.
struct ReportTable<Report>: Sendable {
    let declaration: TableDeclaration
    /// Writes the whole text of the table.
    let write: @Sendable (Report, _ sink: ByteSink) throws(OutputProblem) -> Void

    /// - Parameter rows: adds every row that the report has.
    init<Row>(
        _ name: String, _ meaning: String, _ columns: [Columns<Row>],
        rows: @escaping @Sendable (Report, _ add: Table<Row>.RowSink) throws(OutputProblem) -> Void
    ) {
        let table = Table(name, meaning, columns)
        declaration = table.declaration
        write = { (report, sink) throws(OutputProblem) in
            try table.write(into: sink) { (add) throws(OutputProblem) in try rows(report, add) }
        }
    }

    /// - Parameter rows: every row that the report has; a lazy sequence where they are many.
    init<Row, Rows: Sequence<Row>>(
        _ name: String, _ meaning: String, _ columns: [Columns<Row>],
        rows: @escaping @Sendable (Report) -> Rows
    ) {
        self.init(name, meaning, columns) { (report, add: Table<Row>.RowSink) throws(OutputProblem) in
            for row in rows(report) { try add(row) }
        }
    }

    /// The rows as JSON.
    func json(_ report: Report) throws(OutputProblem) -> JSONText {
        var bytes: [UInt8] = []
        try write(report) { (chunk) throws(OutputProblem) in bytes.append(contentsOf: chunk) }
        return declaration.json(ofCSV: bytes)
    }
}

/// One CSV file of a run.
typealias RunTable = ReportTable<RunReport>

extension RunTable {
    /// Every file that a run can have, in the order of writing.
    static let all = groups.flatMap(\.tables)

    /// The files of a run.
    static func tables(of result: RunResult) -> [RunTable] {
        groups.filter { $0.areThere(result) }.flatMap(\.tables)
    }

    /// The files that every run has.
    static let ofEveryRun: [RunTable] = [
        .summary, .thresholds, .fleet, .load, .loadHours, .loadPeaks, .loadPeakCauses, .loadPeakWindow,
        .loadPeakMinutes,
        .loadDuration, .budget, .budgetTotals,
        .budgetWaits, .reloads, .reloadCauses, .reloadTotals, .reloadDelays, .staleness, .stalenessHours, .viewsByHour,
        .location, .presentation,
        .presentationSurfaces,
    ]

    /// The files that a run has only if its scenario has a service.
    static let ofService: [RunTable] = [
        .service, .serviceLatencies, .serviceLatencyBins, .serviceIncidents, .serviceEvents,
    ]

    private static let groups: [(tables: [RunTable], areThere: @Sendable (RunResult) -> Bool)] = [
        (ofEveryRun, { _ in true }),
        ([.loadSeconds], { $0.scenario.report.hasSeconds }),
        (ofService, { $0.service != nil }),
        ([.failover], { ($0.service?.receivers ?? 0) > 0 }),
        (
            [.serviceLevels, .serviceLevelBins, .serviceAlerts],
            { $0.service != nil && $0.scenario.service?.objectives.isEmpty == false }
        ),
        ([.liveActivities, .liveViews, .pushes], { $0.scenario.plan.live != nil }),
        ([.pushSends, .pushPeaks], { $0.load.sends != nil }),
        ([.platforms, .platformHours, .quota, .refreshes], { $0.scenario.plan.android != nil }),
        ([.openings], { !$0.measures.layout.openedStrata.isEmpty }),
        ([.controls], { result in result.scenario.plan.kinds.contains { $0.control != nil } }),
        ([.backgroundTransfers], { $0.measures.layout.transferKinds > 0 }),
    ]
}

/// The tables of runs for those who read their files.
package enum RunTables {
    package static var names: [String] { RunTable.all.map(\.declaration.name) }
    package static func declaration(named name: String) -> TableDeclaration? {
        RunTable.all.first { $0.declaration.name == name }?.declaration
    }
}
