import ScenarioFiles
import Simulation
import Testing
import WidgetPlatform
@testable import Reporting

/// The tables of devices with Android add up, row by row (section 13).
@Suite struct AndroidTableTests {
    /// Messages beyond their limit, jobs that fail, and refreshes that wait as the report begins and ends at night.
    static let report = Result {
        let scenario = try ScenarioReader.read(
            text: """
                start: "2026-03-02T00:00:00-05:00"
                warmup: 1d
                duration: 1d
                people: 150
                parameters: {android: {lowered: 0.4}}
                service: {failing: [[30h, 32h], [44h, 45h]]}
                kinds:
                  - {id: work, app: one, policy: never, android: {work: 15m, back_off: {}}}
                  - id: news
                    app: two
                    policy: never
                    push: true
                    push_on_version: {}
                    versions: {source: poisson, every: 2m}
                    android: {message: high, handler: expedited, back_off: {form: linear}}
                population:
                  connectivity: {offline_per_day: 3}
                  devices:
                    - {platform: android, instances: [{id: work, kind: work}, {id: news, kind: news}]}
                """
        ).scenario
        return RunReport(try #require(try ScenarioRun(scenario).run(threads: 2)))
    }

    func table(_ table: RunTable) throws -> WrittenTable { try WrittenTable(table, of: Self.report.get()) }

    @Test func `every row of refreshes adds up: due and carried in are run, merged and carried out`() throws {
        let refreshes = try table(.refreshes)
        func value(_ row: [String: String], _ column: String) -> Int64 { Int64(row[column]!)! }
        for row in refreshes.rows {
            #expect(
                value(row, "due") + value(row, "carried_in")
                    == value(row, "run") + value(row, "merged") + value(row, "carried_out"), "\(row)")
        }
        #expect(refreshes.sum("carried_in") > 0 && refreshes.sum("carried_out") > 0)
        for means in ["work", "expedited"] {
            #expect(refreshes.sum("retried") { $0["means"] == means } > 0, "\(means)")
        }
    }

    @Test func `messages add up: what came and was carried in is used, refused and carried out`() throws {
        let quota = try table(.quota)
        func sum(_ column: String) -> Int128 { quota.sum(column) { $0["gate"] == "messages" } }
        #expect(sum("came") + sum("carried_in") == sum("used") + sum("refused") + sum("carried_out"))
        // One each three minutes of one each two: a third is refused, and mostly one waits, on all devices alike.
        #expect(
            3 * sum("refused") > sum("came") / 2 && sum("carried_in") + sum("carried_out") > 0 && sum("lowered") > 0)
        for column in ["came", "lowered"] { #expect(quota.sum(column) { $0["gate"] != "messages" } == 0) }
    }

    @Test func `what counts against a quota has run, and what is lowered has come`() throws {
        let (quota, refreshes) = (try table(.quota), try table(.refreshes))
        for (gate, means) in [("jobs", "work"), ("expedited", "expedited")] {
            let (used, run) = (
                quota.sum("used") { $0["gate"] == gate }, refreshes.sum("run") { $0["means"] == means }
            )
            #expect(used > 0 && used <= run, "\(gate)")
        }
        #expect(quota.sum("lowered") <= quota.sum("used") { $0["gate"] == "messages" })
    }
}
