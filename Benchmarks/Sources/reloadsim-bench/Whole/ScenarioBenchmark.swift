import Reporting
import Simulation

/// A whole scenario: core time a device-day and an event.
struct ScenarioBenchmark: Benchmark {
    let group = BenchmarkGroup.scenario
    let scenario: ShippedScenario
    let people: Int

    init(scenario: ShippedScenario, people: Int?) {
        self.scenario = scenario
        self.people = people ?? scenario.people
    }

    var title: String { scenario.name }

    func measure(repeats: Int) throws -> [Measurement] {
        let read = try scenario.read(people: people)
        var (perDeviceDay, fixed, setUp, report): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var first: RunResult?
        // A first run that is not counted: memory and branches are warm afterwards.
        _ = try TimedRun.fixed(read.scenario)
        for _ in 0..<repeats {
            let alone = try TimedRun.fixed(read.scenario)
            let timed = try TimedRun(read.scenario)
            fixed.append(alone)
            setUp.append(timed.setUp)
            perDeviceDay.append(max(0, timed.run - alone) / timed.result.deviceDaysLived * 1e6)
            report.append(try WrittenReport(timed.result, read).coreSeconds)
            if let first, first.fingerprint != timed.result.fingerprint {
                throw BenchmarkProblem(
                    "\(name) has two fingerprints, \(first.fingerprint) and \(timed.result.fingerprint)")
            }
            first = first ?? timed.result
        }
        guard let first else { preconditionFailure("\(repeats) repetitions") }
        var row = Measurement(self, unit: .microsecondsADeviceDay, perDeviceDay, fingerprint: first.fingerprint)
        row.people = people
        row.deviceDays = first.deviceDaysLived
        row.events = first.eventsLived
        row.nanosecondsAnEvent = row.figure.median * 1e3 * first.deviceDaysLived / first.eventsLived
        row.fixedMilliseconds = Spread(fixed).median * 1e3
        row.setUpMilliseconds = Spread(setUp).median * 1e3
        row.reportMilliseconds = Spread(report).median * 1e3
        return [row]
    }
}
