import ArgumentParser
import Foundation
import Reporting
import RunFiles
import ScenarioFiles
import Simulation

struct Trace: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the life of one person's devices, each row with the rule it follows.")

    @OptionGroup var arguments: ScenarioArguments

    @Option(help: "The person's number, counted from 0.")
    var person: Int

    @Option(help: "table for people, csv for programs.")
    var format: TableFormat = .table

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if person < 0 { throw ValidationError("--person is counted from 0.") }
    }

    func run() throws {
        console.use()
        let read = try arguments.read()
        try read.scenario.check(person: person)
        let rows = try rows(of: read.scenario)
        let zones = read.scenario.plan.zones
        switch format {
        case .table: try StandardStream.output.write(TraceText(rows: rows, zones: zones).text)
        case .csv:
            try TraceReport(rows: rows, zones: zones).writeCSV { (bytes) throws(OutputProblem) in try StandardStream.output.write(bytes) }
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

extension Scenario {
    /// Refuses the number of a person whom the scenario does not have.
    func check(person: Int) throws {
        if person >= people {
            throw CommandFailure(
                status: .usage, sentence: "the scenario has \(people) people, numbered 0 to \(people - 1), so there is no person \(person)")
        }
    }
}
