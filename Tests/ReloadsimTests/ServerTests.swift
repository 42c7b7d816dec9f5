import Foundation
import Reloadsim
import Testing

struct Hourly: OriginServer {
    private var most = 100
    private var calendar = ServerCalendar()
    private var hour = Int64.min
    private var asked = KeyedTable(0)

    mutating func read(_ with: inout UserParameters) { most = with.count("most", or: most, in: 1...1_000_000) }
    mutating func begin(_ calendar: ServerCalendar) { self.calendar = calendar }

    mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        let current = calendar.window(of: .hours(1), at: now)
        if current != hour { (hour, asked) = (current, KeyedTable(0)) }
        guard let client = request.client else { return .served(at: now, for: request.serviceTime) }
        if asked[client] == most { return .refused(retryAfter: calendar.left(ofWindow: .hours(1), at: now)) }
        asked[client] += 1
        return .served(at: now, for: request.serviceTime)
    }

    mutating func code(_ state: StateStream) throws(StateProblem) {
        try state.code(&hour)
        try asked.code(state)
    }
}

/// A server of one's own by the library alone: the tutorial of docs/own-servers.md.
///
/// Rules: S9.
@Suite struct ServerTests {
    private static let text = """
        start: "2026-03-02T00:00:00Z"
        warmup: 1h
        duration: 6h
        people: 30
        parameters: {gates: none, dispatch_delay: 0s}
        service:
          failure_after: 1m
          pools: [{id: api, server: hourly, with: {most: 40}, service_time: 10ms}]
        kinds: [{id: k, policy: {after: 1m}}]
        population:
          pickups: {unlocks_per_day: 0}
          devices: [{kind: phone, instances: [{id: w, kind: k}]}]

        """

    @Test func `a server refuses what is beyond its limit by client, on one thread and on two`() async throws {
        let one = try await Scenario(Self.text).run(threads: 1, servers: ["hourly": Hourly()])
        let two = try await Scenario(Self.text).run(threads: 2, servers: ["hourly": Hourly()])
        #expect(one.fingerprint == two.fingerprint)
        #expect(one.metrics.contains("service.share_served"))
        let served = try #require(one["service.share_served"])
        // 40 of the 60 minutes of an hour; the others are refused.
        #expect((served.value - 2.0 / 3).magnitude < 0.02, "\(served)")
    }

    @Test func `the page has the server as it stands here`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/own-servers.md"), encoding: .utf8)
        let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let begin = try #require(here.range(of: "struct Hourly")).lowerBound
        let end = try #require(here.range(of: "\n}\n", range: begin..<here.endIndex)).upperBound
        #expect(page.contains(here[begin..<end]))
    }

    @Test func `a study of many runs knows the code on all of its threads`() throws {
        let folder = NSTemporaryDirectory() + "reloadsim-study-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        try Data(Self.text.replacing("people: 30", with: "people: 1").utf8).write(
            to: URL(filePath: folder + "/api.yaml"))
        let status = ReloadsimProgram.status(
            of: [
                "sweep", folder + "/api.yaml", "--repeat", "101", "--quiet", "--out", folder + "/out", "--metric",
                "requests_total",
            ], servers: ["hourly": Hourly()])
        #expect(status == 0)
    }

    @Test func `a server that the program does not have is a problem with its place`() async throws {
        let scenario = Scenario(Self.text)
        await #expect(throws: ReloadsimError.self) { try await scenario.run() }
    }
}
