import Basics
import Reporting
import ResultFiles
import ScenarioFiles
import ScenarioModel
import Simulation

/// A scenario with what is varied in it: which runs there are, each with its overrides, its seed and its name.
///
/// Replication `r` of every point has the scenario's seed plus r − 1: all points share their random numbers, so what
/// differs between them is what was varied and not another sample of people (common random numbers).
package struct Study: Sendable {
    package enum Seeds: String, CaseIterable, Sendable {
        case byReplication = "by-replication"
        /// Every run has a seed of its own, made from its overrides and its replication: points are independent of each
        /// other.
        case perRun = "per-run"
    }

    package let name: String
    package let scenario: ScenarioText
    /// The overrides of the command line, at every point.
    package let overrides: [String]
    package let design: StudyDesign
    package let points: [DesignPoint]
    package let seeds: Seeds
    /// The set of overrides that the others are compared with; nil without any.
    package let baseline: String?
    private let baseSeed: UInt64
    /// The scenario without what is varied.
    let scenarioAsItStands: Scenario
    /// By the number of the point: no seed changes an estimate.
    private let estimates = LockedValue<[Int: ScenarioEstimate]>([:])

    /// - Throws: problems of the scenario as it stands, and of the design.
    package init(
        name: String? = nil, scenario: ScenarioText, overrides: [String] = [], design: StudyDesign,
        seeds: Seeds = .byReplication,
        baseline: String? = nil
    ) throws {
        let base = try scenario.readChecked(overrides: overrides).scenario
        self.name = name ?? base.name
        self.scenario = scenario
        // A study tells by its replications how far figures differ.
        let goesWithoutRanges =
            base.peopleBeforeService != nil && !overrides.contains { $0.hasPrefix("report.ranges=") }
        self.overrides = overrides + (goesWithoutRanges ? ["report.ranges=false"] : [])
        self.design = design
        self.seeds = seeds
        self.baseline = baseline ?? design.variants.first?.name
        points = try design.points()
        baseSeed = base.plan.seed
        scenarioAsItStands = base
    }

    /// The names of the columns that tell points apart: `scenario` if there are sets of overrides, then the axes.
    package var columns: [String] { design.names }

    /// Whether all points have the same fleet, before other services: then runs that come later have the beginning of
    /// its devices in common with those that come first.
    package var hasOneFleet: Bool {
        design.variants.isEmpty && design.axes.allSatisfy { KeyCatalogue.isBehindClients($0.key) }
    }

    /// The values of a point, one for each column.
    package func values(of point: DesignPoint) -> [String] { columns.map { design.value(of: $0, at: point) } }

    /// A point by what it sets: `jitter=10m`.
    package func label(of point: DesignPoint) -> String { Self.label(columns, values(of: point)) }

    static func label(_ columns: [String], _ values: [String]) -> String {
        zip(columns, values).map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// One run of the study.
    ///
    /// - Parameters:
    ///   - replication: counted from 1.
    ///   - keepsScenario: whether the run has its scenario at hand as it was read.
    /// - Throws: the problems of the scenario at this point.
    package func run(
        at point: DesignPoint, replication: Int, keepsScenario: Bool = false
    ) throws(ScenarioProblems) -> StudyRun {
        precondition(replication >= 1, "replication \(replication)")
        let varied = overrides + design.overrides(of: point)
        let seed = seed(of: varied, replication)
        let all = varied + ["seed=\(seed)"]
        let read = try scenario.readChecked(overrides: all)
        return StudyRun(
            point: point, replication: replication, overrides: all, identity: read.identity,
            fleetSHA256: read.fleetSHA256, read: keepsScenario && read.scenario.plan.replay.isEmpty ? read : nil,
            estimate: estimate(of: read.scenario, at: point))
    }

    private func estimate(of scenario: Scenario, at point: DesignPoint) -> ScenarioEstimate {
        if let known = estimates.withLock({ $0[point.number] }) { return known }
        let estimate = ScenarioEstimate(scenario)
        estimates.withLock { $0[point.number] = estimate }
        return estimate
    }

    /// The scenarios of so many runs are kept as they were read; those of more, and records of devices, are read again.
    private static let mostKept = 100

    /// The runs of all points, replication by replication within each.
    ///
    /// - Parameter replications: how many a point has, 1 or more.
    package func runs(replications: Int) throws(ScenarioProblems) -> [StudyRun] {
        var runs: [StudyRun] = []
        let keepsScenarios = points.count <= Self.mostKept / replications
        for point in points {
            for replication in 1...replications {
                runs.append(try run(at: point, replication: replication, keepsScenario: keepsScenarios))
            }
        }
        return runs
    }

    /// Throws the problems of a scenario's own study: with each of its named sets of overrides, at the first values of
    /// its axes if no condition chooses among these.
    package static func check(_ read: ParsedScenario, _ text: ScenarioText, overrides: [String]) throws {
        guard let block = read.study else { return }
        var request = try StudyRequest(block)
        (request.design, request.zips) = ("grid", [])
        request.axes = request.axes.compactMap { axis in
            guard case .listed(let values) = axis.values.content, block.conditions.isEmpty else { return nil }
            return Axis(name: axis.name, key: axis.key, values: AxisValues([values[0]]))
        }
        request.conditions = []
        let study = try Study(
            scenario: text, overrides: overrides, design: request.studyDesign(seed: read.scenario.plan.seed))
        for point in study.points {
            do throws(ScenarioProblems) {
                _ = try text.readChecked(overrides: overrides + study.design.overrides(of: point))
            } catch {
                let place = "\(text.file): study" + (point.variant.map { ".scenarios.\($0)" } ?? "")
                throw ScenarioProblems(
                    error.problems.map { problem in
                        var problem = problem
                        if problem.line == 0 { problem.file = place }
                        return problem
                    })
            }
        }
    }

    /// Some of the runs of all points, evenly spread over them; nil if there are no more than so many.
    ///
    /// - Parameter most: above 0.
    package func sample(of most: Int, replications: Int) throws(ScenarioProblems) -> [StudyRun]? {
        let (count, isTooMany) = points.count.multipliedReportingOverflow(by: replications)
        if !isTooMany && count <= most { return nil }
        var runs: [StudyRun] = []
        for number in 0..<most {
            // The place of each among all of them, without the product of both counts.
            let place = Int(Int128(points.count) * Int128(replications) * Int128(number) / Int128(most))
            runs.append(try run(at: points[place / replications], replication: place % replications + 1))
        }
        return runs
    }

    private func seed(of varied: [String], _ replication: Int) -> UInt64 {
        // Seeds of scenarios have 63 bits.
        let mask = UInt64(Int64.max)
        if seeds == .byReplication { return (baseSeed &+ UInt64(replication - 1)) & mask }
        let text = ([String(baseSeed), String(replication)] + varied).joined(separator: "\n")
        return SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & mask
    }
}

package struct StudyRun: Sendable {
    package let point: DesignPoint
    /// Counted from 1.
    package let replication: Int
    /// All that is set over the scenario's text, the seed last.
    package let overrides: [String]
    package let identity: RunIdentity
    /// Its fleet (`ParsedScenario.fleetSHA256`).
    let fleetSHA256: String?
    /// Its scenario; nil if it is to be read again.
    private(set) var read: ParsedScenario?
    package let estimate: ScenarioEstimate

    /// Its folder's name: runs of one content have one name, in whatever study they are.
    package var name: String { identity.name }
    package var seed: UInt64 { identity.seed }

    /// The run once it is performed, without what only that needs.
    var withoutScenario: StudyRun {
        var run = self
        run.read = nil
        return run
    }

    /// Those of some runs that are complete.
    package static func complete(_ runs: [StudyRun], _ outcomes: [RunOutcome]) -> [StudyRun] {
        zip(runs, outcomes).filter { $0.1.isComplete }.map(\.0)
    }
}

extension Study {
    /// Checks the name of a metric before anything is simulated.
    ///
    /// - Parameter place: where the name stands, for the problem.
    /// - Throws: a sentence with the nearest name if the scenario has no such metric, as it stands and at every point.
    package func check(metric: String, at place: String) throws {
        let known = SummaryMetrics.names(for: try scenario.readChecked(overrides: overrides).scenario)
        if known.contains(metric) {
            try Self.checkPrices(of: metric, try scenario.readChecked(overrides: overrides).scenario, at: place)
            return
        }
        for point in points {
            let read = try scenario.readChecked(overrides: overrides + design.overrides(of: point))
            if SummaryMetrics.names(for: read.scenario).contains(metric) { return }
        }
        throw StudyProblem.unknown(metric: metric, among: known, at: place)
    }

    /// Refuses a cost where nothing has a price: it would be 0 whatever the service does.
    package static func checkPrices(of metric: String, _ scenario: Scenario, at place: String) throws(StudyProblem) {
        guard metric.contains("cost_"), let service = scenario.service, !service.hasPrices else { return }
        throw StudyProblem(
            place, expected: "prices in service.prices for the metric '\(metric)', such as server_hour", found: "none")
    }
}

extension StudyProblem {
    /// Refuses names that no scenario has, before the scenario itself and what is varied are looked at.
    package static func check(metrics: [String], at place: String) throws(StudyProblem) {
        for metric in metrics where !ReportDictionary.hasMetric(metric) {
            throw .unknown(metric: metric, among: ReportDictionary.metrics.map(\.name), at: place)
        }
    }

    /// A metric that nothing measures.
    static func unknown(metric: String, among known: [String], at place: String) -> StudyProblem {
        // A metric of a part without its part.
        let ofPart = known.filter { $0.hasSuffix("." + metric) }.min { ($0.count, $0) < ($1.count, $1) }
        return StudyProblem(
            place, expected: "a metric of summary.csv as thresholds name it", found: "'\(metric)'",
            nearest: ofPart ?? Nearest.name(to: metric, among: known))
    }
}
