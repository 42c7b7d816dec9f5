import Basics
import ScenarioFiles
import Simulation
import Testing

@testable import Reporting

/// A metric of people who stand for many before a service is that of all of them, or is not known.
///
/// Rules: B8, C6, S1, S3, S5.
@Suite struct SampleMetricTests {
    private static let wholes = 10
    private static let samples = 6

    /// Clients try again before a limit that refuses a part of them, and ask again later.
    private static let refusals = """
        start: "2026-03-09T00:00:00-04:00"
        warmup: 1d6h
        duration: 4h
        people: 2800
        parameters: {dispatch_delay: {median: 20s, p95: 90s}}
        service:
          timeout: 10s
          retries: 2
          back_off: {kind: equal, base: 40s, factor: 1, cap: 40s}
          failure_after: 30m
          pools: [{id: origin, servers: unlimited, service_time: 30ms, rate_limit: {per_minute: 250, burst: 250}}]
        kinds:
          - {id: today, app: weather, policy: {after: {at: ["08:00"], zone: local}, jitter: 150s}, versions: {source: steady, every: 1h}}
          - {id: now, app: weather, policy: {after: 15m}, versions: {source: steady, every: 1h}}
        population:
          zones: {America/New_York: 1}
          devices: [{kind: phone, instances: [{id: today, kind: today, surface: home_first}, {id: now, kind: now, surface: lock_screen, share: 0.6}]}]
        """

    /// A place's content lies at an edge for longer than between two reloads of a device. The service begins with the
    /// run in either case.
    private static let answersOfAnEdge = """
        start: "2026-03-10T00:00:00-04:00"
        warmup: 2h
        duration: 3h
        people: 6000
        service:
          timeout: 10s
          retries: 1
          back_off: {kind: full, base: 2s, cap: 30s}
          pools: [{id: origin, servers: 5, service_time: {median: 60ms, p95: 200ms}, queue: 500}]
          endpoints: [{id: weather, cache: {ttl: 40m}}]
        kinds:
          - {id: weather, app: weather, policy: {after: 30m}, versions: {source: steady, every: 1h, spread: 10m, per: place}}
        population:
          cities: us
          devices: [{kind: phone, instances: [{id: city, kind: weather, location: {chosen: {count: 100}, popularity: zipf}}]}]
        """

    /// An app fetches in the background what its widget reads (C6), once and for its own user (B8); reloads of the same
    /// endpoint are tried again, and an edge answers some of them. The service begins with the run in either case.
    private static let fetchesOfAnApp = """
        start: "2026-03-09T06:00:00-04:00"
        warmup: 2h
        duration: 3h
        people: 2800
        service:
          timeout: 10s
          retries: 2
          back_off: {kind: equal, base: 40s, factor: 1, cap: 40s}
          failure_after: 30m
          pools: [{id: origin, servers: unlimited, service_time: 30ms, rate_limit: {per_minute: 80, burst: 80}}]
          endpoints: [{id: list, cache: {ttl: 40m}}]
        kinds:
          - {id: score, app: health, content: app, policy: {after: 1h}, publish_on_open: {share: 0.3}, content_key: user, versions: {source: poisson, every: 1h, per: key}}
          - {id: list, app: health, policy: {after: 15m}, versions: {source: steady, every: 1h, spread: 10m}}
        population:
          zones: {America/New_York: 1}
          apps: {health: {openings_per_day: 2, background_fetch: {every: 30m, endpoint: list}}}
          devices: [{kind: phone, instances: [{id: score, kind: score, surface: home_first}, {id: list, kind: list, surface: lock_screen, share: 0.6}]}]
        """

    private struct Figure {
        let name: String
        /// That of all people for whom there is one.
        let value: Double?
        /// That of the people simulated, and its range.
        let own: Double?
        let redraw: SamplingRange?
    }

    private static func values(_ text: String, _ overrides: [String]) throws -> [Figure] {
        let scenario = try ScenarioReader.read(text: text, overrides: overrides).scenario
        let report = RunReport(try #require(try ScenarioRun(scenario).run(threads: 2)))
        return report.summary.map {
            Figure(
                name: $0.name, value: $0.valueOfRepresented.asDouble, own: $0.value.asDouble, redraw: $0.redraw)
        }
    }

    /// How many ranges of other samples there are, and the share of the other samples' own figures that they hold.
    private static func redraws(_ sampled: [[Figure]]) -> (count: Int, held: Double) {
        var (count, all, held) = (0, 0, 0)
        for place in sampled[0].indices {
            let ranges = sampled.compactMap { $0[place].redraw }
            let own = sampled.compactMap { $0[place].own }
            if ranges.count < sampled.count || own.count < sampled.count { continue }
            count += 1
            for (i, range) in ranges.enumerated() {
                for (j, value) in own.enumerated() where i != j {
                    all += 1
                    if (range.low...range.high).contains(value) { held += 1 }
                }
            }
        }
        return (count, Double(held) / Double(max(1, all)))
    }

    private static func moments(_ values: [Double]) -> (mean: Double, squaredError: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (mean, squares / Double(values.count - 1) / Double(values.count))
    }

    /// Requests of an app's fetches fail by themselves: which share of all requests fails is not known there, and
    /// ranges of other draws are too narrow by some.
    @Test(arguments: [
        (refusals, 2_800, 1_000, 0.85), (answersOfAnEdge, 6_000, 1_500, 0.85), (fetchesOfAnApp, 2_800, 1_000, 0.75),
    ])
    func `every metric of a sample is that of whole runs, or is not known`(
        _ text: String, _ all: Int, _ people: Int, _ held: Double
    ) throws {
        let whole = try (1...Self.wholes).map { try Self.values(text, ["seed=\($0)"]) }
        let sampled = try (1...Self.samples).map {
            try Self.values(text, ["seed=\(100 + $0)", "people=\(people)", "report.represents=\(all)"])
        }
        var (compared, unknown) = (0, 0)
        for place in whole[0].indices {
            let name = whole[0][place].name
            let (ofAll, ofSome) = (whole.compactMap { $0[place].value }, sampled.compactMap { $0[place].value })
            if ofAll.count < whole.count { continue }
            let (a, b) = (Self.moments(ofAll), ofSome.count < 2 ? nil : Self.moments(ofSome))
            guard let b, ofSome.count == sampled.count else {
                unknown += 1
                continue
            }
            compared += 1
            let error = 5 * (a.squaredError + b.squaredError).squareRoot() + 0.03 * a.mean.magnitude
            #expect((a.mean - b.mean).magnitude <= error, "\(name): \(a.mean) of all, \(b.mean) of a sample")
        }
        #expect(compared > 150, "\(compared) metrics are known, \(unknown) are not")
        // Six samples tell a share of .95 to some .03, since they share draws.
        let redraws = Self.redraws(sampled)
        #expect(redraws.count >= 20 && redraws.held >= held, "\(redraws)")
        let known = ["requests_sent", "share_requests_failed", "share_stale", "age_mean_s", "requests_per_device_day"]
        for name in known where name != "share_requests_failed" || text != Self.fetchesOfAnApp {
            #expect(sampled.allSatisfy { $0.first { $0.name == name }?.value != nil }, "\(name) is known")
        }
    }
}
