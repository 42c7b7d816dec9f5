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
    static func write(_ command: String, _ members: [(String, JSONText)]) throws {
        let head: [(String, JSONText)] = [("command", .string(command)), ("reloadsim", .string(ReloadsimVersion.text))]
        try StandardStream.output.write(JSONText.object(head + members).text)
    }

    static func texts(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }

    static func growth(_ verdict: GrowthStudy.Verdict) -> JSONText {
        func number(_ value: Int?) -> JSONText { value.map { .integer(Int64($0)) } ?? .null }
        return .object([
            ("target", .string(verdict.target)), ("breaks_in_month", number(verdict.breaksInMonth)),
            ("people", number(verdict.people)), ("holds_from_month", number(verdict.holdsFromMonth)),
        ])
    }

    static func array(_ estimates: [Estimate]) -> JSONText {
        .array(
            estimates.map { estimate in
                .object([
                    ("key", .string(estimate.key)), ("value", .number(estimate.value)),
                    ("unit", .string(estimate.unit.name)),
                    ("interval_low", estimate.interval.map { .number($0.low) } ?? .null),
                    ("interval_high", estimate.interval.map { .number($0.high) } ?? .null),
                    ("n", .integer(Int64(estimate.count))),
                    ("counted", .string(estimate.counted)), ("method", .string(estimate.method)),
                    ("fit", .string(estimate.quality)),
                ])
            })
    }
}
