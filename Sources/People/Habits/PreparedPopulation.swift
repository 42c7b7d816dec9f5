import Basics
import Statistics
import WidgetPlatform

/// A population ready for the loop: its habits with their tables, in memory that the loop can read without a reference
/// count.
///
/// One is made before a run and read by all threads; nothing of it changes.
public final class PreparedPopulation: @unchecked Sendable {
    // Safety: all of it is written in `init` and only read afterwards.
    package let plan: PopulationPlan
    package let zones: UnsafeMutableBufferPointer<ZoneTable>
    let cities: UnsafeMutableBufferPointer<PreparedCity>
    /// How many cities people live in and travel to.
    package var cityCount: Int { cities.count }
    package let segments: UnsafeMutableBufferPointer<PreparedSegment>
    let segmentChoice: DiscreteChoice
    let releases: UnsafeBufferPointer<PreparedRelease>

    package init(_ plan: PopulationPlan, _ tables: inout StandardTables) throws(DistributionProblem) {
        self.plan = plan
        zones = .allocate(capacity: plan.zones.count)
        _ = zones.initialize(from: plan.zones)
        let preparedCities = try PreparedCity.all(
            plan.cities, zones: plan.zones.map(\.name), regions: plan.regions,
            areTravelledTo: plan.segments.contains { $0.habits.movement.travel.perYear > 0 })
        cities = .allocate(capacity: preparedCities.count)
        _ = cities.initialize(from: preparedCities)
        let system = plan.releases.count { $0.app == nil }
        let releases = try plan.releases.enumerated().map { index, release throws(DistributionProblem) in
            try PreparedRelease(release, place: release.app == nil ? index : index - system, &tables)
        }
        let preparedReleases = UnsafeMutableBufferPointer<PreparedRelease>.allocate(capacity: releases.count)
        _ = preparedReleases.initialize(from: releases)
        self.releases = UnsafeBufferPointer(preparedReleases)
        var segments: [PreparedSegment] = []
        for segment in plan.segments { segments.append(try PreparedSegment(segment, &tables)) }
        self.segments = .allocate(capacity: segments.count)
        _ = self.segments.initialize(from: segments)
        segmentChoice = try DiscreteChoice(
            weights: plan.segments.isEmpty ? [1] : plan.segments.map(\.habits.share), name: "segments.share")
    }

    deinit {
        zones.deinitialize().deallocate()
        cities.deinitialize().deallocate()
        UnsafeMutableBufferPointer(mutating: releases).deinitialize().deallocate()
        for segment in segments {
            segment.devices.deinitialize().deallocate()
            segment.apps.deinitialize().deallocate()
        }
        segments.deinitialize().deallocate()
    }

    /// Sentences about pickups that the habits of a segment ask for and cannot have: no gaps, levels and sessions have
    /// such totals together.
    ///
    /// Each with the device whose own pickups they are; nil for the segment's.
    package func shortfalls(ofSegment index: Int) -> [(device: Int?, sentence: String)] {
        let (segment, prepared) = (plan.segments[index], segments[index])
        let own = prepared.pickups.shortfalls(of: segment.habits.pickups).map { (device: Int?.none, sentence: $0) }
        return own
            + segment.devices.indices.flatMap { device in
                (segment.devices[device].pickups.map(prepared.devices[device].pickups.shortfalls) ?? []).map {
                    (device: device, sentence: $0)
                }
            }
    }

    /// Whether anybody travels to other cities.
    package var hasTravel: Bool { cities.contains { $0.destinations != nil } }

    /// The most devices that a person can carry.
    package var mostDevices: Int { max(1, segments.map(\.devices.count).max() ?? 1) }
}

