import ScenarioFiles

/// Replications are added until a metric's mean is known well enough at every point (the sequential procedure of Law
/// and Kelton, "Simulation Modeling and Analysis", on the relative half-width of the t interval).
///
/// Points that are known well enough get no more. The intervals of a procedure that stops when they are short cover a
/// little less than they say.
package struct SequentialReplication {
    private let metric: String
    /// The half-width asked for, as a share of the mean; above 0.
    private let halfWidth: Double
    private let most: Int
    /// How many replications each round has at least; three, so that chance does not stop it at two that are alike.
    private static let least = 3
    private var replications: Int
    /// Sentences about precision that was not reached.
    package private(set) var shortfalls: [String] = []

    /// - Parameters:
    ///   - halfWidth: of the mean, above 0.
    ///   - replications: how many every point has been given already.
    ///   - most: no point gets more.
    package init(metric: String, halfWidth: Double, replications: Int, most: Int) {
        precondition(halfWidth > 0, "a half-width of \(halfWidth)")
        self.metric = metric
        self.halfWidth = halfWidth
        self.replications = replications
        self.most = most
    }

    /// The runs to add; nil if there are none. A point with a run that failed gets no more: it would fail again.
    package mutating func next(_ study: Study, _ runs: [StudyRun], _ outcomes: [RunOutcome], _ folder: StudyFolder)
        throws -> [StudyRun]?
    {
        var values: [Int: [Double]] = [:]
        for (run, outcome) in zip(runs, outcomes) where outcome.isComplete {
            let figures = try RunFigures(folder: folder.path(of: run))
            if let value = figures.value(metric) { values[run.point.number, default: []].append(value) }
        }
        let present = Set(runs.map(\.point.number))
        let failed = Set(zip(runs, outcomes).filter { !$0.1.isComplete }.map(\.0.point.number))
        let open = study.points.filter { point in
            present.contains(point.number) && !failed.contains(point.number) && !isKnownWell(values[point.number] ?? [])
        }
        if open.isEmpty { return nil }
        let target = max(Self.least, replications + 1)
        guard target <= most else {
            shortfalls = open.map { point in
                let place = study.columns.isEmpty ? "the point" : study.label(of: point)
                return "\(place): \(metric) is not within the half-width after \(replications) replications"
            }
            return nil
        }
        var more: [StudyRun] = []
        for point in open {
            for replication in (replications + 1)...target {
                more.append(try study.run(at: point, replication: replication))
            }
        }
        replications = target
        return more
    }

    private func isKnownWell(_ values: [Double]) -> Bool {
        guard values.count >= Self.least else { return false }
        let sample = SampleSummary(values)
        return (sample.interval?.halfWidth ?? .infinity) <= halfWidth * sample.mean.magnitude
    }
}
