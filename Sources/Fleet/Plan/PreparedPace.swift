import Basics
import RefreshService
import Statistics

/// The time to the next reload that the answers of an endpoint state (S11), ready to draw.
struct PreparedPace {
    /// Whether all copies of one object state the same time.
    let isOfObject: Bool
    private let countsFromContent: Bool
    private let endpoint: UInt16
    private let steps: [(from: Instant, time: DurationDistribution)]

    init?(_ pace: ServedPace?, endpoint: Int, _ tables: inout StandardTables) throws(DistributionProblem) {
        guard let pace else { return nil }
        (isOfObject, countsFromContent, self.endpoint) = (pace.isOfObject, pace.countsFromContent, UInt16(endpoint))
        var steps: [(from: Instant, time: DurationDistribution)] = []
        for step in pace.steps { steps.append((step.from, try step.time.preparedDurations(with: &tables))) }
        self.steps = steps
    }

    /// The number of the draw that belongs to what an edge keeps.
    func number(seed: UInt64, key: Int64, madeAt: Instant) -> UInt64 {
        // All 64 bits of the key are in the address: two draws, the second looked up by the first.
        let bits = UInt64(bitPattern: key)
        let own = RandomStream(seed: seed, person: bits >> 24, purpose: .servedPace, sub: endpoint).value(
            at: bits & 0xff_ffff)
        return RandomStream(seed: own, person: 0, purpose: .servedPace).value(at: madeAt.address)
    }

    /// When content asks to be replaced that the origin made at one instant and that was fetched at another.
    func date(_ u: UInt64, madeAt: Instant, fetched: Instant) -> Instant {
        let time = (steps.last { $0.from <= madeAt } ?? steps[0]).time.draw(u)
        return max(fetched + ServedPace.least, (countsFromContent ? madeAt : fetched) + time)
    }
}
