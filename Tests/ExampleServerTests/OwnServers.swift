import Basics
import ExampleServers
import Foundation
import RefreshService
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

/// Scenarios and services with the servers of the examples.
enum OwnServers {
    static let code: UserCode = {
        var code = UserCode()
        code.add([
            "in_order": InOrder(), "faulty": Faulty(), "per_client": PerClientLimit(), "calendar": CalendarWindow(),
            "own_queues": QueuePerServer(), "slows": SlowsUnderLoad(), "line": Bandwidth(),
            "scheduled": ScheduledServers(), "newest": NewestFirst(), "varied_life": VariedLife(),
        ])
        return code
    }()

    static func scenario(_ text: String, _ overrides: [String] = []) throws -> Scenario {
        try UserCode.$current.withValue(code) { try ScenarioReader.read(text: text, overrides: overrides).scenario }
    }

    static func run(_ text: String, _ overrides: [String] = [], threads: Int = 2) throws -> RunResult {
        try #require(try ScenarioRun(scenario(text, overrides)).run(threads: threads))
    }

    /// Phones that ask as `kinds` says, and nothing else.
    static func fleet(
        people: Int, start: String = "2026-03-02T00:00:00Z", duration: String, kinds: String, instances: String,
        service: String
    ) -> String {
        """
        start: "\(start)"
        warmup: 0s
        duration: \(duration)
        people: \(people)
        parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s, min_gap: 0s, free_delay: 0s}
        kinds: \(kinds)
        population:
          zones: {UTC: 1}
          movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
          environment: {text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0}
          apps: {app: {openings_per_day: 0}}
          devices: [{kind: phone, instances: \(instances)}]
        service:
          latency_out: 1ms
          latency_back: 1ms
          \(service.replacingOccurrences(of: "\n", with: "\n  "))
        """
    }

    static let one = "[{id: i, kind: k}]"

    // MARK: A service alone

    /// A pool of a server with some parameters.
    static func pool(_ server: String, _ with: [String: String], serviceTime: Distribution = .init(.constant(0)))
        throws -> OriginPool
    {
        var parameters = UserParameters(with)
        let server = try #require(code.servers[server]).read(&parameters, ServerCalendar())
        #expect(parameters.problems.isEmpty && parameters.unknown.isEmpty)
        var pool = OriginPool.unlimited
        (pool.server, pool.servers, pool.serviceTime) = (server, server.servers, serviceTime)
        return pool
    }

    /// The measures of a pool that requests from outside come to at random, over some hours from an hour on.
    static func steady(
        _ pool: OriginPool, rate: Double, hours: Int64, seed: UInt64, bytes: Int64 = 4_096
    ) throws -> ServiceMeasures {
        let end = Instant.start + .hours(hours + 1)
        let plan = RefreshPlan(
            pools: [pool], endpoints: [ServiceEndpoint(pool: 0, responseBytes: bytes)], regions: [.besideOrigin],
            background: [
                BackgroundTraffic(
                    name: "all", endpoint: 0, rates: [.init(from: .start, perSecond: rate)], regionWeights: [1],
                    timeout: .init(.constant(3_600)))
            ])
        let service = try SimulatedService(plan, seed: seed, reportFrom: .start + .hours(1), end: end)
        var answers: [ServiceAnswer] = []
        service.advance(UnsafeBufferPointer(start: nil, count: 0), to: end, answers: &answers)
        service.finish()
        return service.measures
    }

    /// The mean of a figure over so many seeds, and how far from it the mean of all seeds lies at most, but in one case
    /// of thousands: four standard errors.
    static func mean(of figure: (UInt64) throws -> Double, seeds: UInt64 = 8) rethrows -> (
        value: Double, within: Double
    ) {
        let values = try (1...seeds).map(figure)
        let mean = values.reduce(0, +) / Double(seeds)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(seeds - 1)
        return (mean, 4 * (variance / Double(seeds)).squareRoot())
    }
}

extension RunResult {
    /// A field over all pools, regions and minutes, or over some minutes.
    func total(_ field: ServiceField, minutes: Range<Int>? = nil) throws -> Int64 {
        let measures = try #require(service)
        var sum: Int64 = 0
        for pool in 0..<measures.pools {
            for region in 0..<measures.regions {
                for minute in minutes ?? 0..<measures.minutes {
                    sum += measures[field, pool: pool, region: region, minute: minute]
                }
            }
        }
        return sum
    }
}
