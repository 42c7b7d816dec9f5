/// The sampling variance of any figure, from groups of independent people: the figure is computed without each group in
/// turn, and its spread tells the variance (the delete-a-group jackknife; for groups of unequal sizes Busing, Meijer
/// and van der Leeden, "Delete-m jackknife for unequal m", Statistics and Computing 9, 1999).
public struct GroupJackknife: Sendable {
    /// The people of all groups over those of each.
    private let ratios: [Double]
    private let people: Double

    /// - Parameter sizes: the people of each group, 1 or more; nil for fewer than two groups.
    public init?(sizes: [Int64]) {
        guard sizes.count >= 2 else { return nil }
        precondition(sizes.allSatisfy { $0 >= 1 }, "a group of nobody")
        let people = Double(sizes.reduce(0, +))
        ratios = sizes.map { people / Double($0) }
        self.people = people
    }

    /// By how much the total without a group is to be multiplied to be one of all people.
    public func scale(without group: Int) -> Double { ratios[group] / (ratios[group] - 1) }

    /// The standard error of a figure of all people; nil if too few groups decide it, as one can a mean over rare
    /// events: how often there is such a group, the others do not tell.
    ///
    /// The degrees of freedom are those of a variance that varies as the squares of the groups do (Satterthwaite): as
    /// many as groups less one if they are normal, and few where some people decide the figure.
    ///
    /// - Parameters:
    ///   - without: the figure without each group, a total already scaled.
    ///   - leastDegrees: the degrees of freedom that are taken for fewer, and where too few groups decide; nil to
    ///     refuse these. Which draws have them follows from the luck of the draw: without them the others lie too low.
    public func error(of value: Double, without: [Double], leastDegrees: Double? = nil) -> StandardError? {
        precondition(without.count == ratios.count, "\(without.count) figures for \(ratios.count) groups")
        let count = Double(ratios.count)
        let pseudovalues = zip(ratios, without).map { $0 * value - ($0 - 1) * $1 }
        // The jackknife's own estimate: the figure without its bias.
        let mean = value + zip(ratios, without).reduce(0) { $0 + (value - $1.1) * (1 - 1 / $1.0) }
        let squares = zip(ratios, pseudovalues).map { ($1 - mean) * ($1 - mean) / ($0 - 1) }
        let sum = squares.reduce(0, +)
        if sum <= 1e-20 * value * value { return StandardError(0, degreesOfFreedom: max(1, count - 1)) }
        // As many groups as would have this sum if they were alike: a third of them if they are normal.
        let deciding = 1 / squares.reduce(0) { $0 + ($1 / sum) * ($1 / sum) }
        if leastDegrees == nil && deciding < min(Self.fewest, count / 3) { return nil }
        let ofSquares = 2 * count / max(count / deciding - 1, 2 * count / max(1, count - 1))
        return StandardError((sum / count).squareRoot(), degreesOfFreedom: max(ofSquares, leastDegrees ?? 0))
    }

    /// With fewer groups that decide a figure its variance is not known.
    private static let fewest = 2.0

    /// The number of independent draws with one weight each that tell as much as a sum: people have a part in a whole
    /// or none, and some have a larger one (Kish, "Survey Sampling", 1965, on unequal weights). The variance of groups
    /// tells it; 0 for no sum.
    ///
    /// - Parameter without: the sum without each group, not scaled.
    public func effectiveNumber(ofSum sum: Double, without: [Double]) -> Double {
        if sum <= 0 { return 0 }
        let scaled = without.enumerated().map { $1 * scale(without: $0) }
        // The relative variance of the sum is (E w² / (E w)² − 1) / people.
        guard let error = error(of: sum, without: scaled) else { return 0 }
        let relative = error.value / sum
        return people / (1 + people * relative * relative)
    }
}

/// The requests of each minute by groups of people (`SampleGroups`), all endpoints together: how far the loads of two
/// minutes, such as those of the same herd on two days, are those of the same people.
public final class GroupedMinutes: Sendable {
    let minutes: Int
    private let bins: LoadBins

    init(minutes: Int) {
        self.minutes = minutes
        bins = LoadBins(count: SampleGroups.count * minutes, isSparse: true)
    }

    /// The requests of a group, one a minute. Only after all threads are done.
    public func requests(ofGroup group: Int) -> UnsafeBufferPointer<UInt32> {
        bins.slice(group * minutes, count: minutes)
    }

    /// Adds a person's requests, which are given by their tenths of a second.
    func add(_ requests: UnsafeMutableBufferPointer<Int>, group: Int) {
        for tenth in requests { bins.add(at: group * minutes + tenth / LoadCurve.tenthsPerMinute) }
    }

    func merge(_ other: GroupedMinutes) { bins.merge(other.bins) }
    func code(_ stream: StateStream) throws(StateProblem) { try bins.code(stream) }
    func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) { bins.withFilledBytes(body) }
}

/// The division of people into groups from which sampling variances are estimated: people are drawn independently, so
/// groups of them are too.
///
/// A person's group is a function of their number alone, so the counts of threads, shards and ranks add up to the same
/// groups. People come in blocks of one group, small ones first, so that a small fleet has groups of nearly one size.
public enum SampleGroups {
    /// As many as make a variance known to a quarter.
    public static let count = 32

    private static let smallBlocks = 128
    private static let sizeOfSmall = 8
    private static let sizeOfLarge = 32

    /// A block of people of one group.
    public static func block(of person: Int) -> Int {
        let small = smallBlocks * sizeOfSmall
        return person < small ? person / sizeOfSmall : smallBlocks + (person - small) / sizeOfLarge
    }

    public static func group(ofBlock block: Int) -> Int { block % count }
    public static func group(of person: Int) -> Int { group(ofBlock: block(of: person)) }

    /// How many of so many people are in each group.
    public static func sizes(people: Int) -> [Int] {
        var sizes = [Int](repeating: 0, count: count)
        var person = 0
        while person < people {
            let size = min(people - person, person < smallBlocks * sizeOfSmall ? sizeOfSmall : sizeOfLarge)
            sizes[group(of: person)] += size
            person += size
        }
        return sizes
    }
}
