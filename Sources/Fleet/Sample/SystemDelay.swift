import Basics
import Statistics

/// How long the system held a reload between its grant and its run (G6).
///
/// The first of several that were granted together on a device brings the others (G7), so that the delay of all of them
/// is the least of as many draws.
struct SystemDelay: BitwiseCopyable, Sendable {
    let grantedAt, ranAt: Instant
    /// How many were granted together.
    private let count: UInt8
    /// The part of such delays that are shorter, of 2³².
    let part: UInt32

    /// - Parameters:
    ///   - number: of which the delay was drawn.
    ///   - count: 1 or more.
    init(grantedAt: Instant, ranAt: Instant, drawnOf number: UInt64, leastOf count: Int) {
        (self.grantedAt, self.ranAt) = (grantedAt, ranAt)
        self.count = UInt8(clamping: count)
        let longer = DeterministicMath.exp(
            Double(count) * DeterministicMath.log(1 - RandomStream.uniform(number)))
        part = count == 1 ? UInt32(number >> 32) : UInt32(cutting: min(1 - longer, 1 - 0x1p-32) * 0x1p32)
    }

    /// The delay of which so many parts of 2³² are shorter.
    func delay(at part: UInt64, _ delays: DurationDistribution) -> Duration {
        if count == 1 { return delays.draw(part << 32) }
        let longer = DeterministicMath.exp(DeterministicMath.log(1 - (Double(part) + 0.5) * 0x1p-32) / Double(count))
        return delays.draw(UInt64(cutting: max(0, 1 - longer) * 0x1p64))
    }
}
