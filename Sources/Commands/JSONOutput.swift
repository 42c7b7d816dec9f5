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
        .object([
            "key": key, "value": value, "unit": unit.name, "interval_low": interval?.low,
            "interval_high": interval?.high, "n": count, "counted": counted, "method": method, "fit": quality,
        ])
    }
}
