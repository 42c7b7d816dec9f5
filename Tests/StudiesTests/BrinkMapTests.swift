import Basics
import Foundation
import ScenarioFiles
import Testing

@testable import Studies

@Suite struct BrinkMapTests {
    /// A queue with a bound before one server, that others ask at random and that stalls for a while.
    private static let queue = """
        start: "2026-03-02T14:00:00Z"
        warmup: 0s
        duration: 20m
        people: 1
        kinds:
          - {id: quote, policy: never}
        service:
          latency_out: 10ms
          latency_back: 10ms
          pools: [{id: origin, servers: 1, service_time: {mean: 2s}, queue: 8}]
          background: [{id: others, endpoint: quote, rate: 0.25}]
          events: [{brown_out: {name: stall, capacity: 0, span: ["2026-03-02T14:10:00Z", "2026-03-02T14:10:30Z"]}}]
        population:
          zones: {UTC: 1}
          devices:
            - {kind: phone, instances: [{id: quote, kind: quote}]}

        """

    private static func map(
        _ text: String, _ axes: [String], targets: [String] = [], cures: [String] = [], seeds: Int,
        in folder: StudyFolder
    ) throws -> BrinkMap {
        let base = try ScenarioVariant(ScenarioText(text: text, file: "brink.yaml"), overrides: [])
        func perform(_ runs: [StudyRun], _ study: Study) {
            let outcomes = RunQueue(
                study.scenario, in: folder, .init(jobs: 2, threads: 1, memory: 1e9, kept: .summary)
            ).perform(runs, cancelled: { false })
            #expect(outcomes.allSatisfy { $0.isComplete }, "\(outcomes)")
        }
        let search = try BrinkSearch(
            base,
            axes: axes.map { axis in
                try BrinkAxis(try Axis.read(axis), of: base) {
                    try BrinkSearch.headroom(of: base, in: folder) { perform($0, $1) }
                }
            }, targets: targets.map { try PlanTarget($0) },
            cures: try cures.map { try Cure(try Axis.read($0)) }, replications: seeds, in: folder)
        return try search.map(width: 2) { runs, study, _ in perform(runs, study) }
    }

    /// The probability that the queue sheds a request within twenty minutes that begin empty and in which its server
    /// begins nothing for a while from ten minutes on: the chain of whether it is busy and how many wait, solved by
    /// uniformization (Jensen 1953), with a state for one that was shed.
    private static func sheds(stall: Double, arrivals: Double, service: Double, room: Int) -> Double {
        let shed = 2 * (room + 1)
        func state(busy: Bool, waiting: Int) -> Int { waiting * 2 + (busy ? 1 : 0) }
        var chance = [Double](repeating: 0, count: shed + 1)
        chance[0] = 1
        func step(_ from: [Double], isStalled: Bool) -> [Double] {
            let (up, down) = (arrivals / (arrivals + service), service / (arrivals + service))
            var to = [Double](repeating: 0, count: shed + 1)
            to[shed] = from[shed]
            for waiting in 0...room {
                for busy in [false, true] {
                    let mass = from[state(busy: busy, waiting: waiting)]
                    if mass == 0 { continue }
                    if !busy && !isStalled {
                        to[state(busy: true, waiting: waiting)] += mass * up
                        to[state(busy: false, waiting: waiting)] += mass * down
                        continue
                    }
                    to[waiting == room ? shed : state(busy: busy, waiting: waiting + 1)] += mass * up
                    let after =
                        !busy
                        ? state(busy: false, waiting: waiting)
                        : isStalled || waiting == 0
                            ? state(busy: false, waiting: waiting) : state(busy: true, waiting: waiting - 1)
                    to[after] += mass * down
                }
            }
            return to
        }
        func pass(_ seconds: Double, isStalled: Bool) {
            let mean = (arrivals + service) * seconds
            var sum = [Double](repeating: 0, count: shed + 1)
            var now = chance
            for steps in 0...Int(mean + 12 * mean.squareRoot() + 40) {
                let weight = exp(Double(steps) * log(mean) - mean - lgamma(Double(steps) + 1))
                for index in sum.indices { sum[index] += weight * now[index] }
                now = step(now, isStalled: isStalled)
            }
            chance = sum
        }
        pass(600, isStalled: false)
        pass(stall, isStalled: true)
        for waiting in 1...room {
            chance[state(busy: true, waiting: waiting - 1)] += chance[state(busy: false, waiting: waiting)]
            chance[state(busy: false, waiting: waiting)] = 0
        }
        pass(600 - stall, isStalled: false)
        return chance[shed]
    }

