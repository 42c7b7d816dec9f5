import Statistics

/// When and where people use a Mac, and what of it they see (D1, V2, R4).
public struct DeskHabits: Hashable, Sendable {
    /// The share of people who use theirs in office hours on workdays; the others use theirs in the evening, on any
    /// day.
    public var officeShare = 0.0
    /// The hours of use of either, each day its own draw.
    public var office = Hours(), evening = Hours()
    /// The probability that a session shows the notification center.
    public var notificationCenterShare = 0.0
    /// Looks at the desktop in an hour of session, and the share of them at which windows cover it, so that its widgets
    /// are dimmed.
    public var looksPerHour = 0.0, coveredShare = 0.0
    /// The share of Macs that travel with their person; the others stand at home or at work.
    public var portableShare = 1.0
    /// The share of portable Macs that are on power whenever they are used; those that are not portable always are.
    public var onPowerShare = 0.0

    public struct Hours: Hashable, Sendable {
        /// Seconds from midnight of the local clock, and seconds.
        public var from = Distribution.zero, time = Distribution.zero
        public init() {}
    }
    public init() {}

    /// The habits of a device that is no Mac.
    public static let none = Self()

    /// Five of seven days have office hours.
    public static let officeDays = 5.0 / 7
}

/// Habits at a desk with the tables of their distributions.
struct PreparedDesk: BitwiseCopyable {
    let office, portable, onPower, notificationCenter, covered: Bernoulli
    let officeHours, eveningHours: Hours
    let notificationCenterShare: Double
    /// Looks at the desktop in a session; from its pickup to the first, and from one to the next.
    let looks: RandomArrivals
    let looksPerHour: Double
    private let officeShare: Double

    struct Hours: BitwiseCopyable {
        let from, time: DurationDistribution
        /// Seconds that the hours of a day last on average.
        let meanTime: Double

        init(_ hours: DeskHabits.Hours, _ tables: inout StandardTables) throws(DistributionProblem) {
            from = try hours.from.preparedDurations(with: &tables)
            time = try hours.time.preparedDurations(atLeast: .minutes(1), with: &tables)
            meanTime = time.seconds.mean
        }
    }

    init(_ desk: DeskHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        office = try Bernoulli(probability: desk.officeShare)
        portable = try Bernoulli(probability: desk.portableShare)
        onPower = try Bernoulli(probability: desk.onPowerShare)
        notificationCenter = try Bernoulli(probability: desk.notificationCenterShare)
        covered = try Bernoulli(probability: desk.coveredShare)
        officeHours = try Hours(desk.office, &tables)
        eveningHours = try Hours(desk.evening, &tables)
        notificationCenterShare = desk.notificationCenterShare
        looks = RandomArrivals(perDay: desk.looksPerHour * 24, tables.exponential)
        looksPerHour = desk.looksPerHour
        officeShare = desk.officeShare
    }

    func hours(isOffice: Bool) -> Hours { isOffice ? officeHours : eveningHours }

    /// Seconds that a day's hours of use last on average, of all people's Macs.
    var meanTime: Double { officeShare * officeHours.meanTime + (1 - officeShare) * eveningHours.meanTime }
}
