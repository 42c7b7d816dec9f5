import Basics
import RefreshService
import Reporting
import ResultFiles
import ScenarioFiles

/// The run of a representative day, or of several, that says what a service has to do in a month: the report of a
/// herd's hour does not.
package struct MonthlyRun: Sendable {
    package let folder: String
    package let span: Duration
    /// For whom its figures stand.
    package let people: Double
    private let figures: RunFigures

    /// - Parameters:
    ///   - folder: of a run's results.
    ///   - service: whose month is asked for; the prices must be its own.
    package init(folder: String, of service: RefreshPlan) throws {
        switch try CompleteRun.check(folder: folder, readsEarlier: true) {
        case .complete: break
        case .absent:
            throw StudyProblem("--month", expected: "the folder of a run", found: "\(folder), which holds none")
        case .other(let reason), .damaged(let reason):
            throw StudyProblem("--month", expected: "complete results of a run", found: "\(folder): \(reason)")
        }
        let scenario = try ScenarioText(file: folder + "/scenario.resolved.yaml").read().scenario
        guard let its = scenario.service else {
            throw StudyProblem("--month", expected: "the results of a run with a service", found: "\(folder) without")
        }
        if its.pools.map(\.name) != service.pools.map(\.name) {
            throw StudyProblem("--month", expected: "a run with the same pools", found: "\(folder) with others")
        }
        let isEquallyDear = service.pools.indices.allSatisfy {
            its.hourPrice(ofServerIn: $0) == service.hourPrice(ofServerIn: $0)
        }
        if its.prices != service.prices || !isEquallyDear {
            throw StudyProblem(
                "--month", expected: "a run with the same prices of the service and its machines",
                found: "\(folder) with others")
        }
        let figures = try RunFigures(folder: folder)
        guard let people = figures.value("people"), figures.value("service.requests_per_month") != nil else {
            throw StudyProblem(
                "--month", expected: "a run whose report is of whole days",
                found: "\(folder) with \(TimeText.duration(scenario.reportedSpan))")
        }
        (self.folder, self.people, self.figures, span) = (folder, people, figures, scenario.reportedSpan)
    }

    package var sentence: String {
        "a month's requests, bytes and pushes are those of \(folder), a report of \(TimeText.duration(span)) of \(FigureText.grouped(Int64(people))) people"
    }

    /// Whether a metric is of a month, and so of this one run: how far others would differ is not known.
    static func says(_ metric: String) -> Bool { metric.hasSuffix("_per_month") }

    /// The figures of a month in place of those of a run with other people, to whose number they are in proportion. The
    /// servers stay the run's own.
    func completing(_ run: RunFigures) -> RunFigures {
        guard let people = run.value("people"), self.people > 0 else { return run }
        let ratio = people / self.people
        var parts: [String: Double] = [:]
        let counted = run.replacing { figure in
            guard Self.says(figure.metric), !figure.metric.hasSuffix(".cost_per_month") else { return nil }
            let isOfServers = figure.metric.hasSuffix(".cost_servers_per_month")
            let value = isOfServers ? figure.value : figures.value(figure.metric).map { $0 * ratio }
            parts[figure.metric] = value
            return .some(value)
        }
        return counted.replacing { figure in
            guard figure.metric.hasSuffix(".cost_per_month") else { return nil }
            let part = figure.metric.dropLast("cost_per_month".count)
            let costs = ["servers", "requests", "bytes"].map { parts["\(part)cost_\($0)_per_month"] }
            // One pool among several has no pushes.
            return .some(
                costs.contains(nil) ? nil : costs.reduce(parts["\(part)cost_pushes_per_month"] ?? 0) { $0 + ($1 ?? 0) })
        }
    }
}
