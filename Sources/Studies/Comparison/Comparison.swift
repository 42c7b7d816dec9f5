import Basics
import Reporting
import ScenarioFiles

/// The differences between two sets of runs, metric by metric, over pairs of runs that share their random numbers.
package struct Comparison: Sendable {
    /// One metric that both have.
    package struct Row: Sendable {
        package let metric, unit: String
        /// The second less the first.
        package let difference: PairedDifference

        /// How large the difference is beside the larger of the two means, 0 to 2; 0 where both are 0.
        package var effect: Double {
            let larger = max(difference.baseline.mean.magnitude, difference.variant.mean.magnitude)
            return larger == 0 ? 0 : difference.difference.mean.magnitude / larger
        }

        /// Whether it rises from nothing, so that no share says by how much.
        var isFromNothing: Bool { difference.baseline.mean == 0 && difference.variant.mean != 0 }

        /// Whether it can be told from chance: its interval leaves 0 out. With one pair there is no telling.
        package var isSure: Bool { difference.excludesZero ?? false }
    }

    /// The names of what is compared, for the table: `jitter=0s` with `jitter=10m`.
    package let baseline, variant: String
    /// The columns that tell the study's points apart, with the second's values; none of two runs.
    let place: [(column: String, value: String)]
    /// Within one study the column that is compared, and the first's value of it.
    let compared: (column: String, baseline: String)?
    package let pairs: Int
    /// Whether both runs of every pair have one seed.
    package let sharesSeeds: Bool
    /// How the runs of the first pair are unlike each other in people, length or kinds; nil if they are alike.
    package let unlikeness: String?
    /// Those that can be told from chance first, by their effect, the largest first; of both what rises from nothing
    /// last.
    package let rows: [Row]
    /// The names of all metrics of either, those too that are not defined in some run.
    private let metrics: [String]
    /// The figures of the first pair, which know a metric by further names.
    private let firstPair: [RunFigures]

    /// - Parameter place: where the name stands, for the problem.
    /// - Throws: a sentence with the nearest name if no side of any comparison has such a metric.
    package static func check(metric: String, of comparisons: [Comparison], at place: String) throws(StudyProblem) {
        guard let first = comparisons.first, comparisons.allSatisfy({ $0.name(of: metric) == nil }) else { return }
        throw .unknown(metric: metric, among: first.metrics, at: place)
    }

    /// The name in the rows of a metric that thresholds name; nil if no side has it.
    package func name(of metric: String) -> String? {
        metrics.contains(metric) ? metric : firstPair.lazy.compactMap { $0.figure(metric)?.metric }.first
    }

    /// Pairs the runs by their seeds, or by their replications where they have no seed in common.
    ///
    /// - Throws: a sentence if there are no pairs.
    package init(
        _ baseline: [SavedRuns.Run], _ variant: [SavedRuns.Run], named labels: (String, String),
        at place: [(column: String, value: String)] = [],
        by compared: (column: String, baseline: String)? = nil
    ) throws {
        (self.baseline, self.variant) = labels
        (self.place, self.compared) = (place, compared)
        let bySeed = Self.pairs(baseline, variant, by: \.seed)
        let pairs = bySeed.isEmpty ? Self.pairs(baseline, variant, by: \.replication) : bySeed
        guard !pairs.isEmpty else {
            throw StudyProblem("\(labels.0) and \(labels.1) have no seed or replication in common")
        }
        self.pairs = pairs.count
        sharesSeeds = !bySeed.isEmpty
        unlikeness = try RunExtent(folder: pairs[0].0.folder).difference(from: RunExtent(folder: pairs[0].1.folder))
        firstPair = [try RunFigures(folder: pairs[0].0.folder), try RunFigures(folder: pairs[0].1.folder)]
        var metrics: [(metric: String, unit: String)] = []
        var names: [String] = []
        var values: [String: (a: [Double], b: [Double])] = [:]
        for (first, second) in pairs {
            let (a, b) = (try RunFigures(folder: first.folder), try RunFigures(folder: second.folder))
            let others = Dictionary(b.figures.map { ($0.metric, $0) }, uniquingKeysWith: { first, _ in first })
            names = (names + (a.figures + b.figures).map(\.metric)).uniqued
            for figure in a.figures {
                guard let mine = figure.value, let other = others[figure.metric], figure.unit == other.unit,
                    let theirs = other.value
                else {
                    continue
                }
                if values[figure.metric] == nil { metrics.append((figure.metric, figure.unit)) }
                values[figure.metric, default: ([], [])].a.append(mine)
                values[figure.metric]!.b.append(theirs)
            }
        }
        self.metrics = names
        // A metric that some pair does not have would be compared over other people than the rest.
        rows = metrics.compactMap { metric, unit -> Row? in
            guard let (a, b) = values[metric], a.count == pairs.count else { return nil }
            return Row(metric: metric, unit: unit, difference: PairedDifference(baseline: a, variant: b))
        }
        .sorted { x, y in
            if x.isSure != y.isSure { return x.isSure }
            // A rise from nothing has the largest change there is, however little it is.
            return x.isFromNothing == y.isFromNothing ? x.effect > y.effect : y.isFromNothing
        }
    }

    private static func pairs<Key: Hashable>(_ a: [SavedRuns.Run], _ b: [SavedRuns.Run], by key: (SavedRuns.Run) -> Key)
        -> [(SavedRuns.Run, SavedRuns.Run)]
    {
        let others = Dictionary(b.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        return a.compactMap { run in others[key(run)].map { (run, $0) } }
    }

    /// Two studies or runs: points of equal values with each other.
    ///
    /// - Throws: a sentence if they have no point in common.
    package static func between(_ a: SavedRuns, _ b: SavedRuns, named names: (String, String)) throws -> [Comparison] {
        guard Set(a.columns) == Set(b.columns) else {
            throw StudyProblem(
                "\(names.0) and \(names.1) vary different things: \(listed(a.columns)) and \(listed(b.columns))")
        }
        let order = a.columns.compactMap { b.columns.firstIndex(of: $0) }
        let byValues = Dictionary(grouping: b.runs) { run in order.map { run.values[$0] } }
        var comparisons: [Comparison] = []
        for (values, runs) in a.points {
            guard let others = byValues[values] else { continue }
            let place = Study.label(a.columns, values)
            let suffix = place.isEmpty ? "" : " " + place
            comparisons.append(
                try Comparison(
                    runs, others, named: (names.0 + suffix, names.1 + suffix),
                    at: zip(a.columns, values).map { ($0, $1) }))
        }
        if comparisons.isEmpty { throw StudyProblem("the studies have no point in common") }
        return comparisons
    }

    /// Within one study: every value of a column with the baseline's, at each combination of the other columns.
    ///
    /// - Parameters:
    ///   - column: nil for `scenario`, or the only one.
    ///   - baseline: nil for the study's own, or else the first value.
    package static func within(_ study: SavedRuns, by column: String?, baseline: String?) throws -> [Comparison] {
        if study.columns.isEmpty {
            throw StudyProblem(
                "\(study.name) is one run, or a study that varies nothing: expected a second to compare it with, found none"
            )
        }
        guard
            let name = column
                ?? (study.columns.contains("scenario") ? "scenario" : study.columns.count == 1 ? study.columns[0] : nil)
        else {
            throw StudyProblem(
                "--by", expected: "the column to compare by: \(study.columns.joined(separator: ", "))", found: "nothing"
            )
        }
        guard let at = study.columns.firstIndex(of: name) else {
            throw StudyProblem(
                "--by", expected: "a column of the study: \(study.columns.joined(separator: ", "))", found: "'\(name)'")
        }
        let values = study.runs.map { $0.values[at] }.uniqued
        let base = baseline ?? (name == "scenario" ? study.baseline : nil) ?? values.first
        guard let base, values.contains(base) else {
            throw StudyProblem(
                "--baseline", expected: "a value of \(name): \(values.joined(separator: ", "))",
                found: "'\(baseline ?? "")'")
        }
        let byValues = Dictionary(grouping: study.runs, by: \.values)
        var comparisons: [Comparison] = []
        for (point, runs) in study.points where point[at] == base {
            for value in values where value != base {
                var other = point
                other[at] = value
                guard let others = byValues[other] else { continue }
                comparisons.append(
                    try Comparison(
                        runs, others, named: (Study.label(study.columns, point), Study.label(study.columns, other)),
                        at: zip(study.columns, other).map { ($0, $1) }, by: (name, base)))
            }
        }
        if comparisons.isEmpty {
            throw StudyProblem("the study has one value of \(name), \(base): there is nothing to compare it with")
        }
        return comparisons
    }

    private static func listed(_ columns: [String]) -> String {
        columns.isEmpty ? "nothing" : columns.joined(separator: ", ")
    }
}

extension SavedRuns {
    /// The runs of each combination of values, in the order of the study.
    var points: [(values: [String], runs: [Run])] {
        let byValues = Dictionary(grouping: runs, by: \.values)
        return runs.map(\.values).uniqued.map { ($0, byValues[$0]!) }
    }
}

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
