import ResultFiles
import ArgumentParser
import Basics
import Calibration
import Reporting
import Studies

/// Whether a command prints its results for programs.
struct JSONArguments: ParsableArguments {
    @Flag(help: "Print the results as one JSON object on standard output; Reports/README.md has its members.")
    var json = false
}

/// The object that a command prints as JSON on standard output.
enum JSONOutput {
    static func write(_ command: String, _ members: JSONMembers) throws {
        let head: JSONMembers = ["command": command, "reloadsim": ReloadsimVersion.text]
        try StandardStream.output.write(JSONText.object(head + members).text)
    }
}

extension GrowthStudy.Verdict: JSONValue {
    package var json: JSONText {
        .object([
            "target": target, "breaks_in_month": breaksInMonth, "people": people, "holds_from_month": holdsFromMonth,
        ])
    }
}

extension Estimate: JSONValue {
    package var json: JSONText {
        /// JSON has no infinity: an end that the record does not bound is null.
        func bound(_ end: Double?) -> Double? { end.flatMap { $0.isFinite ? $0 : nil } }
        return .object([
            "key": key, "value": value, "unit": unit.name, "interval_low": bound(interval?.low),
            "interval_high": bound(interval?.high), "n": count, "counted": counted, "method": method, "fit": quality,
        ])
    }
}
