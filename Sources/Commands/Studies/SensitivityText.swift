import Basics
import Studies

/// The indices of one metric for people, the most important axis first.
struct SensitivityText {
    let metric: String
    let indices: SensitivityStudy.Indices
    let axes: [Axis]

    var text: String {
        switch indices {
        case .constant: return "\(metric) is the same at every point\n"
        case .morris(let effects):
            var table = AlignedTable(header: [metric, "mu*", "95 % interval", "mu", "sigma"], toTheLeft: [0])
            for effect in effects.sorted(by: { $0.muStar > $1.muStar }) {
                table.add([
                    axes[effect.factor].name, Figures.short(effect.muStar), interval(effect.muStarInterval),
                    Figures.signed(effect.mu),
                    Figures.short(effect.sigma),
                ])
            }
            return table.text
                + crossing(
                    effects.sorted { $0.muStar > $1.muStar }.map { ($0.factor, $0.muStarInterval) }, "--trajectories")
        case .sobol(let indices):
            var table = AlignedTable(
                header: [metric, "total", "95 % interval", "first", "95 % interval"], toTheLeft: [0])
            for index in indices.sorted(by: { $0.total > $1.total }) {
                table.add([
                    axes[index.factor].name, share(index.total), interval(index.totalInterval), share(index.first),
                    interval(index.firstInterval),
                ])
            }
            return table.text
                + crossing(indices.sorted { $0.total > $1.total }.map { ($0.factor, $0.totalInterval) }, "--base")
        }
    }

    /// A line if the intervals of two keys beside each other cross, so that their order may be another; empty if none
    /// do.
    private func crossing(_ order: [(factor: Int, interval: ConfidenceInterval?)], _ option: String) -> String {
        let pairs = zip(order, order.dropFirst()).filter { one, other in
            guard let above = one.interval, let below = other.interval else { return true }
            return above.low <= below.high
        }.map { "\(axes[$0.factor].name) and \(axes[$1.factor].name)" }
        return pairs.isEmpty
            ? ""
            : "not converged: the intervals cross of \(pairs.joined(separator: ", of ")) (a larger \(option) narrows them)\n"
    }

    private func share(_ value: Double) -> String { Figures.short((value * 1_000).rounded() / 1_000) }

    private func interval(_ interval: ConfidenceInterval?) -> String {
        interval.map { "\(Figures.short($0.low)) to \(Figures.short($0.high))" } ?? ""
    }
}
