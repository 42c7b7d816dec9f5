import Statistics

/// Mean waits if times of service are not exponential. Variation is the squared coefficient of variation: variance over
/// squared mean, 0 for a constant and 1 for an exponential time.
public enum GeneralQueue {
    /// The mean wait in seconds at several servers (G/G/c), an approximation: that of the exponential queue times the
    /// mean of both variations (Allen 1978, after Kingman 1961). Exact for M/M/c and for M/G/1; for M/G/c mostly within
    /// a few percent when servers are busy. Nil if the queue grows without end.
    ///
    /// - Parameters:
    ///   - arrivals: the variation of the gaps between arrivals; 1 at random, more in herds.
    ///   - service: the variation of the time of service.
    public static func approximateMeanWait(_ queue: ServerQueue, arrivals: Double = 1, service: Double) -> Double? {
        precondition(arrivals >= 0 && service >= 0, "variations of \(arrivals) and \(service)")
        return queue.meanWait.map { $0 * (arrivals + service) / 2 }
    }
}

extension Distribution {
    /// Variance over squared mean of the distribution with its shift, not clipped: closed form, or by
    /// the table of quantiles. Nil if it has no
    /// variance, or a mean of 0 or less.
    public func variation() throws(DistributionProblem) -> Double? {
        let mean = try mean()
        if mean <= 0 { return nil }
        let variance: Double
        switch shape {
        case .constant: variance = 0
        case .uniform(let min, let max): variance = (max - min) * (max - min) / 12
        case .exponential(let mean): variance = mean * mean
        case .normal(_, let deviation): variance = deviation * deviation
        case .lognormal(let median, let sigma):
            let spread = DeterministicMath.exp(sigma * sigma)
            variance = median * median * spread * (spread - 1)
        case .gamma(let shape, let mean): variance = mean * mean / shape
        case .quantiles(let curve): variance = max(0, curve.moment(2) - (mean - shift) * (mean - shift))
        case .studentT(_, let scale, let degrees):
            if degrees <= 2 { return nil }
            variance = scale * scale * degrees / (degrees - 2)
        }
        return variance / (mean * mean)
    }
}
