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
        }
    }

    private func share(_ value: Double) -> String { Figures.short((value * 1_000).rounded() / 1_000) }

    private func interval(_ interval: ConfidenceInterval?) -> String {
        interval.map { "\(Figures.short($0.low)) to \(Figures.short($0.high))" } ?? ""
    }
}
