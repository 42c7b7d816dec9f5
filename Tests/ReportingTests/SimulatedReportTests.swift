import Basics
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing
import WidgetPlatform
@testable import Reporting
@testable import People

/// The reports of a simulated fleet agree like those of made-up counts: phones, tablets and watches, pushed reloads
/// with accounts of their own, dimmed displays and hidden content.
@Suite struct SimulatedReportTests {
    static let report = Result { try makeReport() }

    static func makeReport() throws -> RunReport {
        var scenario = try ScenarioReader.read(
            text: """
                name: devices
                start: "2026-03-02T00:00:00-05:00"
                warmup: 1d
                duration: 2d
                people: 300
                kinds:
                  - {id: weather, app: weather, policy: {after: 30m}, push: true, versions: {source: steady, every: 1h, per: place}}
                  - {id: bank, app: bank, policy: {after: 1h}, sensitive: true}
                population:
                  devices:
                    - kind: phone
                      share: 0.9
                      instances:
                        - {id: here, kind: weather, surface: home_first, location: current}
                        - {id: lock, kind: bank, surface: lock_screen}
                segments:
                  - {name: many, share: 0.7}
                  - {name: few, share: 0.3}
                """
        ).scenario
        scenario.plan.parameters.pushBudget = .separate(allowance: nil)
        var campaign = PushCampaign()
        campaign.name = "noon"
        campaign.times = .clock(AlignedSchedule(times: [ClockTime(hour: 12, minute: 0)]))
        campaign.delay = Distribution(.constant(5))
        scenario.plan.pushCampaigns = [campaign]
        for i in scenario.plan.segments.indices {
            scenario.plan.segments[i].habits.privacy = PrivacyHabits(hideLockScreenShare: 0.3, hideAlwaysOnShare: 0.5)
            let phone = scenario.plan.segments[i].devices[0]
            scenario.plan.segments[i].devices[0].habits.alwaysOn = AlwaysOnHabits(share: 0.5, looksPerDay: 10)
            var (tablet, watch) = (phone, phone)
            tablet.habits.kind = .tablet
            tablet.habits.share = 0.4
            watch.habits.kind = .watch
            watch.habits.share = 0.5
            watch.habits.accentedShare = 0.5
            watch.habits.alwaysOn = AlwaysOnHabits(share: 1, looksPerDay: 10)
            for (j, family) in [WidgetFamily.accessoryCircular, .accessoryCorner].enumerated() {
                watch.placements[j].surface = .watchFace
                watch.placements[j].family = family
            }
            // Only one of the segments has watches.
            scenario.plan.segments[i].devices += i == 0 ? [tablet, watch] : [tablet]
        }
        let result = try #require(try ScenarioRun(scenario).run(threads: 2))
        return RunReport(result)
    }

    func table(_ table: RunTable) throws -> WrittenTable { try WrittenTable(table, of: Self.report.get()) }
    func metric(_ name: String) throws -> Int128 { WrittenTable.millionths(try Self.report.get().value(name).text) }

    @Test func `the summary has the metrics that are known before the run`() throws {
        let report = try Self.report.get()
        #expect(report.summary.map(\.name) == SummaryMetrics.names(for: report.result.scenario))
    }

