import ResultFiles
import Basics
import Reporting
import Studies

/// A study's messages on standard error before and after.
struct StudyMessages {
    let study: Study
    let isQuiet: Bool

    func begin(_ runs: [StudyRun], present: Int, _ settings: RunQueue.Settings) {
        begin(
            runs, "\(runs.count)" + (present > 0 ? ", of which \(present) are complete already" : ""),
            toDo: runs.count - present, settings)
    }

    /// Prints what a large study would take, by the estimates of some of its runs. Runs that its folder holds already
    /// are not looked for.
    func printEstimate(_ sample: [StudyRun], of count: Int, _ settings: RunQueue.Settings) {
        begin(
            sample, "\(count), of which \(sample.count) were looked at; those that are complete already are among them",
            toDo: count, settings)
    }

    private func begin(_ sample: [StudyRun], _ runs: String, toDo: Int, _ settings: RunQueue.Settings) {
        if isQuiet { return }
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("study     \(study.name)")
        Console.plain(
            "points    \(study.points.count)"
                + (study.columns.isEmpty ? "" : " over \(study.columns.joined(separator: ", "))"))
        Console.plain("runs      \(runs)")
        printEstimate([(sample, toDo)], settings)
    }

    /// Prints what the searches of a plan take at most, each by the estimates of some of its candidates.
    ///
    /// - Parameter people: those of the largest fleet, if it grows.
    func printPlan(_ searches: [(sample: [StudyRun], runs: Int)], people: Int?, _ settings: RunQueue.Settings) {
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("plan      \(study.name)")
        Console.plain(
            "find      \(study.columns.joined(separator: ", ")) among \(FigureText.counted(study.points.count, "value"))"
        )
        if let people {
            Console.plain(
                "growth    at most about \(searches[1].runs) of the runs, of up to \(FigureText.grouped(people)) people"
            )
        }
        Console.plain(
            "runs      at most about \(searches.reduce(0) { $0 + $1.runs }); those that are there already are not run again"
        )
        printEstimate(searches, settings)
    }

    /// - Parameter axes: each with its number of values.
    func printMap(_ axes: [String], sample: [StudyRun], runs: Int, _ settings: RunQueue.Settings) {
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("plan      \(study.name)")
        Console.plain("map       \(axes.joined(separator: ", ")), and the scenario as it stands")
        Console.plain("runs      \(runs), and those of the cures; those that are there already are not run again")
        printEstimate([(sample, runs)], settings)
    }

    /// Prints what sets of runs take together, each by the estimates of some of its runs.
    private func printEstimate(_ sets: [(sample: [StudyRun], runs: Int)], _ settings: RunQueue.Settings) {
        let seconds = sets.reduce(0) { sum, set in
            let all = set.sample.reduce(0) { $0 + $1.estimate.seconds(threads: settings.threads) }
            return sum + all / Double(max(1, set.sample.count)) * Double(set.runs)
        }
        let most = sets.flatMap(\.sample).reduce(0) { max($0, $1.estimate.memory(threads: settings.threads)) }
        let time = Figures.time(.number(max(1, (seconds / Double(settings.jobs)).rounded())))
        Console.plain(
            "estimate  \(time), \(FigureText.counted(settings.jobs, "run")) at a time on \(FigureText.counted(settings.threads, "thread")) each, \(Figures.about(most / 1_048_576)) MiB of memory for the largest"
        )
    }

    /// The tally comes last. A run that failed weighs more than a threshold that is broken.
    func end(_ runs: [StudyRun], _ outcomes: [RunOutcome], _ folder: StudyFolder) throws {
        var sentences: Set<String> = []
        for (run, outcome) in zip(runs, outcomes) {
            guard case .failed(let sentence) = outcome, sentences.insert(run.name).inserted else { continue }
            let values = study.label(of: run.point)
            Console.error(
                "run \(run.name) (\(values.isEmpty ? "" : values + ", ")replication \(run.replication)): \(sentence)")
        }
        let done = outcomes.count { $0 == .done }
        let skipped = outcomes.count { $0 == .skipped }
        let failed = outcomes.count - done - skipped
        if !isQuiet { Console.plain("results   \(folder.path)") }
        let broken = try StudyRun.complete(runs, outcomes).count {
            try FinishedRun.breaksThreshold(folder: folder.path(of: $0))
        }
        let verdict = broken > 0 ? "; \(broken) break\(broken == 1 ? "s" : "") a threshold" : ""
        Console.plain(
            "\(outcomes.count) run\(outcomes.count == 1 ? "" : "s"): \(done) done, \(skipped) skipped, \(failed) failed\(verdict)"
        )
        if failed > 0 { throw CommandFailure(.tryAgain) }
        if broken > 0 { throw CommandFailure(.brokenThreshold) }
    }
}
