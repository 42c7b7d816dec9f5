import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

@testable import Fleet

/// A small drawn plan: one kind a version source, two segments, three zones.
enum TestPlan {
    /// 2026-02-20T00:00Z: a month that holds the shift of 8 March in New York and of 29 March in London.
    static let clock = ScenarioClock(startUnixMicroseconds: 1_771_545_600_000_000)
    static let days: Int64 = 60
    static let end = Instant.start + .days(days)
    static let zones = ["America/New_York", "Europe/London", "Asia/Tokyo"].map { clock.zoneTable($0, until: end)! }
    /// One in each zone.
    static let cities = ["New York", "London", "Tokyo"].map { CityTable.city(named: $0)! }

    static func constant(_ value: Double) -> Distribution { Distribution(.constant(value)) }

    static func kind(_ versions: VersionSource) -> WidgetKind {
        var kind = WidgetKind()
        (kind.id, kind.fixTime, kind.versions) = ("kind", constant(1), versions)
        return kind
    }

    /// People whose habits are nobody's concern here.
    static let segment = Segment(
        name: "everyone",
        habits: SegmentHabits(
            share: 1, cityShares: [0.2, 0.5, 0.3],
            sleep: SleepHabits(
                workday: .init(onset: -3_360, wake: 25_200, onsetSpread: 0, wakeSpread: 0),
                freeDay: .init(onset: 600, wake: 30_000, onsetSpread: 0, wakeSpread: 0), onsetNightSpread: 0,
                wakeNightSpread: 0),
            pickups: .even(
                unlocksPerDay: constant(50), glancesPerUnlock: 0.5, sessionLength: constant(60),
                surfaceShown: [1, 0.3, 0.1, 0, 0, 0],
                passcodeShare: 1),
            movement: .still, apps: []),
        devices: [DevicePlan(kind: .phone, share: 1, placements: [])])

    static func plan(seed: UInt64, versions: [VersionSource] = [.manual]) -> FleetPlan {
        var parameters = PlatformParameters()
        parameters.dispatchDelay = constant(1)
        return FleetPlan(
            seed: seed, clock: clock, warmup: .days(1), end: end, parameters: parameters,
            requests: RequestPlan(legs: OneWayDelays(out: constant(0.1), back: constant(0.1))), zones: zones,
            cities: cities,
            apps: ["one", "two"], endpoints: ["e"], kinds: versions.map(kind), segments: [segment], replay: [])
    }
}