    @Test func `all views stand in every split, and every way of being seen is there`() throws {
        let presentation = try table(.presentation)
        let (staleness, surfaces) = (try table(.staleness), try table(.presentationSurfaces))
        let keys = ["segment", "kind", "device"]
        for line in try table(.reloadTotals).rows {
            let fits = { (row: [String: String]) in keys.allSatisfy { row[$0] == line[$0] } }
            let views = presentation.sum("views", where: fits)
            #expect(
                views > 0 && staleness.sum("views", where: fits) == views && surfaces.sum("views", where: fits) == views
            )
            #expect(
                staleness.sum("healed", where: fits)
                    == presentation.sum("healed") { fits($0) && $0["state"] != "fresh" })
            for state in ViewState.allCases {
                #expect(
                    staleness.sum("views_\(state.name)", where: fits)
                        == presentation.sum("views") { fits($0) && $0["state"] == state.name }
                )
            }
        }
        #expect(try metric("views") == presentation.sum("views"))
        for device in [DeviceKind.phone, .tablet, .watch] {
            #expect(
                try metric("device.\(device.name).views") == presentation.sum("views") { $0["device"] == device.name })
        }
        #expect(presentation.rows.allSatisfy { ($0["redaction"] != "none") == ($0["state"] == "redacted") })
        #expect(Set(presentation.rows.map { $0["rendering_mode"]! }) == ["full_color", "accented", "vibrant"])
        #expect(Set(presentation.rows.map { $0["luminance"]! }) == ["active", "low"])
        #expect(Set(presentation.rows.map { $0["redaction"]! }) == ["none", "views", "whole"])
        // A tablet has no always-on display, and a watch is unlocked while it is worn.
        #expect(presentation.sum("views") { $0["device"] == "tablet" && $0["luminance"] == "low" } == 0)
        #expect(
            presentation.sum("views") {
                $0["device"] == "watch" && $0["luminance"] == "active" && $0["redaction"] != "none"
            } == 0)
        #expect(
            presentation.sum("views") {
                $0["device"] == "watch" && $0["luminance"] == "low" && $0["redaction"] == "views"
            } > 0)
    }

    @Test func `instances, accounts and devices add up`() throws {
        let totals = try table(.reloadTotals)
        let budget = try table(.budgetTotals)
        let keys = ["segment", "kind", "device"]
        for line in totals.rows {
            let fits = { (row: [String: String]) in keys.allSatisfy { row[$0] == line[$0] } }
            let instances = WrittenTable.millionths(line["instances"]!)
            #expect(instances > 0)
            #expect(try table(.staleness).sum("instances", where: fits) == instances)
            #expect(try table(.presentationSurfaces).sum("instances", where: fits) == instances)
            #expect(budget.sum("accounts") { fits($0) && $0["pool"] == "own" } == instances)
            // Every instance of a kind that takes pushes has a second account.
            #expect(
                budget.sum("accounts") { fits($0) && $0["pool"] == "pushed" }
                    == (line["kind"] == "weather" ? instances : 0))
        }
        #expect(budget.sum("spent_tokens") { $0["pool"] == "pushed" } > 0)
        let pushed = try table(.reloadCauses).sum("started_charged") { $0["cause"] == "push" }
        #expect(pushed > 0)
        #expect(try table(.reloads).rows.contains { $0["cause"] == "push" && $0["device"] == "watch" })
        let fleet = try table(.fleet)
        #expect(fleet.sum("people") == 300 * 1_000_000, "each person once, those without a device too")
        #expect(
            Set(fleet.rows.map { "\($0["segment"]!) \($0["device"]!)" }) == [
                "many phone", "many tablet", "many watch", "few phone", "few tablet",
            ])
        #expect(try metric("people") == 300 * 1_000_000)
        for device in [DeviceKind.phone, .tablet, .watch] {
            #expect(try metric("device.\(device.name).devices") == fleet.sum("devices") { $0["device"] == device.name })
        }
        #expect(fleet.sum("worn_time_s") { $0["device"] != "watch" } == 0)
    }

    @Test func `every ledger is balanced, and the summary is both pools together`() throws {
        let totals = try table(.budgetTotals)
        let hours = try table(.budget)
        for row in totals.rows {
            func amount(_ column: String) -> Int128 { WrittenTable.millionths(row[column]!) }
            #expect(
                amount("opening_tokens") + amount("accrued_tokens") == amount("spent_tokens") + amount("expired_tokens")
                    + amount("closing_tokens"))
            let fits = { (other: [String: String]) in
                ["segment", "kind", "device", "pool"].allSatisfy { other[$0] == row[$0] }
            }
            for column in ["accrued_tokens", "spent_tokens", "expired_tokens"] {
                #expect(hours.sum(column, where: fits) == amount(column))
            }
        }
        for name in ["opening_tokens", "accrued_tokens", "spent_tokens", "expired_tokens", "closing_tokens"] {
            #expect(try metric(name) == totals.sum(name))
            #expect(
                try metric(name)
                    == [DeviceKind.phone, .tablet, .watch].reduce(0) { $0 + (try metric("device.\($1.name).\(name)")) })
        }
        #expect(try metric("spent_tokens") == table(.reloadCauses).sum("started_charged"))
    }

    @Test func `watches are worn for a part of the day, and nothing else is worn`() throws {
        let report = try Self.report.get()
        let hours = try #require(report.value("device.watch.worn_hours_per_watch_day").asDouble)
        #expect(hours > 8 && hours < 20)
        #expect(report.value("worn_hours_per_watch_day") == .number(hours))
        #expect(report.value("segment.few.worn_hours_per_watch_day") == .missing)
    }
}
