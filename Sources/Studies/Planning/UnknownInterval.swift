import Basics
import Reporting

/// One metric of a run under unknowns: where it lies in 95 % of their draws, beside where it lies in other draws of the
/// fleet.
package struct UnknownInterval: Sendable {
    package let metric, unit: String
    /// The run's own; nil if it is not defined.
    package let value: Double?
    /// The range of other fleets; nil where it is not known.
    package let fleets: ClosedRange<Double>?
    /// The quantiles .025 and .975 of the draws.
    package let draws: ClosedRange<Double>
    /// The unknown that moves it most; nil if it does not vary.
    package let effect: Unknowns.Effect?

    /// Those of all metrics that enough draws have, in the order of the run's.
    ///
    /// - Parameters:
    ///   - run: with the parameters as the scenario has them.
    ///   - draws: one run for each draw.
    package static func all(of run: RunFigures, _ draws: [RunFigures], _ unknowns: Unknowns) -> [UnknownInterval] {
        run.figures.compactMap { figure in
            let values = draws.map { $0.value(figure.metric) }
            let known = values.compactMap { $0 }.sorted()
            guard known.count >= 8, known.count * 2 > draws.count else { return nil }
            return UnknownInterval(
                metric: figure.metric, unit: figure.unit, value: figure.value, fleets: figure.draws,
                draws: quantile(0.025, of: known)...quantile(0.975, of: known),
                effect: unknowns.effects(on: values, most: 1).first)
        }
    }

    /// Between the two values beside it.
    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = min(sorted.count - 1, Int(cutting: place))
        let above = min(sorted.count - 1, below + 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}

extension Table<UnknownInterval> {
    package static let intervals = Table(
        "intervals",
        "One metric of a run a row: where it lies in other draws of the fleet, and where in draws of the parameters that nobody publishes.",
        [
            .metric(\.metric), .unitOfMetric(\.unit),
            .derived("value", "The run's own value; empty if it is not defined.", \.value),
            .derived(
                "fleet_p2_5", "The lower end of its range over draws of the fleet, as in `summary.csv`.",
                \.fleets?.lowerBound),
            .derived("fleet_p97_5", "The upper end.", \.fleets?.upperBound),
            .derived(
                "unknowns_p2_5", "The quantile .025 of its values over the draws of the unknowns.", \.draws.lowerBound),
            .derived("unknowns_p97_5", "The quantile .975.", \.draws.upperBound),
            .derived("unknown", "The unknown that moves it most; empty if it does not vary.") { $0.effect?.name ?? "" },
            .derived(
                "unknown_share", "The share of its variance over the draws that follows that unknown alone.",
                \.effect?.share),
        ])
}
