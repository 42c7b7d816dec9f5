import ArgumentParser
import Basics
import Calibration
import Foundation
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Fits the habits of a scenario to a record of people's phones, or its service to a load test.",
        discussion: """
            The record is CSV with the columns person, time and event under a header, or has JSON objects with these members; others are left out. Events are unlock (or pickup), lock, glance and view, \
            and wake and sleep if they are known; without them nights are inferred from the use of the phone. The resulting fragment of a scenario goes to --out, \
            with the table of estimates on standard output; without --out it goes to standard output, with the table on standard error.

            Pickups by the hour are read too, from a table with a date, an hour and a number (Date,Hour,Pickups), or with a date and the hours 0 to 23 as columns, and so are the exports of \
            ActivityWatch as JSON and Android's `adb shell dumpsys usagestats`.

            With --widgets the record is what Android tells an app about its own widgets (AppWidgetEvent), as CSV or JSON lines with person, widget, start, end, visible_ms and \
            clicked. The fragment has the unlocks that --shown makes of the pickups that showed a widget.

            With --service the record is the result of a load test: of k6 (--out json or csv), vegeta (vegeta encode), h2load (--log-file), JMeter, Gatling (to 3.11), hey, oha, \
            ab, ali or ghz, the percentiles of an HdrHistogram (wrk2), of ab or of Locust, or CSV with the columns time, latency_ms and status. The fragment has the pool of \
            servers that it shows. The summary that a tool prints at its end (also fortio, bombardier, autocannon, artillery, wrk, siege, nighthawk, tsung and drill) has a service time alone.

            Any record may be packed by gzip; a table may have commas, semicolons or tabs.
            """
                + HelpExamples.text(
                    """
                    # the habits of the people of a record
                    reloadsim calibrate events.csv --zone Europe/Berlin --out habits.yaml
                    # the pool of servers that a load test with k6 shows
                    reloadsim calibrate k6.json --service --out pool.yaml
                    """))

    @Argument(help: "The record, CSV or JSON lines; - reads standard input.", completion: .file(extensions: ["csv"]))
    var events: String

    @Flag(help: "The record is the result of a load test, and the fragment is a service.")
    var service = false

    @Flag(help: "The record is what Android tells an app about its widgets.")
    var widgets = false

    @Option(
        takes: "share",
        "With --widgets, the share of unlocks that show the page of the widgets; absent, the catalogue's.")
    var shown: Double?

    @Option(
        "out", takes: "file", "The file to make for the fragment, which must not exist.",
        completion: .file(extensions: ["yaml"]))
    var file: String?

    @Option(
        takes: "name",
        "The time zone by whose clock the people live; needed where times are seconds since 1970. (default: each time's own offset)"
    )
    var zone: String?

    @Option(
        takes: "names",
        "The names of the record's columns, if they are not person, time and event, such as person=user_id,time=ts; count=Pickups of a table by the hour; with --service time, latency_ms and status, where a unit may be stated: time_ms=ts,latency_s=took."
    )
    var columns: String?

    @Option(
        "events", takes: "words",
        "Other words for the record's events, such as KEYGUARD_HIDDEN=unlock,SCREEN_NON_INTERACTIVE=lock.")
    var eventWords: String?

    @Option(
        takes: "time",
        "With --service, only requests that start at this time or later, written as the record writes its times, count."
    )
    var from: String?

    @Option(takes: "time", "With --service, only requests that start before this time count.")
    var to: String?

    @Option(takes: "size", "The most bytes that are read of a record, such as 20GB.")
    var recordLimit = "4GB"

    @Flag(
        help:
            "The record is an access log whose requests name their clients, and the fragment has parameters of the system that nobody publishes."
    )
    var clients = false

    @OptionGroup(title: "Clients") var clientLog: ClientLogArguments

    @OptionGroup var printed: JSONArguments

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if let columns, ColumnNames.read(columns, over: usualColumns) == nil {
            let example =
                service
                ? "time=ts,latency_ms=took,status=code"
                : widgets ? "person=user_id,widget=app_widget_id" : "person=user_id,time=ts,event=what"
            throw ValidationError("--columns takes names such as \(example), each once, not '\(columns)'.")
        }
        if let eventWords, RecordReader.events(eventWords) == nil {
            throw ValidationError(
                "--events takes words such as KEYGUARD_HIDDEN=unlock, each once and for an event that is known, not '\(eventWords)'."
            )
        }
        if eventWords != nil && (service || widgets) {
            throw ValidationError(
                "--events goes with a record of people's phones, and not with --service or --widgets.")
        }
        if [service, widgets, clients].count(where: { $0 }) > 1 {
            throw ValidationError(
                "--service reads a load test, --widgets a record of people and --clients an access log: one of them.")
        }
        try clientLog.check(isWanted: clients, hasColumns: columns != nil || eventWords != nil)
        if let shown, !widgets || !(shown > 0 && shown <= 1) {
            throw ValidationError("--shown takes a share above 0 and at most 1, and goes with --widgets.")
        }
        if service && zone != nil {
            throw ValidationError("--zone says by whose clock people live; a load test needs none.")
        }
        if !service && (from != nil || to != nil) {
            throw ValidationError("--from and --to choose a part of a load test: they go with --service.")
        }
        for (name, time) in [("--from", from), ("--to", to)] {
            if let time, !RecordPart.isTime(time) {
                throw ValidationError(
                    "\(name) takes a time as the record writes them, such as 2026-03-02T07:00:00Z or 1772434800, not '\(time)'."
                )
            }
        }
        if RecordReader.limit(recordLimit) == nil {
            throw ValidationError("--record-limit takes a size such as 20GB, not '\(recordLimit)'.")
        }
        if file == "" { throw ValidationError("--out takes the name of a file.") }
        if file == "-" { throw ValidationError("--out takes a file; without it the fragment goes to standard output.") }
        if let fault = zone.flatMap(RecordReader.unknownZone) { throw ValidationError("--zone: \(fault)") }
    }

    func run() throws {
        console.use()
        if let file, FileManager.default.fileExists(atPath: file) {
            throw OutputProblem("\(file) exists already; nothing was read or changed")
        }
        if service { return try runService() }
        if clients { return try runClients() }
        if widgets {
            let record = try read { () throws(RecordProblems) in
                try WidgetRecordReader.read(source, zone: zone, columns: names)
            }
            let uses = record.people.map(WidgetUse.init)
            return try fit(
                uses.map(\.person), rows: record.rows, notes: record.notes + uses.notes,
                page: WidgetPage(uses, shownShare: shown ?? WidgetPage.usualShare), none: "no widget was visible",
                needed: "visible_ms above 0")
        }
        let record = try read { () throws(RecordProblems) in
            try RecordReader.read(
                source, zone: zone, columns: names, events: eventWords.flatMap(RecordReader.events) ?? [:])
        }
        try fit(
            record.people, rows: record.rows, notes: record.notes, isByHour: record.isByHour, none: "no unlock",
            needed: "the event 'unlock'")
    }

    /// The usual names of the columns of the record's form.
    private var usualColumns: ColumnNames { service ? .ofResult : widgets ? .ofWidgets : .ofRecord }
    /// The names of the record's columns.
    var names: ColumnNames { columns.flatMap { ColumnNames.read($0, over: usualColumns) } ?? usualColumns }

    var source: RecordSource { .file(events, limit: RecordReader.limit(recordLimit) ?? .max) }

    /// A record, or the end of the command with its problems.
    func read<Record>(_ record: () throws(RecordProblems) -> Record) throws -> Record {
        do throws(RecordProblems) { return try record() } catch {
            throw Console.failure(of: error, undone: "nothing was fitted or written")
        }
    }

    /// Fits the habits of people, and says and writes them.
    ///
    /// - Parameters:
    ///   - missing: the words on a record without an unlock.
    ///   - needed: the words on a row that shows one.
    private func fit(
        _ people: [RecordedPerson], rows: Int, notes: [String], page: WidgetPage? = nil, isByHour: Bool = false,
        none missing: String, needed: String
    ) throws {
        let summaries = people.map(PersonSummary.init)
        guard summaries.contains(where: { $0.unlockCount > 0 }) else {
            throw CommandFailure(
                .wrongScenario,
                "\(recordName): \(missing) in \(FigureText.counted(rows, "row")); every fit needs rows with \(needed). Nothing was fitted or written"
            )
        }
        for note in notes { Console.warning("\(recordName): \(note)") }
        let fit = HabitFit(summaries, widgets: page, isByHour: isByHour)
        for sentence in fit.faults.sentences { Console.warning("\(recordName): \(sentence)") }
        try hand(
            over: fit,
            below: "\(fit.extent)\nbootstrap of \(HabitFit.replicates) resamples, seed \(HabitFit.seed)",
            remarks: [
                "Intervals and fits are in the table that `reloadsim calibrate` prints. Keys that are not here keep the catalogue's values."
            ] + (fit.remarkOnKinds.map { [$0] } ?? []))
    }

    /// Says and writes what was fitted.
    ///
    /// - Parameters:
    ///   - heading: what stands above the table of estimates.
    ///   - remarks: what the fragment says of itself beside its origin.
    ///   - members: further ones of the output as JSON.
    func hand(
        over fit: some ParameterFit, below heading: String, remarks: [String], members: JSONMembers = [:]
    ) throws {
        let omitted = fit.omitted.map { "\($0.key): \($0.reason)" }
        let untold = type(of: fit).untold
        let text =
            "\(heading)\n\n\(fit.table)" + fit.notes.map { "\nnote: \($0)" }.joined()
            + omitted.map { "\nleft out: \($0)" }.joined()
            + "\nnot told by such a record: \(untold.joined(separator: ", "))\n"
        let fragment = fit.fragment(
            heading: [
                "Fitted by reloadsim \(ReloadsimVersion.text) to \(VisibleText.of((recordName as NSString).lastPathComponent)): \(fit.extent)."
            ] + remarks)
        if printed.json {
            if let file { try NewFile.write(fragment, to: file) }
            return try JSONOutput.write(
                "calibrate" + (service ? " --service" : clients ? " --clients" : ""),
                ["record": recordName, "extent": fit.extent, "estimates": fit.estimates] + members
                    + ["left_out": omitted, "untold": untold, "notes": fit.notes, "fragment": fragment])
        }
        // The fragment goes to its file and the text to standard output, or the fragment to standard output and the
        // text to standard error.
        if let file {
            try NewFile.write(fragment, to: file)
            try Console.data(text)
            Console.plain("made \(file)")
        } else {
            Console.lines(text)
            try StandardStream.output.write(fragment)
        }
    }

    var recordName: String { events == "-" ? "stdin" : events }
}

