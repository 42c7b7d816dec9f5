import Basics
import Statistics
import WidgetPlatform

@testable import People

/// A small population: two segments, three zones.
enum TestPopulation {
    /// 2026-02-20T00:00Z: a month that holds the shift of 8 March in New York and of 29 March in London.
    static let clock = ScenarioClock(startUnixMicroseconds: 1_771_545_600_000_000)
    static let days: Int64 = 60
    static let end = Instant.start + .days(days)
    static let zones = ["America/New_York", "Europe/London", "Asia/Tokyo"].map { clock.zoneTable($0, until: end)! }
    /// One in each zone.
    static let cities = ["New York", "London", "Tokyo"].map { CityTable.city(named: $0)! }
    static let modeShares = [[0.1, 0.2, 0.3, 0.4], [0, 0.5, 0, 0.5]]
    static let zoneShares = [[0.2, 0.5, 0.3], [0, 0, 1]]
    static let shares = [0.7, 0.3]
    static let commuters = [0.6, 0.1]
    static let reducedAccuracy = [0.15, 0.5]

    /// Room for what any device's use of apps keeps.
    static func appMemory() -> AppMemory {
        AppMemory(.allocate(capacity: AppMemory.words(apps: PopulationPlan.mostApps)), apps: PopulationPlan.mostApps)
    }

    static func constant(_ value: Double) -> Distribution { Distribution(.constant(value)) }

    static func sleep(_ nightSpread: Double) -> SleepHabits {
        SleepHabits(
            workday: .init(onset: -3_360, wake: 25_200, onsetSpread: 4_500, wakeSpread: 4_500),
            freeDay: .init(onset: 600, wake: 30_000, onsetSpread: 5_400, wakeSpread: 5_400),
            onsetNightSpread: nightSpread,
            wakeNightSpread: nightSpread)
    }

    static func movement(commuters: Double) -> MovementHabits {
        var habits = MovementHabits.still
        habits.commute.share = commuters
        habits.commute.departure = Distribution(.normal(mean: 29_000, standardDeviation: 1_800), clippedTo: 0...86_399)
        habits.commute.departureSpread = 900
        habits.commute.time = Distribution(.lognormal(median: 1_500, sigma: 0.5))
        habits.commute.stay = Distribution(
            .normal(mean: 30_000, standardDeviation: 3_600), clippedTo: 0...(.infinity))
        (habits.commute.readyAfter, habits.commute.mostDelay) = (.minutes(30), .hours(6))
        (habits.outings.perDay, habits.outings.perCommuteDay) = (1.5, 0.7)
        (habits.outings.personSigma, habits.outings.daySigma) = (0.4, 0.3)
        (habits.outings.lastBeforeBed, habits.outings.onwardShare) = (.minutes(90), 0.3)
        habits.outings.stay = Distribution(.exponential(mean: 3_600))
        habits.places.known = Distribution(.uniform(min: 0, max: 10))
        (habits.places.explorationRate, habits.places.explorationDecay) = (0.6, 0.21)
        habits.places.returnExponent = 1.2
        habits.places.distance = Distribution(.lognormal(median: 3, sigma: 1.3), clippedTo: 0.1...500)
        habits.places.personSigma = 0.3
        (habits.trips.speed, habits.trips.slowest, habits.trips.fastest) = (4.4, 1.25, 30)
        (habits.trips.timeSigma, habits.trips.slowTime) = (0.25, .minutes(3))
        (habits.trips.slowShare, habits.trips.mostSlow) = (0.08, 0.3)
        (habits.travel.perYear, habits.travel.clustering) = (30, 0.6)
        habits.travel.stay = Distribution(.exponential(mean: 172_800))
        return habits
    }

    static func segment(_ index: Int, nightSpread: Double) -> PopulationSegment {
        var app = AppHabits()
        (app.openingsPerDay, app.foregroundTime, app.audioLength) = (constant(2), constant(60), constant(60))
        (app.modeShares, app.reducedAccuracyShare) = (modeShares[index], reducedAccuracy[index])
        return PopulationSegment(
            habits: SegmentHabits(
                share: shares[index], cityShares: zoneShares[index], sleep: sleep(nightSpread),
                pickups: .even(
                    unlocksPerDay: Distribution(.gamma(shape: 2, mean: index == 0 ? 60 : 20)), glancesPerUnlock: 0.5,
                    sessionLength: constant(60),
                    surfaceShown: [1, 0.3, 0.1, 0, 0, 0], passcodeShare: 0.9),
                movement: movement(commuters: commuters[index]), environment: .still, privacy: .open, power: .full,
                offline: .never,
                apps: [app, app]),
            devices: [
                DeviceHabits(
                    kind: .phone, share: 1, pickups: nil, alwaysOn: .never, wear: .allDay, accentedShare: 0,
                    standby: .never)
            ])
    }

    static func plan(seed: UInt64, nightSpread: Double = 3_600) -> PopulationPlan {
        let known = Set(cities.map(\.region))
        return PopulationPlan(
            seed: seed, end: end, zones: zones, cities: cities, regions: CityTable.regions.filter(known.contains),
            segments: [segment(0, nightSpread: nightSpread), segment(1, nightSpread: nightSpread)], releases: [])
    }

    static func prepared(_ plan: PopulationPlan) throws -> PreparedPopulation {
        var tables = StandardTables()
        return try PreparedPopulation(plan, &tables)
    }
}
