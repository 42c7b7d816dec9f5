import Basics
import Fleet
import ScenarioModel
import Simulation
import WidgetPlatform

/// One run of a scenario on one thread, and the core time of its steps in seconds.
struct TimedRun {
    let result: RunResult
    /// Tables and the prepared plan.
    let setUp: Double
    /// The simulation: the load curve's memory, one thread that simulates all people, and the sum of its measures.
    let run: Double

    init(_ scenario: Scenario) throws {
        let (prepared, setUp) = try Clocks.coreTime { try ScenarioRun(scenario) }
        let (result, run) = Clocks.coreTime { prepared.run(threads: 1) }
        guard let result else { preconditionFailure("a run that nobody cancelled has no result") }
        (self.result, self.setUp, self.run) = (result, setUp, run)
    }

    /// The core time of a run of the same scenario with a single person: what does not grow with the people.
    static func fixed(_ scenario: Scenario) throws -> Double {
        var alone = scenario
        alone.people = 1
        return try TimedRun(alone).run
    }
}

extension RunResult {
    /// All devices together.
    private var devices: BlockSum<DeviceCounts> {
        let layout = measures.layout
        return BlockSum(
            measures,
            at: (0..<layout.segments).flatMap { segment in layout.devices.map { layout.place(ofSegment: segment, $0) } }
        )
    }

    private var livedSeconds: Double { (scenario.plan.end - .start).inSeconds }

    /// Device-days simulated, the warm-up's too: devices times the days from the start to the end.
    var deviceDaysLived: Double { Double(devices[.devices]) * livedSeconds / 86_400 }

    /// Logical events simulated. Those of the report are counted; the warm-up is taken to have as many a day, since
    /// nothing counts its events.
    var eventsLived: Double { Double(devices[.events]) * livedSeconds / scenario.reportedSpan.inSeconds }

    /// Requests, those of the warm-up estimated in the same way.
    var requestsLived: Double {
        let reported = (0..<load.endpoints).reduce(0) { sum, endpoint in
            load.tenths(of: endpoint).reduce(sum) { $0 + Int($1) }
        }
        return Double(reported) * livedSeconds / scenario.reportedSpan.inSeconds
    }
}
