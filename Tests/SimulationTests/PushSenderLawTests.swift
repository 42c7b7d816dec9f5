import Basics
import Fleet
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// A limited server's pushes to widgets (O3).
///
/// Rules: O3, N10.
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
        // 6,000 at 20 a second are 300 s.
        let noon = 12 * 3_600
        for second in sent.indices {
            #expect(sent[second] == ((noon..<noon + 300).contains(second) ? 20 : 0), "\(second)")
        }
        for law in RunLaw.all { #expect(law.breaches(result).isEmpty, "\(law)") }
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
        for second in sent.indices {
            #expect(sent[second] == ((eight..<eight + 240).contains(second) ? 50 : 0), "\(second)")
        }
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

    @Test(arguments: ["phone", "watch"])
    func `a project's limit is a staircase, whose steps are the minutes of the push service`(device: String) throws {
        let campaign = "pushes: [{name: c, app: a, at: [\"2026-03-02T12:00:30Z\"], delay: 0s}]\n"
        let text = Self.text(campaign + "push_sender: {project_limit: 2500}").replacing(
            "policy: never", with: "policy: never, android: {message: high}"
        ).replacing("kind: phone", with: "kind: \(device), platform: android")
        let result = try Fixtures.run(text, ["parameters.android.lowered=0"])
        let sent = try Self.sends(result)
        // All are tried at once, of which 3,500 are refused; then 2,500 and 1,000 go out as the next minutes begin.
        let at = sent.indices.filter { sent[$0] > 0 }
        #expect(at.map { sent[$0] } == [6_000, 2_500, 1_000] && at[0] == 12 * 3_600 + 30, "\(at)")
        #expect(at[2] - at[1] == 60 && (1...60).contains(at[1] - at[0]))
        let curve = try #require(result.load.sends)
        let refused = SendCause.ordinal(.high, isRefused: true)
        #expect(curve.minutes(of: 0, region: 0, cause: refused).reduce(0) { $0 + Int($1) } == 3_500)
        // The minutes of the service begin at an instant that is drawn for the sender.
        let other = try Self.sends(try Fixtures.run(text, ["parameters.android.lowered=0", "seed=7"]))
        #expect(other.indices.filter { other[$0] == 2_500 } != [at[1]])
        let free = try Self.sends(try Fixtures.run(text.replacing("2500", with: "600000")))
        #expect(free[at[0]] == 6_000)
    }

    @Test func `bursts that are refused and new ones share one rate`() throws {
        let times = (0..<4).map { "\"2026-03-02T12:0\($0):00Z\"" }.joined(separator: ", ")
        let campaign = "pushes: [{name: c, app: a, at: [\(times)], delay: 0s}]\n"
        let text = Self.text(campaign + "push_sender: {rate: 100, project_limit: 400}").replacing(
            "kind: phone", with: "kind: phone, platform: android")
        let result = try Fixtures.run(text, ["people=1000"])
        for law in RunLaw.all { #expect(law.breaches(result).isEmpty, "\(law)") }
        let sent = try Self.sends(result)
        #expect(sent.max() == 100)
        // Each burst is tried in 10 s, and 400 a minute are taken until all are.
        let curve = try #require(result.load.sends)
        func sum(isRefused: Bool) -> Int {
            curve.minutes(of: 0, region: 0, cause: SendCause.ordinal(.high, isRefused: isRefused)).reduce(0) {
                $0 + Int($1)
            }
        }
        #expect(sum(isRefused: false) == 4_000 && sum(isRefused: false) + sum(isRefused: true) == sent.reduce(0, +))
        #expect(sum(isRefused: true) >= 3_000)
    }

    @Test func `all that a sender sends keeps to one rate, also to people abroad and on several devices`() throws {
        let text = """
            start: "2026-03-01T00:00:00+00:00"
            warmup: 1d
            duration: 3d
            people: 900
            kinds:
              - {id: k, app: a, push: true, policy: never, push_on_version: {}, versions: {source: steady, every: 1h}}
              - {id: l, app: b, push: true, policy: never}
            pushes:
              - {name: c, app: a, at: {at: ["09:00", "09:10"]}, share: 0.6}
              - {name: d, app: b, at: ["2026-03-02T12:00:00Z", "2026-03-02T12:01:00Z"], share: 0.3}
            live_activities:
              kinds:
                - id: live
                  app: a
                  events: {starts: {at: ["10:00", "12:00"], zone: UTC}, length: 1h, updates: 6}
                  followers: 0.5
                  attendance: 0.7
            push_sender: {rate: 3, waves: 2, wave_gap: 3m, refused: 0.2, retries: 2, retry_delay: {median: 10s, p95: 60s}}
            population:
              zones: {Europe/London: 0.6, America/New_York: 0.4}
              movement: {travel: {per_year: 60}}
              connectivity: {offline_per_day: 8}
              devices:
                - {kind: phone, share: 0.7, instances: [{id: i, kind: k, share: 0.6, added_per_day: 0.1}]}
                - {kind: watch, instances: [{id: w, kind: k, surface: watch_face, family: accessory_circular}]}
                - {kind: tablet, share: 0.5, instances: [{id: t, kind: l}, {id: u, kind: k, location: current}]}
            """
        let result = try Fixtures.run(text)
        for law in RunLaw.all { #expect(law.breaches(result).isEmpty, "\(law)") }
        let sends = try #require(result.load.sends)
        for sort in 0..<3 { #expect(sends.tenths(of: sort).reduce(0) { $0 + Int($1) } > 200, "\(sort)") }
        #expect(try Fixtures.run(text, threads: 3).fingerprint == result.fingerprint)
    }

    @Test func `people who stand for more get their share of the rate`() throws {
        let text = Self.text(
            "pushes: [{name: c, app: a, at: [\"2026-03-02T12:00:00Z\"], delay: 0s}]\npush_sender: {rate: 20}")
        let sample = try Self.sends(
            try Fixtures.run(text, ["people=600", "report.represents=6000", "push_sender.rate=200"]))
        #expect(sample == (try Self.sends(try Fixtures.run(text, ["people=600"]))))
    }

    @Test func `a share of a sending is exact, and another one each time`() throws {
        let times = (0..<3).map { "\"2026-03-02T1\($0):00:00Z\"" }.joined(separator: ", ")
        let campaign = "pushes: [{name: c, app: a, at: [\(times)], delay: 0s, share: 0.3}]\n"
        let sent = try Self.sends(try Fixtures.run(Self.text(campaign + "push_sender: {rate: 10}")))
        for hour in 10...12 {
            let seconds = sent[hour * 3_600..<hour * 3_600 + 3_600]
            #expect(seconds.allSatisfy { $0 <= 10 } && seconds.drop { $0 == 10 }.dropFirst().allSatisfy { $0 == 0 })
            #expect(Agreement.share(Int64(seconds.reduce(0, +)), of: 6_000, is: 0.3))
        }
    }

    @Test func `without a sender nothing changes, and nothing is counted as sent`() throws {
        let kind = ", push_on_version: {delay: 3s}, versions: [\"2026-03-02T08:00:00Z\"]"
        let plain = try Fixtures.run(Self.text("", kind: kind))
        #expect(plain.load.sends == nil)
        let sender = try Fixtures.run(Self.text("push_sender: {}", kind: kind))
        #expect(plain.measures.counts == sender.measures.counts)
    }
}
