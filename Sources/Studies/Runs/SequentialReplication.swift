import Basics
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation

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
            let figures = try folder.figures(of: run)
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

/// A demand on how well a figure of the summary is known: its range in other draws reaches at most so far to either
/// side.
package struct PrecisionDemand: Hashable, Sendable {
    package let metric: String
    /// A share of the value, or in the metric's unit.
    package let halfWidth: Double
    package let isRelative: Bool

    /// Reads `load_peak_1s 3 %`, `share_fresh 0.01`.
    ///
    /// - Throws: a sentence with the form that is expected.
    package init(_ text: String) throws {
        let words = text.split(separator: " ").map(String.init)
        let number = words.dropFirst().joined()
        isRelative = number.hasSuffix("%")
        guard words.count >= 2, let value = Double(isRelative ? String(number.dropLast()) : number), value > 0,
            value.isFinite
        else {
            throw StudyProblem(
                "--precision", expected: "a metric and how far it may be off, such as 'load_peak_1s 3 %'",
                found: "'\(text)'")
        }
        metric = words[0]
        halfWidth = isRelative ? value / 100 : value
    }

    /// How far the range reaches over what is asked: 1 or less where it is met; much for a figure of which the
    /// people so far do not tell.
    func excess(of row: SummaryRow) -> Double {
        guard let range = row.represented ?? row.redraw else { return 10 }
        let asked = isRelative ? halfWidth * range.value.magnitude : halfWidth
        let half = (range.high - range.low) / 2
        return half <= asked ? min(1, asked > 0 ? half / asked : 1) : half / max(asked, .leastNormalMagnitude)
    }
}

/// People are added to a run until some figures are known well enough, or all people of the scenario are simulated.
///
/// Each step takes as many people as the last range promises, a tenth more, at most ten times as many. Ranges of a
/// procedure that stops when they are short hold a little less often than they say.
package struct SequentialPeople {
    /// The findings of a step.
    package struct Step: Sendable {
        package let people: Int
        /// The rows asked for, in the order of the demands.
        package let rows: [SummaryRow]
        package let isMet: Bool
    }

    private let demands: [PrecisionDemand]
    /// The people of the first step: enough for the variances of groups.
    private static let first = 1_000

    /// - Throws: why the scenario's people cannot be added one after another, or a metric that it does not have or that
    ///   has no range.
    package init(_ demands: [PrecisionDemand], of scenario: Scenario) throws {
        self.demands = demands
        if scenario.isReplay {
            throw StudyProblem(
                "--precision", expected: "a scenario of independent people",
                found: "a replay, whose people are recorded and not drawn")
        }
        let known = SummaryMetrics.all(for: scenario)
        for demand in demands {
            guard let metric = known.first(where: { $0.name == demand.metric }) else {
                throw StudyProblem.unknown(metric: demand.metric, among: known.map(\.name), at: "--precision")
            }
            if !demand.isRelative && !BoundText.divides(demand.halfWidth, metric.unit) {
                throw StudyProblem(
                    "--precision", expected: BoundText.shareWords,
                    found: "'\(demand.metric) \(FigureText.rounded(demand.halfWidth))'")
            }
            let shared = SummaryMetrics.sharedDraws(moving: demand.metric, in: scenario)
            if !shared.isEmpty {
                throw StudyProblem(
                    "--precision", expected: "a metric that differs between draws by their people alone",
                    found:
                        "'\(demand.metric)', which follows \(shared.map(\.name).joined(separator: ", ")): the seed draws that for many people at once, and `sweep --repeat` shows by how much seeds differ"
                )
            }
            if !SummaryMetrics.hasRange(demand.metric, beforeService: scenario.service != nil) {
                throw StudyProblem(
                    "--precision", expected: "a metric whose range in other draws is known",
                    found: "'\(demand.metric)', which has none")
            }
        }
    }

    /// Adds people until all demands are met.
    ///
    /// - Parameters:
    ///   - run: one of the first people only (`first(of:)`) that has not begun; it grows.
    ///   - most: all people of the scenario.
    ///   - told: takes every step.
    /// - Returns: the last step; nil if it was cancelled.
    package func advance(
        _ run: RunInProgress, most: Int, cancelled: @escaping @Sendable () -> Bool, told: (Step) -> Void
    ) throws -> Step? {
        while true {
            guard run.advance(until: { _ in cancelled() }) else {
                if let problem = run.problem { throw problem }
                return nil
            }
            let summary = RunReport(run.result()).summary
            let rows = demands.map { demand in summary.first { $0.name == demand.metric }! }
            var excess = 0.0
            for (demand, row) in zip(demands, rows) { excess = max(excess, demand.excess(of: row)) }
            let people = run.people.count
            let step = Step(people: people, rows: rows, isMet: excess <= 1)
            told(step)
            if step.isMet || people >= most { return step }
            let factor = min(10, max(1.2, 1.1 * excess * excess))
            run.grow(to: min(most, Int(cutting: (Double(people) * factor).rounded(.up))))
        }
    }

    /// The people of the first step.
    package static func first(of people: Int) -> Int { min(people, first) }
}
