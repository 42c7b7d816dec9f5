import Basics
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Time-outs and delays after failures that are drawn (S3), and what comes from outside the fleet beside one (S4).
///
/// Rules: S3.
@Suite struct FailureLawTests {
    /// A fleet without a service, whose answers take 50 to 150 ms.
    private static func fleet(_ service: String) -> String {
        Fixtures.fleet(people: 300, warmup: "0s", duration: "2d")
            .replacing(
                "service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}", with: "service: {\(service)}")
    }

    @Test func `without a service a drawn time-out is passed as often as its distribution has it`() throws {
        // Ways of 100 ms together: an exponential patience of 200 ms is shorter in 1 − e^(−1/2) of the tries.
        let result = try Fixtures.run(
            Self.fleet("latency_out: 40ms, latency_back: 60ms, timeout: {mean: 200ms}, failure_after: {mean: 20m}"))
        let (answered, late) = (Double(result.reloads[.requestsAnswered]), Double(result.reloads[.requestsTimedOut]))
        let expected = 0.39346934
        let error = (expected * (1 - expected) / (answered + late)).squareRoot()
        #expect(answered + late > 10_000)
        #expect((late / (answered + late) - expected).magnitude < 5 * error, "\(late) of \(answered + late)")
    }

    @Test func `a client that tries without end ends with an answer, and its tries are bounded by its delays`() throws {
        func run(_ retries: String) throws -> RunResult {
            try Fixtures.run(
                Self.fleet(
                    "failing: [[20h, 22h]], retries: \(retries), back_off: {kind: exponential, base: 10s, factor: 2, cap: 5m}"
                ))
        }
        func failed(_ result: RunResult) -> Int64 {
            ReloadCause.allCases.reduce(0) { sum, cause in
                sum + [false, true].reduce(0) { $0 + result.reloads[.ended(cause, charged: $1, .error)] }
            }
        }
        let (bounded, unbounded) = (try run("3"), try run("unlimited"))
        #expect(failed(bounded) > 100 && failed(unbounded) == 0)
        // Ten seconds, 20, 40, 80, 160 and then five minutes each: 27 tries of an instance in two hours at most.
        let tries = unbounded.reloads[.requestsRefused]
        #expect(tries > 3 * failed(bounded) && tries < 28 * 4 * 300, "\(tries)")
    }

    @Test func `more tries than a request can tell meet a service`() throws {
        // Every second for 11 h 40 min: 42,000 tries of an instance, of which a request tells 127 apart.
        let result = try Fixtures.run(
            Fixtures.fleet(people: 3, warmup: "0s", duration: "1d").replacing(
                "service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}",
                with: """
                    service:
                      retries: unlimited
                      back_off: {kind: exponential, base: 1s, factor: 1, cap: 1s}
                      pools: [{id: p, servers: 2, service_time: 30ms}]
                      events: [{outage: {name: out, span: [10h, 21h40m]}}]
                    """))
        #expect(result.reloads[.requestsRefused] > 42_000)
        #expect(ReloadCause.allCases.allSatisfy { result.reloads[.ended($0, charged: true, .error)] == 0 })
    }

    @Test func `a distribution of one value is that value`() throws {
        let constant = try Fixtures.run(Self.fleet("timeout: 150ms, failure_after: 15m"))
        let drawn = try Fixtures.run(
            Self.fleet("timeout: {min: 150ms, max: 150ms}, failure_after: {min: 15m, max: 15m}"))
        #expect(constant.reloads[.requestsTimedOut] > 1_000)
        #expect(drawn.counts == constant.counts && drawn.tenths == constant.tenths)
    }

    @Test func `devices that failed together come back apart if their delay is drawn`() throws {
        // An origin that fails when all ask at 9:30: all ask again a quarter of an hour later, or over ten minutes.
        func largest(_ failureAfter: String) throws -> UInt32 {
            let text = """
                start: "2026-03-02T00:00:00Z"
                warmup: 0s
                duration: 1d
                people: 2000
                parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
                kinds: [{id: a, policy: {after: {at: ["09:30"], zone: UTC}}}]
                population: {zones: {UTC: 1}, devices: [{kind: phone, instances: [{id: i, kind: a}]}]}
                service: {failing: [[9h29m, 9h31m]], failure_after: \(failureAfter)}
                """
            let result = try Fixtures.run(text)
            let tenths = result.load.tenths(of: 0)
            let (from, to) = (Int(9.6 * 36_000), Int(9.9 * 36_000))
            return stride(from: from, to: to, by: 10).map { start in (start..<start + 10).reduce(0) { $0 + tenths[$1] }
            }.max() ?? 0
        }
        let (together, apart) = (try largest("15m"), try largest("{min: 10m, max: 20m}"))
        #expect(together > 5 * apart, "\(together) and \(apart)")
    }

    @Test func `what comes from outside does not touch a fleet whose service has no limit`() throws {
        let text = Self.fleet("pools: [{id: p, servers: unlimited, service_time: 30ms}], endpoints: [{id: weather}]")
        let alone = try Fixtures.run(text)
        let loaded = try Fixtures.run(text, ["service.background=[{id: web, endpoint: weather, rate: 0.2}]"])
        #expect(alone.counts == loaded.counts && alone.tenths == loaded.tenths)
        let service = try #require(loaded.service)
        let offered = Double(service.sum(.backgroundOffered))
        #expect((offered - 0.2 * 172_800).magnitude < 5 * (0.2 * 172_800).squareRoot())
        #expect(service.sum(.originRequests) == service.sum(.offered) + service.sum(.backgroundOffered))
    }
}
