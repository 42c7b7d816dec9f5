import Statistics
import WidgetPlatform

/// A city ready for the loop.
struct PreparedCity {
    /// Indices in the plan's zones and regions.
    let zone, region: Int
    let centre: Point
    /// Millimetres.
    let radius: Double
    private let vector: SIMD3<Double>?
    /// Where its people travel to, by index in the plan's cities; nil if there is no other city in the plan.
    private(set) var destinations: DiscreteChoice?

    /// The earth's mean radius, kilometres.
    private static let earthRadius = 6371.0
    /// Gravity counts nearer cities as this far, kilometres. Assumption.
    private static let leastDistance = 100.0

    init(_ city: City, zones: [String], regions: [String]) {
        guard let zone = zones.firstIndex(of: city.zone), let region = regions.firstIndex(of: city.region) else {
            preconditionFailure("a plan without the zone or region of \(city.name)")
        }
        (self.zone, self.region) = (zone, region)
        centre = city.centre
        radius = city.radius
        vector = city.position?.vector
    }

    /// The cities of a plan, each with its destinations by gravity, if anybody travels: in proportion to population and
    /// to the inverse of the distance (assumption).
    static func all(_ plan: [City], zones: [String], regions: [String], areTravelledTo: Bool)
        throws(DistributionProblem) -> [PreparedCity]
    {
        var cities = plan.map { PreparedCity($0, zones: zones, regions: regions) }
        guard areTravelledTo else { return cities }
        for index in cities.indices {
            let pulls = cities.indices.map { other -> Double in
                guard other != index, let distance = cities[index].kilometres(to: cities[other]) else { return 0 }
                return Double(plan[other].population) / max(leastDistance, distance)
            }
            if pulls.contains(where: { $0 > 0 }) {
                cities[index].destinations = try DiscreteChoice(weights: pulls, name: "cities")
            }
        }
        return cities
    }

    /// The great-circle distance in whole kilometres; nil if the place of either is unknown.
    func kilometres(to other: PreparedCity) -> Double? {
        guard let a = vector, let b = other.vector else { return nil }
        let difference = a - b
        let chord = (difference * difference).sum().squareRoot()
        return (2 * Self.earthRadius * DeterministicMath.arcSine(min(1, chord / 2))).rounded()
    }

    /// A point in the city's disc. Assumption: the density falls with one over the distance from the centre.
    func point(_ distance: UInt64, _ direction: UInt64) -> Point {
        centre.moved(by: radius * RandomStream.uniform(distance), direction: direction)
    }
}

extension Point {
    /// The point that lies `distance` millimetres away, in a direction drawn evenly.
    func moved(by distance: Double, direction: UInt64) -> Point {
        let (sine, cosine) = DeterministicMath.sineAndCosine(turns: RandomStream.uniform(direction))
        return Point(x: x + Int64(distance * cosine), y: y + Int64(distance * sine))
    }

    /// Millimetres, between points of one city.
    func distance(to other: Point) -> Double {
        let dx = Double(x - other.x)
        let dy = Double(y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}
