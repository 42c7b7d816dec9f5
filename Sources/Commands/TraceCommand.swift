import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation

struct Trace: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Prints the life of one person's devices, each row with the rule it follows.",
        discussion: """
            --find looks for people whose life has a certain moment, names them with the first such moment, and prints the life of the first. It takes the name of an \
            event and key=value with the keys gate, cause, payment (charged or free), kind, instance, device, state (of a view), rule, longer and shorter: the wait of a \
            withheld reload, under the gate if one is named, or the age of the content of a view. Examples: 'withheld gate=idle longer=2h kind=weather', \
            'view state=stale longer=1d'.
            """
                + HelpExamples.text(
                    """
                    # a day of one person
                    reloadsim trace mine.yaml --person 3 --from 1d --to 2d
                    # who waits for two hours because of the idle gate, and how it came to that
                    reloadsim trace mine.yaml --find 'withheld gate=idle longer=2h kind=weather'
                    # why nothing was fresh at that time
                    reloadsim trace mine.yaml --person 3 --why 1d9h
                    """))

    @OptionGroup var arguments: ScenarioArguments

    @Option(help: "The person's number, counted from 0.")
    var person: WholeNumber?

    @Option(help: "The id of a recorded device, in place of a person's number.")
    var device: String?

    @Option(takes: "pattern", "Find people in whose life there is such a moment; with --person from that person on.")
    var find: String?

    @Option(help: "The number of people that --find looks for.")
    var most = 10

    @Option(
        takes: "count",
        "The number of people that --find looks at. (default: all; 20 with a service, where each life takes a whole run)"
    )
    var among: WholeNumber?

    @Option(
        takes: "time",
        "Only rows from then on: a time after the scenario's start, such as 7h; a date-time, by the device's own clock or with an offset; or a clock time such as 18:00 on the first day of the report."
    )
    var from: String?

    @Option(takes: "time", "Only rows before then.")
    var to: String?

    @Option(
        takes: "time",
        "In place of the rows: why nothing came to each instance at that time, stated as for --from. What asks for a reload and when, the gates that hold it, and what opens them."
    )
    var why: String?

    @Option("instance", takes: "name", "Only rows of this instance. Repeatable.")
    var instances: [String] = []

    @Option("event", takes: "name", "Only rows of this event. Repeatable.")
    var events: [String] = []

    @Option(help: "table for people, csv for programs.")
    var format: TableFormat = .table

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        // A folder is refused as it is read, whatever is asked of it.
        let isNamed = (person != nil || find != nil) != (device != nil)
        if !isNamed && !FolderPath.isFolder(arguments.scenario) {
            throw ValidationError(
                "Name the person: --person with a number, such as --person 0, --device with the id of a recorded device, or --find with a pattern."
            )
        }
        if let person, person.value < 0 { throw ValidationError("--person is counted from 0.") }
        try ValidationError.check(most, of: "--most", in: 1...1_000)
        if let among, among.value < 1 { throw ValidationError("--among is 1 or more.") }
        if why != nil && (from != nil || to != nil || !events.isEmpty || format != .table) {
            throw ValidationError(
                "--why prints reasons in place of rows: it takes no --from, --to, --event or --format.")
        }
    }

    func run() throws {
        console.use()
        let pattern = try find.map { text throws(CommandFailure) in try TracePattern(text) }
        let read = try arguments.read()
        let window = try window(read.scenario)
        let moment = try time(why, "--why", in: read.scenario)
        let wanted = try events.map { name throws(CommandFailure) in try TracePattern.event(name, at: "--event") }
        Interruption.watch()
        var number: Int?
        if let pattern {
            number = try search(for: pattern, in: read.scenario, window)
        } else {
            number = try self.number(in: read.scenario)
        }
        // Nobody was found, which is said.
        guard let number else { return }
        let all = try rows(of: read.scenario, number, withPast: moment != nil)
        try checkInstances(all)
        if let moment {
            let reasons = TraceReasons(rows: all, zones: read.scenario.plan.zones, time: moment)
            return try StandardStream.output.write(reasons.text(instances: instances))
        }
        let rows = all.filter { row in
            window.contains(row) && (instances.isEmpty || row.instance.map(instances.contains) ?? false)
                && (wanted.isEmpty || wanted.contains { $0(row) })
        }
        let zones = read.scenario.plan.zones
        switch format {
        case .table: try StandardStream.output.write(TraceText(rows: rows, zones: zones).text)
        case .csv:
            try TraceReport(rows: rows, zones: zones, begin: read.scenario.plan.begin).writeCSV {
                (bytes) throws(OutputProblem) in
                try StandardStream.output.write(bytes)
            }
        }
    }

    // MARK: What is printed

    /// From --from up to --to, exclusive.
    private func window(_ scenario: Scenario) throws -> TraceWindow {
        let (first, last) = (try time(from, "--from", in: scenario), try time(to, "--to", in: scenario))
        if let first, let last, last.isBefore(first) {
            throw CommandFailure(.usage, "--to lies before --from, so no row is left")
        }
        return TraceWindow(from: first, to: last, zones: scenario.plan.zones)
    }

    private func time(_ text: String?, _ option: String, in scenario: Scenario) throws -> TraceTime? {
        guard let text else { return nil }
        guard let time = TraceTime(text, in: scenario) else {
            throw CommandFailure(.usage, "\(option): expected \(TraceTime.words), found '\(text)'")
        }
        return time
    }

    private func checkInstances(_ rows: [TraceRow]) throws {
        let known = rows.compactMap(\.instance).uniqued
        if let unknown = instances.first(where: { !known.contains($0) }) {
            throw CommandFailure(
                .usage,
                "--instance: the person has no instance '\(unknown)': \(known.isEmpty ? "none at all" : "known are \(known.joined(separator: ", "))")"
            )
        }
    }

    // MARK: Whose life it is

    /// The number of the person that is asked for; in a replay each device is a person's.
    private func number(in scenario: Scenario) throws -> Int {
        guard let device else {
            try scenario.check(person: person!.count)
            return person!.count
        }
        let recorded = scenario.plan.replay
        if let number = recorded.firstIndex(where: { $0.id == device }) { return number }
        let known =
            recorded.isEmpty
            ? "devices are drawn, and have numbers only (--person)"
            : "known are \(recorded.map(\.id).joined(separator: ", "))"
        throw CommandFailure(.usage, "the scenario has no recorded device '\(device)': \(known)")
    }

    /// With a service each life takes a whole run.
    private static let fewWithService = 20

    /// Names the people whose lives show the pattern; the first of them, or nil if there are none.
    private func search(for pattern: TracePattern, in scenario: Scenario, _ window: TraceWindow) throws -> Int? {
        let first = person?.count ?? 0
        try scenario.check(person: first)
        let count = min(
            scenario.people - first, among?.count ?? (scenario.service == nil ? scenario.people : Self.fewWithService))
        if scenario.service != nil {
            Console.plain(
                "find      looks at \(FigureText.counted(count, "person", "people")) from person \(first) on, each in a run of all \(FigureText.grouped(scenario.people)), who meet in the service (fewer: --people)"
            )
        }
        let bar = ProgressDisplay(isShown: true)
        try UpscalingText.refuse("trace", scenario)
        let end = try ScenarioRun(scenario).find(
            among: first..<first + count, most: most, threads: ProcessInfo.processInfo.activeProcessorCount,
            matches: { window.contains($0) && pattern.matches($0) }, cancelled: { Interruption.isRequested }
        ) { looked in
            bar.show(
                Double(looked) / Double(count),
                "\(FigureText.grouped(looked)) of \(FigureText.counted(count, "person", "people"))")
        }
        bar.clear()
        guard let (found, looked) = end else {
            throw OutputProblem("interrupted; nothing was printed", isInterruption: true)
        }
        let people = FigureText.counted(looked, "person", "people")
        if found.isEmpty {
            Console.plain("nobody    of \(people) has such a moment: \(find ?? "")")
            return nil
        }
        Console.plain(
            "found     \(FigureText.counted(found.count, "person", "people")) among \(first == 0 ? "the first " : "")\(FigureText.grouped(looked))\(first == 0 ? "" : " from person \(first) on")"
        )
        for row in found {
            let who = scenario.isReplay ? "device \(row.device)" : "person \(row.person), \(row.device)"
            Console.plain(
                "          \(who)\(row.instance.map { " \($0)" } ?? "") at \(TimeText.iso(row.time, in: scenario.plan.zones[row.zone])): \(row.event.name)"
                    + (row.detail.isEmpty ? "" : ", \(TraceText.shortened(row.detail))"))
        }
        return found[0].person
    }

    /// With a service the whole fleet is simulated, which takes as long as a run.
    private func rows(of scenario: Scenario, _ person: Int, withPast: Bool) throws -> [TraceRow] {
        let estimate = ScenarioEstimate(scenario, needsMemory: false)
        let seconds = estimate.seconds(threads: ProcessInfo.processInfo.activeProcessorCount)
        if scenario.service != nil && seconds > 5 {
            Console.plain(
                "trace     simulates all \(FigureText.grouped(scenario.people)) people, who meet in the service, in \(Figures.time(.number(seconds))) by estimate (fewer: --people)"
            )
        }
        let bar = ProgressBar(
            people: scenario.people, deviceDays: estimate.deviceDays, isShown: scenario.service != nil)
        try UpscalingText.refuse("trace", scenario)
        let trace = try ScenarioRun(scenario).trace(
            person: person, threads: ProcessInfo.processInfo.activeProcessorCount, withPast: withPast,
            cancelled: { Interruption.isRequested }
        ) { done, _ in bar.show(done) }
        bar.clear()
        guard let trace else { throw OutputProblem("interrupted; nothing was printed", isInterruption: true) }
        return trace.rows
    }
}

extension Scenario {
    /// Refuses the number of a person whom the scenario does not have.
    func check(person: Int) throws {
        if person >= people {
            throw CommandFailure(
                .usage,
                "the scenario has \(FigureText.counted(people, "person", "people")), numbered \(people == 1 ? "0" : "0 to \(people - 1)"), "
                    + "so there is no person \(person)")
        }
    }
}
