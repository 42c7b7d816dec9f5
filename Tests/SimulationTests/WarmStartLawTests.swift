import Basics
import Foundation
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// The places and content that instances know and show as a run starts (T4, L4, L6), and how old that is.
///
/// Rules: T4.
@Suite struct WarmStartLawTests {
    private static let people = 600

    private static func text(
        mode: String, openings: Double = 3, hours: Int = 12, withoutFix: String = "prior", onOpen: String = "always",
        policy: String = "never"
    )
        -> String
    {
        """
        start: "2026-03-02T00:00:00-05:00"
        warmup: 0s
        duration: \(hours)h
        people: \(people)
        kinds: [{id: k, app: a, policy: \(policy), reload_on_open: \(onOpen), without_fix: \(withoutFix)}]
        population:
          zones: {America/New_York: 1}
          apps: {a: {openings_per_day: \(openings), location_modes: {\(mode): 1}}}
          privacy: {hide_lock_screen: 0}
          devices: [{kind: phone, instances: [{id: i, kind: k, location: current}]}]
        """
    }

    @Test func `a widget without permission knows no home: all that is seen of it is alternate content`() throws {
        let result = try Fixtures.run(Self.text(mode: "denied", hours: 72))
        #expect(result.views.sum(.views.all) > 10_000)
        #expect(result.views[.views(.alternate)] == result.views.sum(.views.all))
        #expect(result.views[.priorContent] == 0 && result.views[.alternateContent] == result.views[.withoutAccess])
    }

    @Test func `one whose app is never opened has never had a place while it was used`() throws {
        let result = try Fixtures.run(Self.text(mode: "while_using", openings: 0))
        #expect(result.views[.views(.alternate)] == result.views.sum(.views.all))
    }

    /// The time since the last opening is exponential: of those who open the app once in 31 days, exp(−1) have not in
    /// the 31 that count.
    @Test func `one whose app is seldom opened may have none`() throws {
        let result = try Fixtures.run(Self.text(mode: "while_using", openings: 1.0 / 31, hours: 6))
        let (alternate, views) = (result.views[.views(.alternate)], result.views.sum(.views.all))
        #expect(Agreement.share(alternate, of: views, is: exp(-1), besides: 0.1), "\(alternate) of \(views)")
    }

    @Test func `one that always has access starts with content for home`() throws {
        for mode in ["always", "while_using_or_widgets"] {
            let result = try Fixtures.run(Self.text(mode: mode, hours: 5))
            let views = result.views
            #expect(views[.views(.fresh)] > views.sum(.views.all) * 97 / 100, "\(mode)")
        }
    }

    @Test func `content without access at the last reload is alternate if the kind asks for that`() throws {
        // The app is in the foreground for a few minutes of the day, so a few of its forty reloads find it there.
        func run(_ withoutFix: String) throws -> RunResult {
            try Fixtures.run(
                Self.text(
                    mode: "while_using", openings: 20, hours: 5, withoutFix: withoutFix, onOpen: "never",
                    policy: "{after: 30m}"))
        }
        let (prior, alternate) = (try run("prior"), try run("alternate"))
        #expect(prior.views[.views(.alternate)] < prior.views.sum(.views.all) / 2)
        #expect(alternate.views[.views(.alternate)] > alternate.views.sum(.views.all) * 9 / 10)
    }

