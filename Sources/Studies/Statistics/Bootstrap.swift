import Stochastics

/// How a statistic of a study's runs varies with the runs: it is computed anew from resamples, which take as many of the runs, each time others,
/// some more than once and some not at all (Efron 1979).
///
/// Which runs a resample takes follows from the seed and the resample's number alone, so every statistic of one study sees the same resamples.
/// The runs must be independent of each other. Points of a quasi-random design are not: their estimates vary less than resamples of them, and
/// the intervals are wider than they would have to be.
public struct Bootstrap: Hashable, Sendable {
    /// With a thousand resamples the ends of a 95 % interval vary by about a twentieth of its half-width from seed to seed.
    public static let usualResamples = 1_000

    public let seed: UInt64
    /// 2 or more.
    public let resamples: Int

    public init(seed: UInt64, resamples: Int = usualResamples) {
        precondition(resamples >= 2, "\(resamples) resamples")
        (self.seed, self.resamples) = (seed, resamples)
    }

    /// The numbers of the runs that a resample takes: `count` of them, each below `count`.
    ///
    /// - Parameter number: from 0, below `resamples`.
    public func resample(_ number: Int, of count: Int) -> [Int] {
        precondition((0..<resamples).contains(number) && count > 0, "resample \(number) of \(count) runs")
        var stream = RandomStream(seed: seed, person: UInt64(number), purpose: .runResampling)
        return (0..<count).map { _ in Int(stream.nextIndex(below: UInt64(count))) }
    }

    /// The interval between the quantiles of the statistic over all resamples that leave out (1 − confidence) / 2 on either side.
    ///
    /// It follows a skewed statistic and stays where the statistic can be, but is too narrow for few values: of a mean of ten normal values it
    /// covers nine in ten true means instead of 95 %. For means, `SampleSummary` is better.
    ///
    /// - Parameters:
    ///   - values: one or more.
    ///   - statistic: nil where it cannot be told from a resample.
    /// - Returns: nil for one value, and where a tenth of the resamples or more cannot tell the statistic.
    public func percentileInterval<Value>(
        of values: [Value], confidence: Double = ConfidenceInterval.usualConfidence, statistic: ([Value]) -> Double?
    ) -> ConfidenceInterval? {
        precondition(!values.isEmpty && ConfidenceInterval.isConfidence(confidence), "\(values.count) values, confidence \(confidence)")
        guard values.count > 1 else { return nil }
        let found = (0..<resamples).map { number in statistic(resample(number, of: values.count).map { values[$0] }) }
        guard let sorted = told(found)?.sorted() else { return nil }
        let beyond = (1 - confidence) / 2
        return ConfidenceInterval(
            low: Self.quantile(beyond, of: sorted), high: Self.quantile(1 - beyond, of: sorted), confidence: confidence)
    }

    /// The interval round `estimate` that reaches as many standard deviations of the resamples' statistics to either side as a normal law needs:
    /// how SALib makes its intervals.
    ///
    /// - Parameter replicates: the statistic of each resample, nil where it cannot be told.
    /// - Returns: nil where a tenth of the resamples or more cannot tell the statistic.
    func normalInterval(
        around estimate: Double, replicates: [Double?], confidence: Double = ConfidenceInterval.usualConfidence
    ) -> ConfidenceInterval? {
        guard let deviation = told(replicates).flatMap({ SampleSummary($0).standardDeviation }) else { return nil }
        return ConfidenceInterval(
            around: estimate, reach: SpecialFunctions.normalQuantile(0.5 + confidence / 2) * deviation, confidence: confidence)
    }

    /// Those that are told, if they are more than nine in ten: a statistic that many resamples cannot tell hangs on few runs.
    private func told(_ replicates: [Double?]) -> [Double]? {
        let told = replicates.compactMap { $0 }.filter(\.isFinite)
        return told.count * 10 > replicates.count * 9 && told.count > 1 ? told : nil
    }

    /// The quantile at `p` of sorted values, linear between neighbours (Hyndman and Fan's definition 7).
    static func quantile(_ p: Double, of sorted: [Double]) -> Double {
        let place = p * Double(sorted.count - 1)
        let below = min(sorted.count - 1, max(0, Int(place)))
        let above = min(sorted.count - 1, below + 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}
