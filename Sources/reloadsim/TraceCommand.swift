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
    var person: Int?

    @Option(help: "The id of a recorded device, in place of a person's number.")
    var device: String?

    @Option(help: "table for people, csv for programs.")
    var format: TableFormat = .table

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if (person == nil) == (device == nil) {
            throw ValidationError("Name whose life it is: --person with a number, or --device with the id of a recorded device.")
        }
        if let person, person < 0 { throw ValidationError("--person is counted from 0.") }
    }

    func run() throws {
        console.use()
        let read = try arguments.read()
        let person = try number(in: read.scenario)
        let rows = try rows(of: read.scenario, person)
        let zones = read.scenario.plan.zones
        switch format {
        case .table: try StandardStream.output.write(TraceText(rows: rows, zones: zones).text)
        case .csv:
            try TraceReport(rows: rows, zones: zones).writeCSV { (bytes) throws(OutputProblem) in try StandardStream.output.write(bytes) }
        }
    }

    /// The number of the person that is asked for; in a replay each device is a person's.
    private func number(in scenario: Scenario) throws -> Int {
        guard let device else {
            try scenario.check(person: person!)
            return person!
        }
        let recorded = scenario.plan.replay
        if let number = recorded.firstIndex(where: { $0.id == device }) { return number }
        let known = recorded.isEmpty ? "devices are drawn, and have numbers only (--person)" : "known are \(recorded.map(\.id).joined(separator: ", "))"
        throw CommandFailure(status: .usage, sentence: "the scenario has no recorded device '\(device)': \(known)")
    }

    /// With a service the whole fleet is simulated, which takes as long as a run.
    private func rows(of scenario: Scenario, _ person: Int) throws -> [TraceRow] {
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
