import Foundation
import Simulation

/// How many times as fast the reference workload is on several threads: a ratio of wall times.
struct ThreadsBenchmark: Benchmark {
    let group = BenchmarkGroup.threads
    let scenario: ShippedScenario
    let people: Int

    init(scenario: ShippedScenario, people: Int?) {
        self.scenario = scenario
        self.people = people ?? scenario.people
    }

    var title: String { scenario.name }

    func measure(repeats: Int) throws -> [Measurement] {
        let scenario = try scenario.read(people: people).scenario
        let run = try ScenarioRun(scenario)
        func timed(_ threads: Int) -> (fingerprint: String, seconds: Double) {
            let begin = Clocks.wall
            guard let result = run.run(threads: threads) else {
                preconditionFailure("a run that nobody cancelled has no result")
            }
            let seconds = Clocks.wall - begin
            return (result.fingerprint, seconds)
        }
        let fingerprint = timed(1).fingerprint
        var counts = [2]
        let cores = ProcessInfo.processInfo.activeProcessorCount
        if cores > 2 { counts.append(cores) }
        return try counts.map { threads in
            var ratios: [Double] = []
            for _ in 0..<repeats {
                // One after the other, so that what else the machine does meets both.
                let (alone, together) = (timed(1), timed(threads))
                guard together.fingerprint == fingerprint, alone.fingerprint == fingerprint else {
                    throw BenchmarkProblem(
                        "\(threads) threads gave the fingerprint \(together.fingerprint), one gave \(fingerprint)")
                }
                ratios.append(alone.seconds / together.seconds)
            }
            var row = Measurement(
                self, named: "\(title) on \(threads) threads", unit: .timesAsFast, ratios, fingerprint: fingerprint)
            row.people = people
            return row
        }
    }
}
