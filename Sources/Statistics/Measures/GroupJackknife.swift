/// The sampling variance of any figure, from groups of independent people: the figure is computed without each group in
/// turn, and its spread tells the variance (the delete-a-group jackknife; for groups of unequal sizes Busing, Meijer
/// and van der Leeden, "Delete-m jackknife for unequal m", Statistics and Computing 9, 1999).
public struct GroupJackknife: Sendable {
    /// The people of all groups over those of each.
    private let ratios: [Double]

    /// - Parameter sizes: the people of each group, 1 or more; nil for fewer than two groups.
    public init?(sizes: [Int64]) {
        guard sizes.count >= 2 else { return nil }
        precondition(sizes.allSatisfy { $0 >= 1 }, "a group of nobody")
        let all = Double(sizes.reduce(0, +))
        ratios = sizes.map { all / Double($0) }
    }

    /// The degrees of freedom of the variance.
    public var degreesOfFreedom: Int { ratios.count - 1 }

    /// By how much the total without a group is to be multiplied to be one of all people.
    public func scale(without group: Int) -> Double { ratios[group] / (ratios[group] - 1) }

    /// The variance of a figure of all people; nil if one group decides it, as it can a mean over rare events: how
    /// often there is such a group, the others do not tell.
    ///
    /// - Parameter without: the figure without each group, a total already scaled.
    public func variance(of value: Double, without: [Double]) -> Double? {
        precondition(without.count == ratios.count, "\(without.count) figures for \(ratios.count) groups")
        let count = Double(ratios.count)
        let pseudovalues = zip(ratios, without).map { $0 * value - ($0 - 1) * $1 }
        // The jackknife's own estimate: the figure without its bias.
        let mean = value + zip(ratios, without).reduce(0) { $0 + (value - $1.1) * (1 - 1 / $1.0) }
        let squares = zip(ratios, pseudovalues).map { ($1 - mean) * ($1 - mean) / ($0 - 1) }
        let sum = squares.reduce(0, +)
        // As many groups as would have this sum if they were alike: a third of them if they are normal.
        let deciding = sum * sum / squares.reduce(0) { $0 + $1 * $1 }
        if sum > 1e-20 * value * value, deciding < min(Self.fewest, count / 3) { return nil }
        return sum / count
    }

    /// With fewer groups that decide a figure its variance is not known.
    private static let fewest = 2.0
}
