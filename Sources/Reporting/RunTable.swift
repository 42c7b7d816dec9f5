import ResultFiles

/// One CSV file of a run: a table, and the rows that a report has for it.
struct RunTable: Sendable {
    let declaration: TableDeclaration
    /// Writes the whole text of the table.
    let write: @Sendable (RunReport, _ sink: ByteSink) throws(OutputProblem) -> Void

    /// - Parameter rows: adds every row that the report has.
    init<Row>(
        _ name: String, _ meaning: String, _ columns: [Columns<Row>],
        rows: @escaping @Sendable (RunReport, _ add: Table<Row>.RowSink) throws(OutputProblem) -> Void
    ) {
        let table = Table(name, meaning, columns)
        declaration = table.declaration
        write = { (report, sink) throws(OutputProblem) in
            try table.write(into: sink) { (add) throws(OutputProblem) in try rows(report, add) }
        }
    }

    /// Every file that a run can have, in the order of writing.
    static let all =
        ofEveryRun + onRequest + ofService + ofFailover + ofObjectives + ofLiveActivities + ofSenders
        + ofAndroid + ofOpenings + ofControls + ofTransfers

    /// The files that every run has.
    static let ofEveryRun: [RunTable] = [
        .summary, .thresholds, .fleet, .load, .loadHours, .loadPeaks, .loadPeakCauses, .loadPeakWindow,
        .loadPeakMinutes,
        .loadDuration, .budget, .budgetTotals,
        .budgetWaits, .reloads, .reloadCauses, .reloadTotals, .reloadDelays, .staleness, .stalenessHours, .viewsByHour,
        .location, .presentation,
        .presentationSurfaces,
    ]

    /// The files that a run has only if its scenario asks for them (`report`).
    static let onRequest: [RunTable] = [.loadSeconds]

    /// The files that a run has only if its scenario has a service.
    static let ofService: [RunTable] = [.service, .serviceLatencies, .serviceLatencyBins, .serviceEvents]

    /// The files that a run has only if regions of its service fail over to others.
    static let ofFailover: [RunTable] = [.failover]
    /// The files that a run has only if its service has objectives.
    static let ofObjectives: [RunTable] = [.serviceLevels, .serviceLevelBins, .serviceAlerts]
    /// The files that a run has only if any of its devices runs Android.
    static let ofAndroid: [RunTable] = [.platforms, .platformHours, .quota, .refreshes]
    /// The files that a run has only if any widget stands on a surface that is opened.
    static let ofOpenings: [RunTable] = [.openings]
    /// The files that a run has only if its scenario has controls.
    static let ofControls: [RunTable] = [.controls]
    /// The files that a run has only if a kind of its scenario fetches in the background.
    static let ofTransfers: [RunTable] = [.backgroundTransfers]
    /// The files that a run has only if its scenario has Live Activities.
    static let ofLiveActivities: [RunTable] = [.liveActivities, .liveViews, .pushes]
    /// The files that a run has only if pushes are counted as they are sent.
    static let ofSenders: [RunTable] = [.pushSends, .pushPeaks]

    /// The files of a run.
    static func tables(
        hasSeconds: Bool, hasService: Bool, hasFailover: Bool, hasObjectives: Bool, hasLiveActivities: Bool,
        hasSends: Bool, hasAndroid: Bool, hasOpenings: Bool, hasControls: Bool, hasTransfers: Bool
    ) -> [RunTable] {
        ofEveryRun + (hasSeconds ? onRequest : []) + (hasService ? ofService : []) + (hasFailover ? ofFailover : [])
            + (hasService && hasObjectives ? ofObjectives : []) + (hasLiveActivities ? ofLiveActivities : [])
            + (hasSends ? ofSenders : []) + (hasAndroid ? ofAndroid : [])
            + (hasOpenings ? ofOpenings : []) + (hasControls ? ofControls : []) + (hasTransfers ? ofTransfers : [])
    }
}

/// The tables of runs for those who read their files.
package enum RunTables {
    package static var names: [String] { RunTable.all.map(\.declaration.name) }
    package static func declaration(named name: String) -> TableDeclaration? {
        RunTable.all.first { $0.declaration.name == name }?.declaration
    }
}
