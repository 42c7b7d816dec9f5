import ResultFiles
import ArgumentParser
import Basics
import Calibration
import Foundation
import Reporting
import ScenarioFiles
import Studies

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
        let found = LoggedDay(run: run, log: log, comparison: comparison, advice: comparison.advice(ranking))
        if let folder {
            try StudyFolder(path: folder).alone(for: .comparison) {
                try found.save(in: $0, run: first, logs: logs.files, hasPage: page.isWanted)
            }
        }
        if printed.json { return try JSONOutput.write("compare --log", found.json) }
        try Console.data(found.text)
    }
}

/// A simulated day beside a real one, as text, as JSON and as files.
struct LoggedDay {
    let run: RunMinutes
    let log: AccessLog
    let comparison: LogComparison
    let advice: [LogComparison.Advice]

    private var hours: [LogHourRow] {
        let differing = Set(comparison.spans.flatMap(\.hoursOfDay))
        return (0..<24).map {
            LogHourRow(
                hour: $0, run: comparison.run.hours[$0],
                log: comparison.hours.isEmpty ? nil : comparison.log.hours[$0], level: comparison.level,
                differs: differing.contains($0))
        }
    }

    private var figures: [LogFigureRow] {
        comparison.rows.map {
            LogFigureRow(
                figure: $0.figure.rawValue, unit: $0.figure.unit, run: $0.run, log: $0.log, differs: $0.differs)
        }
    }

    /// The level of most hours, then those that are not at it; without full stops.
    private var findings: [String] {
        guard let level = comparison.level else { return ["the run has no hour to compare with"] }
        let ratio = Figures.short((level * 1_000).rounded() / 1_000)
        if comparison.hours.isEmpty {
            return ["the log has \(ratio) of the run's load, and says nothing of single hours"]
        }
        let (differing, compared) = (comparison.differingHours, comparison.comparedHours)
        let most = compared - differing
        let words = comparison.levelDiffers ? "\(ratio) times the run's load" : "the run's load (ratio \(ratio))"
        var findings = [
            differing == 0
                ? "the log has \(words) in all \(compared) hours of the day that both cover"
                : "the log has \(words) in \(most) of \(compared) hours of the day"
        ]
        if comparison.hasOtherShape {
            findings.append("the day has another shape: \(differing) hours differ from that level")
        }
        return findings
            + comparison.spans.map { span in
                let count = span.hours.count
                return
                    "\(span.words): \(Figures.short((span.ratio * 1_000).rounded() / 1_000)) times the run's load, \(FigureText.counted(count, "hour"))"
            }
    }

    var text: String {
        var text =
            extent("run", run.minutes, comparison.runClock) + extent("log", log.minutes, comparison.logClock)
            + "log  read as \(log.forms.joined(separator: "; "))\n\n"
        text += findings.map { $0 + "\n" }.joined() + "\n"
        var hours = AlignedTable(
            header: ["hour, \(comparison.runClock.name)", "run 1/s", "log 1/s", "log/run", ""], toTheLeft: [0, 4])
        let differing = Set(comparison.spans.flatMap(\.hoursOfDay))
        for (hour, pair) in comparison.hours.enumerated() where pair.run != nil || pair.log != nil {
            let ratio = pair.run.flatMap { own in pair.log.flatMap { own > 0 ? Figures.short($0 / own) : nil } } ?? ""
            hours.add([
                "\(hour):00", pair.run.map(Figures.short) ?? "", pair.log.map(Figures.short) ?? "", ratio,
                differing.contains(hour) ? "differs" : "",
            ])
        }
        if !comparison.hours.isEmpty { text += hours.text + "\n" }
        var table = AlignedTable(header: ["figure", "run", "log", "log/run", "unit"], toTheLeft: [0, 4])
        for row in comparison.rows {
            table.add([
                row.figure.rawValue, Figures.short(row.run), Figures.short(row.log), row.ratio.map(Figures.short) ?? "",
                row.figure.unit,
            ])
        }
        text += table.text
        if let distance = comparison.shapeDistance {
            text += "\n\(FigureText.threeDigits(100 * distance)) % of the load lies in other hours of the day\n"
        }
        if comparison.step == 1 {
            text +=
                "fullest minute: run \(comparison.runClock.text(comparison.run.peak.at)) with \(FigureText.grouped(comparison.run.peak.requests)), "
                + "log \(comparison.logClock.text(comparison.log.peak.at)) with \(FigureText.grouped(comparison.log.peak.requests))\n"
        }
        if advice.isEmpty {
            text += "nothing differs both by more than a twentieth and by more than chance explains\n"
        }
        for line in advice { text += "\(line.figure): \(line.sentence)\n" }
        return text
    }

