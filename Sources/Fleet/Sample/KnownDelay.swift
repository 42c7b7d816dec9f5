import Basics
import Statistics

/// A delay of a known distribution on the way of a reload to its first try: from its grant to its run (G6), or from an
/// aligned date to the end of the jitter after it (P5).
///
/// The first of several that were granted together on a device brings the others (G7), so that the delay of all of them
/// is the least of as many draws.
struct KnownDelay: BitwiseCopyable, Sendable {
    let from, to: Instant
    /// The share of such delays that are shorter, in parts of 2³².
    let shorter: UInt32
    /// How many were granted together.
    private let count: UInt8
    let cause: Cause

    /// Jitter is that of a kind of widget, which need not be the reload's own: a reload brings others.
    enum Cause: BitwiseCopyable { case system, jitter(kind: UInt16) }

    /// - Parameters:
    ///   - number: from which the delay was drawn.
    ///   - count: 1 or more.
    init(_ cause: Cause, from: Instant, to: Instant, drawnFrom number: UInt64, leastOf count: Int = 1) {
        (self.cause, self.from, self.to) = (cause, from, to)
        self.count = UInt8(clamping: count)
        if self.count == 1 {
            shorter = UInt32(number >> 32)
        } else {
            let all = DeterministicMath.log(1 - RandomStream.uniform(number)) * Double(self.count)
            shorter = UInt32(cutting: min(1 - DeterministicMath.exp(all), 1 - 0x1p-32) * 0x1p32)
        }
    }

    /// The delay than which a share of such delays is shorter.
    ///
    /// - Parameter shorter: parts of 2³², below that.
    func delay(at shorter: UInt64, _ delays: DurationDistribution) -> Duration {
        if count == 1 { return delays.draw(shorter << 32) }
        let longer = DeterministicMath.log(1 - (Double(shorter) + 0.5) * 0x1p-32) / Double(count)
        return delays.draw(UInt64(cutting: max(0, 1 - DeterministicMath.exp(longer)) * 0x1p64))
    }

    /// The share of such delays, in parts of 2³², that are over before an instant. It is found by halves, as
    /// the delay does not fall with its share.
    func share(before instant: Instant, _ delays: DurationDistribution) -> UInt64 {
        var (low, high) = (UInt64(0), UInt64(1) << 32)
        while low < high {
            let middle = (low + high) / 2
            if from + delay(at: middle, delays) < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension DurationDistribution {
    /// How far the middle half of the draws spreads.
    var betweenQuartiles: Duration { draw(0xc000_0000_0000_0000) - draw(0x4000_0000_0000_0000) }
}
