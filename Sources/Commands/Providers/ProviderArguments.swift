import ArgumentParser
import Basics
import ScenarioFiles
import ScenarioModel

/// Providers of a user's own in any language, which a command of the machine answers for.
///
/// They stand on the command line alone: a scenario names providers, and no scenario can run a command.
struct ProviderArguments: ParsableArguments {
    @Option(
        "provider", takes: "name=command",
        "A provider of your own that a scenario names, and the command that answers for it, such as parcel='python3 parcel.py': a line of JSON for each question. Repeatable."
    )
    var providers: [String] = []

    @Option(
        "provider-limit", takes: "time",
        "The time that such a command may take for an answer, such as 500ms or 2m. (default: 10s)")
    var limit: TimeOrNever?

    func validate() throws {
        if let limit, limit.duration == nil { throw ValidationError("--provider-limit takes a time such as 10s.") }
        var names: Set<String> = []
        for option in providers {
            guard let (name, command) = Self.parts(of: option), ScalarText.isName(name), !command.isEmpty else {
                throw ValidationError(
                    "--provider: expected a name and a command, such as parcel='python3 parcel.py', found '\(option)'.")
            }
            if !names.insert(name).inserted {
                throw ValidationError("--provider: expected each name once, found '\(name)' twice.")
            }
        }
        if limit != nil && providers.isEmpty { throw ValidationError("--provider-limit is for --provider.") }
    }

    private static func parts(of option: String) -> (name: String, command: String)? {
        guard let equals = option.firstIndex(of: "=") else { return nil }
        let command = option[option.index(after: equals)...].drop { $0 == " " }
        return (String(option[..<equals]), String(command))
    }

    /// Does something with them beside the code that the program has, and ends their processes afterwards.
    func provide(_ body: () throws -> Void) throws {
        if providers.isEmpty { return try body() }
        var code = UserCode.current
        var commands: [PipedCommand] = []
        defer { for command in commands { command.end() } }
        for option in providers {
            guard let (name, text) = Self.parts(of: option) else { continue }
            if code.providers[name] != nil {
                throw ValidationError(
                    "--provider: the program has a provider '\(name)' of its own: choose another name.")
            }
            let command = PipedCommand(
                name: name, command: text, limit: (limit?.duration ?? .seconds(10)) / .seconds(1))
            commands.append(command)
            code.add([name: PipedProvider(command)])
            code.options += ["--provider", option]
        }
        if let limit = limit?.duration {
            code.options += [
                "--provider-limit", TimeText.duration(Basics.Duration(microseconds: Int64(cutting: limit / .microseconds(1)))),
            ]
        }
        try UserCode.$current.withValue(code, operation: body)
    }
}

/// A command that reads scenarios, and so may need the code that they name.
protocol ReadsScenarios {
    var code: ProviderArguments { get }
}

extension Run: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension Trace: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension People: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension Calibrate: ReadsScenarios { var code: ProviderArguments { clientLog.overrides.code } }
extension Resolve: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension Sweep: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension Plan: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension Sensitivity: ReadsScenarios { var code: ProviderArguments { arguments.overrides.code } }
extension Validate: ReadsScenarios { var code: ProviderArguments { overrides.code } }
extension Export: ReadsScenarios { var code: ProviderArguments { overrides.code } }
extension Compare: ReadsScenarios { var code: ProviderArguments { overrides.code } }
extension Merge: ReadsScenarios {}
