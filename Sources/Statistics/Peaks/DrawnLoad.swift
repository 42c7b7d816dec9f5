/// The requests of one draw, with what is known of their variance between draws.
public struct DrawnLoad {
    public let minutes: Int
    public var tenths: Int { minutes * LoadCurve.tenthsPerMinute }
    /// The requests before each minute, and before the end.
    private let before: [Int64]
    /// The pairs in the windows of each width that begin before each minute, and before the end; and the requests among
    /// which they were counted, those of all people for a half.
    private let pairsBefore: [[UInt64]]
    private let pairedBefore: [Int64]
    /// The requests of groups of people; nil if the loads of two minutes are independent.
    private let groups: GroupSums?
    private let ofMinute: (Int) -> [FilledTenth]

    /// - Parameters:
    ///   - requests: those of each minute.
    ///   - tenths: the tenths of a second with requests of a minute, counted from its start, in ascending order.
    ///   - pairs: those of the series, by the index of the width and the minute.
    ///   - ofGroup: the requests of a group of people (`SampleGroups`) in some minutes; nil if it is known that the
    ///     loads of two minutes are independent.
    public init(
        requests: [Int64], tenths: @escaping (_ minute: Int) -> [FilledTenth],
        pairs: (_ width: Int, _ minute: Int) -> UInt64,
        ofGroup: ((_ group: Int, _ minutes: Range<Int>) -> Int64)? = nil
    ) {
        let minutes = requests.count
        self.minutes = minutes
        before = Self.sums(minutes) { requests[$0] }
        pairedBefore = before
        pairsBefore = RequestPairs.widths.indices.map { width in Self.sums(minutes) { pairs(width, $0) } }
        groups = ofGroup.map { GroupSums(minutes: minutes, $0) }
        ofMinute = tenths
    }

    /// A part of a load, whose people send as many requests in one window as all do.
    private init(_ requests: [Int64], of whole: DrawnLoad) {
        minutes = whole.minutes
        before = Self.sums(minutes) { requests[$0] }
        (pairsBefore, pairedBefore) = (whole.pairsBefore, whole.before)
        groups = nil
        ofMinute = { _ in preconditionFailure("the tenths of a half are divided once for both") }
    }