/// A segment with its distributions prepared.
package struct PreparedSegment {
    let cities: DiscreteChoice
    let sleep: PreparedSleep
    let pickups: PreparedPickups
    let environment: PreparedEnvironment
    let hidesLockScreen, hidesAlwaysOn, refreshOff: Bernoulli
    let lowPower, offline: PreparedEpisodes
    let exponential: QuantileTable
    let movement: PreparedMovement
    let controls: ControlHabits
    /// The apps whose location mode a person may change, bit by index (L3).
    package let permissionsChange: UInt16
    /// Freed by the population, both.
    let apps: UnsafeMutableBufferPointer<PreparedApp>
    package let devices: UnsafeMutableBufferPointer<PreparedDeviceHabits>

    /// How long an opened app stays in the foreground, at most to the lock (D4).
    package func foregroundTime(ofApp app: Int) -> DurationDistribution { apps[app].foregroundTime }

    init(_ segment: PopulationSegment, _ tables: inout StandardTables) throws(DistributionProblem) {
        let habits = segment.habits
        cities = try DiscreteChoice(weights: habits.cityShares, name: "cities")
        sleep = try PreparedSleep(habits.sleep, &tables)
        exponential = tables.exponential
        let waking = sleep.typicalWaking
        pickups = try PreparedPickups.shared(habits.pickups, typicalWaking: waking, &tables)
        environment = try PreparedEnvironment(habits.environment, &tables)
        hidesLockScreen = try Bernoulli(probability: habits.privacy.hideLockScreenShare)
        hidesAlwaysOn = try Bernoulli(probability: habits.privacy.hideAlwaysOnShare)
        refreshOff = try Bernoulli(probability: habits.power.refreshOffShare)
        lowPower = try PreparedEpisodes(habits.power.lowPower, &tables)
        offline = try PreparedEpisodes(habits.offline, &tables)
        movement = try PreparedMovement(habits.movement, &tables)
        controls = habits.controls
        var apps: [PreparedApp] = []
        for app in habits.apps { apps.append(try PreparedApp(app, &tables)) }
        permissionsChange = habits.apps.indices.reduce(0) {
            $0 | (habits.apps[$1].modeChangesPerYear > 0 ? 1 << UInt16($1) : 0)
        }
        self.apps = .allocate(capacity: apps.count)
        _ = self.apps.initialize(from: apps)
        var devices: [PreparedDeviceHabits] = []
        for device in segment.devices {
            let desk = try PreparedDesk(device.desk, &tables)
            // A Mac is picked up within the hours of its use.
            let used = device.kind == .mac ? desk.meanTime : waking
            let own = try device.pickups.map { pickups throws(DistributionProblem) in
                try PreparedPickups.shared(pickups, typicalWaking: used, &tables)
            }
            devices.append(try PreparedDeviceHabits(device, of: habits, pickups: own ?? pickups, desk: desk, &tables))
        }
        self.devices = .allocate(capacity: devices.count)
        _ = self.devices.initialize(from: devices)
    }
}

/// The use of one app, prepared.
struct PreparedApp {
    let openingsPerDay: PreparedDistribution
    let audioPerDay: Double
    /// Times in the foreground and of audio: at least a microsecond, so that everything that opens closes later.
    let foregroundTime, audioLength: DurationDistribution
    /// Seconds in the foreground, the mean; and the share of trips that are navigated.
    let meanForegroundTime, navigationShare: Double
    let navigation: Bernoulli
    let modes: DiscreteChoice
    /// The shares of the modes, by `LocationMode.rawValue`, and how often a day the mode is changed.
    private let modeShares: SIMD4<Double>
    let modeChangesPerDay: Double
    let reducedAccuracy, signedIn: Bernoulli
    /// Weights of the local hours.
    private let hourWeights: SIMD32<Double>
    let followsHours: Bool
    /// That of the weightiest hour; 1 if all hours weigh the same.
    let mostWeight: Double

    init(_ app: AppHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        openingsPerDay = try app.openingsPerDay.prepared(with: &tables)
        audioPerDay = app.audioPerDay
        foregroundTime = try app.foregroundTime.preparedDurations(atLeast: .microsecond, with: &tables)
        audioLength = try app.audioLength.preparedDurations(atLeast: .microsecond, with: &tables)
        meanForegroundTime = try app.foregroundTime.meanWithinClip()
        navigationShare = app.navigationShare
        navigation = try Bernoulli(probability: app.navigationShare)
        modes = try DiscreteChoice(weights: app.modeShares, name: "location_modes")
        modeShares = SIMD4(app.modeShares)
        // With one mode for all there is no other to change to.
        modeChangesPerDay = app.modeShares.count { $0 > 0 } > 1 ? app.modeChangesPerYear / 365.25 : 0
        reducedAccuracy = try Bernoulli(probability: app.reducedAccuracyShare)
        signedIn = try Bernoulli(probability: app.signedInShare)
        var weights = SIMD32<Double>(repeating: 0)
        for (hour, weight) in app.openingHours.enumerated() { weights[hour] = weight }
        hourWeights = weights
        followsHours = Set(app.openingHours).count > 1
        mostWeight = followsHours ? weights.max() : 1
    }

    /// Another mode than the present one, by the shares of the others; the present one if they have none.
    func mode(otherThan present: UInt8, _ u: UInt64) -> UInt8 {
        var others = modeShares
        others[Int(present)] = 0
        var left = RandomStream.uniform(u) * others.sum()
        var chosen = present
        for mode in 0..<4 where others[mode] > 0 {
            chosen = UInt8(mode)
            left -= others[mode]
            if left < 0 { break }
        }
        return chosen
    }

