import Basics
import Statistics

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
