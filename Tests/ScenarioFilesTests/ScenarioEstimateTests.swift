import Reporting
import Testing

@testable import ScenarioFiles
@testable import Simulation

/// Estimates before a run.
@Suite struct ScenarioEstimateTests {
    private func estimate(people: String, span: String = "7d", warmup: String = "0s", more: String = "") throws
        -> ScenarioEstimate
    {
        let text =
            "start: \"2026-03-02T00:00:00Z\"\nduration: \(span)\nwarmup: \(warmup)\npeople: \(people)\n"
            + ScenarioReaderTests.kinds
            + ScenarioReaderTests.population + more
        return ScenarioEstimate(try ScenarioReader.read(text: text).scenario)
    }

    @Test func `a week of a million phones is within the limits, its numbers plausible`() throws {
        let estimate = try estimate(people: "1e6")
        // The day before a start without warm-up is lived through (T4).
        #expect(estimate.people == 1e6 && estimate.devices == 1e6 && estimate.deviceDays == 8e6)
        // The policy asks for 48 in 24 hours, of which people sleep or leave the phone alone in some eight.
        #expect(estimate.reloads > 26 * 8e6 && estimate.reloads < 44 * 8e6)
        // A reload that starts without a connection asks for nothing.
        #expect(estimate.requests <= estimate.reloads && estimate.requests > 0.9 * estimate.reloads)
        #expect(estimate.events > 200 * 8e6 && estimate.events < 1000 * 8e6)
        // One endpoint: a week of tenths of a second, four bytes each, beside the process itself.
        let run = estimate.ownMemory(threads: 1)
        #expect(run > 24_192_000 && run < 36_000_000)
        try estimate.check(file: "x")
    }

    @Test func `memory does not depend on the number of people`() throws {
        #expect(try estimate(people: "1e6").memory == estimate(people: "1e9").memory)
    }

    @Test func `what is beyond the limits is a problem`() throws {
        let long = try estimate(people: "1e9", span: "3600d")
        let problems = #expect(throws: ScenarioProblems.self) { try long.check(file: "big.yaml") }
        #expect(
            problems?.problems.map { $0.description.replacing(/[12]\.[0-9]e15/, with: "2e15") } == [
                "big.yaml: expected a run of at most 10,000,000,000,000 events, by fewer people or a shorter duration, found one of about 2e15"
            ])
        #expect(long.memory > 13 * 1_073_741_824 && long.queueNote == "")
    }

    @Test func `retries and requests count`() throws {
        let plain = try estimate(people: "1000")
        let retrying = "service: {retries: 1, retry_delays: [1s]"
        #expect(try estimate(people: "1000", more: retrying + "}\n").requests == plain.requests)
        // Nothing works: each reload is two tries, a quarter of an hour after the one before.
        let failing = try estimate(people: "1000", more: retrying + ", failing: [[\"2026-03-01T00:00:00Z\", 7d]]}\n")
        // One of them may end after what is sampled, or have begun before the start.
        #expect(
            failing.requests > 1.98 * failing.reloads && failing.requests < 2.02 * failing.reloads
                && failing.reloads > plain.reloads)
    }

    @Test func `a sample before a service that is out takes several rounds`() throws {
        func seconds(_ more: String, threads: Int = 1) throws -> Double {
            let service = "service: {pools: [{id: origin, servers: 100, service_time: 1ms}]\(more)}\n"
            let report = "report: {represents: 5000000, ranges: false}\n"
            let estimate = try estimate(people: "1000", span: "1d", more: service + report)
            return estimate.seconds(threads: threads, nanosecondsOfEvent: 75)
        }
        let outage = ", failing: [[12h, 13h]]"
        let (plain, out) = (try seconds(""), try seconds(outage))
        #expect(out > 5 * plain && out < 12 * plain, "\(plain), \(out)")
        // A round is served by one thread.
        #expect(try seconds(outage, threads: 2) > 0.9 * out)
    }

    @Test func `people who stand for many ask nothing before the service begins`() throws {
        func requests(_ span: String, warmup: String) throws -> Double {
            let more = "service: {pools: [{id: origin, servers: 100, service_time: 1ms}]}\n"
            let report = "report: {represents: 1000000, ranges: false}\n"
            return try estimate(people: "1000", span: span, warmup: warmup, more: more + report).requests
        }
        // A run of the day has 34.1 million; the hour from noon on with the quarter of one before it 1.25 million.
        let day = try requests("1d", warmup: "1d")
        let hour = try requests("1h", warmup: "1d12h")
        #expect(day > 31e6 && day < 38e6 && hour > 0.9e6 && hour < 1.7e6, "\(day), \(hour)")
        // A week is sampled by some of its days.
        #expect(try requests("7d", warmup: "1d") < 7.6 * day)
    }

    /// Each key that makes devices do more makes the estimate larger.
    @Test func `pushes, wake-ups, looks and bundles count`() throws {
        func estimate(_ kind: String, _ device: String, _ more: String = "") throws -> ScenarioEstimate {
            let text =
                ScenarioReaderTests.head
                + "kinds: [{id: a, policy: never, push: true\(kind)}]\npopulation: {devices: [{\(device)}]}\n"
                + more
            return ScenarioEstimate(try ScenarioReader.read(text: text).scenario)
        }
        let (phone, watch) = (
            "instances: [{id: x, kind: a, surface: lock_screen}]", "kind: watch, instances: [{id: x, kind: a}]"
        )
        let plain = try estimate("", phone)
        // 100 phones over three days.
        func extra(_ kind: String, _ more: String = "") throws -> Double {
            (try estimate(kind, phone, more).reloads - plain.reloads) / 300
        }
        let pushed = ", push_on_version: {}, versions: {source: steady, every: 1h}"
        let campaign = "pushes: [{name: p, app: app, at: {at: [\"12:00\"]}, share: 0.5}]\n"
        let separate = "parameters: {push_budget: separate, push_allowance: 5}\n"
        // Pushes in sleep wait and merge; a thousand are more than the budget pays.
        for (found, range) in [
            (try extra(", wake_ups_per_day: 10"), 6.0...10.5), (try extra(", wake_ups_per_day: 1000"), 35...75),
            (try extra("", campaign), 0.3...0.8), (try extra(pushed), 13...24.5),
            (try extra(", wake_ups_per_day: 100" + pushed, separate), 12...80),
        ] { #expect(range.contains(found), "\(found)") }
        #expect(try estimate(", interactions_per_view: 0.5", phone).reloads > plain.reloads)
        #expect(try estimate("", "always_on: {share: 1, looks_per_day: 50}, " + phone).events > plain.events + 300 * 40)
        let bundled = try estimate("", "bundles: [{id: b, count: 3, widgets: [{kind: a, surfaces: lock_screen}]}]")
        #expect(bundled.reloads > 2 * plain.reloads)
        // Some 100 raises a day on a watch.
        let watches = try estimate("", watch)
        #expect(watches.events != plain.events && watches.devices == plain.devices)
        let standby = try estimate(
            "", "standby: {share: 1, nights: 1, looks_per_night: 2}, instances: [{id: x, kind: a, surface: standby}]")
        #expect(standby.events < plain.events)
    }
}
