import Statistics

/// A seeded bootstrap: how an estimate changes with other people (or other weeks) in the record.
///
/// Every statistic sees the same resamples.
struct Resampling {
    static let seed: UInt64 = 1
    static let replicates = 200

    /// How many people or weeks there are, and how often each resample takes each.
    private let weights: [[UInt8]]
    let units: Int

    init(units: Int) {
        self.units = units
        var weights: [[UInt8]] = []
        if units > 1 {
            for replicate in 0..<Self.replicates {
                var stream = RandomStream(seed: Self.seed, person: UInt64(replicate), purpose: .resampling)
                var counts = [UInt8](repeating: 0, count: units)
                for _ in 0..<units { counts[Int(stream.nextIndex(below: UInt64(units)))] += 1 }
                weights.append(counts)
            }
        }
        self.weights = weights
    }

    /// The scale on which an estimate's error is about normal.
    enum Scale {
        case plain, positive, correlation

        func up(_ value: Double) -> Double {
            switch self {
            case .plain: value
            case .positive: DeterministicMath.log(max(value, 1e-9))
            case .correlation:
                0.5 * DeterministicMath.log((1 + min(0.999, max(-0.999, value))) / (1 - min(0.999, max(-0.999, value))))
            }
        }

        func down(_ value: Double) -> Double {
            switch self {
            case .plain: return value
            case .positive: return DeterministicMath.exp(value)
            case .correlation:
                let square = DeterministicMath.exp(2 * value)
                return (square - 1) / (square + 1)
            }
        }
    }

    struct Result {
        let value: Double
        let interval: (low: Double, high: Double)?
    }

    /// - Parameter statistic: from how often each unit counts; nil if it cannot be told from them.
    func estimate(_ scale: Scale, _ statistic: ([UInt8]) -> Double?) -> Result? {
        guard let value = statistic([UInt8](repeating: 1, count: units)), value.isFinite else { return nil }
        let replicates = weights.compactMap(statistic).filter(\.isFinite).map(scale.up)
        // Resamples that cannot tell the statistic say that it hangs on few units.
        guard replicates.count > Self.replicates * 9 / 10 else { return Result(value: value, interval: nil) }
        let count = Double(replicates.count)
        let mean = replicates.reduce(0, +) / count
        let deviation = (replicates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)).squareRoot()
        // A resample of n units varies by less than the n do.
        let reach = Likelihood.reach(degrees: units - 1) * deviation * (Double(units) / Double(units - 1)).squareRoot()
        return Result(
            value: value, interval: (scale.down(scale.up(value) - reach), scale.down(scale.up(value) + reach)))
    }
}
