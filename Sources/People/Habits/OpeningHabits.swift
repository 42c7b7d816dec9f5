import Statistics
import WidgetPlatform

/// Occasions that come at random while a person is up, more often in some hours than in others, each for a time (V7,
/// V9): openings of a watch's Smart Stack or tiles, and workouts.
public struct OccasionHabits: Hashable, Sendable {
    /// Occasions in a usual waking day.
    public var perDay: Double
    /// Weights of the local hours 0 to 23, not all 0.
    public var hours = Array(repeating: 1.0, count: 24)
    /// Seconds.
    public var length: Distribution

    public static let never = OccasionHabits(perDay: 0, length: Distribution.zero)
}

/// How the surfaces of a device are opened that are shown from an opening on (V7–V9).
public struct OpeningHabits: Hashable, Sendable {
    /// Openings of a watch's Smart Stack or tiles.
    public var openings: OccasionHabits
    /// The probability that a person who has come to a tile continues to the next.
    public var furtherShare = 0.0
    public var workouts = OccasionHabits.never
    public var drives = DriveHabits.never

    public static let never = OpeningHabits(openings: .never)
}

/// Trips in a car that shows widgets of the phone on its display (V8).
public struct DriveHabits: Hashable, Sendable {
    /// The share of people with such a car, and the share of their trips in it.
    public var share, tripShare: Double
    /// The share of a drive in which the page of widgets is shown, below 1.
    public var shownShare: Double
    /// Seconds for which it is shown at a time.
    public var shownTime: Distribution

    public static let never = DriveHabits(share: 0, tripShare: 0, shownShare: 0, shownTime: Distribution.zero)
}

/// Occasions with their tables.
package struct PreparedOccasions {
    package let perDay: Double
    /// By the local hour, and the highest of them.
    let hours: [Double]
    let most: Double
    let length: DurationDistribution

    init(_ habits: OccasionHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        perDay = habits.perDay
        hours = habits.hours
        most = habits.hours.max() ?? 0
        length = try habits.length.preparedDurations(with: &tables)
    }

    /// The hours of a waking window, each by its weight; 0 if all of them have none.
    func weightedHours(_ window: ClockSpan) -> Double {
        let hour: Int64 = 3_600_000_000
        let to = window.to > window.from ? window.to.microseconds : window.to.microseconds + 24 * hour
        var sum = 0.0
        for index in 0..<48 {
            let overlap = min(Int64(index + 1) * hour, to) - max(Int64(index) * hour, window.from.microseconds)
            if overlap > 0 { sum += hours[index % 24] * Double(overlap) / Double(hour) }
        }
        return sum
    }
}

/// Openings with their tables.
package struct PreparedOpenings {
    package let openings: PreparedOccasions
    package let further: Bernoulli
    let workouts: PreparedOccasions
    let drives: PreparedDrives
    package let furtherShare: Double

    init(_ habits: OpeningHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        openings = try PreparedOccasions(habits.openings, &tables)
        further = try Bernoulli(probability: habits.furtherShare)
        furtherShare = habits.furtherShare
        workouts = try PreparedOccasions(habits.workouts, &tables)
        drives = try PreparedDrives(habits.drives, &tables)
    }
}

/// Drives with their tables.
struct PreparedDrives {
    let owned, isDrive, isShownAtFirst: Bernoulli
    let shownTime: DurationDistribution
    /// From one time that the page is shown to the next.
    let gaps: RandomArrivals
    private let tripShare, shownShare: Double

    init(_ habits: DriveHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        owned = try Bernoulli(probability: habits.share)
        isDrive = try Bernoulli(probability: habits.tripShare)
        isShownAtFirst = try Bernoulli(probability: habits.shownShare)
        shownTime = try habits.shownTime.preparedDurations(atLeast: .microsecond, with: &tables)
        (tripShare, shownShare) = (habits.tripShare, habits.shownShare)
        let share = habits.shownShare
        let gap = share > 0 ? shownTime.seconds.mean * (1 - share) / share : .infinity
        gaps = RandomArrivals(meanGap: gap, tables.exponential)
    }

    /// How often a day the page is shown again, on so many trips that take so many seconds together.
    func showings(trips: Double, seconds: Double) -> Double {
        if shownShare == 0 { return 0 }
        return tripShare * shownShare * (trips + seconds / max(shownTime.seconds.mean, 1e-6))
    }
}
