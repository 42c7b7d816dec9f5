/// The requests of one draw, with what is known of their variance between draws.
public struct DrawnLoad: Sendable {
    public let minutes: Int
    public var tenths: Int { minutes * LoadCurve.tenthsPerMinute }
    /// The requests before each minute, and before the end.
    private let before: [Int64]
    /// The pairs in the windows of each width that begin before each minute, and before the end.
    private let pairsBefore: [[UInt64]]
    /// The requests of a group of people in some minutes; nil if the loads of two minutes are independent.
    private let ofGroup: (@Sendable (_ group: Int, _ minutes: Range<Int>) -> Int64)?
    private let ofTenth: @Sendable (Int) -> Int64

    /// - Parameters:
    ///   - requests: those of each minute.
    ///   - requestsOfTenth: those of a tenth of a second.
    ///   - pairs: those of the series, by the index of the width and the minute.
    ///   - ofGroup: the requests of a group of people (`SampleGroups`) in some minutes; nil if it is known that the
    ///     loads of two minutes are independent.
    public init(
        requests: [Int64], requestsOfTenth: @escaping @Sendable (Int) -> Int64,
        pairs: (_ width: Int, _ minute: Int) -> UInt64,
        ofGroup: (@Sendable (_ group: Int, _ minutes: Range<Int>) -> Int64)? = nil
    ) {
        let minutes = requests.count
        self.minutes = minutes
        before = Self.sums(minutes) { requests[$0] }
        pairsBefore = RequestPairs.widths.indices.map { width in Self.sums(minutes) { pairs(width, $0) } }
        self.ofGroup = ofGroup
        ofTenth = requestsOfTenth
    }

    /// The sum before each of some values, and after the last.
    private static func sums<Value: FixedWidthInteger>(_ count: Int, _ value: (Int) -> Value) -> [Value] {
        var sums: [Value] = []
        sums.reserveCapacity(count + 1)
        var sum: Value = 0
        for i in 0..<count {
            sums.append(sum)
            sum += value(i)
        }
        sums.append(sum)
        return sums
    }

    /// All requests.
    public var requests: Int64 { before.last ?? 0 }

    func requests(ofMinutes from: Int, _ to: Int) -> Int64 { before[to] - before[from] }
    func requests(ofTenth tenth: Int) -> Int64 { ofTenth(tenth) }

    /// The variance over the mean of the requests in windows of a width, by its index, around some tenths: 1 for
    /// requests at random, more if people send several in one window.
    func dispersion(_ from: Int, _ to: Int, width: Int) -> Double {
        let perMinute = LoadCurve.tenthsPerMinute
        let unit = max(perMinute, RequestPairs.widths[width])
        let first = from / unit * (unit / perMinute)
        let last = min(minutes, (to + unit - 1) / unit * (unit / perMinute))
        let requests = before[last] - before[first]
        if requests == 0 { return 1 }
        return 1 + Double(pairsBefore[width][last] - pairsBefore[width][first]) / Double(requests)
    }

    /// The variance between draws of the requests in the window of a width, by its index, that begins in a minute at a
    /// multiple of the width; of so many people.
    public func variance(width: Int, minute: Int, people: Double) -> Double {
        let end = min(minutes, minute + RequestPairs.widths[width] / LoadCurve.tenthsPerMinute)
        let requests = Double(before[end] - before[minute])
        let pairs = Double(pairsBefore[width][end] - pairsBefore[width][minute])
        return max(0, requests + pairs - requests * requests / people)
    }

    /// The relative variance that some spans of a draw share: people who send more than others in one of them do so in
    /// the others too, the more if it is the same herd on several days.
    ///
    /// It is the mean covariance of two spans over their means, from groups of people: what the variance of all spans
    /// together has above that of each.
    ///
    /// - Parameter spans: in minutes; two or more that do not overlap.
    func commonVariance(of spans: [Range<Int>], people: Double) -> Double {
        let sizes = SampleGroups.sizes(people: Int(people))
        let totals = spans.map { Double(requests(ofMinutes: $0.lowerBound, $0.upperBound)) }
        let all = totals.reduce(0, +)
        let products = all * all - totals.reduce(0) { $0 + $1 * $1 }
        guard products > 0, let ofGroup else { return 0 }
        var (excess, weight) = (0.0, 0.0)
        for (group, size) in sizes.enumerated() {
            let share = Double(size) / people
            let residuals = zip(spans, totals).map {
                Double(ofGroup(group, $0)) - share * $1
            }
            let sum = residuals.reduce(0, +)
            excess += sum * sum - residuals.reduce(0) { $0 + $1 * $1 }
            weight += share * (1 - share)
        }
        return weight > 0 ? max(0, excess / weight / products) : 0
    }

    /// The variance over the mean for an estimated mean, by windows whose width is nearest below a length, or the
    /// shortest: the variance that is left once the mean of the people is taken away.
    func dispersion(_ from: Int, _ to: Int, near length: Int, people: Double) -> Double {
        let width = RequestPairs.widths.lastIndex { $0 <= length } ?? 0
        let inWindow =
            Double(before[min(minutes, to / LoadCurve.tenthsPerMinute + 1)] - before[from / LoadCurve.tenthsPerMinute])
            * min(1, Double(RequestPairs.widths[width]) / Double(max(LoadCurve.tenthsPerMinute, to - from)))
        return max(0.1, dispersion(from, to, width: width) - inWindow / people)
    }
}
