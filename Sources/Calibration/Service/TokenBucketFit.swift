/// A token bucket that lets in and refuses what a record has.
///
/// A bucket of a rate and a burst lets a request in if less than the burst has been taken out, of what has not yet come
/// back at the rate (Turner, "New directions in communications", 1986: the leaky bucket). For each rate the record says
/// exactly which bursts are possible: no less than the most that was out after a request was let in, and less than a
/// token above the least that was out when one was refused. The rate is where the two agree best; all rates at which
/// they agree are its interval, which is no matter of chance.
struct TokenBucketFit {
    /// Tokens a second.
    let rate: Double
    private(set) var rateInterval: (low: Double, high: Double)
    let burst: Int
    private(set) var burstInterval: (low: Int, high: Int)
    /// By how many tokens the two miss each other; not above 0 where one bucket explains everything.
    let gap: Double

    /// One request that reaches the bucket.
    struct Arrival {
        /// Microseconds.
        var at: Int64
        /// Whether it was given a token; nil where the record does not tell, because it was refused behind the bucket
        /// too.
        var isPassed: Bool?
    }

    /// The least that a real bucket's clock can be told by.
    private static let tolerance = 1.0
    var explainsAll: Bool { gap <= Self.tolerance }

    /// - Parameter arrivals: in order; some passed and some not.
    /// - Returns: nil if too few are refused to tell a rate: there must be two refusals with a request let in between.
    init?(_ arrivals: [Arrival]) {
        // Whether an untold request took a token depends on the burst, which is found with them: from all that took one
        // to a burst that stays.
        var best = TokenBucketFit(arrivals, assuming: .infinity)
        guard arrivals.contains(where: { $0.isPassed == nil }) else {
            guard let best else { return nil }
            self = best
            return
        }
        var assumed = best.map { Double($0.burst) }
        for _ in 0..<Self.mostRounds {
            guard let burst = assumed, let next = TokenBucketFit(arrivals, assuming: burst) else { break }
            if best.map({ next.gap < $0.gap }) ?? true { best = next }
            if Double(next.burst) == burst { break }
            assumed = Double(next.burst)
        }
        guard var best else { return nil }
        // Neighbours that explain as much are as good.
        for burst in max(1, best.burst - Self.mostNeighbours)...(best.burst + Self.mostNeighbours) {
            guard let next = TokenBucketFit(arrivals, assuming: Double(burst)), next.gap <= max(best.gap, 0) else {
                continue
            }
            best.rateInterval = (
                min(best.rateInterval.low, next.rateInterval.low), max(best.rateInterval.high, next.rateInterval.high)
            )
            best.burstInterval = (
                min(best.burstInterval.low, next.burstInterval.low),
                max(best.burstInterval.high, next.burstInterval.high)
            )
        }
        self = best
    }

    private static let mostRounds = 20
    private static let mostNeighbours = 3

    /// - Parameter assumed: the burst by which requests that are not told take a token or not.
    private init?(_ arrivals: [Arrival], assuming assumed: Double) {
        guard let first = arrivals.firstIndex(where: { $0.isPassed == false }),
            let last = arrivals.lastIndex(where: { $0.isPassed == false }),
            arrivals[last].at > arrivals[first].at
        else { return nil }
        let between = arrivals[first...last].count { $0.isPassed != false }
        guard between > 0 else { return nil }
        // The rate at which requests pass from the first refusal to the last is less than the bucket's, since a full
        // bucket loses tokens; between refusals that are near each other it is never full.
        let over = Double(between) / (Double(arrivals[last].at - arrivals[first].at) * 1e-6)
        let near = Self.rateBetweenRefusals(arrivals)
        let (slowest, fastest) = (0.9 * min(over, near), 1.2 * max(over, near))
        var step = (fastest - slowest) / 400
        var best = Self.least(of: arrivals, assumed, at: (0...400).map { slowest + step * Double($0) })
        while step > 1e-7 * best {
            best = Self.least(
                of: arrivals, assumed, at: (-40...40).map { best + step * Double($0) / 20 }.filter { $0 > 0 })
            step /= 10
        }
        let bounds = Self.bounds(arrivals, assumed, rate: best)
        gap = bounds.most - bounds.least
        let allowed = max(0, gap) + (gap > 0 ? 0.25 : 0)
        func edge(_ sign: Double) -> Double {
            var (inside, outside) = (0.0, 1e-6)
            while outside < 1, Self.gap(arrivals, assumed, rate: best * (1 + sign * outside)) <= allowed {
                (inside, outside) = (outside, outside * 2)
            }
            for _ in 0..<40 {
                let middle = (inside + outside) / 2
                if Self.gap(arrivals, assumed, rate: best * (1 + sign * middle)) <= allowed {
                    inside = middle
                } else {
                    outside = middle
                }
            }
            return best * (1 + sign * outside)
        }
        rateInterval = (edge(-1), edge(1))
        rate = (rateInterval.low + rateInterval.high) / 2
        let middle = Self.bounds(arrivals, assumed, rate: rate)
        let ends = [rateInterval.low, rateInterval.high].map { Self.bounds(arrivals, assumed, rate: $0) } + [middle]
        let low = ends.map { Self.lowest($0) }.min() ?? 1
        let high = ends.map { Self.highest($0) }.max() ?? 1
        burstInterval = (max(1, min(low, high)), max(1, low, high))
        burst = min(burstInterval.high, max(burstInterval.low, Self.lowest(middle)))
    }

