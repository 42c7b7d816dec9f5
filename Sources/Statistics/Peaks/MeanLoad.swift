/// The mean number of requests over time, estimated from one draw: constant in pieces that the draw cannot tell apart.
///
/// The span is halved again and again, down to a tenth of a second. A half with significantly more requests than its
/// share, or any part of it with that, is told apart; otherwise both are one piece with one mean. So quiet hours are
/// smooth, and a herd of a second stays a herd of a second (Kolaczyk, "Bayesian multiscale models for Poisson
/// processes", JASA 94, 1999, with a threshold in place of the prior). Halvings from several beginnings are averaged,
/// so that no hour is flattened because a half ends in it (Coifman and Donoho, "Translation-invariant de-noising",
/// 1995).
public struct MeanLoad {
    struct Piece: Equatable, Sendable {
        /// Tenths of a second: from the first to before the last.
        let from, to: Int
        /// The mean of a tenth of a second, and the standard error of that.
        let rate, error: Double
        var length: Int { to - from }
        /// Pieces with one number have a common relative error.
        var group = 0
        /// The mean requests of all pieces before it.
        var before = 0.0

        /// The mean requests before a tenth of the piece, from the start of the load.
        func mean(before tenth: Int) -> Double { before + Double(tenth - from) * rate }
    }

    private(set) var pieces: [Piece] = []

    /// Halves are told apart that differ by more standard deviations than the root of this: √(2 ln n) where n parts
    /// have as many requests (Donoho and Johnstone, "Ideal spatial adaptation by wavelet shrinkage", Biometrika 81,
    /// 1994), and some more, so that hardly any in all lengths is by chance: the largest of such pieces would be taken
    /// for the peak.
    private func squaredThreshold(_ one: Part) -> Double {
        let peers = Double(load.requests) / Double(one.requests)
        // There are few halves of a quarter of an hour and more, and a slope missed there flattens the busiest hour.
        // Within a herd few parts could be taken for its top. Assumption: the cautions are chosen so that the ranges of
        // scripts/check-redraws hold.
        let isHerd = Double(one.requests) * Double(load.tenths) > 4 * Double(load.requests) * Double(one.length)
        let caution = isHerd ? 4.0 : one.length >= 30 * LoadCurve.tenthsPerMinute ? 1 : 8
        let square = 2 * DeterministicMath.log(max(2, peers))
        return isFine ? max(Self.leastThreshold, square - 2 * caution) : square + caution
    }
    private static let leastThreshold = 2.0
    /// A piece with fewer requests is not divided.
    private static let fewest: Int64 = 16
    /// Where halving begins, in minutes before the start; the first one's pieces are the groups.
    private static let beginnings = [0, 7, 26, 101, 373]

    let load: DrawnLoad
    let people: Double
    /// Whether much that may be chance is told apart: whether it is, the other half tells.
    let isFine: Bool
    /// The parts of the minutes that have several, which are the same from all beginnings; only while halvings are
    /// compared.
    private var parts: [[Part]]

    /// - Parameter people: how many people sent the requests; 1 or more.
    public init(_ load: DrawnLoad, people: Int) {
        self.init(load, people: Double(people), isFine: false)
        var found: [Part] = []
        for minute in 0..<load.minutes where load.requests(ofMinutes: minute, minute + 1) >= Self.fewest {
            add(minute: minute, load.tenths(ofMinute: minute), &found)
        }
        average()
    }

    /// One without pieces, until all minutes were added and averaged.
    private init(_ load: DrawnLoad, people: Double, isFine: Bool) {
        (self.load, self.people, self.isFine) = (load, people, isFine)
        parts = Array(repeating: [], count: load.minutes)
    }

    /// The mean of a load, and that of each half of the people from its own requests alone: with caution and finely.
    ///
    /// The tenths of a minute are read and divided once for all of them.
    static func withHalves(_ load: DrawnLoad, people: Int) -> (whole: MeanLoad, halves: [[MeanLoad]], RequestSums) {
        let halves = load.halves(people: Double(people))
        var whole = MeanLoad(load, people: Double(people), isFine: false)
        var means = [false, true].map { isFine in
            halves.loads.map { MeanLoad($0.load, people: $0.people, isFine: isFine) }
        }
        // A minute with fewer requests is one piece of each.
        var found: [Part] = []
        func isDivided(_ load: DrawnLoad, _ minute: Int) -> Bool {
            load.requests(ofMinutes: minute, minute + 1) >= Self.fewest
        }
        for minute in 0..<load.minutes where isDivided(load, minute) {
            let tenths = load.tenths(ofMinute: minute)
            whole.add(minute: minute, tenths, &found)
            let isHigh = halves.loads.map { isDivided($0.load, minute) }
            if !isHigh[0] && !isHigh[1] { continue }
            let divided = halves.tenths(of: tenths, minute: minute)
            for i in means.indices {
                for half in means[i].indices where isHigh[half] {
                    means[i][half].add(minute: minute, divided[half], &found)
                }
            }
        }
        whole.average()
        for i in means.indices { for half in means[i].indices { means[i][half].average() } }
        return (whole, means, RequestSums(load, halves))
    }

    /// Adds the parts of the next minute.
    ///
    /// - Parameter found: memory for them, which minutes share.
    private mutating func add(minute: Int, _ tenths: [FilledTenth], _ found: inout [Part]) {
        let unit = LoadCurve.tenthsPerMinute
        found.removeAll(keepingCapacity: true)
        tenths.withUnsafeBufferPointer {
            add(0, unit, of: $0, tenths.reduce(0) { $0 + $1.requests }, from: minute * unit, to: &found)
        }
        // A copy, so that the memory stays with the next minute.
        if found.count > 1 { parts[minute] = found.map { $0 } }
    }

