import Basics
import Foundation
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Stacks, buttons, sign-ins, bundles, accuracies and entries on whole runs (V3, V5, P8, L5, R5, R6, C1).
///
/// Rules: V3, V5, P8, F6, L5, L7, R5, R6.
@Suite struct PlatformLawTests {
    private static let people = 300
    private static let days = 6

    private static func text(kinds: String, population: String = "", device: String) -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        kinds:
        \(kinds.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        population:
          zones: {America/New_York: 1}
          movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
          \(population)
          devices:
            - kind: phone
        \(device.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
        """
    }

    private static func views(_ result: RunResult, kind: Int) -> Int64 { result.views(ofKind: kind).sum(.views.all) }

    @Test func `of a stack one widget is seen, and one more for each turn by hand`() throws {
        let kinds = (0..<5).map { "- {id: k\($0), policy: never}" }.joined(separator: "\n")
        let members = (0..<5).map { "  - {id: i\($0), kind: k\($0), stack: s}" }.joined(separator: "\n")
        let result = try Fixtures.run(
            Self.text(
                kinds: kinds + "\n- {id: beside, policy: never}",
                device:
                    "stacks: [{id: s, surface: home_first, flips: 0.3}]\ninstances:\n\(members)\n  - {id: b, kind: beside, surface: home_first}"
            ))
        let showings = Self.views(result, kind: 5)
        let stacked = (0..<5).reduce(0) { $0 + Self.views(result, kind: $1) }
        let flips = result.devices[.flips]
        #expect(stacked == showings + flips)
        // A turn, and after it another, up to four: .3 + .09 + .027 + .0081.
        #expect(Agreement.count(flips, is: 0.4251 * Double(showings)), "\(flips) of \(showings)")
        #expect(result.devices[.rotations] == 0, "nothing is relevant")
        // Turned round and round, each is seen as often as the others.
        for kind in 0..<5 {
            #expect(Agreement.share(Self.views(result, kind: kind), of: stacked, is: 0.2, besides: 0.02))
        }
    }

    @Test func `relevance brings a widget up at its hours, and no oftener than allowed`() throws {
        func run(rotations: Int) throws -> RunResult {
            try Fixtures.run(
                Self.text(
                    kinds: """
                        - {id: day, policy: never, relevance: {base: 1}}
                        - {id: noon, policy: never, relevance: {hours: [{from: "12:00", to: "13:00", score: 5}]}}
                        """,
                    device:
                        "stacks: [{id: s, surface: home_first, flips: 0, rotations_per_day: \(rotations)}]\ninstances:\n  - {id: a, kind: day, stack: s}\n  - {id: b, kind: noon, stack: s}"
                ))
        }
        let result = try run(rotations: 2)
        let rotations = result.devices[.rotations]
        // Up at noon and down after one: twice on a day with views in the hour.
        #expect(rotations <= Int64(2 * Self.people * (Self.days + 1)))
        #expect(Double(rotations) > 1.45 * Double(Self.people * Self.days))
        let (day, noon) = (Self.views(result, kind: 0), Self.views(result, kind: 1))
        #expect(Agreement.share(noon, of: day + noon, is: 0.0625, besides: 0.012), "\(noon) of \(day + noon)")
        let once = try run(rotations: 1)
        #expect(once.devices[.rotations] <= Int64(Self.people * (Self.days + 1)))
        let none = try run(rotations: 0)
        #expect(none.devices[.rotations] == 0 && Self.views(none, kind: 1) == 0)
    }

    @Test func `a button is used at its share of the views in sessions, and each use reloads, free`() throws {
        let result = try Fixtures.run(
            Self.text(
                kinds: "- {id: k, policy: never, interactions_per_view: 0.2, action_time: 1s}",
                device: "instances:\n  - {id: i, kind: k}"))
        let views = Self.views(result, kind: 0)
        let uses = result.devices[.interactions]
        #expect(Agreement.share(uses, of: views, is: 0.2), "\(uses) of \(views)")
        let reloads = result.reloads[.started(.interaction, charged: false)]
        #expect(reloads + result.reloads[.merged(.interaction)] >= uses - 5 && reloads > uses * 9 / 10)
        #expect(result.reloads[.started(.interaction, charged: true)] == 0)
    }

    @Test func `a widget is tapped at its share of the views in sessions, and each tap opens the app, which calls`()
        throws
    {
        let result = try Fixtures.run(
            Self.text(
                kinds: "- {id: k, app: a, policy: never, taps_per_view: 0.1, reload_on_open: always}",
                population: "apps: {a: {openings_per_day: 0}}", device: "instances:\n  - {id: i, kind: k}"))
        let taps = result.devices[.taps]
        #expect(Agreement.share(taps, of: Self.views(result, kind: 0), is: 0.1))
        #expect(result.devices[.appOpenings] == 0)
        let reloads = result.reloads[.started(.appOpen, charged: false)]
        #expect(reloads + result.reloads[.merged(.appOpen)] >= taps - 5 && reloads > taps * 9 / 10)
    }

    @Test
    func `taps move none of the openings by habit, and an app that a tap has opened leaves at the lock or before`()
        throws
    {
        func rows(_ share: String) throws -> [[TraceRow]] {
            let text = Self.text(
                kinds:
                    "- {id: k, app: a, policy: never, taps_per_view: \(share)}\n- {id: other, app: b, policy: never}",
                population:
                    "apps: {a: {openings_per_day: 5, foreground_time: 20s}, b: {openings_per_day: 5, foreground_time: 20s}}",
                device: "instances:\n  - {id: i, kind: k}\n  - {id: j, kind: other}")
            let run = try ScenarioRun(try Fixtures.scenario(text))
            return (0..<10).map { run.trace(person: $0).rows }
        }
        let (plain, tapped) = (try rows("0"), try rows("0.2"))
        var (taps, full, cut) = (0, 0, 0)
        for (before, after) in zip(plain, tapped) {
            // An opening that follows a tap at its instant is the tap's.
            var openings: [Instant] = []
            var tapAt: Instant?
            var openedAt: Instant?
            for row in after {
                switch row.event {
                case .tap:
                    taps += 1
                    tapAt = row.time
                case .appOpen where tapAt == row.time:
                    openedAt = row.time
                    tapAt = nil
                case .appOpen: openings.append(row.time)
                case .appClose where row.note.detail == "a":
                    if let opened = openedAt {
                        #expect(row.time - opened <= .seconds(20))
                        if row.time - opened == .seconds(20) { full += 1 } else { cut += 1 }
                        openedAt = nil
                    }
                case .lock: #expect(openedAt == nil, "the lock closes the app")
                default: break
                }
            }
            #expect(openings == before.filter { $0.event == .appOpen }.map(\.time))
        }
        #expect(taps > 100 && full > 20 && cut > 20, "\(taps) taps, \(full) of 20 s, \(cut) cut")
    }

    @Test func `who is not signed in sees a placeholder until the first opening`() throws {
        let result = try Fixtures.run(
            Self.text(
                kinds: "- {id: k, app: bank, policy: {after: 1h}, needs_sign_in: true}",
                population: "apps: {bank: {signed_in: 0.5, openings_per_day: 0}}",
                device: "instances:\n  - {id: i, kind: k}"))
        let placeholders = result.views[.views(.placeholder)]
        #expect(
            Agreement.share(placeholders, of: Self.views(result, kind: 0), is: 0.5, trials: Double(Self.people) / 2))
        // A placeholder is no timeline: it has an outcome of its own, and no delay.
        func ended(_ outcome: ReloadOutcome) -> Int64 {
            ReloadCause.allCases.reduce(0) {
                $0 + result.reloads[.ended($1, charged: false, outcome)]
                    + result.reloads[.ended($1, charged: true, outcome)]
            }
        }
        let delays = result.reloads.sum(.delays(charged: false)) + result.reloads.sum(.delays(charged: true))
        #expect(delays == ended(.ok) && delays == result.reloads[.requestsAnswered])
        let opened = try Fixtures.run(
            Self.text(
                kinds: "- {id: k, app: bank, policy: {after: 1h}, needs_sign_in: true}",
                population: "apps: {bank: {signed_in: 0, openings_per_day: 5}}",
                device: "instances:\n  - {id: i, kind: k}"))
        #expect(
            (Int64(Self.people) * 9 / 10...Int64(Self.people)).contains(
                opened.reloads[.started(.appOpen, charged: false)]))
    }

    @Test func `a bundle's instances come in their numbers, sizes and places`() throws {
        let result = try Fixtures.run(
            Self.text(
                kinds:
                    "- {id: a, app: x, policy: never}\n- {id: b, app: x, policy: never}\n- {id: c, app: x, policy: never}",
                device: """
                    bundles:
                      - id: app
                        share: 0.6
                        count: 3
                        popularity: {zipf: 1}
                        widgets:
                          - {kind: a}
                          - {kind: b, families: [system_small, system_medium]}
                          - {kind: c, surfaces: [lock_screen], families: [accessory_inline]}
                    """))
        let instances = (0..<3).map { result.reloads(ofKind: $0)?[.instances] ?? 0 }
        let total = instances.reduce(0, +)
        // 0.6 of 300 phones carry three: 540, with a deviation of 3 times 8.5.
        #expect(total % 3 == 0 && (total - 540).magnitude < 130, "\(instances)")
        for (count, share) in zip(instances, [6.0 / 11, 3.0 / 11, 2.0 / 11]) {
            #expect(Agreement.share(count, of: total, is: share), "\(instances)")
        }
    }

    @Test func `a call for all of an app reloads each instance once, however many of its kinds call`() throws {
        func merged(_ calls: [String]) throws -> (merged: Int64, reloads: Int64) {
            let kinds = calls.enumerated().map {
                "- {id: k\($0), app: x, policy: never, reload_on_open: always, reload_call: \($1)}"
            }
            let instances = calls.indices.map { "  - {id: i\($0), kind: k\($0)}" }
            let result = try Fixtures.run(
                Self.text(
                    kinds: kinds.joined(separator: "\n"), population: "apps: {x: {openings_per_day: 3}}",
                    device: "instances:\n" + instances.joined(separator: "\n")))
            return (result.reloads[.merged(.appOpen)], result.reloads[.started(.appOpen, charged: false)])
        }
        let (own, all, one) = (
            try merged(["of_kind", "of_kind", "of_kind"]),
            try merged(["all_timelines", "all_timelines", "all_timelines"]),
            try merged(["all_timelines", "of_kind", "of_kind"])
        )
        #expect(own == all && own == one)
    }

    @Test func `an edit brings other content and no new version`() throws {
        let result = try Fixtures.run(
            Self.text(
                kinds: """
                    - {id: a, policy: never, relevance: {base: 1}}
                    - {id: b, policy: {after: 1h}, versions: {source: poisson, every: 20000h, per: key}, relevance: {new_version: {score: 5, for: 1h}}}
                    """,
                device:
                    "stacks: [{id: s, surface: home_first, flips: 0}]\ninstances:\n  - {id: i, kind: a, stack: s}\n  - {id: j, kind: b, stack: s, edits_per_year: 300, location: {chosen: [X, Y, Z]}}"
            ))
        #expect(result.devices[.edits] > 500)
        // A key has a new version in twenty thousand hours and the run has six days, so there is hardly one of the
        // three keys' to turn a stack.
        #expect(result.devices[.rotations] < 100)
    }

    @Test func `coarser is faster`() throws {
        func delay(_ accuracy: String) throws -> Double {
            let result = try Fixtures.run(
                Self.text(
                    kinds: "- {id: k, policy: {after: 1h}, accuracy: \(accuracy)}",
                    population: "apps: {app: {location_modes: {always: 1}}}",
                    device: "instances:\n  - {id: i, kind: k, location: current}"))
            let delays = result.reloads.bins(.delays(charged: true))
            #expect(delays.reduce(0, +) > 1_000)
            // Gates hold the slowest for hours, so it is the median that tells.
            return LogHistogram.quantile(0.5, of: delays)!
        }
        let delays = try ["reduced", "kilometre", "hundred_metres", "best"].map(delay)
        #expect(delays == delays.sorted() && delays[0] < delays[3])
    }

    @Test func `a self-updating entry costs one where the series costs many`() throws {
        let result = try Fixtures.run(
            Self.text(
                kinds: """
                    - {id: one, timeline: {shape: self_updating, good_for: 6h}, policy: {after: 1h}}
                    - {id: many, timeline: {shape: series, count: 360, spacing: 1m}, policy: {after: 1h}}
                    """,
                device: "instances:\n  - {id: a, kind: one}\n  - {id: b, kind: many}"))
        for (kind, entries) in [(0, Int64(1)), (1, 360)] {
            let reloads = try #require(result.reloads(ofKind: kind))
            let timelines = reloads.sum(.delays)
            #expect(timelines > 1_000 && reloads[.entries] == timelines * entries)
        }
    }

    @Test func `content that the app itself changes is missed until its next reload`() throws {
        func stale(_ call: String) throws -> (stale: Int64, views: Int64) {
            let result = try Fixtures.run(
                Self.text(
                    kinds:
                        "- {id: list, app: list, policy: never, reload_on_open: \(call), versions: {source: manual, changes_per_opening: 0.5}}",
                    population: "apps: {list: {openings_per_day: 2}}", device: "instances:\n  - {id: i, kind: list}"))
            return (result.views[.views(.stale)], Self.views(result, kind: 0))
        }
        let told = try stale("if_changed")
        // The reload answers within a second, and nobody looks in between.
        #expect(told.stale * 1_000 < told.views)
        let never = try stale("never")
        #expect(never.stale * 2 > never.views)
    }

    @Test func `budgets by usual views accrue the same in a day, more of it after the wake-up`() throws {
        func run(_ accrual: String) throws -> RunResult {
            try Fixtures.run(
                "parameters: {accrual: \(accrual)}\n"
                    + Self.text(kinds: "- {id: k, policy: never}", device: "instances:\n  - {id: i, kind: k}"))
        }
        let (even, byViews) = (try run("even"), try run("by_views"))
        func accrued(_ result: RunResult) -> [Int64] { Array(result.reloads.pool(.own).bins(.accrued)) }
        let (a, b) = (accrued(even), accrued(byViews))
        let (sumA, sumB) = (a.reduce(0, +), b.reduce(0, +))
        #expect(Agreement.relative(sumB, Double(sumA), within: 0.01))
        let (earlyA, earlyB) = (a[5...7].reduce(0, +), b[5...7].reduce(0, +))
        #expect(earlyB > earlyA)
        // With a reset it is all there in one hour, and lost at the next one as far as it was not spent.
        let reset = try run("reset, reset_at: \"07:00\", burst_share: 2")
        let sums = accrued(reset)
        #expect(sums.enumerated().allSatisfy { ($1 > 0) == ($0 == 7) }, "\(sums)")
        #expect(Agreement.relative(sums[7], Double(sumA), within: 0.01))
    }
}
