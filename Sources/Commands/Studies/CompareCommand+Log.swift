import ResultFiles
import ArgumentParser
import Basics
import Calibration
import Foundation
import Reporting
import ScenarioFiles

/// The options of `compare --log`.
struct LogArguments: ParsableArguments {
    @Option(
        "log", takes: "file",
        "An access log of a server, balancer or content network, also packed by gzip, which the run is compared with; - reads standard input. Repeatable.",
        completion: .file())
    var files: [String] = []

    @Option(
        name: .customLong("log-format"),
        help: ArgumentHelp(
            "The form of the log: one of \(LogPreset.names.joined(separator: ", ")), or a template in the words of nginx or Apache, such as '$remote_addr [$time_local] \"$request\"' or '%h %t \"%r\"'. (default: told by the first lines)",
            valueName: "form"))
    var format: String?

    @Option(
        "log-columns", takes: "names",
        "The fields with the time and the path, if they have other names than those that are known, such as time=ts,path=request.uri; time=ts alone counts each line as a request. Of a table of numbers, such as a dashboard exports, time=Time,count=Requests has the requests in each interval and time=Time,rate=Value those a second; * adds up all other columns."
    )
    var columns: String?

    @Option("log-zone", takes: "name", "The time zone of times without an offset. (default: UTC)")
    var zone: String?

    @Flag(help: "End with an error at the first line of a log that is no request.")
    var strict = false

    @Option("log-path", takes: "path", "Count only requests whose path begins so, such as /v1/widgets/.")
    var path: String?

    @Option(help: "Where the run's requests are counted: as devices send them, or behind the caches of the edge.")
    var stage: RunMinutes.Stage = .edge

    @Option(
        takes: "folder",
        "The folder of a study by `reloadsim sensitivity`, whose ranking says which keys would bring run and log together.",
        completion: .directory)
    var sensitivity: String?

    func validate() throws {
        if let columns, ColumnNames.read(columns, over: .ofAccessLog) == nil {
            throw ValidationError(
                "--log-columns takes names such as time=ts,path=uri or time=ts,count=requests, each once, not '\(columns)'."
            )
        }
        if let names = columns.flatMap({ ColumnNames.read($0, over: .ofAccessLog) }),
            names.isStated("count") || names.isStated("rate")
        {
            if names.isStated("count") && names.isStated("rate") {
                throw ValidationError(
                    "--log-columns takes count (requests in each interval) or rate (requests a second), not both.")
            }
            if format != nil {
                throw ValidationError(
                    "--log-format is of lines of requests, and --log-columns with count or rate of a table: one of them."
                )
            }
        }
        if let format, LogPreset.named(format) == nil {
            throw ValidationError(
                "--log-format takes \(LogPreset.names.joined(separator: ", ")), or a template with fields such as $time_local or %t, not '\(format)'."
            )
        }
        if let fault = zone.flatMap(RecordReader.unknownZone) { throw ValidationError("--log-zone: \(fault)") }
        if files.isEmpty
            && (columns != nil || path != nil || sensitivity != nil || stage != .edge || format != nil || zone != nil
                || strict)
        {
            throw ValidationError(
                "--log-format, --log-columns, --log-path, --log-zone, --strict, --stage and --sensitivity go with --log."
            )
        }
    }
}

extension RunMinutes.Stage: ExpressibleByArgument {}

