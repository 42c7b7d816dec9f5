import ArgumentParser
import Basics
import Calibration
import Foundation
import Reporting
import ResultFiles
import ScenarioFiles
import Simulation
import Studies

/// The options of `calibrate --clients`.
struct ClientLogArguments: ParsableArguments {
    @Option(
        takes: "file",
        "With --clients, the scenario of the fleet that has sent the log: its widgets, policies and habits.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var scenario: String?

    @Option(
        "log-columns", takes: "names",
        "The fields of the log with the client, and with time, path and version, if they have other names than those that are known, such as client=http_x_install_id,version=app_version."
    )
    var columns: String?

    @Option(
        "log-format", takes: "form",
        "The form of the log, as `compare --log-format` takes it. (default: told by the first lines)")
    var format: String?

    @Option("log-path", takes: "path", "Read only requests whose path begins so, such as /v1/widgets/.")
    var path: String?

    @Option(
        "client-version", takes: "text", "Read only requests of this version of the app, as the log's version has it.")
    var version: String?

    @Option(help: "Whether people's habits are those of the scenario, or fitted as well.")
    var habits: Habits = .scenario

    enum Habits: String, CaseIterable, ExpressibleByArgument { case scenario, free }

    @Option(
        "results", takes: "folder",
        "With --clients, the folder for the tables and the page of the fit: the log beside it, and settings that explain it.",
        completion: .directory)
    var folder: String?

    @OptionGroup var page: PageArguments

    @Option(help: "With --clients, the number of threads. (default: one for each core)")
    var threads: Int?

    @OptionGroup var overrides: Overrides
    @OptionGroup var progress: ProgressArguments

    var names: ColumnNames { columns.flatMap { ColumnNames.read($0, over: .ofClients) } ?? .ofClients }

    func check(isWanted: Bool, hasColumns: Bool) throws {
        if !isWanted {
            let isStated =
                scenario != nil || columns != nil || format != nil || path != nil || version != nil || threads != nil
                || folder != nil
                || habits == .free || !overrides.all.isEmpty
            if isStated {
                throw ValidationError(
                    "--scenario, --log-columns, --log-format, --log-path, --client-version, --habits, --results, --threads and --set go with --clients."
                )
            }
            return
        }
        if scenario == nil {
            throw ValidationError("--clients takes --scenario FILE: the fleet that has sent the log.")
        }
        if hasColumns { throw ValidationError("--clients reads a log, whose fields --log-columns names.") }
        if let columns, ColumnNames.read(columns, over: .ofClients) == nil {
            throw ValidationError(
                "--log-columns takes names such as client=install_id,version=app_version, each once, not '\(columns)'.")
        }
        if let format, LogPreset.named(format) == nil {
            throw ValidationError(
                "--log-format takes \(LogPreset.names.joined(separator: ", ")), or a template with fields such as $time_local or %t, not '\(format)'."
            )
        }
        if version != nil && !names.isStated("version") {
            throw ValidationError("--client-version takes the field of the version: --log-columns version=….")
        }
        try ValidationError.check(threads, of: "--threads", in: 1...1_024)
    }
}

/// `calibrate --clients`: what nobody publishes, from an access log.
extension Calibrate {
    func runClients() throws {
        guard let file = clientLog.scenario else { return }
        let text = try Overrides.text(of: file)
        let overrides = clientLog.overrides.all
        let scenario = try Console.warning(of: text.readChecked(overrides: overrides)).scenario
        let log = try read { () throws(RecordProblems) in
            try AccessLogReader.readClients(
                [source],
                AccessLogChoice(
                    columns: clientLog.names, format: clientLog.format, path: clientLog.path, zone: zone,
                    version: clientLog.version))
        }
        for note in log.notes { Console.warning("\(recordName): \(note)") }
        if let folder = clientLog.folder { try OutputFolder.check(folder, for: .comparison, .own) }
        let bar = ProgressDisplay(
            isShown: !clientLog.progress.isHidden, interval: clientLog.progress.interval)
        let fit: ClientFit
        defer { bar.clear() }
        do {
            fit = try ClientFit(
                log, of: text, overrides: overrides,
                ClientFitSettings(
                    habitsAreFree: clientLog.habits == .free,
                    threads: clientLog.threads ?? ProcessInfo.processInfo.activeProcessorCount,
                    seed: scenario.plan.seed),
                progress: { share in bar.show(share, "simulated logs beside \(recordName)") })
        } catch let problem as ClientFitProblem {
            throw CommandFailure(.wrongScenario, "\(recordName): \(problem.description); nothing was fitted or written")
        }
        bar.clear()
        if let folder = clientLog.folder { try save(fit, in: folder) }
        guard fit.fits else {
            Console.lines(fit.misfit + "\n" + fit.worst.map { "  \($0)\n" }.joined())
            throw CommandFailure(
                .wrongScenario,
                "\(recordName): the scenario under any parameters does not explain this log: requests that a cache hid, several versions, other habits or widgets, or rules that the model does not have; \(clientLog.folder.map { "only \($0) was written" } ?? "nothing was written")"
            )
        }
        try hand(over: fit, below: fit.extent, remarks: Self.remarks)
    }

    private static let remarks = [
        "Paste it into the scenario of the fleet. `study.unknowns` has what the log leaves open, for `run --unknowns` and `plan --unknowns`."
    ]

    /// Writes the tables and the page of a fit.
    private func save(_ fit: ClientFit, in folder: String) throws {
        try StudyFolder(path: folder).alone(for: .comparison) { place in
            let output = try OutputFolder(
                path: place.path, for: .comparison, .own, lock: place.lock,
                isInterrupted: { Interruption.isRequested })
            let reasons = Dictionary(fit.omitted.map { ($0.key, $0.reason) }, uniquingKeysWith: { one, _ in one })
            try output.write(
                .clientEstimates,
                fit.estimates.map { estimate in
                    let interval = estimate.interval ?? (estimate.value, estimate.value)
                    return ClientEstimateRow(
                        key: estimate.key, unit: estimate.unit.name, value: estimate.value, low: interval.low,
                        high: interval.high, share: fit.shareOfRange(of: estimate),
                        isTold: fit.fits && reasons[estimate.key] == nil,
                        reason: fit.fits ? reasons[estimate.key] ?? "" : "the model does not explain the log")
                })
            try output.write(
                .clientMoments,
                fit.rows.map {
                    ClientMomentRow(
                        group: $0.group.words, name: $0.name, observed: $0.observed, fitted: $0.fitted, z: $0.z)
                })
            try output.write(
                .clientSettings,
                fit.fits
                    ? fit.spreadSettings.enumerated().flatMap { number, setting in
                        setting.map { ClientSettingRow(number: number + 1, key: $0.key, value: $0.value) }
                    } : [])
            let name = Compare.name(of: recordName)
            try output.finish(
                [Table.clientEstimates.declaration, Table.clientMoments.declaration, Table.clientSettings.declaration],
                of: .comparison, titled: "The clients of \(name)",
                [
                    "comparison": name, "logs": [recordName], "extent": fit.extent, "misfit": fit.misfit,
                    "fits": fit.fits, "accrual": fit.accrualWords,
                    "allowances": fit.fits ? fit.allowanceWords : [], "advice": fit.fits ? fit.advice : fit.worst,
                    "notes": fit.logNotes, "fragment": fit.fits ? fit.fragment(heading: []) : "",
                    "command": CommandLine.arguments,
                ], hasPage: clientLog.page.isWanted,
                removing: ["comparison.csv"] + StudyTables.ofLog)
        }
    }
}