    /// The sum before each of some values, and after the last.
    fileprivate static func sums<Value: FixedWidthInteger>(_ count: Int, _ value: (Int) -> Value) -> [Value] {
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
    func tenths(ofMinute minute: Int) -> [FilledTenth] { ofMinute(minute) }

    /// The requests of every second group of people, and those of the others.
    ///
    /// Within a minute, whose requests have no group, they are drawn: so many of the minute's as the groups have. A
    /// load without groups is halved by a draw for each request. The draws are the same in every run.
    func halves(people: Double) -> Halves {
        let sizes = SampleGroups.sizes(people: Int(people))
        // Few people leave most groups empty.
        let ofFirst = stride(from: 0, to: sizes.count, by: 2).filter { sizes[$0] > 0 }
        let share = ofFirst.reduce(0) { $0 + Double(sizes[$1]) } / people
        let isGrouped = groups != nil && share < 1
        let firsts: [Int64] = (0..<minutes).map { minute in
            if isGrouped, let groups { return ofFirst.reduce(0) { $0 + groups.requests(of: $1, minute..<minute + 1) } }
            var stream = RandomStream(seed: 0, person: UInt64(minute), purpose: .halfOfLoad)
            return (0..<requests(ofMinutes: minute, minute + 1)).reduce(0) { sum, _ in sum + Int64(stream.next() >> 63)
            }
        }
        let shares = isGrouped ? [share, 1 - share] : [0.5, 0.5]
        return Halves(of: self, firsts, people: shares.map { people * $0 })
    }

    /// A load in two halves.
    struct Halves {
        /// Each half with its people.
        let loads: [(load: DrawnLoad, people: Double)]
        /// The requests of each minute in the first half.
        private let firsts: [Int64]

        fileprivate init(of whole: DrawnLoad, _ firsts: [Int64], people: [Double]) {
            self.firsts = firsts
            loads = people.indices.map { half in
                let counts = firsts.indices.map { minute in
                    half == 0 ? firsts[minute] : whole.requests(ofMinutes: minute, minute + 1) - firsts[minute]
                }
                return (DrawnLoad(counts, of: whole), people[half])
            }
        }

        /// The tenths of a minute of each half, from those of the whole.
        func tenths(of whole: [FilledTenth], minute: Int) -> [[FilledTenth]] {
            Self.divided(whole, firsts[minute], minute: minute)
        }

        /// So many of the requests of a minute's tenths, each as likely as any other, and the others.
        private static func divided(_ tenths: [FilledTenth], _ count: Int64, minute: Int) -> [[FilledTenth]] {
            let stream = RandomStream(seed: 0, person: UInt64(minute), purpose: .halfOfLoad, sub: 1)
            var (wanted, left) = (UInt64(count), UInt64(tenths.reduce(0) { $0 + $1.requests }))
            var (firsts, seconds): ([FilledTenth], [FilledTenth]) = ([], [])
            firsts.reserveCapacity(tenths.count)
            seconds.reserveCapacity(tenths.count)
            var (number, second) = (UInt64(0), UInt64(0))
            for one in tenths {
                var drawn: Int64 = 0
                for _ in 0..<one.requests {
                    // A block of the stream has the numbers of two requests.
                    var draw = second
                    if number & 1 == 0 { (draw, second) = stream.pair(at: number >> 1) }
                    if RandomStream.index(draw, below: left) < wanted { (drawn, wanted) = (drawn + 1, wanted - 1) }
                    left -= 1
                    number += 1
                }
                if drawn > 0 { firsts.append(FilledTenth(tenth: one.tenth, requests: drawn)) }
                if drawn < one.requests {
                    seconds.append(FilledTenth(tenth: one.tenth, requests: one.requests - drawn))
                }
            }
            return [firsts, seconds]
        }
    }

    /// The variance over the mean of the requests in windows of a width, by its index, around some tenths: 1 for
    /// requests at random, more if people send several in one window.
    func dispersion(_ from: Int, _ to: Int, width: Int) -> Double {
        let perMinute = LoadCurve.tenthsPerMinute
        let unit = max(perMinute, RequestPairs.widths[width])
        let first = from / unit * (unit / perMinute)
        let last = min(minutes, (to + unit - 1) / unit * (unit / perMinute))
        let requests = pairedBefore[last] - pairedBefore[first]
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

    /// The variance between draws of the requests in windows of a width, by its index, where one begins at a tenth; and
    /// the requests that vary so much.
    public func variance(width: Int, at tenth: Int, people: Double) -> (variance: Double, requests: Double) {
        let tenths = RequestPairs.widths[width]
        let unit = LoadCurve.tenthsPerMinute
        if let own = residuals(width: width, at: tenth, people: people) {
            return (own.ofGroups.reduce(0) { $0 + $1 * $1 }, own.requests)
        }
        if tenths >= unit {
            let minutes = minutes(width: width, at: tenth)
            return (
                variance(width: width, minute: minutes.lowerBound, people: people),
                Double(requests(ofMinutes: minutes.lowerBound, minutes.upperBound))
            )
        }
        // Pairs are counted in windows beside one another, so the squares are those of the counts of the same windows.
        let (first, last) = (tenth / unit, min(minutes, (tenth + tenths - 1) / unit + 1))
        var squares = 0.0
        for minute in first..<last {
            var counts = [Int64](repeating: 0, count: unit / tenths)
            for one in self.tenths(ofMinute: minute) { counts[one.tenth / tenths] += one.requests }
            for count in counts { squares += Double(count) * Double(count) }
        }
        let requests = Double(before[last] - before[first])
        return (requests + Double(pairsBefore[width][last] - pairsBefore[width][first]) - squares / people, requests)
    }

    /// The minutes of the window of a width of some minutes that begins nearest to a tenth.
    private func minutes(width: Int, at tenth: Int) -> Range<Int> {
        let (unit, count) = (LoadCurve.tenthsPerMinute, RequestPairs.widths[width] / LoadCurve.tenthsPerMinute)
        let first = min(minutes - count, (tenth + unit / 2) / unit)
        return first..<first + count
    }

    /// The requests of each group beyond its share in the window of a width, by its index, that begins nearest to a
    /// tenth, so that their squares add up to its variance; and those of all. Nil for windows of less than a minute,
    /// and where few groups tell no variance.
    func residuals(width: Int, at tenth: Int, people: Double) -> (ofGroups: [Double], requests: Double)? {
        guard RequestPairs.widths[width] >= LoadCurve.tenthsPerMinute, let groups else { return nil }
        let (shares, weight) = groups.shares(of: people)
        if shares.count < 8 { return nil }
        let minutes = minutes(width: width, at: tenth)
        let requests = Double(requests(ofMinutes: minutes.lowerBound, minutes.upperBound))
        let root = weight.squareRoot()
        return (
            shares.map { (Double(groups.requests(of: $0.group, minutes)) - $0.share * requests) / root }, requests
        )
    }

    /// The relative variance that some spans of a draw share: people who send more than others in one of them do so in
    /// the others too, the more if it is the same herd on several days.
    ///
    /// It is the mean covariance of two spans over their means, from groups of people: what the variance of all spans
    /// together has above that of each.
    ///
    /// - Parameter spans: in minutes; two or more that do not overlap.
    func commonVariance(of spans: [Range<Int>], people: Double) -> Double {
        let totals = spans.map { Double(requests(ofMinutes: $0.lowerBound, $0.upperBound)) }
        let all = totals.reduce(0, +)
        let products = all * all - totals.reduce(0) { $0 + $1 * $1 }
        guard products > 0, let groups else { return 0 }
        let (shares, weight) = groups.shares(of: people)
        var excess = 0.0
        for (group, share) in shares {
            var (together, squares) = (0.0, 0.0)
            for (span, total) in zip(spans, totals) {
                let residual = Double(groups.requests(of: group, span)) - share * total
                together += residual
                squares += residual * residual
            }
            excess = excess + together * together - squares
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

/// The requests of groups of people (`SampleGroups`) before each minute, found as a group is asked for: many windows
/// are.
private final class GroupSums {
    private let minutes: Int
    private let ofGroup: (_ group: Int, _ minutes: Range<Int>) -> Int64
    /// By group; none before it was asked for.
    private var before: [[Int64]] = Array(repeating: [], count: SampleGroups.count)
    private var known: (people: Double, shares: Shares)?

    /// The groups that have any of some people, with their shares; and by what squares of residuals are divided for the
    /// variance of all people.
    typealias Shares = (groups: [(group: Int, share: Double)], weight: Double)

    init(minutes: Int, _ ofGroup: @escaping (_ group: Int, _ minutes: Range<Int>) -> Int64) {
        (self.minutes, self.ofGroup) = (minutes, ofGroup)
    }

    func requests(of group: Int, _ minutes: Range<Int>) -> Int64 {
        if before[group].isEmpty {
            before[group] = DrawnLoad.sums(self.minutes) { ofGroup(group, $0..<$0 + 1) }
        }
        return before[group][minutes.upperBound] - before[group][minutes.lowerBound]
    }

    func shares(of people: Double) -> Shares {
        if let known, known.people == people { return known.shares }
        let groups = SampleGroups.sizes(people: Int(people)).enumerated().compactMap { group, size in
            size == 0 ? nil : (group: group, share: Double(size) / people)
        }
        let shares = (groups, groups.reduce(0) { $0 + $1.share * (1 - $1.share) })
        known = (people, shares)
        return shares
    }
}