    /// The allowance of the first days is that of days long after: no widget of a stack starts richer or poorer than it
    /// will be.
    @Test func `a stack's widgets start with the budget that they settle at`() throws {
        let members = (0..<4).map { "{id: i\($0), kind: k\($0), stack: s}" }.joined(separator: ", ")
        let text = """
            start: "2026-03-02T00:00:00-05:00"
            warmup: 0s
            duration: 2d
            people: 300
            kinds:
              - {id: k0, policy: {after: 1h}, relevance: {hours: [{from: "07:00", to: "09:00", score: 40}]}}
              - {id: k1, policy: {after: 1h}, relevance: {hours: [{from: "16:00", to: "19:00", score: 60}]}}
              - {id: k2, policy: {after: 1h}, relevance: {base: 5}}
              - {id: k3, policy: {after: 1h}}
            population:
              zones: {America/New_York: 1}
              devices: [{kind: phone, stacks: [{id: s, surface: home_first, flips: 0.02, rotations_per_day: 6}], instances: [\(members)]}]
            """
        let start = try Fixtures.run(text)
        let late = try Fixtures.run(text, ["warmup=14d"])
        for kind in 0..<4 {
            let accrued = [start, late].map { Double($0.reloads(ofKind: kind)!.pool(.own).sum(.accrued)) }
            #expect(abs(accrued[0] / accrued[1] - 1) < 0.1, "k\(kind): \(accrued[0] / accrued[1])")
        }
        // The one that is never relevant is nearly never seen.
        #expect(
            start.reloads(ofKind: 3)!.pool(.own).sum(.accrued) * 2 < start.reloads(ofKind: 2)!.pool(.own).sum(.accrued))
    }

    // MARK: The age of content

    /// People who do nothing but have a widget, and the requests of each three hours.
    private static func requestsByThreeHours(
        policy: String, gates: String = "none", people: Int = 4_000, days: Int = 2, _ overrides: [String] = []
    ) throws -> [Double] {
        let result = try Fixtures.run(
            """
            start: "2026-03-02T00:00:00Z"
            warmup: 0s
            duration: \(days)d
            people: \(people)
            parameters: {gates: \(gates), dispatch_delay: 0s, coalesce_within: 0s, min_gap: 0s, free_delay: 0s}
            service: {latency_out: 0s, latency_back: 0s}
            kinds: [{id: k, policy: \(policy)}]
            population:
              zones: {UTC: 1}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              apps: {app: {openings_per_day: 0}}
              \(Fixtures.still)
              devices: [{kind: phone, instances: [{id: i, kind: k, surface: lock_screen}]}]
            """, overrides)
        let tenths = result.load.tenths(of: 0)
        return (0..<(8 * days)).map { part in
            (0..<108_000).reduce(0) { $0 + Double(tenths[part * 108_000 + $1]) }
        }
    }

    /// Lives that vary are met by their length, and leave no wave behind: requests come at one request a mean life from
    /// the first hours on.
    @Test(arguments: [
        ("{after: 1d, jitter: 3h}", 25.5), ("{after: 1d, jitter: 12h}", 30), ("{after: 1d, jitter: {mean: 12h}}", 36),
        ("{after: 10h, jitter: {sd: 2h}}", 10), ("{after: 1h, jitter: {plus_minus: 30m}}", 1), ("{after: 3d}", 72),
        ("{after: 1d, jitter: {fixed: 6h}}", 26.888),
    ])
    func `a start leaves no wave of requests`(_ policy: String, _ meanHours: Double) throws {
        let counts = try Self.requestsByThreeHours(policy: policy)
        let expected = 4_000 * 3 / meanHours
        for (part, count) in counts.enumerated() {
            #expect(
                abs(count - expected) < 5 * expected.squareRoot() + 0.01 * expected,
                "\(policy), hour \(3 * part): \(count) where \(expected) are expected")
        }
    }

    /// The night holds long lives up (G3). The first two days are those of three weeks later.
    @Test(arguments: ["{after: 1d, jitter: 3h}", "{after: 8h}", "{after: 20h, jitter: {mean: 6h}}"])
    func `a start leaves no wave of requests behind the nights either`(_ policy: String) throws {
        let start = try Self.requestsByThreeHours(policy: policy, gates: "all")
        let late = try Self.requestsByThreeHours(policy: policy, gates: "all", ["warmup=21d", "seed=2"])
        for (part, (early, later)) in zip(start, late).enumerated() {
            #expect(
                abs(early - later) < 5 * (early + later).squareRoot() + 0.15 * later,
                "\(policy), hour \(3 * part): \(early), and \(later) three weeks later")
        }
    }

    /// Dates by the clock with a long jitter: what has not been asked for yet as the run starts is asked for later, and
    /// not at the start.
    @Test(arguments: ["{after: {at: [\"00:00\"]}, jitter: 12h}", "{after: {every: 4h}, jitter: {mean: 90m}}"])
    func `a start asks for no more than any instant`(_ policy: String) throws {
        let start = try Self.requestsByThreeHours(policy: policy, ["start=2026-03-02T06:00:00Z"])
        for part in 0..<8 {
            let (first, second) = (start[part], start[part + 8])
            #expect(
                abs(first - second) <= 5 * (first + second).squareRoot() + 0.02 * second,
                "\(policy), hour \(3 * part): \(first), and \(second) a day later")
        }
    }
}
