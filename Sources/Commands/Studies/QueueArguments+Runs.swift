import ResultFiles
import Basics
import Reporting
import Studies

extension QueueArguments {
    /// Performs the runs whose results are not there yet, until it is interrupted, and shows how far it is.
    ///
    /// - Parameter repeats: whether those whose results are there are performed, too.
    func perform(_ runs: [StudyRun], of study: Study, in place: StudyFolder, repeats: Bool = false) -> [RunOutcome] {
        let bar = ProgressDisplay(isShown: !quiet && !progress.isHidden, interval: progress.interval)
        defer { bar.clear() }
        return RunQueue(study.scenario, in: place, settings(runs: runs.count, repeats: repeats)).perform(
            runs, cancelled: { Interruption.isRequested }
        ) { bar.show($0) }
    }

    /// Performs the runs whose results are not there yet, all of them: for commands that can say nothing while one is
    /// missing.
    ///
    /// - Throws: the interruption, or the first run that failed; what is complete stays.
    func performAll(_ runs: [StudyRun], of study: Study, in place: StudyFolder) throws {
        let outcomes = perform(runs, of: study, in: place)
        if Interruption.isRequested {
            throw OutputProblem(
                "interrupted; the runs that are complete stay in \(place.path), and the same command continues",
                isInterruption: true)
        }
        for (run, outcome) in zip(runs, outcomes) {
            if case .failed(let sentence) = outcome {
                throw CommandFailure(
                    .tryAgain, "\(study.scenario.file), \(run.overrides.joined(separator: " ")): \(sentence)")
            }
        }
    }
}

extension ProgressDisplay {
    /// How far a study is: the share of its work that is done, its runs, and the time left.
    fileprivate func show(_ progress: RunQueue.Progress) {
        let (here, left) = (progress.share - progress.shareBefore, 1 - progress.share)
        let time = here > 0 ? "  \(TimeText.duration(.seconds(Int64(cutting: seconds / here * left + 0.5)))) left" : ""
        show(progress.share, "\(progress.ended) of \(FigureText.counted(progress.runs, "run"))\(time)")
    }
}

extension Study {
    /// Refuses runs that are estimated to be too large, each under what sets it apart.
    ///
    /// - Parameter allowed: the bytes that a run may take; nil for what there is.
    func checkSize(of runs: [StudyRun], allowed: Double?) throws {
        for run in runs {
            try run.estimate.check(file: "\(scenario.file), \(run.overrides.dropLast().joined(separator: " "))")
        }
        try Self.checkMemory(of: runs, allowed: allowed)
    }

    /// Refuses runs of which the largest has no room in this machine's memory: the others wait for it, but it alone has
    /// to fit.
    static func checkMemory(of runs: [StudyRun], allowed: Double?) throws {
        guard let largest = runs.map(\.estimate).max(by: { $0.ownMemory(threads: 1) < $1.ownMemory(threads: 1) }) else {
            return
        }
        if let sentence = MemoryRoom.refusal(
            of: largest.ownMemory(threads: 1), threads: 1, allowed: allowed, note: largest.queueNote)
        {
            throw CommandFailure(noMemory: sentence, allowed: allowed)
        }
    }
}

extension StudyFolder {
    /// The statement that is still true after an interruption of a command that takes `--resume`.
    func interruption(_ outcomes: [RunOutcome]) -> OutputProblem {
        OutputProblem(
            "interrupted; \(outcomes.count { $0.isComplete }) of \(FigureText.counted(outcomes.count, "run")) are complete in \(path); the same command with --resume continues",
            isInterruption: true)
    }
}
