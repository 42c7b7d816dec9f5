import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import Simulation

struct People: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Prints the people of a fleet, or their activity in the form of a record of their phones.",
        discussion: "Widgets do not change what people do, so none are simulated here. `calibrate` reads the events."
            + HelpExamples.text(
                """
                # the first ten people: habits, devices and zone
                reloadsim people mine.yaml --count 10
                # what they do with their phones, as `calibrate` reads it
                reloadsim people mine.yaml --print events --count 100 > events.csv
                """))

    @OptionGroup var arguments: ScenarioArguments

    @Option(help: "profiles, a person a row; or events, from the scenario's start to its end.")
    var print: PeopleReport.Content = .profiles

    @Option(help: "The number of the first person.")
    var first = WholeNumber(0)

    @Option(help: "The number of people. (default: all that follow)")
    var count: WholeNumber?

    @OptionGroup var printed: JSONArguments

    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if first.value < 0 { throw ValidationError("--first is counted from 0.") }
        if let count, count.value < 1 { throw ValidationError("--count is 1 or more.") }
    }

    func run() throws {
        console.use()
        let read = try arguments.read()
        let people = read.scenario.people
        guard read.scenario.plan.replay.isEmpty else {
            throw CommandFailure(.usage, "the scenario is a replay: its people are recorded already")
        }
        try read.scenario.check(person: first.count)
        let numbers = first.count..<first.count + min(people - first.count, count?.count ?? people)
        let run = try ScenarioRun(read.scenario)
        for sentence in run.shortfalls { Console.warning(sentence) }
        let report = PeopleReport(run, of: numbers)
        if printed.json {
            return try JSONOutput.write(
                "people",
                ["scenario": read.scenario.name, "rows": try report.json(print)])
        }
        try report.write(print) { (bytes) throws(OutputProblem) in
            try StandardStream.output.write(bytes)
        }
    }
}

extension PeopleReport.Content: ExpressibleByArgument {}
