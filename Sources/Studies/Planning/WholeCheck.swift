import ScenarioFiles

/// The answer of a plan from a sample, and the value one step before it, before all people for whom the sample stands.
package struct WholeCheck {
    /// That of all people, one run a value.
    package let study: Study
    package let people: Int
    private let targets: [PlanTarget]

    /// Nil if the people of the study stand for others.
    package init?(of study: Study, _ targets: [PlanTarget], people: Int) {
        if study.scenarioAsItStands.peopleBeforeService != nil { return nil }
        (self.study, self.targets, self.people) = (study, targets, people)
    }

    package struct Outcome: Sendable {
        package let people: Int
        package let targets: [PlanTarget]
        /// The units of the targets' metrics.
        package let units: [String]
        /// The answer, then the value before it, if there is one.
        package let rows: [Planner.Trial]

        package var answerHolds: Bool { rows[0].holds }
    }

    /// - Parameters:
    ///   - values: the answer, and others of the study.
    ///   - perform: performs the runs whose results are not there yet.
    package func outcome(
        _ values: [String], in place: StudyFolder, perform: ([StudyRun], Study) throws -> Void
    ) throws -> Outcome {
        let points = values.compactMap { value in study.points.first { $0.values == [value] } }
        let runs = try points.map { try study.run(at: $0, replication: 1) }
        try perform(runs, study)
        let all = try runs.map { try RunFigures(folder: place.path(of: $0)) }
        return Outcome(
            people: people, targets: targets, units: targets.map { all.first?.figure($0.metric)?.unit ?? "" },
            rows: zip(runs, all).map { Planner.Trial($0, $1, targets) })
    }
}
