import Foundation
import Simulation

/// The peak of the process's memory after the reference workload on one thread, with some people and with four times as
/// many: a peak does not shrink, so this is measured before anything else, and once.
struct MemoryBenchmark: Benchmark {
    let group = BenchmarkGroup.memory
    let scenario: ShippedScenario
    let people: Int

    init(scenario: ShippedScenario, people: Int?) {
        self.scenario = scenario
        self.people = people ?? 1_000
    }

    var title: String { scenario.name }

    func measure(repeats: Int) throws -> [Measurement] {
        try [people, 4 * people].map { people in
            let timed = try TimedRun(scenario.read(people: people).scenario)
            var row = Measurement(
                self, named: "\(title) of \(people)", unit: .mebibytes, [Self.peakMebibytes],
                fingerprint: timed.result.fingerprint)
            row.people = people
            return row
        }
    }

    private static var peakMebibytes: Double {
        var usage = rusage()
        #if os(Linux)
            precondition(
                getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0, "the process's memory cannot be read")
            // Kibibytes.
            return Double(usage.ru_maxrss) / 1_024
        #else
            precondition(getrusage(RUSAGE_SELF, &usage) == 0, "the process's memory cannot be read")
            return Double(usage.ru_maxrss) / 1_048_576
        #endif
    }
}
