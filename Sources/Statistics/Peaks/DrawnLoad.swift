/// The requests of one draw, with what is known of their variance between draws.
public struct DrawnLoad: Sendable {
    public let minutes: Int
    public var tenths: Int { minutes * LoadCurve.tenthsPerMinute }
    /// The requests before each minute, and before the end.
    private let before: [Int64]
    /// The pairs in the windows of each width that begin before each minute, and before the end.
    private let pairsBefore: [[UInt64]]
    /// The pairs in the whole series.
    private let pairsInAll: UInt64
    private let ofTenth: @Sendable (Int) -> Int64

    /// - Parameters:
    ///   - requests: those of each minute.
    ///   - requestsOfTenth: those of a tenth of a second.
    ///   - pairs: those of the series, by the index of the width and the minute.
    ///   - pairsInAll: those in the whole series.
    public init(
        requests: [Int64], requestsOfTenth: @escaping @Sendable (Int) -> Int64,
        pairs: (_ width: Int, _ minute: Int) -> UInt64, pairsInAll: UInt64
    ) {
        let minutes = requests.count
        self.minutes = minutes
        before = Self.sums(minutes) { requests[$0] }
        pairsBefore = RequestPairs.widths.indices.map { width in Self.sums(minutes) { pairs(width, $0) } }
        self.pairsInAll = pairsInAll
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

    /// The relative variance that all hours of a draw share: people who send more than others do so in every hour.
    ///
    /// It is the mean covariance of two hours over their requests: what the variance of all requests has above that of
    /// the hours alone.
    func commonVariance(people: Double) -> Double {
        let width = RequestPairs.widths.count - 1
        let minutesOfWindow = RequestPairs.widths[width] / LoadCurve.tenthsPerMinute
        let all = Double(requests)
        var excess = all + Double(pairsInAll) - all * all / people
        var products = all * all
        for minute in stride(from: 0, to: minutes, by: minutesOfWindow) {
            let end = min(minutes, minute + minutesOfWindow)
            let count = Double(before[end] - before[minute])
            excess -= count + Double(pairsBefore[width][end] - pairsBefore[width][minute]) - count * count / people
            products -= count * count
        }
        return products > 0 ? max(0, excess / products) : 0
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
