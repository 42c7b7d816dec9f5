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