/// `calibrate --service`: a pool of servers from a load test.
extension Calibrate {
    func runService() throws {
        let result = try read { () throws(RecordProblems) in
            try ResultReader.read(source, columns: names, part: RecordPart(from: from, to: to))
        }
        if case .requests(let record) = result.content { try checkMemory(of: record.requests.count) }
        for note in result.notes { Console.warning("\(recordName): \(note)") }
        let fit =
            switch result.content {
            case .requests(let record): ServiceFit(record)
            case .latencies(let latencies): ServiceFit(latencies: latencies)
            case .summary(let summary): ServiceFit(summary: summary)
            }
        let replay = fit.replay.map { row in
            JSONText.object(["figure": row.name, "unit": row.unit, "measured": row.measured, "fitted": row.fitted])
        }
        try hand(
            over: fit, below: "\(result.form): \(fit.extent)",
            remarks: ["Intervals and fits are in the table that `reloadsim calibrate --service` prints."],
            members: ["replay": replay])
    }

    /// Throws if a fit to so many requests does not fit into the memory that is free.
    private func checkMemory(of requests: Int) throws {
        let (needed, free) = (Double(requests) * RequestRecord.bytesOfRequest, Machine.availableMemory)
        guard needed > free else { return }
        func size(_ bytes: Double) -> String { FigureText.threeDigits(bytes / 1e9) + " GB" }
        throw CommandFailure(
            .internalError,
            "\(recordName): the fit of \(FigureText.counted(requests, "request")) takes about \(size(needed)) of memory, and \(size(free)) are free "
                + "(--from and --to choose a part of the record); nothing was fitted or written")
    }
}
