import ResultFiles
import ArgumentParser
import Foundation
import Reporting

/// Chooses benchmarks, runs them one after another, and writes the table.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reloadsim-bench",
        abstract: "Measures the core time of whole scenarios and of the parts of the engine.",
        discussion: "Docs: docs/speed.md. Without --with, the groups scenario and part are measured.")

    /// Benchmarks that run only on demand.
    enum FurtherGroup: String, CaseIterable, ExpressibleByArgument { case threads, feedback, memory, writing }
    enum Format: String, CaseIterable, ExpressibleByArgument { case text, markdown }

    @Option(help: "The folder with the scenarios.", completion: .directory)
    var scenarios = "Scenarios"

    @Option(help: ArgumentHelp("Only benchmarks whose name contains the text. Repeatable.", valueName: "text"))
    var filter: [String] = []

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "A further group: threads (the wall time of several threads), feedback (what a service costs a request), memory, or writing (the reports of 100,000 people). Repeatable.",
            valueName: "group"))
    var further: [FurtherGroup] = []

    @Option(help: "How often each is measured.")
    var `repeat` = 5

    @Option(help: "The people of every scenario, in place of each benchmark's own number.")
    var people: Int?

    @Option(
        name: .customLong("out"), help: ArgumentHelp("A CSV file to make, which must not exist.", valueName: "file"),
        completion: .file(extensions: ["csv"]))
    var file: String?

    @Option(help: "The form of the table on standard output.")
    var format: Format = .text

    @Flag(help: "Print the names of the benchmarks, those of the further groups too, and stop.")
    var list = false

    func validate() throws {
        if !(1...1_000).contains(`repeat`) { throw ValidationError("--repeat takes a number from 1 to 1000.") }
        if let people, !(1...10_000_000).contains(people) {
            throw ValidationError("--people takes a number from 1 to 10000000.")
        }
    }

    func run() throws {
        let benchmarks = try chosen()
        if list {
            for benchmark in benchmarks { try StandardStream.output.write(benchmark.name + "\n") }
            return
        }
        if benchmarks.isEmpty { throw ValidationError("no benchmark has such a name; --list prints them.") }
        // Before minutes of measuring and not after.
        if let file, FileManager.default.fileExists(atPath: file) {
            throw OutputProblem("\(file) exists already; nothing was measured")
        }
        var measurements: [Measurement] = []
        for benchmark in benchmarks {
            Progress.say(benchmark.name)
            measurements += try benchmark.measure(repeats: `repeat`)
        }
        if let file { try NewFile.write(MeasurementTable.csv(measurements), to: file) }
        let table = format == .text ? MeasurementTable.text(measurements) : MeasurementTable.markdown(measurements)
        try StandardStream.output.write(table)
    }

    /// The benchmarks of the groups that fit the filter. Memory comes first, because a process's peak is that of all it
    /// did before.
    private func chosen() throws -> [any Benchmark] {
        let shipped = try ShippedScenario.all(in: scenarios)
        guard let reference = shipped.first(where: { $0.name == ShippedScenario.reference }) else {
            throw OutputProblem(
                "\(scenarios) has no \(ShippedScenario.reference).yaml; --scenarios names the folder of the scenarios")
        }
        var all: [any Benchmark] = []
        if list || further.contains(.memory) { all.append(MemoryBenchmark(scenario: reference, people: people)) }
        all += shipped.map { ScenarioBenchmark(scenario: $0, people: people) }
        all += PartBenchmark.all
        all += PersonBenchmark.all(of: reference, people: people)
        if list || further.contains(.threads) { all.append(ThreadsBenchmark(scenario: reference, people: people)) }
        if list || further.contains(.feedback) {
            all += shipped.filter { FeedbackBenchmark.scenarios.contains($0.name) }.map {
                FeedbackBenchmark(scenario: $0, people: people)
            }
        }
        if list || further.contains(.writing) { all.append(WritingBenchmark(scenario: reference, people: people)) }
        return all.filter { benchmark in filter.isEmpty || filter.contains { benchmark.name.contains($0) } }
    }
}
