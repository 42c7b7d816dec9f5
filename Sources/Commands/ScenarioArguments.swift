import ArgumentParser
import ResultFiles
import Foundation
import ScenarioFiles
import Studies

/// The scenario of a command, and what the command line sets over it.
struct ScenarioArguments: ParsableArguments {
    @Argument(
        help: "The scenario, a YAML or JSON file; - reads standard input.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var scenario: String

    @OptionGroup var overrides: Overrides

    /// Reads it and says its warnings.
    func read() throws -> ParsedScenario { try Console.warning(of: overrides.read(scenario)) }

    /// Reads it and says its warnings, for commands that read its text many times.
    ///
    /// - Parameter further: overrides beside those of its options.
    func readText(_ further: [String] = []) throws -> (text: ScenarioText, base: ParsedScenario) {
        let text = try Overrides.text(of: scenario)
        return (text, try Console.warning(of: text.readChecked(overrides: overrides.all + further)))
    }
}

/// The overrides of a scenario's own values on the command line.
struct Overrides: ParsableArguments {
    @Option(
        "set", takes: "path=value",
        "Set a value over the scenario's own, such as kinds.weather.policy.after=1h. Repeatable.",
        completion: Suggestions.keys)
    var settings: [String] = []

    @Option(takes: "count", "The number of people, such as 10000, 10_000 or 10k; short for --set people=N.")
    var people: WholeNumber?

    @Option(takes: "number", "The seed of all random draws; short for --set seed=N.")
    var seed: WholeNumber?

    @OptionGroup var code: ProviderArguments

    func validate() throws { try Self.checkOnce(all) }

    /// Refuses settings of which one undoes another.
    static func checkOnce(_ settings: [String]) throws {
        var seen: [Substring: String] = [:]
        for setting in settings {
            guard let other = seen.updateValue(setting, forKey: setting.prefix { $0 != "=" }) else { continue }
            throw ValidationError("expected each key once on the command line, found \(other) and \(setting).")
        }
    }

    /// In the order of their application.
    var all: [String] {
        settings + (people.map { ["people=\($0.value)"] } ?? []) + (seed.map { ["seed=\($0.value)"] } ?? [])
    }

    /// Reads a scenario, with the metrics of its thresholds checked.
    ///
    /// - Parameter thresholds: those of the command line, after the scenario's own.
    func read(_ file: String, thresholds: [String] = []) throws -> ParsedScenario {
        try Self.text(of: file).readChecked(overrides: all, thresholds: thresholds)
    }

    /// Refuses a folder in place of a scenario, with the scenario that its results have.
    private static func refuseFolder(_ file: String) throws {
        guard FolderPath.isFolder(file) else { return }
        let resolved = file + "/" + OutputFolder.resolvedScenarioName
        throw CommandFailure(
            .noInput,
            FolderPath.exists(resolved)
                ? "\(file): expected a scenario, found a folder of results; the scenario as it ran is \(resolved)"
                : "\(file): expected a scenario, found a folder")
    }

    static func text(of file: String) throws -> ScenarioText {
        try refuseFolder(file)
        return file == "-" ? ScenarioText(text: try StandardInput.text(), file: "stdin") : try ScenarioText(file: file)
    }
}

/// The people that those of a run stand for.
struct RepresentedPeople: ParsableArguments {
    @Option(
        takes: "count",
        "How many people those of a run stand for, such as 40M: figures for so many, with their ranges; short for --set report.represents=N."
    )
    var represents: WholeNumber?

    var overrides: [String] { represents.map { ["report.represents=\($0.value)"] } ?? [] }
}

/// A scenario that is piped in.
enum StandardInput {
    /// More than a scenario may have, so that one that is too long is refused as such.
    private static let limit = 2 << 20

    static func text() throws -> String {
        var bytes = Data()
        do {
            while bytes.count < limit, let more = try FileHandle.standardInput.read(upToCount: limit - bytes.count),
                !more.isEmpty
            {
                bytes += more
            }
        } catch {
            throw CommandFailure(.noInput, "standard input cannot be read")
        }
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw CommandFailure(.wrongScenario, "stdin: expected UTF-8 text, found other bytes")
        }
        return text
    }
}

/// How a command talks on standard error.
struct ConsoleArguments: ParsableArguments {
    @Option(help: "Colours on standard error: auto (on a terminal without NO_COLOR), always or never.")
    var color: Console.Colour = .auto

    @Option(
        help: "Messages on standard error: text, or json, an object with level, subject and text on each line.")
    var messages: Console.Form = .text

    func use() {
        Console.use(color)
        Console.use(messages)
    }
}