/// `compare --log`: a simulated day beside a real one.
extension Compare {
    func runLog() throws {
        guard FolderPath.isFolder(first) else {
            throw CommandFailure(
                .usage, "\(first): --log compares the folder of a run with a log (run the scenario first)")
        }
        let run: RunMinutes
        let log: AccessLog
        let ranking: KeyRanking?
        do {
            run = try RunMinutes(folder: first, stage: logs.stage)
            ranking = try logs.sensitivity.map { try KeyRanking(folder: $0) }
            let names = logs.columns.flatMap { ColumnNames.read($0, over: .ofAccessLog) } ?? .ofAccessLog
            log = try AccessLogReader.read(
                logs.files.map { .file($0) }, span: run.minutes.span,
                AccessLogChoice(
                    columns: names, format: logs.format, path: logs.path, zone: logs.zone, isStrict: logs.strict))
        } catch let problem as LogProblem {
            throw CommandFailure(.wrongScenario, problem.description)
        } catch let problem as CSVProblem {
            throw CommandFailure(problem.isMissingInput ? .noInput : .wrongScenario, problem.description)
        } catch let problems as RecordProblems {
            throw Console.failure(of: problems, undone: "nothing was compared")
        }
        for note in log.notes { Console.warning(note) }
        let comparison = LogComparison(run: run, log: log.minutes)
        if let coverage = comparison.coverage { Console.warning(coverage) }
        let advice = comparison.advice(ranking)
        if printed.json { return try writeJSON(comparison, run, log, advice) }
        var text =
            extent("run", run.minutes) + extent("log", log.minutes)
            + "log  read as \(log.forms.joined(separator: "; "))\n\n"
        var table = AlignedTable(header: ["figure", "run", "log", "log/run", "unit"], toTheLeft: [0, 4])
        for row in comparison.rows {
            table.add([
                row.figure.rawValue, Figures.short(row.run), Figures.short(row.log), row.ratio.map(Figures.short) ?? "",
                row.figure.unit,
            ])
        }
        text += table.text + "\n"
        var hours = AlignedTable(header: ["hour, UTC", "run 1/s", "log 1/s", "log/run"], toTheLeft: [0])

        for (hour, pair) in zip(comparison.run.hours, comparison.log.hours).enumerated()
        where pair.0 != nil || pair.1 != nil {
            let ratio = pair.0.flatMap { own in pair.1.flatMap { own > 0 ? Figures.short($0 / own) : nil } } ?? ""
            hours.add(["\(hour):00", pair.0.map(Figures.short) ?? "", pair.1.map(Figures.short) ?? "", ratio])
        }
        if comparison.step <= 60 { text += hours.text }
        if let distance = comparison.shapeDistance {
            text += "\n\(FigureText.threeDigits(100 * distance)) % of the load lies in other hours of the day\n"
        }
        if comparison.step == 1 {
            text +=
                "fullest minute: run \(run.minutes.text(comparison.run.peak.at)) with \(FigureText.grouped(comparison.run.peak.requests)), "
                + "log \(run.minutes.text(comparison.log.peak.at)) with \(FigureText.grouped(comparison.log.peak.requests))\n"
        }
        if advice.isEmpty {
            text += "no figure differs both by more than a twentieth and by more than chance explains\n"
        }
        for line in advice { text += "\(line.figure.rawValue): \(line.sentence)\n" }
        try Console.data(text)
    }

    private func extent(_ name: String, _ load: MinuteCounts) -> String {
        "\(name)  \(FigureText.counted(load.total, "request")), \(load.text(load.span.lowerBound)) to \(load.text(load.span.upperBound))\n"
    }

    private func writeJSON(
        _ comparison: LogComparison, _ run: RunMinutes, _ log: AccessLog, _ advice: [LogComparison.Advice]
    ) throws {
        let rows = comparison.rows.map { row in
            JSONText.object([
                "figure": row.figure.rawValue, "unit": row.figure.unit, "run": row.run, "log": row.log,
                "ratio": row.ratio,
            ])
        }
        let pairs = comparison.step <= 60 ? Array(zip(comparison.run.hours, comparison.log.hours)) : []
        let hours = pairs.enumerated().map { hour, pair in
            JSONText.object([
                "hour_utc": hour, "run_per_s": pair.0, "log_per_s": pair.1,
            ])
        }
        try JSONOutput.write(
            "compare --log",
            [
                "run_requests": run.minutes.total, "log_requests": log.minutes.total, "log_forms": log.forms,
                "figures": rows, "hours": hours, "shape_distance": comparison.shapeDistance,
                "keys": advice.map { JSONText.object(["figure": $0.figure.rawValue, "sentence": $0.sentence]) },
                "notes": log.notes + (comparison.coverage.map { [$0] } ?? []),
            ])
    }
}
