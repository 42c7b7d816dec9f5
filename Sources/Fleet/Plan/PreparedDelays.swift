import Basics
import ScenarioModel
import Statistics

/// After how long a reload that has failed asks again, ready to draw from (S3); a second at least.
struct FailureDelay: BitwiseCopyable {
    static let least = Duration.seconds(1)

    private let delay: DurationDistribution
    let isConstant: Bool

    init(_ delay: Distribution, _ tables: inout StandardTables) throws(DistributionProblem) {
        self.delay = try delay.preparedDurations(atLeast: Self.least, with: &tables)
        if case .constant = delay.shape { isConstant = true } else { isConstant = false }
    }

    func draw(_ u: UInt64) -> Duration { delay.draw(u) }
}

/// The two legs ready to draw from.
struct PreparedDelays {
    private let out, back: DurationDistribution

    init(_ legs: OneWayDelays, _ tables: inout StandardTables) throws(DistributionProblem) {
        out = try legs.out.preparedDurations(with: &tables)
        back = try legs.back.preparedDurations(with: &tables)
    }

    /// No draw of either is shorter: draws rise with their number.
    var least: Duration {
        let (out, back) = draw((0, 0))
        return min(out, back)
    }

    /// Both legs of one request, each its own draw.
    @inline(__always) func draw(_ numbers: (first: UInt64, second: UInt64)) -> (out: Duration, back: Duration) {
        (out.draw(numbers.first), back.draw(numbers.second))
    }
}
