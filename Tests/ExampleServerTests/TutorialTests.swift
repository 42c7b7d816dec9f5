import Basics
import Foundation
import RefreshService
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
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

/// The tutorial of docs/own-servers.md.
///
/// Rules: S9.
@Suite struct TutorialTests {
    @Test func `the first server of the page lets each client ask so often an hour`() throws {
        var code = UserCode()
        code.add(["hourly": Hourly()])
        let text = OwnServers.fleet(
            people: 30, duration: "6h", kinds: "[{id: k, policy: {after: 1m}}]", instances: OwnServers.one,
            service: """
                failure_after: 1m
                pools: [{id: api, server: hourly, with: {most: 40}, service_time: 10ms}]
                """)
        let read = try UserCode.$current.withValue(code) { try ScenarioReader.read(text: text) }
        let result = try #require(try ScenarioRun(read.scenario).run(threads: 2))
        #expect(try result.total(.completed) == 30 * 6 * 40 && result.total(.shedByRate) > 0)
        #expect(read.scenario.userCode == ["server hourly 1"])
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
}
