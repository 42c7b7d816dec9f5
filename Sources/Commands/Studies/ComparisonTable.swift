import Basics
import Pages
import Studies

/// One comparison for people.
struct ComparisonTable {
    let comparison: Comparison
    let isMarkdown: Bool

    private static let most = 25

    /// - Parameters:
    ///   - all: whether metrics stand there too that cannot be told from chance.
    ///   - metrics: only these, if there are any.
    func text(all: Bool, metrics: [String]) -> String {
        // A part that is the whole, such as the only segment, says nothing more.
        var rows =
            all || !metrics.isEmpty
            ? comparison.rows : UsualFigures.once(comparison.rows, \.metric, \.difference)
        let count = rows.count
        var left = ""
        if !metrics.isEmpty {
            let names = Set(metrics.map(comparison.name))
            rows = rows.filter { names.contains($0.metric) }
        } else if !all {
            let sure = comparison.pairs > 1 ? rows.filter(\.isSure) : rows.filter { $0.effect > 0 }
            // The usual figures stand there whether they differ or not.
            let usual = UsualFigures.chosen(from: rows, \.metric) {
                $0.difference.baseline.mean == 0 && $0.difference.variant.mean == 0
            }
            let names = Set(usual.map(\.metric))
            let others = sure.filter { !names.contains($0.metric) }
            rows = usual + others.prefix(Self.most)
            left =
                "\(max(0, others.count - Self.most)) more differ" + (comparison.pairs > 1 ? " surely" : "")
                + ", \(count - sure.count) \(comparison.pairs > 1 ? "cannot be told from chance" : "are equal") (--all shows them)\n"
        }
        var table = AlignedTable(
            header: ["metric", "first", "second", "difference", "95 % interval", "change", "variance"], toTheLeft: [0])
        for row in rows {
            let found = row.difference
            table.add([
                row.metric, Figures.short(found.baseline.mean), Figures.short(found.variant.mean),
                Figures.signed(found.difference.mean),
                found.difference.interval.map { "\(Figures.signed($0.low)) to \(Figures.signed($0.high))" } ?? "",
                found.relativeChange.map { Figures.signed($0 * 100) + " %" } ?? "",
                found.varianceReduction.map { $0.isFinite ? "1/\(Figures.short($0))" : "0" } ?? "",
            ])
        }
        let single =
            comparison.pairs == 1
            ? "no interval or variance: one pair of runs does not tell a difference from chance, more pairs (--repeat of sweep or compare) do\n"
            : ""
        let reductions = rows.compactMap(\.difference.varianceReduction).sorted()
        // The lower of two in the middle.
        let reduction = reductions.isEmpty ? nil : reductions[(reductions.count - 1) / 2]
        let pairing = reduction.map {
            "variance: what pairing leaves of it, " + ($0.isFinite ? "1/\(Figures.short($0))" : "nothing")
                + " in the median of these rows\n"
        }
        let pairs =
            "\(comparison.pairs) pair\(comparison.pairs == 1 ? "" : "s") of runs\(comparison.sharesSeeds ? "" : " without common random numbers")"
        if isMarkdown {
            return
                "**\(AlignedTable.markdownCell(comparison.baseline))** → **\(AlignedTable.markdownCell(comparison.variant))**, \(pairs)\n\n"
                + table.markdown
                + (single + left == "" ? "" : "\n" + single + left)
        }
        return "first   \(VisibleText.of(comparison.baseline))\nsecond  \(VisibleText.of(comparison.variant))\n"
            + pairs + "\n\n" + table.text + (comparison.sharesSeeds ? pairing ?? "" : "") + single + left
    }
}
