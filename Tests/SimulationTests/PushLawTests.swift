import Basics
import Foundation
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// Pushes and background wake-ups come when and as often as they should (B7).
///
/// Rules: B7.
@Suite struct PushLawTests {
    private static let people = 400
    private static let days = 6

    private static func text(
        kind: String, population: String = "", top: String = "", instances: String = "{id: i, kind: k}"
    ) -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        \(top)
        kinds: [{id: k, app: a, policy: never\(kind)}]
        population:
          zones: {America/New_York: 1}
          apps: {a: {openings_per_day: 0}}
          \(population)
          devices: [{kind: phone, instances: [\(instances)]}]
        """
    }
    private static func asked(_ result: RunResult, _ cause: ReloadCause) -> Int64 {
        result.reloads[.started(cause, charged: true)] + result.reloads[.merged(cause)]
    }

    @Test func `a campaign reaches its share of the devices at each sending, spread as it says`() throws {
        let top =
            "pushes: [{name: c, app: a, at: {at: [\"09:00\", \"18:00\"]}, share: 0.3, delay: {median: 20s, p95: 2m}}]"
        let result = try Fixtures.run(Self.text(kind: ", push: true", top: top))
        let pushes = result.devices[.pushes]
        #expect(Agreement.share(pushes, of: Int64(2 * Self.days * Self.people), is: 0.3), "\(pushes)")
        // When they come: half of them within the median, on the local clock.
        let run = try ScenarioRun(try Fixtures.scenario(Self.text(kind: ", push: true", top: top)))
        let delays = (0..<200).flatMap { run.trace(person: $0).rows.filter { $0.event == .push } }
            .map { row -> Int64 in
                let clock = row.time.microseconds % 86_400_000_000
                return clock - (clock < 64_800_000_000 ? 32_400_000_000 : 64_800_000_000)
            }
            .sorted()
        let median = Double(delays[delays.count / 2]) / 1e6
        let deviation = 1.25 * 1.09 * 20 / Double(delays.count).squareRoot()
        #expect(delays[0] >= 0)
        #expect((median - 20).magnitude < 5 * deviation, "\(median)")
    }

    @Test func `every version is pushed once to a device, and a share of them is that share`() throws {
        let steady = ", push: true, versions: {source: steady, every: 4h}"
        // Sixteen instances and not one: the same content gets one push all the same.
        let twice = "{id: i, kind: k}, {id: j, kind: k, surface: home_other}"
        let all = try Fixtures.run(Self.text(kind: steady + ", push_on_version: {delay: 1s}", instances: twice))
        // At 0, 4, 8 … o'clock.
        let expected = Int64(Self.people) * Int64(6 * Self.days)
        #expect(all.devices[.pushes] == expected)
        // Each asks both instances, but for what waits at the start and at the end.
        let waiting = 2 * expected - Self.asked(all, .push)
        #expect(waiting.magnitude <= 2 * Self.people, "\(waiting)")
        let half = try Fixtures.run(Self.text(kind: steady + ", push_on_version: {delay: 1s, share: 0.5}"))
        // The server pushes a version to all or to nobody: of the 36, some are left out.
        #expect(half.devices[.pushes] % Int64(Self.people) == 0)
        #expect(Agreement.share(half.devices[.pushes], of: all.devices[.pushes], is: 0.5, trials: 36))
    }

    @Test func `pushes wait for a connection and none is lost but those that a later one replaces`() throws {
        let kind = ", push: true, versions: {source: steady, every: 4h}, push_on_version: {delay: 1s}"
        let result = try Fixtures.run(
            Self.text(kind: kind, population: "connectivity: {offline_per_day: 4, offline_length: 1h}"))
        let online = try Fixtures.run(Self.text(kind: kind))
        let late = result.devices[.latePushes]
        // Offline an hour of seven.
        #expect(Agreement.share(late, of: online.devices[.pushes], is: 1.0 / 7, besides: 0.01))
        let lost = online.devices[.pushes] - result.devices[.pushes]
        #expect(lost >= 0 && lost < Int64(Self.people))
    }

    @Test func `a campaign by the device's clock comes once a date, also to people who travel`() throws {
        let text = """
            start: "2026-01-12T00:00:00-05:00"
            warmup: 0s
            duration: 30d
            people: 60
            pushes: [{name: c, app: a, at: {at: ["09:00"]}, delay: 0s}]
            kinds: [{id: k, app: a, policy: never, push: true}]
            population:
              movement: {travel: {per_year: 200}}
              devices: [{kind: phone, instances: [{id: i, kind: k}]}]
            """
        let scenario = try Fixtures.scenario(text)
        let run = try ScenarioRun(scenario)
        var (pushes, crossings) = (0, 0)
        for person in 0..<60 {
            var dates: Set<CivilDate> = []
            for row in run.trace(person: person).rows {
                if row.detail == "time_zone" { crossings += 1 }
                guard row.event == .push else { continue }
                let local = scenario.plan.zones[row.zone].localTime(at: row.time)
                #expect(local.clock == ClockTime(hour: 9, minute: 0), "\(local.clock.microseconds)")
                #expect(dates.insert(local.date).inserted, "twice on a date")
                pushes += 1
            }
        }
        #expect(crossings > 200)
        // A person who crosses nine o'clock eastwards misses it.
        #expect(pushes <= 60 * 30 && pushes > 60 * 30 * 95 / 100, "\(pushes)")
    }

    @Test func `one push of an app waits for a connection, silent or not`() throws {
        let text = Self.text(
            kind: ", push: true",
            population: "connectivity: {offline_per_day: 4, offline_length: 3h}",
            top: "pushes: [{name: c, app: a, at: {at: [\"09:50\", \"12:50\", \"15:50\", \"18:50\"]}, delay: 0s}]"
        ).replacing(
            "kinds: [",
            with: "kinds: [{id: s, app: a, policy: never, versions: {source: steady, every: 1h30m}, "
                + "push_on_version: {via: app, delay: 0s}}, "
        ).replacing("instances: [", with: "instances: [{id: j, kind: s}, ")
        let run = try ScenarioRun(try Fixtures.scenario(text))
        var (pushes, wakeUps, superseded) = (0, 0, 0)
        for person in 0..<30 {
            let rows = run.trace(person: person).rows
            superseded += rows.count { $0.event == .pushSuperseded }
            let online = Set(rows.filter { $0.event == .online }.map(\.time))
            let came = rows.filter { ($0.event == .push || $0.event == .wakeUp) && online.contains($0.time) }
            #expect(Set(came.map(\.time)).count == came.count, "person \(person)")
            pushes += came.count { $0.event == .push }
            wakeUps += came.count { $0.event == .wakeUp }
        }
        #expect(pushes > 20 && wakeUps > 20 && superseded > 20, "\(pushes) \(wakeUps) \(superseded)")
    }

    @Test func `silent pushes wait for a connection too, and several wake-ups make one`() throws {
        let kind = ", versions: {source: steady, every: 4h}, push_on_version: {via: app, delay: 1s}"
        let online = try Fixtures.run(Self.text(kind: kind))
        let result = try Fixtures.run(
            Self.text(kind: kind, population: "connectivity: {offline_per_day: 4, offline_length: 1h}"))
        let lost = online.devices[.wakeUps] - result.devices[.wakeUps]
        #expect(lost >= 0 && lost < Int64(Self.people), "\(lost)")
    }

    @Test func `an app gets as many silent pushes as its limit lets through, and every other is merged or dropped`()
        throws
    {
        let kind = ", versions: {source: steady, every: 5m}, push_on_version: {via: app, delay: 0s}"
        let devices = Int64(Self.people)
        let late = try Fixtures.run(Self.text(kind: kind))
        let came = devices * Int64(288 * Self.days)
        #expect(late.devices[.silentPushes] == came)
        // Three an hour; of the others all but one an hour and device give way to a newer one.
        let delivered = devices * Int64(72 * Self.days)
        #expect(
            (late.devices[.silentPushesDelivered] - delivered).magnitude <= UInt64(devices),
            "\(late.devices[.silentPushesDelivered]) of \(delivered)")
        #expect(late.devices[.silentPushesDropped] == 0)
        #expect(
            late.devices[.silentPushesMerged] == came + late.devices[.silentPushesCarriedIn]
                - late.devices[.silentPushesDelivered] - late.devices[.silentPushesCarriedOut])
        let dropped = try Fixtures.run(Self.text(kind: kind, top: "parameters: {silent_push_excess: drop}"))
        #expect(
            dropped.devices[.silentPushesMerged] == 0
                && dropped.devices[.silentPushesDropped] == came - dropped.devices[.silentPushesDelivered])
        let unlimited = try Fixtures.run(Self.text(kind: kind, top: "parameters: {silent_push_limit: unlimited}"))
        #expect(unlimited.devices[.silentPushesDelivered] == came && unlimited.devices[.wakeUps] == came)
    }

    @Test func `a rare push of frequent versions is found as well`() throws {
        let kind = ", push: true, versions: {source: steady, every: 1m}, push_on_version: {delay: 1s, share: 0.002}"
        let result = try Fixtures.run(Self.text(kind: kind))
        let versions = Int64(Self.people) * Int64(1_440 * Self.days - 1)
        // A version is pushed to all or to nobody.
        #expect(result.devices[.pushes] % Int64(Self.people) == 0)
        #expect(
            Agreement.share(
                result.devices[.pushes], of: versions, is: 0.002, trials: Double(versions) / Double(Self.people)))
    }

    @Test func `pushed reloads are charged to the instance or to a pool of their own`() throws {
        let kind =
            ", push: true, versions: {source: steady, every: 1h}, push_on_version: {delay: 1s}, wake_ups_per_day: 20"
        func spent(_ parameters: String) throws -> (own: Int64, pushed: Int64, result: RunResult) {
            let result = try Fixtures.run(Self.text(kind: kind, top: "parameters: {\(parameters)}"))
            let reloads = result.reloads
            return (reloads.pool(.own).sum(.spent), reloads.pool(.pushed).sum(.spent), result)
        }
        let shared = try spent("push_budget: shared")
        #expect(shared.pushed == 0)
        let separate = try spent("push_budget: separate")
        let pushes = separate.result.reloads[.started(.push, charged: true)]
        #expect(separate.pushed == pushes && pushes > 0)
        #expect(separate.own == separate.result.reloads[.started(.appTrigger, charged: true)])
        #expect(separate.own + separate.pushed > shared.own)
        // A pool of one token a day, and what it opens with.
        let poor = try spent("push_budget: separate, push_allowance: 1")
        #expect(poor.pushed <= Int64(Self.people) * (Int64(Self.days) + 3) && poor.pushed > Int64(Self.people) * 3)
    }

    @Test func `an app is woken up at its rate, and not where background refresh is off`() throws {
        let kind = ", wake_ups_per_day: 5"
        let result = try Fixtures.run(Self.text(kind: kind, population: "power: {refresh_off: 0.25}"))
        let (woken, refused) = (result.devices[.wakeUps], result.devices[.refusedWakeUps])
        #expect(Agreement.count(woken + refused, is: 5 * Double(Self.days * Self.people)))
        #expect(Agreement.share(refused, of: woken + refused, is: 0.25, trials: Double(Self.people), besides: 0.01))
        // Every call of a wake-up is a background cause.
        #expect(Self.asked(result, .appTrigger) >= woken - Int64(Self.people))
    }

    @Test func `a silent push wakes the app, which calls in the background`() throws {
        let result = try Fixtures.run(
            Self.text(kind: ", versions: {source: steady, every: 4h}, push_on_version: {via: app, delay: 1s}"))
        #expect(result.devices[.pushes] == 0 && result.reloads[.started(.push, charged: true)] == 0)
        #expect(result.devices[.wakeUps] >= Int64(Self.people * (6 * Self.days - 1)))
        #expect(result.reloads[.started(.appTrigger, charged: true)] > Int64(Self.people * Self.days))
    }
}
