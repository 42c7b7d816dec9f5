import Reporting

extension Comparison {
    /// One metric of the comparison with its place in the table.
    package struct Entry {
        let comparison: Comparison
        let row: Row

        var sample: SampleSummary { row.difference.difference }
    }

    /// The rows of the table `comparison`.
    package var entries: [Entry] { rows.map { Entry(comparison: self, row: $0) } }
}

extension Table<Comparison.Entry> {
    /// The table of some comparisons, which have the same columns.
    package static func comparison(of comparisons: [Comparison]) -> Self {
        comparison(axes: comparisons.first?.place.map(\.column) ?? [], by: comparisons.first?.compared?.column)
    }

    /// - Parameters:
    ///   - axes: the columns that tell the points of a study apart.
    ///   - compared: the one of them that is compared.
    static func comparison(axes: [String], by compared: String?) -> Self {
        Table(
            "comparison",
            "One metric of one comparison a row: how the second differs from the first, over pairs of runs of one seed.",
            [
                .key("baseline", "The side that is compared with.", \.comparison.baseline),
                .key("variant", "The side that is compared.", \.comparison.variant),
                .axes(axes) { $0.comparison.place.map(\.value) },
                .several(
                    compared.map { name in
                        [
                            .derived("baseline_" + name, "The first's value of the axis that is compared.") {
                                $0.comparison.compared?.baseline
                            }
                        ]
                    } ?? []),
                .metric(\.row.metric), .unitOfMetric(\.row.unit),
                .derived("pairs", "Pairs of runs.", \.comparison.pairs),
                .derived("baseline_mean", "The mean of the first.", \.row.difference.baseline.mean),
                .derived("variant_mean", "The mean of the second.", \.row.difference.variant.mean),
                .derived("difference", "The mean of the pairs' differences, the second less the first.", \.sample.mean),
                .derived(
                    "interval_low", "The lower end of its 95 % interval, by Student's paired t; empty for one pair.",
                    \.sample.interval?.low),
                .derived("interval_high", "Its upper end.", \.sample.interval?.high),
                .derived(
                    "relative_change", "The difference over the first's mean; empty where that is 0.",
                    \.row.difference.relativeChange),
                .derived("effect", "The size of the difference over the larger of both means, 0 to 2.", \.row.effect),
                .derived(
                    "p_value", "How likely a difference as large would be if there were none; empty for one pair.",
                    \.row.difference.pValue),
                .derived(
                    "variance_reduction",
                    "How many times as many independent runs would tell as much: the sum of both variances over that of the differences. Empty for one pair, and where the differences are all equal."
                ) { $0.row.difference.varianceReduction.flatMap { $0.isFinite ? $0 : nil } },
            ])
    }
}
