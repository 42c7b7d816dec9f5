import RunFiles
import Studies

extension QueueArguments {
    /// Performs the runs whose results are not there yet, all of them: for commands that can say nothing while one is missing.
    ///
    /// - Throws: the interruption, or the first run that failed; what is complete stays.
    func performAll(_ runs: [StudyRun], of study: Study, in place: StudyFolder) throws {
        let bar = StudyBar(isShown: showsProgress)
        let outcomes = RunQueue(study.scenario, in: place, settings(runs: runs.count)).perform(
            runs, cancelled: { Interruption.isRequested }
        ) { bar.show($0) }
        bar.clear()
        if Interruption.isRequested {
            throw OutputProblem(
                "interrupted; the runs that are complete stay in \(place.path), and the same command goes on", isInterruption: true)
        }
        for (run, outcome) in zip(runs, outcomes) {
            if case .failed(let sentence) = outcome {
                throw CommandFailure(
                    status: .failedRuns, sentence: "\(study.scenario.file), \(run.overrides.joined(separator: " ")): \(sentence)")
            }
        }
    }
}
