import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation
import Studies

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the requests of a span of a run in the form that a load tool reads.",
        discussion: """
            The run is simulated again, since none keeps its requests, and the export's totals are those of the run's tables. csv, h2load and gor have every request at its \
            own instant; vegeta and wrk2 have a script of attacks at one rate each, which send them in their order; k6 has rates, a tenth of a second at a time round the peak, and addresses to draw from; openmetrics has counters for promtool. Gatling, JMeter, \
            Artillery and Locust read the table of csv by the recipes in docs/load-test.md. An address has {endpoint}, {key} and {region} where the names stand. The output folder holds the files and, last \
            of all, manifest.json.
            """
                + HelpExamples.text(
                    """
                    # the minute round the fullest second of a run, as a table
                    reloadsim export out/mine --format csv --around load_peak_1s --width 1m
                    # a tenth of the requests of an hour, as a script of k6
                    reloadsim export out/mine --format k6 --span 2d9h/2d10h --scale 0.1 --url URL
                    """))

    @Argument(help: "The folder of a run, or a scenario; - reads a scenario from standard input.", completion: .file())
    var runOrScenario: String

    @OptionGroup var overrides: Overrides
    @OptionGroup var represented: RepresentedPeople

    @Option(help: "The tool that reads the export.")
    var format: ExportFormat

    @Option(
        takes: "from/to",
        "The part of the report, such as 2026-03-08T06:55Z/07:05Z, or times after the scenario's start, such as 6h55m/7h5m."
    )
    var span: String?

    @Option(takes: "peak", "The part round the fullest second, minute or hour.")
    var around: ExportPeak?

    @Option(takes: "time", "The length of the part that --around asks for, such as 10m.")
    var width: String?

    @Option(help: "Where requests are counted as they arrive.")
    var stage: ExportStage = .edge

    @Option(
        takes: "template",
        "The address of a request, such as 'https://staging.example/v1/{endpoint}/{key}?region={region}'. Every format but csv and openmetrics needs one."
    )
    var url: String?

    @Option(takes: "share", "The share of the requests that is kept, by a hash of each; no second is left out.")
    var scale = 1.0

    @Option(takes: "factor", "How many times as fast the span is played.")
    var speed = 1.0

    @Option(
        takes: "time|date",
        "Move the time stamps of csv, gor and openmetrics: by a time such as 7d, or by the whole days (UTC) after which the span begins on a date, as in --shift \"$(date -u -I)\"."
    )
    var shift: String?

    @Option(help: "The number of threads. (default: one for each core)")
    var threads: Int?

    @Option(
        "out", takes: "folder", "The folder for the files. (default: out/<the scenario's name>.<format>)",
        completion: .directory)
    var folder: String?

    @Flag(
        help:
            "Replace an export in a folder that is not empty, write more than 10,000,000 lines, and take more memory than there is."
    )
    var force = false

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if (span == nil) == (around == nil) {
            throw ValidationError(
                "Name the part of the run: --span with its ends, or --around with a peak and --width.")
        }
        if (around == nil) != (width == nil) {
            throw ValidationError("--around and --width go together, such as --around load_peak_1s --width 10m.")
        }
        if let width {
            guard let length = DurationText.read(width), length > .zero, ExportSettings.isInTenths(length) else {
                throw ValidationError("--width takes a time such as 10m, in whole tenths of a second, not '\(width)'.")
            }
        }
        if format.needsTarget && url == nil {
            throw ValidationError(
                "--format \(format.rawValue) sends requests, and there is no default target: --url 'https://staging.example/v1/{endpoint}/{key}?region={region}'."
            )
        }
        if format == .openmetrics && url != nil {
            throw ValidationError("--format openmetrics sends nothing, so it takes no --url.")
        }
        if Thinning(share: scale) == nil {
            throw ValidationError("--scale takes a share above 0 and at most 1, not \(scale).")
        }
        if PlaySpeed(speed) == nil {
            throw ValidationError(
                "--speed takes a factor from 0.001 to 1000 with at most three decimals, not \(speed).")
        }
        if !format.isPlayed && speed != 1 {
            throw ValidationError("--format \(format.rawValue) has the run's own clock, so it takes no --speed.")
        }
        if shift != nil && !format.hasTimeStamps {
            throw ValidationError("--format \(format.rawValue) has no time stamps, so it takes no --shift.")
        }
        try ValidationError.check(threads, of: "--threads", in: 1...1_024)
        try FolderName.check(folder)
    }

    func run() throws {
        console.use()
        let target = try url.map { text throws(ExportProblem) in try URLTemplate(text) }
        let source = try source()
        let scenario = source.scenario
        let stated = try span.map { text throws(ExportProblem) in try ExportSpan.read(text, scenario) }
        let estimate = ScenarioEstimate(scenario)
        if !force {
            try estimate.check(file: runOrScenario)
            if let sentence = MemoryRoom.refusal(
                of: estimate.ownMemory(threads: usedThreads), threads: usedThreads, note: estimate.queueNote,
                way: "--force exports it all the same")
            {
                throw CommandFailure(.internalError, sentence)
            }
        }
        if scenario.report.represents != nil && scenario.peopleBeforeService == nil {
            throw CommandFailure(
                .wrongScenario,
                "report.represents: people who stand for others are exported before a service alone; without one simulate them all (--people) or leave it out"
            )
        }
        let prepared = try ScenarioRun(scenario)
        Interruption.watch()
        let path = folder ?? "out/" + FolderName.safe(scenario.name) + "." + format.rawValue
        let output = try OutputFolder(
            path: path, for: .export, force ? .force(names: ExportFormat.allFileNames) : .nothing(),
            isInterrupted: { Interruption.isRequested })
        let export: LoadExporter
        do {
            let part = try stated ?? spanRoundPeak(of: source, prepared, estimate)
            let moved = try shift.map { text in
                guard let shift = ExportSpan.shift(text, of: part, scenario) else {
                    throw CommandFailure(
                        .usage, "--shift: expected a time such as 7d or a date such as 2026-11-28, found '\(text)'")
                }
                return shift
            }
            let settings = ExportSettings(
                format: format, stage: stage, span: part, thinning: Thinning(share: scale) ?? .none,
                speed: PlaySpeed(speed) ?? .usual, shift: moved ?? .zero, target: target,
                mostLines: force ? nil : ExportSettings.usualMostLines)
            guard
                let made = try simulating(
                    scenario, estimate,
                    { progress in
                        try LoadExporter(
                            prepared, of: source, settings, threads: usedThreads,
                            cancelled: { Interruption.isRequested },
                            progress: progress)
                    })
            else { throw OutputProblem("interrupted; nothing was written to \(path)", isInterruption: true) }
            export = made
            if let scaled = made.scaled, !scaled.agreement.isReached {
                throw CommandFailure(.wrongScenario, UpscalingText.disagreement(scaled, scenario))
            }
            say(export, scenario)
            let files = try export.writeFiles(into: output, source: source, command: CommandLine.arguments)
            Console.plain("made      \(path) with \(files.joined(separator: ", "))")
        } catch {
            output.discard()
            throw error
        }
    }

    private var usedThreads: Int { threads ?? Machine.cores }

    /// The folder of a run, or a scenario with its overrides.
    private func source() throws -> ExportSource {
        guard runOrScenario != "-", FolderPath.isFolder(runOrScenario) else {
            let all = overrides.all + represented.overrides
            let read = try Overrides.text(of: runOrScenario).readChecked(overrides: all)
            return ExportSource(name: runOrScenario, scenario: Console.warning(of: read))
        }
        if !overrides.all.isEmpty || represented.represents != nil {
            throw CommandFailure(
                .usage,
                "\(runOrScenario) is the folder of a run, which has its own values: --set, --people, --represents and --seed go with a scenario"
            )
        }
        return try ExportSource(folder: runOrScenario)
    }

    /// The part round the peak that --around names. A scenario's peaks are known after a run alone, which is simulated
    /// first.
    private func spanRoundPeak(of source: ExportSource, _ prepared: ScenarioRun, _ estimate: ScenarioEstimate) throws
        -> Range<Instant>
    {
        guard let around, let width = width.flatMap(DurationText.read) else {
            preconditionFailure("neither --span nor --around")
        }
        let tenth: Int
        switch try source.savedWindow(around, stage: stage) {
        case .found(_, let start)?: tenth = start
        case .absent?: throw tooShort(around)
        case nil:
            let result = try simulating(source.scenario, estimate) { progress in
                try prepared.result(threads: usedThreads, cancelled: { Interruption.isRequested }, progress: progress)
            }
            guard let result else { throw OutputProblem("interrupted; nothing was written", isInterruption: true) }
            guard let window = RunReport(result).largestWindow(around.window, atOrigin: stage == .origin) else {
                throw tooShort(around)
            }
            tenth = window.start
        }
        return ExportSpan.around(tenth: tenth, seconds: around.seconds, width: width, source.scenario)
    }

    private func tooShort(_ peak: ExportPeak) -> CommandFailure {
        CommandFailure(
            .usage, "--around \(peak.rawValue): the report is shorter than that window (--span names a part of it)")
    }

    /// A simulation with its progress.
    private func simulating<Result>(
        _ scenario: Scenario, _ estimate: ScenarioEstimate,
        _ work: ((_ done: Int, _ people: Int) -> Void) throws -> Result
    ) throws -> Result {
        let bar = ProgressBar(people: scenario.people, deviceDays: estimate.deviceDays, isShown: true)
        defer { bar.clear() }
        return try work { done, _ in bar.show(done) }
    }

    private func say(_ export: LoadExporter, _ scenario: Scenario) {
        let settings = export.settings
        Console.plain(
            "span      \(ExportSpan.text(settings.span, scenario)), \(TimeText.duration(settings.length)) at the \(settings.stage.rawValue)"
        )
        Console.plain("requests  \(FigureText.grouped(export.total)), as many as the run's tables have in the span")
        if let peak = export.peak {
            Console.plain(
                "peak      \(FigureText.counted(peak.requests, "request")) in the second from \(ExportSpan.text(peak.from, scenario))"
            )
        }
        if settings.shift != .zero {
            Console.plain(
                "shifted   by \(TimeText.duration(settings.shift)): time stamps are no longer those of the run")
            let end =
                scenario.plan.clock.startUnixMicroseconds
                + (settings.span.upperBound - .start + settings.shift).microseconds
            // The clock of the machine decides on the warning alone, never on what is exported.
            let ahead = Double(end) / 1e6 - Date().timeIntervalSince1970
            if ahead > 0 {
                Console.warning(
                    "the last time stamps lie \(Figures.time(.number(ahead))) ahead of now, which databases of "
                        + "measurements refuse or hide; a --shift that is so much shorter ends now")
            }
        }
        if !settings.thinning.isNone {
            Console.plain(
                "thinned   to \(FigureText.counted(export.exported, "request")), \(FigureText.threeDigits(settings.thinning.share * 100)) % by a hash of each; no second is left out"
            )
        }
        if !settings.speed.isUsual {
            Console.plain(
                "played    at \(settings.speed.text) times the speed, in \(TimeText.duration(settings.speed.played(settings.length)))"
            )
        }
    }
}

extension ExportFormat: ExpressibleByArgument {}
extension ExportStage: ExpressibleByArgument {}
extension ExportPeak: ExpressibleByArgument {}
