import Basics
import Fleet
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

    @Test func `without a sender nothing changes, and nothing is counted as sent`() throws {
        let kind = ", push_on_version: {delay: 3s}, versions: [\"2026-03-02T08:00:00Z\"]"
        let plain = try Fixtures.run(Self.text("", kind: kind))
        #expect(plain.load.sends == nil)
        let sender = try Fixtures.run(Self.text("push_sender: {}", kind: kind))
        #expect(plain.measures.counts == sender.measures.counts)
    }
}