    /// Averages the halvings from all beginnings once all minutes are there.
    private mutating func average() {
        if load.minutes == 0 { return }
        var size = 1
        while size < load.minutes { size *= 2 }
        pieces = averaged(
            Self.beginnings.filter { $0 < size }.map { beginning in
                var found: [Part] = []
                add(ofMinutes: -beginning, 2 * size - beginning, to: &found)
                return found
            })
        parts = []
    }

    /// The requests of a piece of one halving.
    private struct Part {
        let from, to: Int
        let requests: Int64
        var length: Int { to - from }
    }

    /// Adds the parts of some minutes to others; one if nothing in them is told apart. Only those of the series.
    private func add(ofMinutes from: Int, _ to: Int, to found: inout [Part]) {
        let (first, last) = (max(0, from), min(load.minutes, to))
        if first >= last { return }
        let unit = LoadCurve.tenthsPerMinute
        let one = Part(from: first * unit, to: last * unit, requests: load.requests(ofMinutes: first, last))
        if one.requests < Self.fewest { return found.append(one) }
        if to - from == 1 {
            return parts[from].isEmpty ? found.append(one) : found.append(contentsOf: parts[from])
        }
        let middle = from + (to - from) / 2
        let start = found.count
        add(ofMinutes: from, middle, to: &found)
        let left = found.count - start
        add(ofMinutes: middle, to, to: &found)
        join(one, left, &found, from: start)
    }

    /// Adds the parts of a part of a minute, which has these tenths and so many requests.
    private func add(
        _ first: Int, _ last: Int, of tenths: UnsafeBufferPointer<FilledTenth>, _ requests: Int64, from start: Int,
        to found: inout [Part]
    ) {
        let one = Part(from: start + first, to: start + last, requests: requests)
        if requests < Self.fewest || one.length == 1 { return found.append(one) }
        let middle = first + (last - first) / 2
        var (before, left) = (0, Int64(0))
        while before < tenths.count, tenths[before].tenth < middle {
            left += tenths[before].requests
            before += 1
        }
        let known = found.count
        add(first, middle, of: UnsafeBufferPointer(rebasing: tenths[..<before]), left, from: start, to: &found)
        let parts = found.count - known
        let rest = UnsafeBufferPointer(rebasing: tenths[before...])
        add(middle, last, of: rest, requests - left, from: start, to: &found)
        join(one, parts, &found, from: known)
    }

    /// Makes one part of two halves, of which the first has so many parts, if they cannot be told apart.
    private func join(_ one: Part, _ parts: Int, _ found: inout [Part], from start: Int) {
        guard parts == 1 && found.count == start + 2 else { return }
        let left = found[start]
        let share = Double(left.length) / Double(one.length)
        let requests = Double(one.requests)
        let dispersion = load.dispersion(one.from, one.to, near: left.length, people: people)
        let excess = Double(left.requests) - requests * share
        let variance = requests * share * (1 - share) * dispersion
        // Most halves differ by less than any threshold.
        if excess * excess > Self.leastThreshold * variance, excess * excess > squaredThreshold(one) * variance {
            return
        }
        found.removeLast()
        found[start] = one
    }

    /// Spans of some minutes whose mean is near the largest, in minutes: the highest first, then the next that overlaps
    /// none.
    func highSpans(minutes length: Int) -> [Range<Int>] {
        if load.minutes < length { return [] }
        var before: [Double] = [0]
        before.reserveCapacity(load.minutes + 1)
        var number = 0
        for minute in 0..<load.minutes {
            let (from, to) = (minute * LoadCurve.tenthsPerMinute, (minute + 1) * LoadCurve.tenthsPerMinute)
            var mean = 0.0
            while number < pieces.count, pieces[number].from < to {
                mean += pieces[number].rate * Double(min(to, pieces[number].to) - max(from, pieces[number].from))
                if pieces[number].to > to { break }
                number += 1
            }
            before.append(before[minute] + mean)
        }
        let means = (0...load.minutes - length).map { before[$0 + length] - before[$0] }
        guard let most = means.max() else { return [] }
        var isTaken = [Bool](repeating: false, count: load.minutes)
        var spans: [Range<Int>] = []
        for start in means.indices.filter({ means[$0] >= 0.8 * most }).sorted(by: { (means[$1], $0) < (means[$0], $1) })
        {
            let span = start..<start + length
            if isTaken[start] || isTaken[span.upperBound - 1] { continue }
            for minute in span { isTaken[minute] = true }
            spans.append(span)
        }
        return spans
    }

    private func averaged(_ all: [[Part]]) -> [Piece] {
        // The relative errors are those of the parts, because the halvings see the same requests.
        let errors = all.map {
            $0.map {
                (Double($0.requests) * load.dispersion($0.from, $0.to, near: $0.length, people: people)).squareRoot()
            }
        }
        var places = all.map { _ in 0 }
        var found: [Piece] = []
        var from = 0
        while from < load.tenths {
            let to = all.indices.reduce(load.tenths) { min($0, all[$1][places[$1]].to) }
            var (rate, error) = (0.0, 0.0)
            for i in all.indices {
                let part = all[i][places[i]]
                rate += Double(part.requests) / Double(part.length) / Double(all.count)
                error += errors[i][places[i]] / Double(part.length) / Double(all.count)
            }
            found.append(
                Piece(
                    from: from, to: to, rate: rate, error: error, group: places[0],
                    before: found.last.map { $0.mean(before: $0.to) } ?? 0))
            for i in all.indices where all[i][places[i]].to == to { places[i] += 1 }
            from = to
        }
        return found
    }
}
