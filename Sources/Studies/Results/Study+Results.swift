import ResultFiles
import Basics
import Pages
import Reporting
import ScenarioFiles

extension Study {
    /// Writes the tables of a study, read from the folders of its runs: the same runs give the same bytes, in whatever
    /// order and by whatever means they were made. `design.csv`, `runs.csv`, `study.csv`, `points.csv` and what
    /// describes them, the manifest last.
    ///
    /// - Parameters:
    ///   - all: every run of the study, complete or not, in the order of points and replications.
    ///   - outcomes: one for each of `all`.
    ///   - points: the metrics that are shown; nil for no table of them.
    ///   - gathered: tables of the runs that are written as one each.
    ///   - intervals: of a run whose unknowns the study draws; nil for none.
    ///   - hasPage: whether the page is among the files.
    package func writeResults(
        of all: [StudyRun], _ outcomes: [RunOutcome], points: PointFigures? = nil,
        gathering gathered: [GatheredTable] = [], intervals: [UnknownInterval]? = nil, hasPage: Bool = false,
        in folder: StudyFolder,
        isInterrupted: @escaping () -> Bool
    ) throws {
        let runs = StudyRun.complete(all, outcomes)
        let output = try OutputFolder(
            path: folder.path, for: .study, .own, lock: folder.lock, isInterrupted: isInterrupted)
        let axes = axisColumns
        let (design, figures, metrics) = (
            Table.design(axes: columns), Table.runs(axes: axes), Table.study(axes: axes)
        )
        try output.write(design, rows(of: all))
        var samples = MetricSamples()
        try output.write(figures) { (add) throws(OutputProblem) in
            for row in rows(of: runs) {
                let found: RunFigures
                do throws(CSVProblem) { found = try folder.figures(of: row.run) } catch {
                    throw OutputProblem(error.description)
                }
                let cells = PreparedCells(row, RunRow.columns(axes: axes))
                for figure in found.figures { try add(FigureRow(run: cells, figure: figure)) }
                samples.add(found, at: row.run.point.number)
            }
        }
        try output.write(metrics) { (add) throws(OutputProblem) in
            for point in self.points {
                let cells = PreparedCells(
                    PointRow(study: name, point: point.number, values: values(of: point)),
                    PointRow.columns(axes: axes))
                for sample in samples.samples(at: point.number) {
                    try add(
                        SampleRow(
                            point: cells, metric: sample.metric, unit: sample.unit,
                            sample: sample.values.isEmpty ? nil : SampleSummary(sample.values)))
                }
            }
        }
        let shown = points.map { pointTable($0) }
        if let points, let shown { try output.write(shown, points.points) }
        if let intervals { try output.write(.intervals, intervals) }
        for table in gathered { try table.write(runs, of: self, axes, from: folder, to: output) }
        var members = manifest(all, outcomes)
        if let points {
            members.add(
                "frontier",
                points.frontier?.map { metric in
                    let unit = points.units[points.metrics.firstIndex(of: metric)!]
                    return JSONText.object([
                        "metric": metric, "unit": unit, "more_is_better": UsualFigures.isBetterMore(metric),
                    ])
                })
            members += ["winners": points.winners().map { $0.sentence(columns: columns, isTitled: true) }]
            if let sentence = points.targetSentence(columns: columns) {
                members += ["target_sentence": sentence, "holding_points": points.points.count(where: \.holds)]
            }
        }
        try output.finish(
            [design.declaration, figures.declaration, metrics.declaration]
                + (shown.map { [$0.declaration] } ?? []) + (intervals == nil ? [] : [Table.intervals.declaration])
                + gathered.map { $0.declaration(axes) },
            of: .study, titled: "The study \(name)", members, hasPage: hasPage,
            status: outcomes.allSatisfy(\.isComplete) ? Manifest.complete : "incomplete",
            removing: intervals == nil ? [Table.intervals.declaration.fileName] : [])
    }

    /// The manifest's part about the study.
    private func manifest(_ all: [StudyRun], _ outcomes: [RunOutcome]) -> JSONMembers {
        let runs = zip(all, outcomes).map { run, outcome in
            var members: JSONMembers = [
                "run": run.name, "point": run.point.number, "replication": run.replication,
                "seed": String(run.seed), "overrides": run.overrides, "scenario_sha256": run.identity.scenarioSHA256,
            ]
            if case .failed(let sentence) = outcome { members.add("failure", sentence) }
            return JSONText.object(members)
        }
        return [
            "study": name, "scenario": scenario.file, "seeds": seeds.rawValue,
            "columns": columns, "baseline": baseline, "points": self.points.count, "runs": runs,
        ]
    }
}

/// The values of every metric at every point.
struct MetricSamples {
    struct Sample {
        let metric, unit: String
        var values: [Double] = []
    }

    private struct Point {
        var samples: [Sample] = []
        /// The place of each metric among them.
        var places: [String: Int] = [:]
    }

    private var byPoint: [Int: Point] = [:]

    /// Metrics that the point did not have before come last.
    mutating func add(_ figures: RunFigures, at point: Int) {
        var its = byPoint.removeValue(forKey: point) ?? Point()
        for (index, figure) in figures.figures.enumerated() {
            var at = index
            // Runs of one point have the same metrics in one order, but for what an axis changes.
            if index >= its.samples.count || its.samples[index].metric != figure.metric {
                at = its.places[figure.metric] ?? its.samples.count
                if at == its.samples.count {
                    its.samples.append(Sample(metric: figure.metric, unit: figure.unit))
                    its.places[figure.metric] = at
                }
            }
            if let value = figure.value { its.samples[at].values.append(value) }
        }
        byPoint[point] = its
    }

    func samples(at point: Int) -> [Sample] { byPoint[point]?.samples ?? [] }
}
