import Basics
import Fleet
import Foundation
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Live Activities of drawn fleets (O1–O6).
///
/// Rules: O1, O2, O4, O5, O6.
@Suite struct LiveActivityLawTests {
    private static func text(
        _ kind: String, people: Int = 2_000, limits: String = "", top: String = "", population: String = "",
        duration: String = "1d"
    ) -> String {
        """
        start: "2026-03-01T00:00:00+00:00"
        warmup: 1d
        duration: \(duration)
        people: \(people)
        kinds: [{id: k, app: a, policy: never}]
        \(top)
        live_activities:
          kinds: [{id: live, \(kind)}]
          limits: {\(limits)}
        population:
          zones: {Europe/London: 1}
          \(population)
          devices:
            - {kind: phone, instances: [{id: i, kind: k}]}
            - {kind: watch, share: 0.3, instances: [{id: w, kind: k, surface: watch_face, family: accessory_circular}]}
        """
    }

    /// Two days later, at noon.
    private static let match = """
        events: [{start: "2026-03-02T12:00:00Z", end: "2026-03-02T14:00:00Z", updates: ["2026-03-02T12:30:00Z", "2026-03-02T13:00:00Z"]}]
        """

    private static func counts(_ result: RunResult) -> BlockSum<ActivityCounts> {
        BlockSum(result.measures, at: result.measures.layout.place(ofLiveKind: 0))
    }

    private static let rough = """
        own: {per_day: 3, length: {median: 1h, p95: 4h}, updates: 30}, start: app, important: 0.7, stale_after: 20m,
        dismissed_active: 0.01, expiry: 5m
        """

