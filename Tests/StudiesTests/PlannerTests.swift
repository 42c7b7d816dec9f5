import Foundation
import RefreshService
import ScenarioFiles
import Testing

@testable import Studies

@Suite struct PlannerTests {
    /// A fleet of which every device asks once or now and then, and nothing else happens.
    private static func text(people: Int, span: String, service: String, policy: String) -> String {
        """
        start: "2026-03-02T14:00:00Z"
        \(span)
        people: \(people)
        parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
        service: \(service)
        kinds:
          - {id: quote, policy: \(policy)}
        population:
          zones: {UTC: 1}
          pickups: {unlocks_per_day: 1, glances_per_unlock: 0}
          movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
          environment: {text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0}
          devices:
            - {kind: phone, instances: [{id: quote, kind: quote}]}

        """
    }

    private static let herd = text(
        people: 2_000, span: "warmup: 0s\nduration: 30m", service: "{latency_out: 100ms, latency_back: 100ms}",
        policy: "{after: {at: [\"14:10\"], zone: UTC}, jitter: 1m}")

    private static func plan(_ text: String, find: String, targets: [String], replications: Int, in folder: StudyFolder)
        throws -> (
            answer: Planner.Answer, targets: [PlanTarget], axis: Axis
        )
    {
        let axis = try Axis.read(find)
        let study = try Study(scenario: ScenarioText(text: text, file: "plan.yaml"), design: StudyDesign(axes: [axis]))
        let targets = try targets.map { try PlanTarget($0) }
        let planner = Planner(study, targets: targets, replications: replications, in: folder)
        let answer = try planner.answer(width: 2) { runs in
            let outcomes = RunQueue(study.scenario, in: folder, .init(jobs: 2, threads: 1, memory: 1e9)).perform(
                runs, cancelled: { false })
            #expect(outcomes.allSatisfy { $0.isComplete }, "\(outcomes)")
        }
        return (answer, targets, axis)
    }