    @inline(__always) func weight(ofHour hour: Int) -> Double { hourWeights[hour] }

    /// The mean weight of the hours of a waking window, hours in part by their part.
    func meanWeight(over window: ClockSpan) -> Double {
        let hour: Int64 = 3_600_000_000
        var (at, left, sum) = (window.from.microseconds, window.length.microseconds, 0.0)
        while left > 0 {
            let step = min(left, hour - at % hour)
            sum += hourWeights[Int(at / hour % 24)] * Double(step)
            at += step
            left -= step
        }
        return sum / Double(window.length.microseconds)
    }
}

/// The habits of a device that people may carry, prepared.
package struct PreparedDeviceHabits {
    package let kind: DeviceKind
    let owned: Bernoulli
    /// How it is picked up.
    let pickups: PreparedPickups
    /// Whether it has pickups of its own, drawn apart from the person's.
    let hasOwnPickups: Bool
    /// The probability that a session shows a surface, by `Surface.rawValue`.
    package let shownShare: [Double]
    /// The share of glances that show the today view, and whether one does.
    package let todayViewGlances: Double
    let glanceShowsToday: Bernoulli
    let alwaysOn, accented, wornAtNight, standby, standbyNight: Bernoulli
    package let looksPerDay, standbyNightShare, looksPerNight: Double
    /// When on the clock, from midnight, and for how long.
    let chargeAt, chargeTime: DurationDistribution
    /// The hours of its use, if it is a Mac.
    let desk: PreparedDesk
    let charging: PreparedCharging
    package let openings: PreparedOpenings

    init(
        _ device: DeviceHabits, of segment: SegmentHabits, pickups: PreparedPickups, desk: PreparedDesk,
        _ tables: inout StandardTables
    ) throws(DistributionProblem) {
        kind = device.kind
        owned = try Bernoulli(probability: device.share)
        self.pickups = pickups
        hasOwnPickups = device.pickups != nil
        shownShare = (device.pickups ?? segment.pickups).surfaceShown
        todayViewGlances = (device.pickups ?? segment.pickups).todayViewGlances
        glanceShowsToday = try Bernoulli(probability: todayViewGlances)
        alwaysOn = try Bernoulli(probability: device.alwaysOn.share)
        looksPerDay = device.alwaysOn.looksPerDay
        accented = try Bernoulli(probability: device.accentedShare)
        wornAtNight = try Bernoulli(probability: device.wear.atNightShare)
        chargeAt = try device.wear.chargeAt.preparedDurations(with: &tables)
        chargeTime = try device.wear.chargeTime.preparedDurations(with: &tables)
        standby = try Bernoulli(probability: device.standby.share)
        standbyNightShare = device.standby.nightShare
        standbyNight = try Bernoulli(probability: device.standby.nightShare)
        looksPerNight = device.standby.looksPerNight
        self.desk = desk
        charging = try PreparedCharging(device.charging, &tables)
        openings = try PreparedOpenings(device.openings, &tables)
    }

    package var glancesPerUnlock: Double { pickups.glancesPerUnlock }
    /// The rate of pickups in a waking day's first sixteenth for each pickup of the others.
    package var firstSixteenthRate: Double { pickups.rhythm.firstFactor / pickups.rhythm.otherFactor }
}

extension PreparedPickups {
    private struct Key: Hashable {
        let habits: PickupHabits
        let waking: Double
    }

    private struct Solved {
        let pickups: PreparedPickups
        /// Those that they were prepared with.
        let tables: StandardTables
    }

    /// A sweep over the habits of a few segments has them all at hand.
    private static let solved = SharedValues<Key, Solved>(most: 256)

    /// Prepared habits. Equal ones are prepared once in a process, because that takes tens of milliseconds.
    static func shared(_ habits: PickupHabits, typicalWaking: Double, _ tables: inout StandardTables)
        throws(DistributionProblem)
        -> PreparedPickups
    {
        let solved = try solved.value(of: Key(habits: habits, waking: typicalWaking)) {
            () throws(DistributionProblem) in
            // A bundle of their own, so that it holds all their tables and no others.
            var own = StandardTables()
            return Solved(pickups: try PreparedPickups(habits, typicalWaking: typicalWaking, &own), tables: own)
        }
        tables.add(solved.tables)
        return solved.pickups
    }
}

