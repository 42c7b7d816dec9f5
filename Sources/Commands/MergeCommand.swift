import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation
import Studies

struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the parts of a run's shards into its reports.",
        discussion: """
            The parts must be all shards of one run, each once. The files are the same, byte for byte, as those of one process, except for manifest.json, which \
            states threads and times. The scenario is in the parts.
            """
                + HelpExamples.text(
                    """
                    # a run in two parts, made on two machines
                    reloadsim merge part-1 part-2 --out out/whole
                    """))

    @Argument(
        help: "Parts that `run --shard` has written, or folders whose parts (*.part) are taken.", completion: .file())
    var parts: [String]

    @Option(
        "out", takes: "folder", "The folder for the results. (default: out/<the scenario's name>)",
        completion: .directory)
    var folder: String?

    @Flag(help: "Replace the results in a folder that is not empty, and take more memory than there is.")
    var force = false

    @Flag(name: .shortAndLong, help: "Print only problems.")
    var quiet = false

    @OptionGroup var code: ProviderArguments
    @OptionGroup var page: PageArguments
    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        try FolderName.check(folder)
    }

    func run() throws {
        console.use()
        Interruption.watch()
        let merge: PartMerge
        do { merge = try PartMerge(parts) } catch { throw Self.failure(error) }
        let read = try ScenarioText(text: merge.scenario, file: "the parts' scenario").readChecked(overrides: [])
        if let difference = read.identity.difference(from: merge.identity) {
            throw CommandFailure(.wrongScenario, "\(merge.files[0]) cannot be merged here: \(difference)")
        }
        if !force { try Self.checkSize(read.scenario) }
        let path = folder ?? "out/" + FolderName.safe(read.scenario.name)
        let output = try OutputFolder(
            path: path, for: .run, force ? RunReport.force : .nothing(),
            isInterrupted: { Interruption.isRequested })
        let report: RunReport
        do { report = RunReport(try merge.result(of: ScenarioRun(read.scenario))) } catch {
            output.discard()
            throw (error as? PartialProblem).map(Self.failure) ?? error
        }
        let usedCoreSeconds = ((merge.coreSeconds + HostCalls.coreSecondsOfProcess) * 1_000).rounded() / 1_000
        try report.write(
            to: output, resolvedScenario: read.resolvedText,
            circumstances: RunCircumstances(
                threads: merge.threads, wallSeconds: merge.wallSeconds, recordSHA256: read.recordSHA256,
                shards: merge.files.count,
                command: CommandLine.arguments, request: merge.request,
                estimatedCoreSeconds: ScenarioEstimate(read.scenario, needsMemory: false).coreSeconds,
                usedCoreSeconds: usedCoreSeconds),
            page: page.isWanted ? OutputFolder.pageWriter : nil)
        try RunMessages(scenario: read.scenario, isQuiet: quiet).end(report, folder: path)
    }

    /// Refuses what takes more memory than there is: the measures of the run, with nobody simulated.
    private static func checkSize(_ scenario: Scenario) throws {
        var scenario = scenario
        scenario.people = 1
        if let sentence = MemoryRoom.refusal(
            of: ScenarioEstimate(scenario).ownMemory(threads: 1), threads: 1, way: "--force merges them all the same")
        {
            throw CommandFailure(.internalError, sentence)
        }
    }

    private static func failure(_ problem: PartialProblem) -> CommandFailure {
        CommandFailure(problem.isUnreadable ? .noInput : .wrongScenario, "\(problem); nothing was merged")
    }
}