    @Test func `the jitter of a herd is that of the closed form`() throws {
        let scratch = try StudyScratch()
        let (answer, _, _) = try Self.plan(
            Self.herd, find: "kinds.quote.policy.jitter=range(1m,8m,1s)", targets: ["load_peak_1s_aligned <= 20"],
            replications: 10,
            in: scratch.folder)
        // The first span whose largest second is expected to have 20 of 2,000 at most: Σ (1 − F(k)^seconds) over k ≥ 0,
        // with F of a Poisson distribution.
        let closed = 196.0
        let found = SampleSummary(answer.roots)
        // The 99.9 % interval by Student's t of nine degrees of freedom.
        let reach = 4.781 * (try #require(found.standardError))
        let interval = ConfidenceInterval(low: found.mean - reach, high: found.mean + reach)
        // A root is where half of the peaks hold: they are whole numbers, 20 counts as well, and their mean lies above
        // their median. 5 % are that.
        #expect(interval.low <= closed && closed * 0.95 <= interval.high, "\(interval), closed form \(closed)")
        #expect(abs(found.mean - closed) < 0.12 * closed)
        #expect(answer.kind == .least && answer.isConfirmed && answer.roots.count == 10)
        // It does not hold with one step less, and never at a half of the closed form.
        #expect(try #require(answer.neighbour).holding < 10)
        for trial in answer.trials where Quantity(trial.value)!.double < closed / 2 { #expect(!trial.holds) }
    }

    @Test func `the servers for arrivals at random are Erlang C's, within one`() throws {
        let scratch = try StudyScratch()
        let text = Self.text(
            people: 3_000, span: "warmup: 30m\nduration: 2h",
            service: "{timeout: 5m, pools: [{id: origin, servers: 8, service_time: {mean: 1s}}]}",
            policy: "{after: 5m, jitter: 10m}")
        let (answer, targets, axis) = try Self.plan(
            text, find: "service.pools.origin.servers=range(1,40,1)",
            targets: ["service.origin.queue_wait_p99_s <= 1s"], replications: 3,
            in: scratch.folder)
        let summary = try PlanSummary(answer, key: axis.key, targets: targets, service: nil, in: scratch.folder)
        let servers = try #require(summary.servers)
        #expect(servers.pool == "origin" && "\(servers.simulated)" == answer.value)
        #expect(abs(servers.simulated - (try #require(servers.erlangOfMean))) <= 1)
        #expect(abs(servers.simulated - (try #require(servers.erlangOfPeak))) <= 1)
        func figure(_ name: String) -> Double? { summary.figures.first { $0.name == name }?.value }
        // 3,000 devices, each after 5 minutes and 0 to 10 of jitter: 5 a second, of a second each.
        #expect(abs(try #require(figure("service.origin.offered_load_mean_erlangs")) - 5) < 0.1)
        #expect(figure("service.origin.servers_n_plus_2") == Double(servers.simulated + 2))
        #expect(figure("answer") == Double(servers.simulated) && figure("neighbour") == Double(servers.simulated - 1))
        // In one replication of three at least; this is their mean.
        #expect(try #require(answer.neighbour).holding < 3)
        #expect(try #require(figure("neighbour.service.origin.queue_wait_p99_s")) > 0.5)
    }

    /// The share of arrivals at random that wait longer than a time for one of some servers, each exponential in length
    /// (Erlang 1917, by the recursion of his first formula).
    private static func shareWaiting(longer time: Double, servers: Int, rate: Double, service: Double) -> Double {
        let load = rate * service
        if load >= Double(servers) { return 1 }
        let lost = (1...servers).reduce(1.0) { load * $0 / (Double($1) + load * $0) }
        let waiting = lost / (1 - load / Double(servers) * (1 - lost))
        return waiting * exp(-(Double(servers) / service - rate) * time)
    }

    @Test func `the machines for arrivals at random are the fewest whole ones that Erlang C allows`() throws {
        let scratch = try StudyScratch()
        let text = Self.text(
            people: 1, span: "warmup: 10m\nduration: 2h",
            service:
                "{timeout: 5m, pools: [{id: origin, machines: 9, machine: {slots: 4}, service_time: {mean: 200ms}}], background: [{id: others, endpoint: quote, rate: 150}]}",
            policy: "never")
        let (answer, _, _) = try Self.plan(
            text, find: "service.pools.origin.machines=range(7,12,1)",
            targets: ["service.origin.queue_wait_p99_s <= 200ms"], replications: 2, in: scratch.folder)
        let fewest = (1...20).first {
            Self.shareWaiting(longer: 0.2, servers: $0 * 4, rate: 150, service: 0.2) <= 0.01
        }
        #expect(answer.value == fewest.map(String.init) && fewest == 9)
    }

    @Test func `aligned arrivals need many times the servers of Erlang C at the mean rate`() throws {
        let scratch = try StudyScratch()
        let text = Self.text(
            people: 2_000, span: "warmup: 0s\nduration: 30m",
            service: "{timeout: 5m, pools: [{id: origin, servers: 8, service_time: {mean: 100ms}}]}",
            policy: "{after: {at: [\"14:10\"], zone: UTC}, jitter: 10s}")
        let (answer, targets, axis) = try Self.plan(
            text, find: "service.pools.origin.servers=range(1,100,1)", targets: ["service.queue_wait_p99_s <= 200ms"],
            replications: 2,
            in: scratch.folder)
        let summary = try PlanSummary(answer, key: axis.key, targets: targets, service: nil, in: scratch.folder)
        let servers = try #require(summary.servers)
        // 200 a second for ten seconds, 20 erlangs, are 1.1 a second over the half hour, 0.11 erlangs.
        #expect((15...30).contains(servers.simulated))
        #expect(servers.simulated >= 8 * (try #require(servers.erlangOfMean)))
    }

    @Test func `a range of which no end holds has no answer, and both ends are told`() throws {
        let scratch = try StudyScratch()
        let (answer, _, _) = try Self.plan(
            StudyFixture.text, find: "people=20,30,40", targets: ["views < 0"], replications: 2, in: scratch.folder)
        #expect(answer.kind == .nowhere && answer.value == nil && answer.runs.isEmpty && !answer.isConfirmed)
        #expect(answer.trials.map(\.value) == ["20", "40"])
    }

    @Test func `a length of time bounds no requests, and an unknown metric is named`() throws {
        let scratch = try StudyScratch()
        #expect {
            try Self.plan(
                StudyFixture.text, find: "people=20,30", targets: ["requests_total < 5m"], replications: 1,
                in: scratch.folder)
        } throws: { "\($0)".contains("a bound in requests") }
        #expect {
            try Self.plan(
                StudyFixture.text, find: "people=20,30", targets: ["veiws < 5"], replications: 1, in: scratch.folder)
        } throws: { "\($0)".contains("'veiws'") }
    }

    // MARK: Rows that are made up

    /// Plans over 0 to 99 people more than 1,000 with a metric that is made up: `peak(number, replication)`, which
    /// shall be at most 10 if nothing else is asked for.
    private static func planned(
        _ replications: Int, targets: [String] = ["peak <= 10"], peak: (Int, Int) -> Int
    ) throws -> Planner.Answer {
        let scratch = try StudyScratch()
        let study = try StudyFixture.study(["people=range(1000,1099,1)"])
        let planner = Planner(
            study, targets: try targets.map { try PlanTarget($0) }, replications: replications, in: scratch.folder)
        return try planner.answer(width: 3) { runs in
            for run in runs {
                let folder = scratch.folder.path(of: run)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let value = peak(run.point.number - 1, run.replication)
                try "scope,name,metric,unit,value\nrun,,peak,requests,\(value)\n".write(
                    toFile: folder + "/summary.csv", atomically: true, encoding: .utf8)
            }
        }
    }

