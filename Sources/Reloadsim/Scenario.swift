import Basics
import EmbeddedTexts
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics

/// A scenario: a fleet, its widgets and its service, as a file in YAML describes them.
///
/// It is read as it is run, since the code that it names comes with the call.
public struct Scenario: Sendable {
    private let source: String
    private let overrides: [String]

    /// - Parameters:
    ///   - source: the path of a file, a text of several lines, or a shipped name, as `reloadsim init --for` takes them
    ///     (`stocks`, `weather` …).
    ///   - set: values over the scenario's own by their key paths, as the option `--set` takes them:
    ///     `["kinds.quote.policy.after": "1h"]`.
    public init(_ source: String, set: [String: String] = [:]) {
        self.source = source
        overrides = set.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    /// The sentences on what is allowed and yet probably not meant.
    ///
    /// - Throws: `ReloadsimError` with all problems of the scenario.
    public func warnings(
        providers: [String: any WidgetProvider] = [:], servers: [String: any OriginServer] = [:]
    ) throws -> [String] {
        try read([], providers, servers).warnings()
    }

    /// Simulates the scenario.
    ///
    /// It takes the time of `reloadsim run`, on threads of its own; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - people: how many are simulated; nil for the scenario's number.
    ///   - represents: for how many people these stand, so that results are those of so many; nil for themselves or
    ///     what the scenario says.
    ///   - seed: of all draws, 0 or more; nil for the scenario's.
    ///   - threads: 1 or more; nil for one for each core. It changes no result.
    ///   - providers: those that the scenario names.
    ///   - servers: those that the scenario names.
    /// - Throws: `ReloadsimError` with all problems of the scenario, or with the sentence on code that has done what
    ///   none may; `CancellationError`.
    public func run(
        people: Int? = nil, represents: Int? = nil, seed: Int? = nil, threads: Int? = nil,
        providers: [String: any WidgetProvider] = [:], servers: [String: any OriginServer] = [:]
    ) async throws -> Results {
        let own =
            [people.map { "people=\($0)" }, represents.map { "report.represents=\($0)" }, seed.map { "seed=\($0)" }]
            .compactMap(\.self)
        let read = try read(own, providers, servers)
        let stop = PauseRequest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            try Self.run(read, threads: threads ?? ProcessInfo.processInfo.activeProcessorCount, stop)
                        })
                }
            }
        } onCancel: {
            stop.make()
        }
    }

    /// Simulates the scenario once for each of some seeds, one after another.
    ///
    /// - Parameter seeds: 0 or more each.
    public func runs(
        seeds: some Sequence<Int>, people: Int? = nil, represents: Int? = nil, threads: Int? = nil,
        providers: [String: any WidgetProvider] = [:], servers: [String: any OriginServer] = [:]
    ) async throws -> [Results] {
        var results: [Results] = []
        for seed in seeds {
            results.append(
                try await run(
                    people: people, represents: represents, seed: seed, threads: threads, providers: providers,
                    servers: servers))
        }
        return results
    }

    private static func run(_ read: ParsedScenario, threads: Int, _ stop: PauseRequest) throws -> Results {
        let begin = ContinuousClock.now
        let run: RunInProgress
        do throws(DistributionProblem) {
            run = try ScenarioRun(read.scenario).begin(threads: max(1, threads))
        } catch { throw ReloadsimError(["the scenario asks for a distribution that cannot be drawn from: \(error)"]) }
        if !run.advance(until: { _ in stop.isMade }) {
            if let problem = run.problem { throw ReloadsimError([problem.description]) }
            throw CancellationError()
        }
        let result = run.result()
        let time = (ContinuousClock.now - begin) / .seconds(1)
        return Results(
            result, resolved: read.resolvedText, RunCircumstances(threads: max(1, threads), wallSeconds: time))
    }

    private func read(
        _ more: [String], _ providers: [String: any WidgetProvider], _ servers: [String: any OriginServer]
    ) throws -> ParsedScenario {
        var code = UserCode()
        code.add(providers)
        code.add(servers)
        return try UserCode.$current.withValue(code) {
            do throws(ScenarioProblems) {
                return try text.readChecked(overrides: overrides + more)
            } catch { throw ReloadsimError(error.problems.map { "\($0)" }) }
        }
    }

    private var text: ScenarioText {
        get throws(ScenarioProblems) {
            if source.contains("\n") { return ScenarioText(text: source) }
            if let shipped = StarterWidget(rawValue: source) { return ScenarioText(text: shipped.text, file: source) }
            return try ScenarioText(file: source)
        }
    }
}

/// Why a scenario cannot be run, or a run cannot come to its end.
public struct ReloadsimError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence each, with file, line and key path where it is a value of the scenario.
    public let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    /// All problems, a line each.
    public var description: String { problems.joined(separator: "\n") }
}
