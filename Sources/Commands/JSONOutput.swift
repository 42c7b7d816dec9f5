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

    static func growth(_ verdict: GrowthStudy.Verdict) -> JSONText {
        .object([
            "target": verdict.target, "breaks_in_month": verdict.breaksInMonth,
            "people": verdict.people, "holds_from_month": verdict.holdsFromMonth,
        ])
    }

    static func array(_ estimates: [Estimate]) -> JSONText {
        .array(
            estimates.map { estimate in
                .object([
                    "key": estimate.key, "value": estimate.value, "unit": estimate.unit.name,
                    "interval_low": estimate.interval?.low, "interval_high": estimate.interval?.high,
                    "n": estimate.count, "counted": estimate.counted, "method": estimate.method,
                    "fit": estimate.quality,
                ])
            })
    }
}
