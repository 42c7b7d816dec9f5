import Statistics

/// When a device is on its charger, and how it is moved while nobody looks at it (N8, N9). No other platform asks.
public struct ChargingHabits: Sendable {
    /// The share of nights that it lies on its charger.
    public var nights = 0.0
    /// The share of people whose device charges on trips.
    public var car = 0.0
    /// The share of days with a charge at a desk, and seconds that one takes.
    public var desk = 0.0
    public var deskTime = Distribution.zero
    /// Times an hour that it is moved while its person is up and nobody looks at it.
    public var motionsPerHour = 0.0
    public init() {}

    public static let never = Self()
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
