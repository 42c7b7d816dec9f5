import Reporting

extension Comparison.Row {
    /// The cells of the table `comparison`.
    public func cells(in comparison: Comparison) -> [TableRows.Cell] {
        let reduction = difference.varianceReduction
        return [
            .text(comparison.baseline), .text(comparison.variant), .text(metric), .text(unit), .integer(comparison.pairs),
            .number(difference.baseline.mean), .number(difference.variant.mean), .number(difference.difference.mean),
            .number(difference.difference.interval?.low), .number(difference.difference.interval?.high), .number(difference.relativeChange),
            .number(effect), .number(difference.pValue), .number(reduction.flatMap { $0.isFinite ? $0 : nil }),
        ]
    }
}
