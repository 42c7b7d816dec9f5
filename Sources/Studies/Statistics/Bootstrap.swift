import Statistics

/// The variation of a statistic of a study's runs with the runs: it is computed again from resamples, which take as
/// many of the runs, each time others, some more than once and some not at all (Efron 1979).
///
/// Which runs a resample takes follows from the seed and the resample's number alone, so every statistic of one study
/// sees the same resamples. The runs must be independent of each other. Points of a quasi-random design are not: their
/// estimates vary less than resamples of them, and the intervals are wider than they would have to be.
package struct Bootstrap: Hashable, Sendable {
    /// With a thousand resamples the ends of a 95 % interval vary by about a twentieth of its half-width from seed to
    /// seed.
    package static let usualResamples = 1_000

    package let seed: UInt64
    /// 2 or more.
    package let resamples: Int

    package init(seed: UInt64, resamples: Int = usualResamples) {
        precondition(resamples >= 2, "\(resamples) resamples")
        (self.seed, self.resamples) = (seed, resamples)
    }

    /// The numbers of the runs that a resample takes: `count` of them, each below `count`.
    ///
    /// - Parameter number: from 0, below `resamples`.
    package func resample(_ number: Int, of count: Int) -> [Int] {
        precondition((0..<resamples).contains(number) && count > 0, "resample \(number) of \(count) runs")
        var stream = RandomStream(seed: seed, person: UInt64(number), purpose: .runResampling)
        return (0..<count).map { _ in Int(stream.nextIndex(below: UInt64(count))) }
    }

    /// The interval round `estimate` that reaches as many standard deviations of the resamples' statistics to either
    /// side as a normal distribution needs: how SALib makes its intervals.
    ///
    /// - Parameter replicates: the statistic of each resample, nil where it cannot be told.
    /// - Returns: nil where a tenth of the resamples or more cannot tell the statistic.
    func normalInterval(around estimate: Double, replicates: [Double?]) -> ConfidenceInterval? {
        // A statistic that many resamples cannot tell hangs on few runs.
        let told = replicates.compactMap { $0 }.filter(\.isFinite)
        guard told.count * 10 > replicates.count * 9, let deviation = SampleSummary(told).standardDeviation else {
            return nil
        }
        return ConfidenceInterval(
            around: estimate, reach: SpecialFunctions.normalQuantile(ConfidenceInterval.upperShare) * deviation)
    }
}