/// The habits of movement with their distributions prepared.
struct PreparedMovement {
    let commuter: Bernoulli
    /// The usual departure from midnight, and a day's distance from it; the usual time of the trip; the stay, which
    /// ends after it begins.
    let departure, departureSpread, commuteTime, workStay: DurationDistribution
    let readyAfter, mostDelay: Duration
    let outingsPerDay, outingsPerCommuteDay: Double
    /// Factors of mean 1.
    let outingLevel, outingDay, tripTime: PreparedDistribution
    let lastBeforeBed: Duration
    let onward: Bernoulli
    let stay: DurationDistribution
    let knownPlaces, placeDistance: PreparedDistribution
    /// A factor of median 1.
    let distanceLevel: PreparedDistribution
    let explorationRate, explorationDecay, returnExponent: Double
    let speed: TripSpeed
    /// The slow part at each end of a trip: seconds, and shares of its time.
    let slowTime, slowShare, mostSlow: Double
    /// Round trips to other cities a year.
    let travelRate: PreparedDistribution
    let travelStay: DurationDistribution

    /// Seconds at work on a workday with a commute, and at other places on any day, the means.
    let meanWorkStay, meanTimeOut: Double
    /// Trips begun on a day, but for the commute's.
    let meanOutingWays: Double

    init(_ movement: MovementHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        func factor(mean sigma: Double) -> Distribution {
            Distribution(.lognormal(median: DeterministicMath.exp(-sigma * sigma / 2), sigma: sigma))
        }
        let commute = movement.commute
        commuter = try Bernoulli(probability: commute.share)
        departure = try commute.departure.preparedDurations(with: &tables)
        departureSpread = try Distribution(.normal(mean: 0, standardDeviation: commute.departureSpread))
            .preparedOffsets(with: &tables)
        commuteTime = try commute.time.preparedDurations(with: &tables)
        workStay = try commute.stay.preparedDurations(atLeast: .microsecond, with: &tables)
        readyAfter = commute.readyAfter
        mostDelay = commute.mostDelay
        let outings = movement.outings
        outingsPerDay = outings.perDay
        outingsPerCommuteDay = outings.perCommuteDay
        outingLevel = try factor(mean: outings.personSigma).prepared(with: &tables)
        outingDay = try factor(mean: outings.daySigma).prepared(with: &tables)
        lastBeforeBed = outings.lastBeforeBed
        onward = try Bernoulli(probability: outings.onwardShare)
        stay = try outings.stay.preparedDurations(atLeast: .microsecond, with: &tables)
        // A stay is followed by another with the same probability each time.
        let stays = outings.perDay / max(0.01, 1 - outings.onwardShare)
        meanWorkStay = try commute.stay.meanWithinClip()
        meanTimeOut = try stays * outings.stay.meanWithinClip()
        meanOutingWays = outings.perDay + stays
        let places = movement.places
        knownPlaces = try places.known.prepared(with: &tables)
        placeDistance = try places.distance.prepared(with: &tables)
        distanceLevel = try Distribution(.lognormal(median: 1, sigma: places.personSigma)).prepared(with: &tables)
        explorationRate = places.explorationRate
        explorationDecay = places.explorationDecay
        returnExponent = places.returnExponent
        let trips = movement.trips
        speed = TripSpeed(
            atReference: trips.speed * 1_000, slowest: trips.slowest * 1_000, fastest: trips.fastest * 1_000)
        tripTime = try factor(mean: trips.timeSigma).prepared(with: &tables)
        slowTime = trips.slowTime.inSeconds
        slowShare = trips.slowShare
        mostSlow = trips.mostSlow
        let travel = movement.travel
        let rate =
            travel.perYear > 0
            ? Distribution(.gamma(shape: travel.clustering, mean: travel.perYear)) : Distribution.zero
        travelRate = try rate.prepared(with: &tables)
        travelStay = try travel.stay.preparedDurations(with: &tables)
    }
}

/// The speed from door to door, in a straight line: it grows with the root of the distance, between two bounds.
/// Assumption.
///
/// Millimetres and seconds.
struct TripSpeed {
    /// At the reference distance.
    let atReference: Double
    let slowest, fastest: Double

    /// 5 km.
    static let reference = 5e6

    /// How long a distance takes.
    func seconds(_ distance: Double) -> Double {
        distance / min(max(atReference * (distance / Self.reference).squareRoot(), slowest), fastest)
    }

    /// The distance that takes so long: the inverse.
    func distance(_ seconds: Double) -> Double {
        // Between the bounds, time² = distance · reference / speed².
        let between = atReference * seconds * (atReference * seconds) / Self.reference
        let speed = between / max(seconds, 1e-9)
        return speed < slowest ? slowest * seconds : speed > fastest ? fastest * seconds : between
    }
}
