import Basics
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// A limited server's pushes to widgets (O3).
@Suite struct PushSenderLawTests {
    private static func text(_ top: String, kind: String = "") -> String {
        """
        start: "2026-03-01T00:00:00+00:00"
        warmup: 1d
        duration: 1d
        people: 6000
        parameters: {gates: none}
        kinds: [{id: k, app: a, push: true, policy: never\(kind)}]
        \(top)
        population:
          zones: {Europe/London: 1}
          devices: [{kind: phone, instances: [{id: i, kind: k}]}]
        """
    }

    private static func sends(_ result: RunResult) throws -> [Int] {
        let tenths = try #require(result.load.sends).tenths(of: 0)
        return stride(from: 0, to: tenths.count, by: 10).map { tenths[$0..<$0 + 10].reduce(0) { $0 + Int($1) } }
    }

    @Test func `a campaign's herd is as wide as the sender makes it`() throws {
        let campaign = "pushes: [{name: c, app: a, at: [\"2026-03-02T12:00:00Z\"], delay: 0s}]\n"
        let result = try Fixtures.run(Self.text(campaign + "push_sender: {rate: 20}"))
        let sent = try Self.sends(result)
        // 6,000 at 20 a second are 300 s. Places are random: a minute holds 1,200 within five deviations.
        let noon = 12 * 3_600
        #expect(sent.indices.allSatisfy { sent[$0] == 0 || (noon...noon + 300).contains($0) })
        for minute in 0..<5 {
            let count = sent[noon + 60 * minute..<noon + 60 * (minute + 1)].reduce(0, +)
            #expect((count - 1_200).magnitude < 160, "\(count)")
        }
        #expect(sent.reduce(0, +) == 6_000)
        #expect(result.devices[.pushes] == 6_000)
        let at = result.load.requestsByMinute
        #expect((at[720..<726].reduce(0, +) - 6_000).magnitude < 60, "the requests follow the pushes")
    }

    @Test func `pushes about versions go out at the rate, and each device's version is counted once`() throws {
        let kind = ", push_on_version: {delay: 0s}, versions: [\"2026-03-02T08:00:00Z\", \"2026-03-02T08:01:00Z\"]"
        let sent = try Self.sends(try Fixtures.run(Self.text("push_sender: {rate: 50}", kind: kind)))
        // 120 s each: the second version waits for the first one.
        let eight = 8 * 3_600
        #expect(sent.reduce(0, +) == 12_000)
        #expect(sent.indices.allSatisfy { sent[$0] == 0 || (eight...eight + 240).contains($0) })
        #expect(sent[eight..<eight + 120].reduce(0, +) == 6_000)
    }

    @Test func `a push about a place that the person leaves before it comes about is not counted`() throws {
        let kind = ", push_on_version: {delay: 0s}, versions: {source: steady, every: 1h, spread: 30m, per: place}"
        let text = Self.text("push_sender: {}", kind: kind).replacing(
            "instances: [{id: i, kind: k}]", with: "instances: [{id: i, kind: k, location: current}]")
        let result = try Fixtures.run(text, ["people=300"])
        let sent = try Self.sends(result).reduce(0, +)
        // Without a connection lost and with nothing limited all that is sent comes at once.
        #expect(sent == Int(result.devices[.pushes]) && sent > 5_000, "\(sent) \(result.devices[.pushes])")
    }

    @Test func `a project's limit lets so many messages a minute through to Android`() throws {
        let campaign = "pushes: [{name: c, app: a, at: [\"2026-03-02T12:00:30Z\"], delay: 0s}]\n"
        let text = Self.text(campaign + "push_sender: {project_limit: 2000}").replacing(
            "policy: never", with: "policy: never, android: {message: high}"
        ).replacing("kind: phone", with: "kind: phone, platform: android")
        let sent = try Self.sends(try Fixtures.run(text, ["parameters.android.lowered=0"]))
        // 2,000 in the rest of the minute and at the beginning of each of the next two, within five deviations.
        let noon = 12 * 3_600
        for second in sent.indices where ![noon + 30, noon + 60, noon + 120].contains(second) {
            #expect(sent[second] == 0, "\(second)")
        }
        for second in [30, 60, 120] { #expect((sent[noon + second] - 2_000).magnitude < 190, "\(second)") }
        #expect(sent.reduce(0, +) == 6_000)
        let free = try Self.sends(try Fixtures.run(text.replacing("2000", with: "600000")))
        #expect(free[noon + 30] == 6_000)
    }

    @Test func `the project's limit counts pushes to tiles of watches too`() throws {
        let campaign = "pushes: [{name: c, app: a, at: [\"2026-03-02T12:00:30Z\"], delay: 0s}]\n"
        let text = Self.text(campaign + "push_sender: {project_limit: 2000}").replacing(
            "kind: phone", with: "kind: watch, platform: android")
        let sent = try Self.sends(try Fixtures.run(text))
        let noon = 12 * 3_600
        for second in [30, 60, 120] { #expect((sent[noon + second] - 2_000).magnitude < 190, "\(second)") }
        #expect(sent.reduce(0, +) == 6_000)
    }

    @Test func `without a sender nothing changes, and nothing is counted as sent`() throws {
        let kind = ", push_on_version: {delay: 3s}, versions: [\"2026-03-02T08:00:00Z\"]"
        let plain = try Fixtures.run(Self.text("", kind: kind))
        #expect(plain.load.sends == nil)
        let sender = try Fixtures.run(Self.text("push_sender: {}", kind: kind))
        #expect(plain.measures.counts == sender.measures.counts)
    }
}
