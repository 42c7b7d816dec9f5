import Basics
import Reporting
import ScenarioFiles
import ScenarioModel
import Testing

@testable import Studies

@Suite struct PlanTargetTests {
    @Test(arguments: [
        ("load_peak_1s < 5000", "load_peak_1s", "<", 5_000.0),
        ("service.origin.queue_wait_p99_s<=50ms", "service.origin.queue_wait_p99_s", "<=", 0.05),
        ("age_p95_s <= 20m", "age_p95_s", "<=", 1_200), ("share_stale < 5 %", "share_stale", "<", 0.05),
        ("share_fresh>=0.95", "share_fresh", ">=", 0.95),
        ("a > -1", "a", ">", -1), ("bytes <= 2kB", "bytes", "<=", 2_000),
    ])
    func `a demand is a metric, a sign and a bound with its unit`(
        text: String, metric: String, op: String, bound: Double
    ) throws {
        let target = try PlanTarget(text)
        #expect(target.metric == metric && target.op.rawValue == op && target.bound == bound)
    }

    @Test func `an objective is a target by its name`() throws {
        func scenario(_ objectives: String) throws -> Scenario {
            try ScenarioReader.read(
                text: """
                    start: "2026-03-02T00:00:00Z"
                    duration: 1d
                    people: 10
                    kinds: [{id: k, policy: {after: 1h}}]
                    service: {pools: [{id: o, servers: 5, service_time: 1s}], objectives: \(objectives)}
                    population: {devices: [{kind: phone, instances: [{id: i, kind: k}]}]}
                    """
            ).scenario
        }
        let one = try scenario("[{name: quick, share: 0.99, within: 1s}]")
        let target = try PlanTarget("objective = quick", of: one)
        #expect(target.metric == "objective.quick.share_good" && target.op == .atLeast && target.bound == 0.99)
        #expect(one.demands.map(\.metric) == [target.metric])
        #expect(try PlanTarget("share_fresh >= 0.5", of: one).metric == "share_fresh")
        #expect { try PlanTarget("objective=slow", of: one) } throws: {
            "\($0)".contains("expected an objective of the service: quick, found 'objective=slow'")
        }
        #expect { try PlanTarget("objective=quick", of: scenario("[]")) } throws: {
            "\($0)".contains("as the service has no objectives")
        }
    }

    @Test(arguments: ["", "load_peak_1s", "< 5", "a = 5", "a <", "a < soon", "a < 5 m%", "a < 5m%", "a << 5"])
    func `what is no demand is one sentence`(text: String) {
        #expect { try PlanTarget(text) } throws: { "\($0)".contains("a metric, <, <=, > or >=, and a bound") }
    }

    @Test func `bounds hold up to their own value or not, and what is not defined holds nothing`() throws {
        for (text, below, at, above) in [
            ("a < 5", true, false, false), ("a <= 5", true, true, false), ("a > 5", false, false, true),
            ("a >= 5", false, true, true),
        ] {
            let target = try PlanTarget(text)
            #expect(
                target.holds(4) == below && target.holds(5) == at && target.holds(6) == above && !target.holds(nil),
                "\(text)")
        }
    }

    @Test func `a length of time bounds seconds only, a size bytes only, and a number everything`() throws {
        #expect(try PlanTarget("a < 5m").suits(unit: "s") && !PlanTarget("a < 5m").suits(unit: "requests"))
        #expect(try PlanTarget("a < 5kB").suits(unit: "bytes") && !PlanTarget("a < 5kB").suits(unit: "s"))
        #expect(try !PlanTarget("a < 5").suits(unit: "s") && PlanTarget("a <= 0").suits(unit: "s"))
        #expect(try PlanTarget("a < 5").suits(unit: "requests"))
    }

    @Test func `a metric that the scenario does not have is refused before anything is run`() throws {
        let targets = try [PlanTarget("views > 1"), PlanTarget("veiws > 1")]
        #expect { try PlanTarget.check(targets, known: ["views", "share_stale"]) } throws: {
            "\($0)".contains("'veiws'")
        }
        try PlanTarget.check([targets[0]], known: ["views", "share_stale"])
        #expect(PlanTarget.metrics(of: targets + [targets[0]]) == ["views", "veiws"])
    }

    @Test func `what is asked for where nothing is, is every minute of the pool that is looked for, or of all`() {
        func metrics(_ key: String) -> [String] { PlanTarget.ofWorstMinute(pools: ["a", "b"], key: key).map(\.metric) }
        #expect(metrics("service.pools.b.servers") == ["service.b.queue_wait_p99_worst_1m_s"])
        #expect(
            metrics("kinds.k.policy.jitter") == [
                "service.a.queue_wait_p99_worst_1m_s", "service.b.queue_wait_p99_worst_1m_s",
            ])
        #expect(PlanTarget.ofWorstMinute(pools: ["a"], key: "people").allSatisfy { $0.holds(0.05) && !$0.holds(0.051) })
    }

    @Test func `a quantile over the whole report has a worst minute, and nothing else has`() throws {
        #expect(
            try PlanTarget("service.origin.queue_wait_p99_s <= 50ms").worstMinute
                == "service.origin.queue_wait_p99_worst_1m_s")
        #expect(
            try PlanTarget("service.response_time_p999_s < 1s").worstMinute == "service.response_time_p999_worst_1m_s")
        for text in [
            "age_p95_s <= 20m", "service.origin.queue_wait_p99_s > 1s", "service.share_shed <= 0",
            "service.origin.queue_wait_p99_worst_1m_s <= 1s",
        ] {
            #expect(try PlanTarget(text).worstMinute == nil, "\(text)")
        }
        let targets = [try PlanTarget("service.origin.queue_wait_p95_worst_1m_s < 20ms")]
        #expect(PlanSummary.staffingTarget(targets, pool: "origin") == .wait(quantile: 0.95, atMost: 0.02))
    }

    @Test func `Erlang C is asked for the wait that the targets bound at the pool`() throws {
        let targets = try [
            PlanTarget("service.other.queue_wait_p99_s < 1s"), PlanTarget("service.origin.queue_wait_p95_s < 20ms"),
        ]
        #expect(PlanSummary.staffingTarget(targets, pool: "origin") == .wait(quantile: 0.95, atMost: 0.02))
        #expect(PlanSummary.staffingTarget(targets, pool: "other") == .wait(quantile: 0.99, atMost: 1))
        #expect(PlanSummary.staffingTarget(targets, pool: "third") == .wait(quantile: 0.99, atMost: 0.05))
    }

    @Test func `a target on a cost needs prices, and an unknown metric names the nearest`() throws {
        let service = "service: {pools: [{id: origin, servers: 4, service_time: 50ms}]PRICES}\n"
        for (prices, isRefused) in [("", true), (", prices: {server_hour: 0.1}", false)] {
            let text = StudyFixture.text + service.replacingOccurrences(of: "PRICES", with: prices)
            let study = try Study(
                name: "priced", scenario: ScenarioText(text: text, file: "small.yaml"), design: StudyDesign(axes: []))
            let fault = try? problem { try study.check(metric: "service.cost_per_month", at: "--target") }
            #expect((fault?.contains("expected prices in service.prices") ?? false) == isRefused, "\(fault ?? "")")
        }
        let fault = try problem {
            try PlanTarget.check([try PlanTarget("request_total < 5")], known: ["requests_total"])
        }
        #expect(fault.contains("did you mean 'requests_total'?"))
    }

    private func problem(_ body: () throws -> Void) throws -> String {
        do { try body() } catch { return "\(error)" }
        return ""
    }
}