    @Test func `the answer is the farthest root, with the value before it in all replications`() throws {
        let roots = [30, 34, 28]
        let least = try Self.planned(3) { number, replication in number >= roots[replication - 1] ? 10 : 11 }
        #expect(least.kind == .least && least.value == "1034" && least.roots == [1030, 1034, 1028])
        #expect(least.isConfirmed && !least.comesAndGoes && least.holding == 3)
        #expect(least.neighbour?.value == "1033" && least.neighbour?.holding == 2)
        #expect(abs(least.neighbour!.measured[0]! - 31.0 / 3) < 1e-12)
        let largest = try Self.planned(3) { number, replication in number <= roots[replication - 1] ? 10 : 11 }
        #expect(
            largest.kind == .largest && largest.value == "1028" && largest.isConfirmed
                && largest.neighbour?.value == "1029")
    }

    @Test func `a root that does not hold in all replications is left for the next value that does`() throws {
        // The first fails again from 40 to 44, where the second's root is.
        let answer = try Self.planned(2) { number, replication in
            replication == 1 ? (number >= 30 && !(40...44).contains(number) ? 5 : 20) : number >= 40 ? 5 : 20
        }
        #expect(answer.value == "1045" && answer.isConfirmed && answer.comesAndGoes)
    }

    @Test func `targets that come and go are not confirmed where no further value holds in all`() throws {
        let answer = try Self.planned(2) { number, replication in
            replication == 1 ? (number == 30 || number == 99 ? 5 : 20) : number >= 60 && number < 99 ? 5 : 20
        }
        #expect(!answer.isConfirmed && answer.holding < 2)
    }

    @Test func `a replication in which no value holds has no root, and the answer is not confirmed`() throws {
        let answer = try Self.planned(3) { number, replication in replication == 3 ? 20 : number >= 50 ? 5 : 20 }
        #expect(answer.value == "1099" && answer.holding == 2 && !answer.isConfirmed && answer.roots == [1050, 1050])
    }

    @Test func `targets that pull apart have the values in which all hold, and each its own end`() throws {
        let both = try Self.planned(2, targets: ["peak <= 10", "peak >= 5"]) { number, replication in
            60 + replication - number
        }
        #expect(both.kind == .least && both.value == "1052" && both.isConfirmed)
        #expect(both.alone.map(\.kind) == [.least, .largest] && both.alone.map(\.value) == ["1052", "1056"])
        #expect(both.neighbour?.value == "1051" && both.neighbour?.holding == 1)
        let none = try Self.planned(2, targets: ["peak <= 10", "peak >= 20"]) { number, _ in 60 - number }
        #expect(none.kind == .nowhere && none.value == nil && none.alone.map(\.value) == ["1050", "1040"])
    }

    @Test func `the wait that is a part of a time is the same quantile of the same pool`() throws {
        #expect(try PlanTarget("service.o.origin_time_p99_s < 1s").queueWait == "service.o.queue_wait_p99_s")
        let worst = try PlanTarget("service.response_time_p95_worst_1m_s < 1s")
        #expect(worst.queueWait == "service.queue_wait_p95_worst_1m_s")
        #expect(try PlanTarget("service.o.queue_wait_p99_s < 1s").queueWait == nil)
        #expect(try PlanTarget("peak <= 10").queueWait == nil)
    }

    @Test func `a figure that no value changes is told with the value from which on it stays`() throws {
        let answer = try Self.planned(2) { number, replication in replication == 2 ? max(20, 34 - number) : 5 }
        #expect(!answer.isConfirmed)
        let plateau = try #require(answer.plateau(ofTarget: 0, PlanTarget("peak <= 10")))
        #expect(plateau.replication == 2 && plateau.at == 20 && plateau.from != "1099")
        let steep = try Self.planned(2) { number, replication in replication == 2 ? 200 - number : 5 }
        #expect(steep.plateau(ofTarget: 0, try PlanTarget("peak <= 10")) == nil)
        // At the end at which nothing is expected to hold a figure can be as bad as it gets.
        let saturated = try Self.planned(2) { number, replication in
            replication == 2 ? min(30, 120 - number) : number >= 20 ? 5 : 30
        }
        #expect(!saturated.isConfirmed)
        #expect(saturated.plateau(ofTarget: 0, try PlanTarget("peak <= 10")) == nil)
    }
}
