import ArgumentParser
import Foundation
import Reporting
import ScenarioFiles
import Simulation

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Simulates a scenario and writes its reports into a folder.",
        discussion: """
            The folder holds the tables as CSV, datapackage.json, which describes them, scenario.resolved.yaml, and, last of all, manifest.json: without it the \
            folder holds no complete results. The same scenario and seed give the same tables for any number of threads.
            """)

    @OptionGroup var arguments: ScenarioArguments

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp("The folder for the results. (default: out/<the scenario's name>)", valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(help: "How many threads simulate. (default: one for each core)")
    var threads: Int?

    @Flag(help: "Replace the results in a folder that is not empty, and run what is estimated to be too large.")
    var force = false

    @Flag(help: "Read the scenario, say what a run would take, and stop.")
    var dryRun = false

    @Flag(help: "Say nothing but problems.")
    var quiet = false

    @Flag(name: .customLong("no-progress"), help: "Show no progress bar on a terminal.")
    var hidesProgress = false

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if let threads, !(1...1_024).contains(threads) { throw ValidationError("--threads takes a number from 1 to 1024.") }
        if folder == "" { throw ValidationError("--out takes the name of a folder.") }
    }

    func run() throws {
        console.use()
        let read = try arguments.read()
        let scenario = read.scenario
        let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
        let talk = RunTalk(scenario, isQuiet: quiet)
        for warning in read.warnings { Console.warning(warning) }
        let estimate = ScenarioEstimate(scenario)
        if dryRun {
            talk.begin(estimate: estimate, threads: threads)
            if !force { try estimate.check(file: arguments.scenario) }
            return
        }
        if !force { try estimate.check(file: arguments.scenario) }

        Interruption.watch()
        let path = folder ?? "out/" + Self.folderName(scenario.name)
        let output = try OutputFolder(path: path, replacing: force) { Interruption.isRequested }
        talk.begin(estimate: estimate, threads: threads)
        let run: ScenarioRun
        do { run = try ScenarioRun(scenario) } catch {
            output.discard()
            throw error
        }
        for sentence in run.shortfalls { Console.warning(sentence) }
        let bar = ProgressBar(
            people: scenario.people, deviceDays: estimate.deviceDays, isShown: StandardStream.error.isTerminal && !quiet && !hidesProgress)
        let clock = ContinuousClock()
        let begin = clock.now
        let result = run.run(threads: threads, cancelled: { Interruption.isRequested }) { done, _ in
            bar.show(done, after: begin.duration(to: clock.now))
        }
        let elapsed = begin.duration(to: clock.now)
        bar.clear()
        guard let result else {
            output.discard()
            throw OutputProblem("interrupted; nothing was written to \(path)", isInterruption: true)
        }

        let report = RunReport(result)
        try report.write(
            to: output, resolvedScenario: read.resolvedText,
            circumstances: RunCircumstances(threads: threads, wallSeconds: Double(elapsed / .milliseconds(1)).rounded() / 1_000))
        talk.end(report, folder: path)
        if report.verdicts.contains(where: { !$0.holds }) { throw CommandFailure(status: .brokenThreshold, sentence: nil) }
    }

    /// A name that is safe as a folder's: other characters than letters, digits, `.`, `_` and `-` become `-`.
    static func folderName(_ name: String) -> String {
        let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" })
        return safe.allSatisfy { $0 == "." } ? "scenario" : safe
    }
}