    @Test func `shares of a map are those of a Markov chain`() throws {
        let scratch = try StudyScratch()
        let stalls = [5.0, 15, 30]
        let map = try Self.map(
            Self.queue, ["trigger=5s,15s,30s"], targets: ["service.share_shed <= 0"],
            cures: ["service.pools.origin.queue=10,100"], seeds: 200, in: scratch.folder)
        for (cell, stall) in zip(map.cells, stalls) {
            let exact = Self.sheds(stall: stall, arrivals: 0.25, service: 0.5, room: 8)
            let deviation = (exact * (1 - exact) / 200).squareRoot()
            #expect(abs(cell.shareLost - exact) < 4 * deviation, "\(cell) and \(exact)")
        }
        // The scenario's own stall is the last, so it has the same runs.
        #expect(map.own.lost == map.cells[2].lost && map.axes[0].own == "30s")
        #expect(map.treated?.values == [])
        #expect(map.remedies.map(\.step?.text) == ["100"])
    }

    @Test func `the headroom is the share of the servers that is left without the event`() throws {
        let scratch = try StudyScratch()
        let text = Self.queue.replacing("servers: 1", with: "servers: 40").replacing("rate: 0.25", with: "rate: 10")
        let base = try ScenarioVariant(ScenarioText(text: text, file: "brink.yaml"), overrides: [])
        let axis = try BrinkAxis(try Axis.read("headroom=20%,0.5"), of: base) { ["origin": 0.4] }
        // 24 of 40 servers are busy in the fullest minute.
        #expect(axis.overrides == [["service.pools.origin.servers=30"], ["service.pools.origin.servers=48"]])
        #expect(axis.own == "40 %")
        let left = try BrinkSearch.headroom(of: base, in: scratch.folder) { runs, study in
            let outcomes = RunQueue(study.scenario, in: scratch.folder, .init(jobs: 1, threads: 1, memory: 1e9))
                .perform(
                    runs, cancelled: { false })
            #expect(outcomes.allSatisfy { $0.isComplete })
        }
        let own = try #require(left["origin"])
        #expect((0.2..<0.5).contains(own), "\(own)")
    }

