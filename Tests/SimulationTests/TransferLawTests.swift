import Basics
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Transfers in the background come when they should, and nothing of them is lost (S8).
///
/// Rules: S8.
@Suite struct TransferLawTests {
    private static let people = 200

    /// - Parameter fetch: further keys of the kind; nothing for one that waits for its answers.
    private static func text(_ fetch: String, _ top: String = "", population: String = "") -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 1d
        duration: 3d
        people: \(people)
        \(top)
        kinds:
          - id: k
            app: a
            policy: {after: 40m, jitter: 5m}
            reload_on_open: always
            interactions_per_view: 0.05
            versions: {source: poisson, every: 30m}
            \(fetch)
        population:
          zones: {America/New_York: 1}
          \(population)
          devices: [{kind: phone, instances: [{id: i, kind: k}, {id: j, kind: k, surface: lock_screen, share: 0.5}]}]
        """
    }

    private static func background(_ transfer: String) -> String { "fetch: background\n    transfer: {\(transfer)}" }

    private static let legs = "service: {latency_out: 60ms, latency_back: 40ms}"

    @Test func `a transfer that is not deferred, with a free second reload, shows what an inline fetch does`() throws {
        let inline = try Fixtures.run(Self.text("fetch: inline", Self.legs))
        let transferred = try Fixtures.run(
            Self.text(Self.background("deferral: 0s, second_reload: free"), Self.legs))
        let (a, b) = (inline.views, transferred.views)
        for state in ViewState.allCases { #expect(a[.views(state)] == b[.views(state)], "\(state)") }
        #expect(a.wide(.ageSum) == b.wide(.ageSum) && a.wide(.staleTime) == b.wide(.staleTime))
        #expect(inline.tenths == transferred.tenths)
        #expect(inline.reloads[.entries] == transferred.reloads[.entries])
        let counts = transferred.transferBlocks[0]
        #expect(counts[.completed] > 1_000 && counts[.shownFree] == counts[.completed] + counts[.waitingIn])
    }

    @Test func `a deferral is as long as it says, and longer without power and Wi-Fi`() throws {
        let plain = try Fixtures.run(Self.text(Self.background("deferral: {min: 0s, max: 10m}"), Self.legs))
        let counts = plain.transferBlocks[0]
        let sent = Double(counts[.sent])
        let mean = Double(counts.wide(.deferralSum)) / 1e6 / sent
        #expect((mean - 300).magnitude < 5 * 600 / (12 * sent).squareRoot(), "\(mean)")
        let patient = try Fixtures.run(
            Self.text(
                Self.background("deferral: {min: 0s, max: 10m}, discretionary: true, ready: 0.25, wait: 20m"),
                Self.legs))
        let waited = patient.transferBlocks[0]
        let longer = Double(waited.wide(.deferralSum)) / 1e6 / Double(waited[.sent])
        // Three quarters wait for twenty minutes; what is sent after the end is as likely to be one as the other.
        #expect((longer - 300 - 900).magnitude < 30, "\(longer)")
        #expect(counts[.failed] == 0 && counts[.heldOffline] == 0)
    }

    @Test(arguments: ["free", "charged"])
    func `nothing is lost of transfers that fail, wait for a connection or for a token`(second: String) throws {
        let top = """
            service: {latency_out: {median: 60ms, p95: 99ms, minimum: 20ms}, latency_back: 40ms, failing: [[30h, 33h]],
              retries: 2, retry_delays: [5s, 2m]}
            """
        let scenario = try Fixtures.scenario(
            Self.text(
                Self.background("second_reload: \(second)"), top, population: "connectivity: {offline_per_day: 6}"))
        let plain = try ServiceFixtures.run(scenario)
        for law in RunLaw.all { #expect(law.breaches(plain) == [], "\(law)") }
        let counts = plain.transferBlocks[0]
        #expect(counts[.failed] > 0 && counts[.heldOffline] > 0 && counts[.carriedOut] > 0)
        if second == "free" {
            #expect(counts[.shownCharged] == 0 && counts[.waitingOut] == 0)
        } else {
            #expect(counts[.shownCharged] > 0 && counts[.waitingOut] > 0)
        }
        // With an unlimited service devices are suspended and resumed in the midst of transfers.
        var with = scenario
        with.service = ServiceFixtures.unlimited(for: scenario.plan)
        let served = try ServiceFixtures.run(with, threads: 3)
        #expect(served.counts == plain.counts)
    }

    @Test func `what came for another choice is dropped`() throws {
        let text = Self.text(Self.background("deferral: {min: 0s, max: 3h}, second_reload: charged"), Self.legs)
            .replacing("{id: i, kind: k}", with: "{id: i, kind: k, location: {chosen: [A, B, C]}, edits_per_year: 900}")
        let result = try Fixtures.run(text)
        #expect(result.transferBlocks[0][.dropped] > 0)
        for law in RunLaw.all { #expect(law.breaches(result) == [], "\(law)") }
    }
}
