import Basics
import ScenarioModel
import Simulation
import Testing

@testable import ScenarioFiles

/// Live Activities and the sender of pushes, as scenarios state them (O1–O6).
@Suite struct LiveActivityKeyTests {
    private static func text(_ kind: String, _ top: String = "", limits: String = "") -> String {
        """
        start: "2026-03-02T00:00:00+00:00"
        duration: 1d
        people: 1000
        kinds: [{id: k, policy: never}]
        live_activities:
          kinds: [{id: live, \(kind)}]
          limits: {\(limits)}
        population:
          zones: {Europe/London: 1}
          devices: [{kind: phone, share: 0.8, instances: [{id: i, kind: k}]}]
        \(top)

        """
    }

    private static let event = "events: [{start: 26h, end: 28h, updates: [27h]}]"

    private static func plan(_ text: String) throws -> FleetPlan { try ScenarioReader.read(text: text).scenario.plan }

    private static func problem(_ text: String) -> String {
        do {
            _ = try ScenarioReader.read(text: text)
            return "none"
        } catch { return "\(error)" }
    }

    @Test func `what is not stated has the documented or assumed value`() throws {
        let plan = try Self.plan(Self.text(Self.event))
        let live = try #require(plan.live)
        #expect(live.limits.longest == .hours(8) && live.limits.linger == .hours(4))
        #expect(live.limits.budget.perHour == 30 && live.limits.budget.burst == 30)
        #expect(live.limits.frequentBudget.perHour == 90 && live.limits.frequentBudget.burst == 90)
        #expect(live.kinds[0].start == .push && live.kinds[0].followers == 1 && !live.kinds[0].isBroadcast)
        #expect(plan.pushSender == nil && plan.sendNames == ["live"])
    }

    @Test func `limits and the sender are taken over`() throws {
        let plan = try Self.plan(
            Self.text(
                Self.event, "push_sender: {rate: 50, waves: 3, wave_gap: 1m, refused: 0.5, retries: 2}",
                limits: "budget: 20, budget_burst: 5, frequent_factor: 2.5, excess: drop"))
        #expect(plan.live?.limits.budget.burst == 5 && plan.live?.limits.budget.excess == .drop)
        #expect(plan.live?.limits.frequentBudget.perHour == 50 && plan.live?.limits.frequentBudget.burst == 13)
        let sender = try #require(plan.pushSender)
        #expect(sender.rate == 50 && sender.waves == 3 && sender.people == 1_000 && sender.meanTries == 1.75)
        #expect(plan.sendNames == ["live", "widgets of app"])
    }

    @Test(arguments: [
        ("followers: 1", "exactly one of events and own"),
        ("\(event), own: {per_day: 1, length: 1h, updates: 1}", "exactly one of events and own"),
        ("events: [{start: 26h, end: 25h}]", "an end after the start"),
        ("events: [{start: 26h, end: 28h, updates: [28h]}]", "an update between the start and the end"),
        ("channel: true, own: {per_day: 1, length: 1h, updates: 1}", "events that people share beside a channel"),
    ]) func `what cannot be is refused with the cure`(kind: String, sentence: String) {
        #expect(Self.problem(Self.text(kind)).contains(sentence), "\(Self.problem(Self.text(kind)))")
    }

    @Test func `a sender that cannot keep up with people's own events is refused with the rate that it needs`() {
        let own = "own: {per_day: 10, length: 1h, updates: 6}"
        // 800 phones, 10 events and 8 pushes a day each: .74 a second.
        #expect(Self.problem(Self.text(own, "push_sender: {rate: 0.7}")).contains("0.74"))
        #expect(Self.problem(Self.text(own, "push_sender: {rate: 0.8}")) == "none")
    }

    @Test func `a budget too large for frequent updates is refused only to apps that ask for them`() {
        let limits = "budget: 1201"
        #expect(Self.problem(Self.text(Self.event, limits: limits)) == "none")
        let asking = Self.problem(Self.text(Self.event + ", frequent: true", limits: limits))
        #expect(asking.contains("3600 pushes an hour with frequent updates"), "\(asking)")
    }

    @Test func `bursts in too many waves, and versions of places beyond the rate, are refused`() {
        let events = "events: {starts: {at: [\"10:00\"], zone: UTC}, length: 1h, updates: 10000}"
        let long = Self.text(events, "push_sender: {waves: 100}").replacing("duration: 1d", with: "duration: 20d")
        #expect(Self.problem(long).contains("bursts and waves"), "\(Self.problem(long))")
        // 800 phones get a push about their place every minute: 13.3 a second.
        let places = Self.text(Self.event, "push_sender: {rate: 13}").replacing(
            "{id: k, policy: never}",
            with:
                "{id: k, policy: never, push: true, push_on_version: {}, versions: {source: steady, every: 1m, per: place}}"
        )
        #expect(Self.problem(places).contains("13.3"), "\(Self.problem(places))")
        #expect(Self.problem(places.replacing("rate: 13", with: "rate: 14")) == "none")
    }

    @Test func `a run too long for its counts is refused`() {
        let text = Self.text(Self.event).replacing("duration: 1d", with: "duration: 3600d")
        #expect(Self.problem(text).contains("Live Activities"), "\(Self.problem(text))")
    }
}
