/// The load of some days in a few figures: how much, at which hours, in which minutes of an hour, and how far the
/// fullest minute stands out.
package struct DayProfile: Sendable {
    /// Requests a second on average.
    package let meanPerSecond: Double
    /// For each hour of the local day the requests a second; nil for hours of which no minute is covered.
    package let hours: [Double?]
    /// For each hour of the local day the requests.
    let requests: [Int64]
    /// The share of the requests in the first minute of each quarter of an hour: minute :00, :15, :30 and :45 of the
    /// clock. Without a herd it is a fifteenth of each hour's for all four together.
    package let quarters: [Double]
    /// Requests in the fullest minute, and when it was, in minutes since 1970.
    package let peak: (requests: Int64, at: Int64)
    /// The fullest minute over the mean one, as `load_peak_to_mean_1m` of a run.
    package let peakToMean: Double
    /// The fullest minute over the mean one of its hour of the day.
    let peakToHour: Double
    package let minutes: Int

    /// The share of the requests in the first minutes of all quarters.
    package var aligned: Double { quarters.reduce(0, +) }

    /// - Parameters:
    ///   - load: with a request in it.
    ///   - covered: for each minute of the local day, whether it counts.
    package init(
        _ load: MinuteCounts, covered isCovered: [Bool] = Array(repeating: true, count: 1_440),
        by clock: MinuteClock = .utc
    ) {
        var (total, minutes): (Int64, Int) = (0, 0)
        var (sums, covered) = ([Int64](repeating: 0, count: 24), [Int64](repeating: 0, count: 24))
        var firsts = [Int64](repeating: 0, count: 4)
        var best = (requests: Int64(-1), at: Int64(0))
        for (index, count) in load.counts.enumerated() {
            let minute = load.first + Int64(index)
            let ofDay = clock.ofDay(minute)
            if !isCovered[ofDay] { continue }
            minutes += 1
            total += count
            sums[ofDay / 60] += count
            covered[ofDay / 60] += 1
            if ofDay % 15 == 0 { firsts[ofDay % 60 / 15] += count }
            if count > best.requests { best = (count, minute) }
        }
        self.minutes = minutes
        meanPerSecond = Double(total) / Double(max(1, 60 * minutes))
        hours = zip(sums, covered).map { $1 == 0 ? nil : Double($0) / Double(60 * $1) }
        quarters = firsts.map { Double($0) / Double(max(1, total)) }
        peak = best
        requests = sums
        let ofPeak = clock.ofDay(best.at) / 60
        peakToHour = Double(best.requests) * Double(covered[ofPeak]) / Double(max(1, sums[ofPeak]))
        peakToMean = Double(best.requests) * Double(minutes) / Double(max(1, total))
    }

    /// The share of a day's load that lies in other hours than another profile's: half the sum of the differences of
    /// the hours' shares (the total variation), over the hours that both cover; nil if these have no load.
    package func shapeDistance(to other: DayProfile) -> Double? {
        let both = zip(hours, other.hours).compactMap { own, others -> (Double, Double)? in
            guard let own, let others else { return nil }
            return (own, others)
        }
        let (ownSum, otherSum) = both.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        guard ownSum > 0, otherSum > 0 else { return nil }
        return both.reduce(0) { $0 + ($1.0 / ownSum - $1.1 / otherSum).magnitude } / 2
    }
}
