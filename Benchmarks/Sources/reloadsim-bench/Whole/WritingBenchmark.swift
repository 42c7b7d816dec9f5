import Foundation
import Simulation

/// The cost of the reports of the reference workload, written once for 100,000 people: as shares of the core time of
/// the run, and of the wall time on all cores.
struct WritingBenchmark: Benchmark {
    let group = BenchmarkGroup.writing
    let scenario: ShippedScenario
    let people: Int

    init(scenario: ShippedScenario, people: Int?) {
        self.scenario = scenario
        self.people = people ?? 100_000
    }

    var title: String { scenario.name }

    func measure(repeats: Int) throws -> [Measurement] {
        let read = try scenario.read(people: people)
        let run = try ScenarioRun(read.scenario)
        let wall = Clocks.wall
        let (result, core) = Clocks.coreTime { run.run(threads: ProcessInfo.processInfo.activeProcessorCount) }
        let wallOfRun = Clocks.wall - wall
        guard let result else { preconditionFailure("a run that nobody cancelled has no result") }
        let written = try WrittenReport(result, read)
        func row(_ time: String, _ share: Double) -> Measurement {
            var row = Measurement(
                self, named: "\(title) by \(time) time", unit: .shareOfRun, [share], fingerprint: result.fingerprint)
            row.people = people
            row.deviceDays = result.deviceDaysLived
            row.reportMilliseconds = (time == "core" ? written.coreSeconds : written.wallSeconds) * 1e3
            return row
        }
        return [row("core", written.coreSeconds / core), row("wall", written.wallSeconds / wallOfRun)]
    }
}