    @Test(arguments: [
        ("trigger=10s,soon", "lengths of time above 0"), ("headroom=100%", "shares of the capacity below 100 %"),
        ("trigger.flood=10s", "found 'flood'"), ("headroom=range(0.1,0.5)", "values one by one"),
        ("trigger=9222000000000s", "up to ten years"), ("headroom=99.99999999999999%", "1000000 servers at most"),
    ])
    func `an axis that cannot be is refused with its cure`(text: String, words: String) throws {
        let base = try ScenarioVariant(ScenarioText(text: Self.queue, file: "brink.yaml"), overrides: [])
        let problem = #expect(throws: StudyProblem.self) {
            try BrinkAxis(try Axis.read(text), of: base) { ["origin": 0.4] }
        }
        #expect(problem?.description.contains(words) == true, "\(String(describing: problem))")
    }

    @Test func `an edge lies between the last value that loses no seed and the next`() {
        func axis(_ name: String, _ values: [String]) -> BrinkAxis { BrinkAxis(name: name, values: values) }
        func cell(_ values: [String], _ lost: Int) -> BrinkMap.Cell {
            BrinkMap.Cell(values: values, runs: 4, lost: lost, wellAfter: nil)
        }
        let lost = [
            "a": [4, 1, 0, 0], "b": [0, 0, 0, 0], "c": [4, 4, 4, 2], "d": [0, 0, 3, 4], "e": [0, 2, 0, 0],
            "f": [1, 0, 0, 1],
        ]
        let cells = ["a", "b", "c", "d", "e", "f"].flatMap { row in
            zip(["1", "2", "3", "4"], lost[row]!).map { cell([row, $0], $1) }
        }
        let map = BrinkMap(
            axes: [axis("x", ["a", "b", "c", "d", "e", "f"]), axis("y", ["1", "2", "3", "4"])], cells: cells,
            own: cell([], 0), treated: nil, remedies: [])
        #expect(map.edges.map(\.safeFrom) == ["3", "1", nil, "2", "3", nil])
        #expect(map.edges.map(\.lostAt) == ["2", nil, "4", "3", "2", "4"])
        #expect(map.edges.map(\.isLostEverywhere) == [false, false, true, false, false, false])
    }

    /// An event beyond the end of the report, or before its beginning, would be counted as one that nothing comes back
    /// from.
    @Test(arguments: [("trigger=30m", ""), ("trigger=10s", "warmup=15m"), ("service.events=[]", "")])
    func `an event that the report cannot judge is refused`(axis: String, setting: String) throws {
        let scratch = try StudyScratch()
        let base = try ScenarioVariant(
            ScenarioText(text: Self.queue, file: "brink.yaml"), overrides: setting.isEmpty ? [] : [setting])
        let axis = try BrinkAxis(try Axis.read(axis), of: base, headroom: nil)
        let search = try BrinkSearch(base, axes: [axis], targets: [], cures: nil, replications: 1, in: scratch.folder)
        let problem = #expect(throws: StudyProblem.self) { try search.study() }
        #expect(problem?.description.contains("end within the report") == true, "\(String(describing: problem))")
    }

    @Test func `asking again later makes no delay shorter`() throws {
        let text = Self.queue.replacing("policy: never", with: "policy: {after: 5m}").replacing(
            "latency_out", with: "failure_after: {refused: 10s, timed_out: 30m}\n  latency_out")
        let base = try ScenarioVariant(ScenarioText(text: text, file: "brink.yaml"), overrides: [])
        let cure = try #require(Cure.usual(of: base).first { $0.name == "asking again later" })
        #expect(
            cure.steps[0].overrides == [
                "service.failure_after={refused: 20s, failed: 30m, timed_out: 1h, offline: 30m}"
            ])
    }

    @Test func `a cure with an autoscaler adds an unknown number of servers, and none that a number is known of`()
        throws
    {
        let scratch = try StudyScratch()
        let pool = "service.pools.origin={id: origin, servers: 1, service_time: {mean: 2s}, queue: 1000"
        let scaling = "autoscaling: {target: 0.5, interval: 15s, lag: 15s, least: 1, most: 200}"
        let map = try Self.map(
            Self.queue, ["trigger=30s,60s"], targets: ["service.share_shed <= 0"],
            cures: ["a:\(pool), \(scaling)}", "b:\(pool)}"], seeds: 8, in: scratch.folder)
        #expect(map.remedies.map(\.cure.name) == ["b", "a"])
        #expect(map.remedies.map(\.addedServers) == [0, nil])
    }

    @Test func `a cure that the scenario does not take is refused before a run`() throws {
        let scratch = try StudyScratch()
        let base = try ScenarioVariant(ScenarioText(text: Self.queue, file: "brink.yaml"), overrides: [])
        let axis = try BrinkAxis(try Axis.read("trigger=10s"), of: base, headroom: nil)
        #expect(throws: ScenarioProblems.self) {
            try BrinkSearch(
                base, axes: [axis], targets: [], cures: [Cure(try Axis.read("servise.retries=0"))], replications: 1,
                in: scratch.folder)
        }
    }
}