    /// The most that is out after a token is taken, and the least above which every refusal finds the bucket: a burst
    /// lies between, the second one not included.
    private static func bounds(_ arrivals: [Arrival], _ assumed: Double, rate: Double) -> (most: Double, least: Double)
    {
        var out = 0.0
        var at = arrivals[0].at
        var (most, least) = (0.0, Double.infinity)
        for arrival in arrivals {
            out = max(0, out - rate * Double(arrival.at - at) * 1e-6)
            at = arrival.at
            switch arrival.isPassed {
            case true?:
                out += 1
                most = max(most, out)
            case false?: least = min(least, out + 1)
            case nil: if out + 1 <= assumed { out += 1 }
            }
        }
        return (most, least)
    }

    private static func gap(_ arrivals: [Arrival], _ assumed: Double, rate: Double) -> Double {
        let bounds = bounds(arrivals, assumed, rate: rate)
        return bounds.most - bounds.least
    }

    // The tokens that are out are known to the rounding of a sum.
    private static func lowest(_ bounds: (most: Double, least: Double)) -> Int {
        Int(cutting: (bounds.most - 1e-6).rounded(.up))
    }
    private static func highest(_ bounds: (most: Double, least: Double)) -> Int {
        Int(cutting: (bounds.least - 1e-6).rounded(.down))
    }

    private static func least(of arrivals: [Arrival], _ assumed: Double, at rates: [Double]) -> Double {
        var best = (rate: rates[0], gap: Double.infinity)
        for rate in rates {
            let gap = gap(arrivals, assumed, rate: rate)
            if gap < best.gap { best = (rate, gap) }
        }
        return best.rate
    }

    /// The median of the requests that pass a second in runs of twenty refusals.
    private static func rateBetweenRefusals(_ arrivals: [Arrival]) -> Double {
        var passed: [(at: Int64, before: Int)] = []
        var count = 0
        for arrival in arrivals {
            if arrival.isPassed == false { passed.append((arrival.at, count)) } else { count += 1 }
        }
        let width = min(20, passed.count - 1)
        let rates = stride(from: 0, to: passed.count - width, by: max(1, width / 2)).compactMap { index -> Double? in
            let (from, to) = (passed[index], passed[index + width])
            return to.at > from.at ? Double(to.before - from.before + 1) / (Double(to.at - from.at) * 1e-6) : nil
        }
        return rates.isEmpty ? Double(count) : rates.sorted()[rates.count / 2]
    }
}

/// The number of requests in a pool from which on it refuses further ones, from what was there when each request was
/// let in or refused.
///
/// A pool that refuses by its queue lets nobody in from that number on, and everybody below it. The fit is the number
/// that is wrong for the fewest requests; numbers that are wrong for as few are its interval, which is exact and no
/// matter of chance where the record is.
struct QueueLimitFit {
    /// The requests in the pool, waiting or served, beyond which a further one is refused.
    let limit: Int
    let interval: (low: Int, high: Int)
    /// Requests that were let in at the limit or above, or refused below it.
    let wrong: Int
    /// Those of them that were further from it than the record's times tell how many were in the pool.
    let farWrong: Int
    let refused: Int

    /// A record's times are of clients: in the time of a way, and by the step of a clock, some requests more or fewer
    /// are in the pool than they say.
    private static func blur(_ limit: Int) -> Int { limit / 10 }

    /// - Parameters:
    ///   - admitted: how many were in the pool when each request came that was let in.
    ///   - refused: likewise for the refused ones; one or more.
    init(admitted: [Int], refused: [Int]) {
        precondition(!refused.isEmpty, "a queue limit of a pool that refuses nothing")
        self.refused = refused.count
        let most = max(admitted.max() ?? 0, refused.max() ?? 0) + 1
        var admittedAt = [Int](repeating: 0, count: most + 1)
        var refusedAt = admittedAt
        for number in admitted { admittedAt[number] += 1 }
        for number in refused { refusedAt[number] += 1 }
        // A limit of 0 refuses everything.
        var faults = [admitted.count]
        for limit in 1...most { faults.append(faults[limit - 1] - admittedAt[limit - 1] + refusedAt[limit - 1]) }
        let fewest = faults.indices.min { (faults[$0], $0) < (faults[$1], $1) }!
        wrong = faults[fewest]
        // By chance as many more as their square root may be wrong, where any are.
        let allowed = Double(wrong) + 2 * Double(wrong).squareRoot()
        var (low, high) = (fewest, fewest)
        while low > 0 && Double(faults[low - 1]) <= allowed { low -= 1 }
        while high < most && Double(faults[high + 1]) <= allowed { high += 1 }
        let blur = Self.blur(fewest)
        // Times that contradict the limit near to it do not tell it exactly.
        if 50 * wrong > refused.count { (low, high) = (min(low, max(0, fewest - blur)), max(high, fewest + blur)) }
        interval = (low, high)
        limit = fewest
        farWrong = admitted.count { $0 >= fewest + blur } + refused.count { $0 < fewest - blur }
    }

    /// The share of the refusals that it does not explain, or that other requests contradict.
    var faultShare: Double { Double(farWrong) / Double(refused) }
}
