import Basics
import Foundation
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// The places and content that instances know and show as a run starts (T4, L4, L6).
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

    /// The time since the last opening is exponential: of those who open the app once in seven days, exp(−1) have not
    /// in the seven that count.
    @Test func `one whose app is seldom opened may have none`() throws {
        let result = try Fixtures.run(Self.text(mode: "while_using", openings: 1.0 / 7, hours: 6))
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
}