    @Test func `whatever hinders pushes, each has one outcome`() throws {
        let text = Self.text(
            Self.rough, limits: "budget: 12, longest: 3h",
            top: "push_sender: {rate: 500, refused: 0.2, retries: 1}",
            population: "connectivity: {offline_per_day: 4}")
        let result = try Fixtures.run(text)
        for law in RunLaw.all { #expect(law.breaches(result).isEmpty, "\(law)") }
        let counts = Self.counts(result)
        let happened: [ActivityCount] = [
            .begunByApp, .endedByEvent, .endedByTime, .dismissedActive, .dismissedEnded, .removed, .refused, .givenUp,
            .unregistered, .shown, .collapsed, .superseded, .expired, .tooLate, .throttled, .shownLate, .wakeUps,
            .carriedIn, .carriedOut,
        ]
        for count in happened { #expect(counts[count] > 0, "\(count)") }
        let dropped = Self.counts(try Fixtures.run(text, ["live_activities.limits.excess=drop"]))
        #expect(dropped[.dropped] == dropped[.throttled] && dropped[.dropped] > 0 && dropped[.shownLate] == 0)
    }

    @Test func `they change nothing of the widgets beside them`() throws {
        let text = Self.text(Self.match, people: 300)
        let without = text.replacing(/live_activities:\n.*\n.*\n/, with: "")
        let (with, alone) = (try Fixtures.run(text), try Fixtures.run(without))
        // The counts of widgets come first.
        #expect(Array(with.measures.counts.prefix(alone.measures.counts.count)) == alone.measures.counts)
        #expect(Self.counts(with)[.begunByPush] == 300)
    }

    @Test func `threads, shares of the people and a service do not change them`() throws {
        let text = Self.text(Self.rough, people: 300, population: "connectivity: {offline_per_day: 4}")
        let whole = try Fixtures.run(text, threads: 1)
        #expect(try Fixtures.run(text, threads: 3).fingerprint == whole.fingerprint)
        let served = text.replacing(
            "kinds: [{id: k", with: "service: {pools: [{id: p, servers: 4, service_time: 5ms}]}\nkinds: [{id: k")
        #expect(Self.counts(try Fixtures.run(served)) == Self.counts(whole))
    }

    @Test func `a limited sender's second holds its rate, and what is shown is late by half the burst`() throws {
        let text = Self.text(
            Self.match + ", delay: 0s", people: 20_000, top: "push_sender: {rate: 100}")
        let result = try Fixtures.run(text)
        let sends = try #require(result.load.sends).tenths(of: 0)
        let seconds = stride(from: 0, to: sends.count, by: 10).map { first in
            sends[first..<first + 10].reduce(0) { $0 + Int($1) }
        }
        // Four bursts of 20,000 at 100 a second: 200 s each, and no second but those.
        let busy = seconds.filter { $0 > 0 }
        #expect(busy.count == 800 && busy.allSatisfy { $0 == 100 }, "\(busy.count)")
        let counts = Self.counts(result)
        #expect(counts[.shown] == 80_000)
        let mean = Double(counts.wide(.delaySum)) / 1e6 / Double(counts[.shown])
        #expect((mean - 100).magnitude < 0.5, "\(mean)")
    }

    @Test func `beginnings that come late and further tries keep to the rate of a running burst`() throws {
        let text = Self.text(
            Self.match + ", delay: 1s", people: 3_000,
            top: "push_sender: {rate: 1.5, refused: 0.2, retries: 2, retry_delay: 10s}",
            population: "connectivity: {offline_per_day: 4}")
        let result = try Fixtures.run(text)
        for law in RunLaw.all { #expect(law.breaches(result).isEmpty, "\(law)") }
        let counts = Self.counts(result)
        #expect(counts[.refused] > 2_000 && counts[.sent] > 12_000 && counts[.begunByPush] > 2_500)
    }

    @Test func `followers and those who follow an event are their shares`() throws {
        let games = "events: {starts: {at: [\"10:00\", \"15:00\", \"20:00\"], zone: UTC}, length: 1h, updates: 4}"
        let result = try Fixtures.run(Self.text("\(games), followers: 0.4, attendance: 0.5", people: 5_000))
        let counts = Self.counts(result)
        // Three events in the report, and those of the day before are over.
        #expect((counts[.begunByPush] - 3_000).magnitude <= 8, "\(counts[.begunByPush])")
        #expect(counts[.sent] == 6 * counts[.begunByPush])
    }

    @Test func `a channel is one push for all devices, which all get it`() throws {
        let own = Self.counts(try Fixtures.run(Self.text(Self.match)))
        let channel = Self.counts(try Fixtures.run(Self.text(Self.match + ", channel: true")))
        // The beginnings are pushes to each device all the same.
        #expect(own[.sent] == 4 * 2_000 && channel[.sent] == 2_000 + 3)
        #expect(channel[.shown] == own[.shown] && channel[.accepted] == own[.accepted])
    }

    @Test func `the budget lets through what a token bucket would, computed again from the trace`() throws {
        let run = try ScenarioRun(
            try Fixtures.scenario(
                Self.text(
                    "own: {per_day: 2, length: 5h, updates: 60}, stale_after: 20m", people: 60,
                    limits: "budget: 6, budget_burst: 4, excess: drop, frequent_off: 0, display_gap: 0s")))
        var (taken, dropped) = (0, 0)
        for person in 0..<60 {
            // Every push of priority 10 that comes meets the bucket; all of the person's share it.
            let rows = run.trace(person: person).rows.filter { $0.device == "phone, live" }
            var tokens = 4.0
            var last = Instant.start
            for (row, next) in zip(rows, rows.dropFirst()) where row.event == .activityPush {
                if next.event != .activityShown && next.event != .activityPushOverBudget { continue }
                tokens = min(4, tokens + (row.time - last).inSeconds * 6 / 3_600)
                last = row.time
                let isTaken = next.event == .activityShown
                // Near a whole token the exact bucket decides.
                if (tokens - 1).magnitude > 1e-6 { #expect((tokens >= 1) == isTaken, "person \(person), \(row.time)") }
                if isTaken { tokens -= 1 }
                (taken, dropped) = isTaken ? (taken + 1, dropped) : (taken, dropped + 1)
            }
        }
        #expect(taken > 500 && dropped > 500, "\(taken) \(dropped)")
    }

    @Test func `a watch shows what its phone shows`() throws {
        let result = try Fixtures.run(Self.text(Self.match + ", stale_after: 45m, delay: 5m"))
        let counts = Self.counts(result)
        for state in ActivityViewState.allCases { #expect(counts[.views(.watch, state)] > 0, "\(state)") }
        // Raises of a wrist do not tell when something has come about: the shares are those of the lock screen.
        func marked(_ surface: ActivitySurface) -> Double {
            let all = ActivityViewState.allCases.reduce(0) { $0 + counts[.views(surface, $1)] }
            return Double(counts[.views(surface, .markedStale)]) / Double(all)
        }
        #expect((marked(.watch) - marked(.lockScreen)).magnitude < 0.1)
    }
}
