import Basics
import Statistics
import Testing

import Reporting
@testable import ScenarioFiles
@testable import ScenarioModel
@testable import WidgetPlatform

/// Pushes, releases, relevance, and what else a kind and its server do by themselves.
@Suite struct PushKeyTests {
    private let plan: FleetPlan

    init() throws { plan = try ScenarioReader.read(text: DeviceKeyTests.everything).scenario.plan }

    @Test func `campaigns have instants or clock times`() throws {
        #expect(
            plan.pushCampaigns.map(\.name) == ["goal", "morning", "evening"]
                && plan.pushCampaigns.map(\.app) == [0, 0, 0])
        guard case .listed(let instants) = plan.pushCampaigns[0].times,
            case .clock(let morning) = plan.pushCampaigns[1].times,
            case .clock(let evening) = plan.pushCampaigns[2].times
        else {
            Issue.record("\(plan.pushCampaigns)")
            return
        }
        #expect(instants == [plan.begin + .hours(30), plan.begin + .hours(39)] && plan.pushCampaigns[0].share == 0.9)
        let berlin = try #require(plan.zones.firstIndex { $0.name == "Europe/Berlin" })
        #expect(
            morning
                == AlignedSchedule(
                    times: [ClockTime(hour: 7, minute: 30), ClockTime(hour: 12, minute: 0)],
                    weekdays: AlignedSchedule.workdays,
                    fixedZone: berlin))
        #expect(evening == AlignedSchedule(times: [ClockTime(hour: 19, minute: 0)], weekdays: AlignedSchedule.allDays))
        let usual = try Distribution.lognormal(median: 3, p95: 60)
        #expect(plan.pushCampaigns[1].share == 1 && plan.pushCampaigns[1].delay == usual)
    }

    @Test func `a release may have come out before the start`() {
        #expect(
            plan.releases.map(\.name) == ["autumn", "patch", "season"] && plan.releases[0].at < plan.begin - .days(160))
        #expect(
            plan.releases[0].adoptionShare == 0.9 && plan.releases[0].meanTime == .days(60)
                && plan.releases[0].overnightShare == 0.7
                && plan.releases[0].devices == [.watch, .phone])
        #expect(
            plan.releases[1].at == plan.begin + .days(1) && plan.releases[1].adoptionShare == 0.84
                && plan.releases[1].meanTime == .days(77)
                && plan.releases[1].overnightShare == 0.5 && plan.releases[1].devices == [.phone, .tablet])
    }

    @Test func `a release of an app is rolled out in phases`() throws {
        let release = plan.releases[2]
        #expect(release.app == 0 && release.phases == [0.1, 1] && release.phaseTime == .hours(12))
        #expect(release.devices == DeviceKind.allCases && release.adoptionShare == 0.9 && release.meanTime == .days(2))
        #expect(plan.releases[0].app == nil && plan.releases[0].phases == [1])
        for (wrong, expected) in [
            ("app: apq", "the app of a kind"), ("app: app, phases: [0.5, 0.2]", "shares in rising order"),
            ("app: app, phases: [0, 1]", "above 0"),
        ] {
            let problems = #expect(throws: ScenarioProblems.self) {
                try ScenarioReader.read(
                    text: ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population
                        + "app_releases: [{name: r, at: 1h, \(wrong)}]\n")
            }
            #expect(
                problems?.problems.contains { $0.expected.contains(expected) } == true,
                "\(wrong): \(String(describing: problems))")
        }
    }

    @Test func `pushed reloads have an account of their own`() throws {
        #expect(
            plan.parameters.pushBudget == .separate(allowance: 12_500_000)
                && plan.parameters.allowance.onWatchFace == 50_000_000)
        let text = ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population
        let other = try ScenarioReader.read(text: text + "parameters: {push_budget: separate, a_max: 40}\n").scenario
            .plan.parameters
        #expect(other.pushBudget == .separate(allowance: nil) && other.allowance.onWatchFace == 40_000_000)
        #expect(try ScenarioReader.read(text: text).scenario.plan.parameters.pushBudget == .shared)
    }

    @Test func `what kinds and their servers do arrives whole`() throws {
        let (score, table, notes, bank) = (plan.kinds[0], plan.kinds[1], plan.kinds[2], plan.kinds[3])
        let (soon, later) = (
            try Distribution.lognormal(median: 3, p95: 20), try Distribution.lognormal(median: 2, p95: 30)
        )
        #expect(score.contentPushes == .init(route: .widgets, delay: soon, share: 0.5))
        #expect(
            table.contentPushes == .init(route: .app, delay: later, share: 1) && notes.contentPushes == nil)
        #expect(
            score.reloadCall == .all && table.reloadCall == .ofKind && table.wakeUpsPerDay == 4
                && score.wakeUpsPerDay == 0)
        #expect(
            notes.changeShare == 0.4 && notes.interactionShare == 0.05 && notes.versions == .manual && notes.isSensitive
        )
        #expect(!bank.isSensitive && bank.changeShare == 0)
        #expect(
            try [score, table, notes, bank].map(\.fixTime) == [
                .lognormal(median: 1, p95: 5), .lognormal(median: 3, p95: 15), .lognormal(median: 1, p95: 5),
                .lognormal(median: 0.2, p95: 1),
            ])
    }

    @Test func `relevance has scores for what holds`() {
        let evening = RelevanceRule.Hours(
            span: ClockSpan(from: ClockTime(hour: 18, minute: 0), to: ClockTime(hour: 2, minute: 0)),
            weekdays: AlignedSchedule.weekendDays,
            score: 5.5)
        #expect(
            plan.kinds[0].relevance
                == RelevanceRule(
                    base: 1, newVersion: .init(score: 20, duration: .minutes(10)), event: 50, hours: [evening]))
        #expect(
            plan.kinds[1].relevance == .none && plan.kinds[3].relevance.hours.count == 1
                && plan.kinds[3].relevance.event == nil)
    }

    @Test func `what never happens is a warning`() throws {
        let kinds = """
            kinds:
              - {id: weather, policy: never, push: true, push_on_version: {}}
              - {id: b, policy: never, push_on_version: {via: app}, versions: {source: calendar, events: [1h]}}
              - {id: c, policy: never, reload_on_open: if_changed, versions: {source: manual, changes_per_opening: 0.1}}
              - {id: d, policy: never, reload_on_open: if_changed}

            """
        let text = ScenarioReaderTests.head + kinds + ScenarioReaderTests.population
        let read = try ScenarioReader.read(
            text: text + "pushes: [{name: late, app: app, at: [90d]}]\nos_releases: [{name: a, at: 90d}]\n")
        #expect(
            read.warnings() == [
                "kinds.weather.push_on_version: never pushes, because no server makes its versions: they are manual",
                "kinds.b.push_on_version: never pushes, because the events of its calendar are known ahead",
                "kinds.d: reload_on_open: if_changed never reloads, because its versions are manual",
                "pushes.late.at: none of its instants lies within the run",
                "os_releases.a.at: it is released at or after the end",
            ])
    }
}
