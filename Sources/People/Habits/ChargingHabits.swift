import Statistics

/// When a device is on its charger, and how it is moved while nobody looks at it (N8, N9). No other platform asks.
public struct ChargingHabits: Sendable {
    /// The share of nights that it lies on its charger.
    public var nights: Double
    /// The share of people whose device charges on trips.
    public var car: Double
    /// The share of days with a charge at a desk, and seconds that one takes.
    public var desk: Double
    public var deskTime: Distribution
    /// Times an hour that it is moved while its person is up and nobody looks at it.
    public var motionsPerHour: Double

    public init(nights: Double, car: Double, desk: Double, deskTime: Distribution, motionsPerHour: Double) {
        self.nights = nights
        self.car = car
        self.desk = desk
        self.deskTime = deskTime
        self.motionsPerHour = motionsPerHour
    }

    public static let never = ChargingHabits(
        nights: 0, car: 0, desk: 0, deskTime: Distribution(.constant(0)), motionsPerHour: 0)
}

/// The same, prepared.
struct PreparedCharging {
    let nights, car, desk: Bernoulli
    let deskTime: DurationDistribution
    let motions: RandomArrivals

    init(_ habits: ChargingHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        nights = try Bernoulli(probability: habits.nights)
        car = try Bernoulli(probability: habits.car)
        desk = try Bernoulli(probability: habits.desk)
        deskTime = try habits.deskTime.preparedDurations(with: &tables)
        motions = RandomArrivals(perDay: 24 * habits.motionsPerHour, tables.exponential)
    }
}