    private func extent(_ name: String, _ load: MinuteCounts, _ clock: MinuteClock) -> String {
        "\(name)  \(FigureText.counted(load.total, "request")), \(clock.text(load.span.lowerBound)) to \(clock.text(load.span.upperBound))\n"
    }

    var json: JSONMembers {
        let rows = comparison.rows.map { row in
            JSONText.object([
                "figure": row.figure.rawValue, "unit": row.figure.unit, "run": row.run, "log": row.log,
                "ratio": row.ratio,
            ])
        }
        let hours = comparison.hours.enumerated().map { hour, pair in
            JSONText.object(["hour": hour, "run_per_s": pair.run, "log_per_s": pair.log])
        }
        let spans = comparison.spans.map { span in
            JSONText.object([
                "from_hour": span.hours.lowerBound, "to_hour": span.hours.upperBound % 24 + 1,
                "ratio": span.ratio.isFinite ? JSONText.number(span.ratio) : JSONText.null,
                "missing_per_s": span.missing,
            ])
        }
        return [
            "run_requests": run.minutes.total, "log_requests": log.minutes.total, "log_forms": log.forms,
            "zone": comparison.runClock.name, "level": comparison.level, "differing_hours": spans,
            "figures": rows, "hours": hours, "shape_distance": comparison.shapeDistance,
            "keys": advice.map { JSONText.object(["figure": $0.figure, "sentence": $0.sentence]) },
            "notes": log.notes + (comparison.coverage.map { [$0] } ?? []),
        ]
    }

    /// Writes the tables, with the curve that adds what the run lacks if it lacks any, and the page.
    ///
    /// - Parameters:
    ///   - first: the folder of the run.
    ///   - logs: as they were named.
    func save(in place: StudyFolder, run first: String, logs: [String], hasPage: Bool) throws {
        let output = try OutputFolder(
            path: place.path, for: .comparison, .own, lock: place.lock, isInterrupted: { Interruption.isRequested })
        try output.write(.logHours, hours)
        try output.write(.logFigures, figures)
        let curve = comparison.curve(over: run.minutes.span).map { CurveRow(time: $0.time, rate: $0.rate) }
        if !curve.isEmpty { try output.write(.backgroundCurve, curve) }
        let name =
            "\(Compare.name(of: first)) and \(logs.count == 1 ? Compare.name(of: logs[0]) : "\(logs.count) logs")"
        try output.finish(
            [Table.logHours.declaration, Table.logFigures.declaration]
                + (curve.isEmpty ? [] : [Table.backgroundCurve.declaration]),
            of: .comparison, titled: "The comparison of \(name)",
            [
                "comparison": name, "compared": [first], "logs": logs, "zone": comparison.runClock.name,
                "findings": findings, "advice": advice.map { "\($0.figure): \($0.sentence)" },
                "forms": log.forms, "notes": log.notes + (comparison.coverage.map { [$0] } ?? []),
                "command": CommandLine.arguments,
            ], hasPage: hasPage,
            removing: ["comparison.csv"] + StudyTables.ofClients
                + (curve.isEmpty ? [Table.backgroundCurve.declaration.fileName] : []))
    }
}
