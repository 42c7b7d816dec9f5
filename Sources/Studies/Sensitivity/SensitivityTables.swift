import ResultFiles
import Basics
import Pages
import Reporting

extension SensitivityStudy {
    /// Writes the design in the unit cube, the outputs and the indices, which other programs for sensitivity can read
    /// as well; the manifest last.
    ///
    /// - Parameter hasPage: whether the page is among the files.
    package func write(metrics: [String], outputs: [[Double]], to path: String, hasPage: Bool = false) throws {
        let folder = try OutputFolder(path: path, for: .sensitivity, .own)
        let places = Table.sensitivityDesign(axes: axes.map(\.name))
        let figures = Table.sensitivityOutputs(metrics: metrics)
        try folder.write(places, points)
        try folder.write(figures, points.indices.map { point in outputs.map { $0[point] } })
        let last = try write(design, zip(metrics, outputs), to: folder)
        try folder.finish(
            [places.declaration, figures.declaration, last], of: .sensitivity,
            titled: "What \(study.name) depends on", ["sensitivity": study.name, "keys": axes.map(\.key)],
            hasPage: hasPage)
    }

    /// The table of indices of the method, as `write` writes it.
    package var indicesTable: TableDeclaration { design.declaration }

    /// Writes the table of indices of the method, with a row for every metric and axis.
    private func write<Design: SensitivityDesign>(
        _ design: Design, _ outputs: some Sequence<(String, [Double])>, to folder: OutputFolder
    ) throws(OutputProblem) -> TableDeclaration {
        try folder.write(
            design.table,
            outputs.flatMap { metric, outputs in
                let indices = Self.vary(outputs) ? design.indices(of: outputs) : nil
                return axes.indices.map { AxisRow(metric: metric, axis: axes[$0].name, index: indices?[$0]) }
            })
        return design.declaration
    }
}

extension SensitivityDesign {
    var declaration: TableDeclaration { table.declaration }
}

extension Table<[Double]> {
    static func sensitivityDesign(axes: [String]) -> Self {
        Table(
            "design", "One point of a design of sensitivity a row, in the order of its runs.",
            axes.enumerated().map { place, axis in .derived(axis, "The place on the axis, 0 to 1.") { $0[place] } })
    }

    static func sensitivityOutputs(metrics: [String]) -> Self {
        Table(
            "outputs", "The metrics at one point of a design of sensitivity a row, in the same order.",
            metrics.enumerated().map { place, metric in
                .derived(metric, "The metric: the mean over the point's replications.") { $0[place] }
            })
    }
}

/// The index of one axis for one metric.
struct AxisRow<Index> {
    let metric, axis: String
    /// Nil if the metric is the same at every point.
    let index: Index?
}

extension Table<AxisRow<SobolIndices>> {
    static let sobolIndices = Table(
        "indices", "How much of the variance of one metric over the design is due to one axis, a row each.",
        [
            .output(\.metric), .factor(\.axis),
            .derived(
                "first",
                "The first-order index: the share of the variance that goes if this axis alone is known (Saltelli et al. 2010).",
                \.index?.first),
            .derived("first_low", "The lower end of its 95 % interval, by a bootstrap.", \.index?.firstInterval?.low),
            .derived("first_high", "Its upper end.", \.index?.firstInterval?.high),
            .derived(
                "total",
                "The total index: the share that stays if all others are known, interactions included (Jansen 1999).",
                \.index?.total),
            .derived("total_low", "The lower end of its 95 % interval.", \.index?.totalInterval?.low),
            .derived("total_high", "Its upper end.", \.index?.totalInterval?.high),
        ])
}

extension Table<AxisRow<MorrisEffect>> {
    static func morrisEffects(levels: Int) -> Self {
        Table(
            "indices", "How far one metric moves if one axis goes from one end to the other, a row each (Morris 1991).",
            [
                .output(\.metric), .factor(\.axis),
                .derived("levels", "The levels of the design's grid.") { _ in levels },
                .derived("mu", "The mean of the elementary effects, in the metric's unit.", \.index?.mu),
                .derived("mu_star", "The mean of their sizes: how much the axis matters.", \.index?.muStar),
                .derived(
                    "mu_star_low", "The lower end of its 95 % interval, by a bootstrap.", \.index?.muStarInterval?.low),
                .derived("mu_star_high", "Its upper end.", \.index?.muStarInterval?.high),
                .derived(
                    "sigma",
                    "Their standard deviation: how far the effect depends on the other axes, or is no straight line.",
                    \.index?.sigma
                ),
            ])
    }
}

extension Columns {
    fileprivate static func output(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("output", "The metric.", value)
    }
    fileprivate static func factor(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("factor", "The axis.", value)
    }
}
