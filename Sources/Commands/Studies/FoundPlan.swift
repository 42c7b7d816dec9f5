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
        try output.writeDataPackage(
            of: [Table.plan.declaration, candidates.declaration]
                + (growing.map { [$0.study.table($0.points).declaration] } ?? []) + [trials.declaration],
            name: "reloadsim-plan",
            title: "A plan for the scenario \(study.name)",
            hasPage: hasPage)
        let members: [(String, JSONText)] =
            [
                ("plan", .string(study.name)), ("find", .string(axis.key)),
                ("targets", .array(targets.map { .string($0.text) })), ("replications", .integer(Int64(replications))),
                ("scenario_sha256", .string(base.identity.scenarioSHA256)),
                ("seed", .string("\(base.scenario.plan.seed)")), ("people", .integer(Int64(base.scenario.people))),
                ("report_s", .number(base.scenario.reportedSpan.inSeconds)),
                ("overrides", JSONOutput.texts(overrides)),
                ("command", JSONOutput.texts(CommandLine.arguments)),
            ] + (base.scenario.report.represents.map { [("represents", .integer(Int64($0)))] } ?? [])
            + (whole.map { [("whole_sentence", .string($0.sentence))] } ?? [])
            + (growing.map { [("growth_sentence", .string($0.lastSentence(axis: axis.name)))] } ?? [])
        if hasPage { try output.writePage(members) }
        try output.complete(
            members,
            removing: (hasPage ? [] : [OutputFolder.pageName])
                + (growing == nil ? [StudyTables.growth.fileName] : []))
    }

    func json(in place: StudyFolder) throws -> [(String, JSONText)] {
        [
            ("scenario", .string(study.name)), ("results", .string(place.path)), ("find", .string(axis.key)),
            ("answer", answer.value.map { .string($0) } ?? .null), ("targets", JSONOutput.texts(targets.map(\.text))),
            ("is_confirmed", .boolean(answer.isConfirmed)),
            ("hidden", JSONOutput.texts(summary.hidden.map(\.sentence))),
            ("few_requests", JSONOutput.texts(summary.few.map(\.sentence))),
            ("plan", try Table.plan.json(summary.figures)),
            ("points", try study.pointTable(points).json(points.points)),
            ("growth", .array((growing?.verdicts ?? []).map(JSONOutput.growth))),
            ("growth_answer", growing?.last.map { .string($0) } ?? .null),
            ("whole", whole?.json ?? .array([])),
            (
                "growth_points",
                try growing.map { try $0.study.table($0.points).json($0.points.points) } ?? .array([])
            ),
        ]
    }
}
