import Basics
import Pages
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

/// A plan with what it was found in, as files and as JSON.
struct FoundPlan {
    let study: Study
    let base: ParsedScenario
    let axis: Axis
    let targets: [PlanTarget]
    let replications: Int
    let overrides: [String]
    let answer: Planner.Answer
    let summary: PlanSummary
    let points: PointFigures
    var growing: Growing?
    var whole: WholeCheck.Outcome?

    /// A growing fleet with the capacity that was found.
    struct Growing {
        let growth: Growth
        let study: GrowthStudy
        let verdicts: [GrowthStudy.Verdict]
        let points: PointFigures
        /// The value that meets all targets in the last month; nil if a target breaks and no candidate does.
        let last: String?
    }

    func save(in place: StudyFolder, hasPage: Bool) throws {
        let output = try OutputFolder(path: place.path, for: .plan, .own, lock: place.lock)
        let trials = Table.trials(axis: axis.name, metrics: PlanTarget.metrics(of: targets))
        try output.write(.plan, summary.figures)
        let candidates = study.pointTable(points)
        try output.write(candidates, points.points)
        if let growing { try output.write(growing.study.table(growing.points), growing.points.points) }
        try output.write(trials, answer.rows(targets: targets))
        var members: JSONMembers = [
            "plan": study.name, "find": axis.key, "targets": targets.map(\.text), "replications": replications,
            "scenario_sha256": base.identity.scenarioSHA256,
            "seed": "\(base.scenario.plan.seed)", "people": base.scenario.people,
            "report_s": base.scenario.reportedSpan.inSeconds, "overrides": overrides,
            "command": CommandLine.arguments,
        ]
        members.add("represents", base.scenario.report.represents)
        members.add("whole_sentence", whole?.sentence)
        members.add("growth_sentence", growing?.lastSentence(axis: axis.name))
        try output.finish(
            [Table.plan.declaration, candidates.declaration]
                + (growing.map { [$0.study.table($0.points).declaration] } ?? []) + [trials.declaration],
            of: .plan, titled: "A plan for the scenario \(study.name)", members, hasPage: hasPage,
            removing: growing == nil ? [StudyTables.growth.fileName] : [])
    }

    func json(in place: StudyFolder) throws -> JSONMembers {
        [
            "scenario": study.name, "results": place.path, "find": axis.key,
            "answer": answer.value, "targets": targets.map(\.text), "is_confirmed": answer.isConfirmed,
            "hidden": summary.hidden, "few_requests": summary.few,
            "plan": try Table.plan.json(summary.figures), "points": try study.pointTable(points).json(points.points),
            "growth": growing?.verdicts ?? [], "growth_answer": growing?.last,
            "whole": whole?.json ?? JSONText.array([]),
            "growth_points": try growing.map { try $0.study.table($0.points).json($0.points.points) }
                ?? JSONText.array([]),
        ]
    }
}
