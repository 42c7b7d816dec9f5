import ArgumentParser
import Calibration
import Foundation
import PlainText
import RunFiles
import ScenarioFiles

struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fits the habits of a scenario to a record of people's phones.",
        discussion: """
            The record is CSV with the columns person, time and event under a header; other columns are left out. Events are unlock (or pickup), lock, glance and view, \
            and wake and sleep if they are known; without them nights are inferred from the use of the phone. The resulting fragment of a scenario goes to --out, \
            with the table of estimates on standard output; without --out it goes to standard output, with the table on standard error.
            """)

    @Argument(help: "The record, a CSV file; - reads standard input.", completion: .file(extensions: ["csv"]))
    var events: String

    @Option(
        name: .customLong("out"), help: ArgumentHelp("The file to make for the fragment, which must not exist.", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The time zone by whose clock the people live; needed where times are seconds since 1970. (default: each time's own offset)",
            valueName: "name"))
    var zone: String?

    @Option(
        help: ArgumentHelp(
            "The names of the record's columns, if they are not person, time and event, such as person=user_id,time=ts.", valueName: "names"))
    var columns: String?

    @Option(
        name: .customLong("record-limit"),
        help: ArgumentHelp("The most bytes that are read of a record, such as 20GB.", valueName: "size"))
    var recordLimit = "4GB"

    @Flag(help: "Print the results as one JSON object on standard output; `reloadsim schema --output` prints its schema.")
    var json = false

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if let columns, ColumnNames.read(columns, over: .ofRecord) == nil {
            throw ValidationError("--columns takes names such as person=user_id,time=ts,event=what, each once, not '\(columns)'.")
        }
        if RecordReader.limit(recordLimit) == nil { throw ValidationError("--record-limit takes a size such as 20GB, not '\(recordLimit)'.") }
        if file == "" { throw ValidationError("--out takes the name of a file.") }
        if file == "-" { throw ValidationError("--out takes a file; without it the fragment goes to standard output.") }
        if let zone {
            let (isKnown, nearest) = RecordReader.checkZone(zone)
            if !isKnown {
                throw ValidationError("--zone: no zone is called '\(zone)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "."))
            }
        }
    }

    func run() throws {
        console.use()
        if let file, FileManager.default.fileExists(atPath: file) {
            throw OutputProblem("\(file) exists already; nothing was read or changed")
        }
        let name = events == "-" ? "stdin" : events
        let record: ReadRecord
        let names = columns.flatMap { ColumnNames.read($0, over: .ofRecord) } ?? .ofRecord
        do throws(RecordProblems) {
            record = try RecordReader.read(file: events, zone: zone, limit: RecordReader.limit(recordLimit) ?? RecordReader.usualLimit, columns: names)
        } catch {
            for problem in error.problems { Console.error(problem.description) }
            let rest = error.count - error.problems.count
            if rest > 0 { Console.plain("and \(FigureText.grouped(rest)) more") }
            if error.count > 1 {
                Console.plain("\(error.isComplete ? "" : "at least ")\(FigureText.counted(error.count, "problem")); nothing was fitted or written")
            }
            throw CommandFailure(status: error.isMissingInput ? .noInput : .wrongScenario, sentence: nil)
        }
        let summaries = record.people.map(PersonSummary.init)
        guard summaries.contains(where: { $0.unlockCount > 0 }) else {
            throw CommandFailure(
                status: .wrongScenario,
                sentence:
                    "\(name): no unlock in \(FigureText.counted(record.rows, "row")); every fit needs rows with the event 'unlock'. Nothing was fitted or written"
            )
        }
        for note in record.notes { Console.warning("\(name): \(note)") }
        let fit = HabitFit(summaries)
        for sentence in fit.faults.sentences { Console.warning("\(name): \(sentence)") }

        var text = "\(fit.extent)\nbootstrap of \(HabitFit.replicates) resamples, seed \(HabitFit.seed)\n\n\(fit.table)"
        for note in fit.notes { text += "\nnote: \(note)" }
        for key in fit.omitted { text += "\nleft out: \(key.key): \(key.reason)" }
        text += "\nnot told by such a record: \(HabitFit.untold.joined(separator: ", "))\n"
        let fragment = fit.fragment(heading: [
            "Fitted by reloadsim \(ReloadsimVersion.text) to \((name as NSString).lastPathComponent): \(fit.extent).",
            "Intervals and fits are in the table that `reloadsim calibrate` prints. Keys that are not here keep the catalogue's values.",
        ])
        if json {
            if let file { try NewFile.write(fragment, to: file) }
            let estimates = fit.estimates.map { estimate -> JSONText in
                .object([
                    ("key", .string(estimate.key)), ("value", .number(estimate.value)),
                    ("unit", .string(estimate.unit == .plain ? "1" : "h")),
                    ("interval_low", estimate.interval.map { .number($0.low) } ?? .null),
                    ("interval_high", estimate.interval.map { .number($0.high) } ?? .null), ("n", .integer(Int64(estimate.count))),
                    ("counted", .string(estimate.counted)), ("method", .string(estimate.method)), ("fit", .string(estimate.quality)),
                ])
            }
            return try JSONOutput.write(
                "calibrate",
                [
                    ("record", .string(name)), ("extent", .string("\(fit.extent)")), ("estimates", .array(estimates)),
                    ("left_out", JSONOutput.texts(fit.omitted.map { "\($0.key): \($0.reason)" })), ("untold", JSONOutput.texts(HabitFit.untold)),
                    ("notes", JSONOutput.texts(fit.notes.map { "\($0)" })), ("fragment", .string(fragment)),
                ])
        }
        if let file {
            try NewFile.write(fragment, to: file)
            try Console.data(text)
            Console.plain("made \(file)")
        } else {
            Console.plain(text)
            try StandardStream.output.write(fragment)
        }
    }
}
