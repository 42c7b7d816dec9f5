import Basics
import Fleet
import ScenarioModel
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Providers that read what their app has left (C6), and fetches that follow use (B8).
///
/// Rules: C6, B8.
@Suite struct AppContentLawTests {
    /// - Parameters:
    ///   - kind: further keys of the kind.
    ///   - app: further keys of the app's habits.
    private static func text(_ kind: String, app: String = "", people: Int = 400, top: String = "") -> String {
        """
        start: "2026-03-02T00:00:00+01:00"
        warmup: 1d
        duration: 4d
        people: \(people)
        \(top)
        kinds:
          - {id: k, app: a, content: app, versions: {source: steady, every: 2h}, \(kind)}
        population:
          zones: {Europe/Berlin: 1}
          \(Fixtures.still)
          apps: {a: {openings_per_day: 3\(app)}}
          devices: [{kind: phone, instances: [{id: i, kind: k, surface: home_first}]}]
        """
    }

    @Test func `no reload makes a request, and polling brings no newer content than the app's own call`() throws {
        let asked = try Fixtures.run(Self.text("policy: never"))
        let polled = try Fixtures.run(Self.text("policy: {after: 30m}"))
        for result in [asked, polled] { #expect(result.load.requestsByMinute.allSatisfy { $0 == 0 }) }
        let (few, many) = (try Self.fresh(asked), try Self.fresh(polled))
        #expect((few.share - many.share).magnitude < 0.005, "\(few) and \(many)")
        #expect(many.reloads > 8 * few.reloads)
        #expect(many.unchanged > 0.6)
    }

    @Test func `an app that never publishes leaves placeholders`() throws {
        let text = Self.text("policy: {after: 4h}, publish_on_open: {share: 0}")
        let result = try Fixtures.run(text, ["population.apps.a.openings_per_day=0", "population.apps.a.signed_in=1"])
        #expect(result.load.requestsByMinute.allSatisfy { $0 == 0 })
    }

    @Test func `a fetch in the background publishes with a service as with an origin that answers at once`() throws {
        let app = ", background_fetch: {every: 1h, aligned: true, spread: 0s}"
        let kind = "policy: never, publish_on_open: {share: 0}"
        let idle = try Fixtures.run(Self.text(kind, app: app, top: "service: {latency_out: 20ms, latency_back: 20ms}"))
        let served = try Fixtures.run(
            Self.text(
                kind, app: app,
                top:
                    "service: {latency_out: 20ms, latency_back: 20ms, pools: [{id: o, servers: unlimited, service_time: 1us}]}"
            ))
        let (one, other) = (try Self.fresh(idle), try Self.fresh(served))
        #expect((one.share - other.share).magnitude < 1e-6, "\(one) and \(other)")
        #expect(one.reloads == other.reloads)
        // Versions come every two hours, and the fetch of the same instant has the newest.
        #expect(one.share > 0.97, "\(one)")
    }

    @Test func `fetches that are answered by nobody publish nothing`() throws {
        let app = ", background_fetch: {every: 1h, aligned: true, spread: 0s}"
        let kind = "policy: never, publish_on_open: {share: 0}"
        for failing in ["failing: [[0s, 5d]]", "failing: [[0s, 5d]], failure: timeout", "timeout: 30ms"] {
            let result = try Fixtures.run(
                Self.text(kind, app: app, top: "service: {latency_out: 20ms, latency_back: 20ms, \(failing)}"))
            #expect(try Self.fresh(result).share < 0.2, "\(failing)")
        }
    }

    @Test func `fetches by use come as often as the app is opened, and none before it was`() throws {
        let app = ", background_fetch: {every: 15m, by: use, spread: 0s}"
        let result = try Fixtures.run(Self.text("policy: never", app: app, people: 1_000))
        let (fetches, openings) = (result.devices[.fetches], result.devices[.appOpenings])
        // Openings of one half hour are one fetch.
        #expect(fetches < openings && Double(fetches) > 0.8 * Double(openings), "\(fetches) for \(openings) openings")
        let none = try Fixtures.run(
            Self.text("policy: never", app: app, people: 100), ["population.apps.a.openings_per_day=0"])
        #expect(none.devices[.fetches] == 0)
    }

    /// The share of fresh views, the reloads and the share of these that brought nothing new.
    private static func fresh(_ result: RunResult) throws -> (share: Double, reloads: Int64, unchanged: Double) {
        let rows = Dictionary(
            try result.files()["summary.csv"].map { String(decoding: $0, as: UTF8.self) }.map { text in
                text.split(separator: "\n").dropFirst().compactMap { line -> (String, Double)? in
                    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                    guard fields.count > 4, fields[0] == "run", let value = Double(fields[4]) else { return nil }
                    return (String(fields[2]), value)
                }
            } ?? [], uniquingKeysWith: { first, _ in first })
        return (
            rows["share_fresh"] ?? .nan, Int64((rows["reloads_charged"] ?? 0) + (rows["reloads_free"] ?? 0)),
            rows["share_reloads_unchanged"] ?? .nan
        )
    }
}
