import ArgumentParser
import Foundation
import Reporting
import RunFiles
import ScenarioFiles
import Simulation

struct Trace: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the life of one person's devices, each row with the rule it follows.")

    enum Format: String, CaseIterable, ExpressibleByArgument { case table, csv }

    @OptionGroup var arguments: ScenarioArguments

    @Option(help: "The person's number, counted from 0.")
    var person: Int

    @Option(help: "table for people, csv for programs.")
    var format: Format = .table

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if person < 0 { throw ValidationError("--person is counted from 0.") }
    }

    func run() throws {
        console.use()
        let read = try arguments.read()
        for warning in read.warnings { Console.warning(warning) }
        let people = read.scenario.people
        guard person < people else {
            throw CommandFailure(
                status: .usage, sentence: "the scenario has \(people) people, numbered 0 to \(people - 1), so there is no person \(person)")
        }
        let rows = try rows(of: read.scenario)
        let report = TraceReport(rows: rows, zones: read.scenario.plan.zones)
        switch format {
        case .table: try StandardStream.output.write(report.aligned)
        case .csv: try report.writeCSV { (bytes) throws(OutputProblem) in try StandardStream.output.write(bytes) }
        }
    }

    /// With a service the whole fleet is simulated, which takes as long as a run.
    private func rows(of scenario: Scenario) throws -> [TraceRow] {
        Interruption.watch()
        let bar = ProgressBar(
            people: scenario.people, deviceDays: ScenarioEstimate(scenario).deviceDays,
            isShown: StandardStream.error.isTerminal && scenario.service != nil)
        let clock = ContinuousClock()
        let begin = clock.now
        let trace = try ScenarioRun(scenario).trace(
            person: person, threads: ProcessInfo.processInfo.activeProcessorCount, cancelled: { Interruption.isRequested }
        ) { done, _ in bar.show(done, after: begin.duration(to: clock.now)) }
        bar.clear()
        guard let trace else { throw OutputProblem("interrupted; nothing was printed", isInterruption: true) }
        return trace.rows
    }
}
