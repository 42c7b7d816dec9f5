import ResultFiles
import Basics
import Reporting
import Studies

/// A study's messages on standard error before and after.
struct StudyMessages {
    let study: Study
    let isQuiet: Bool

    func begin(_ runs: [StudyRun], present: Int, _ settings: RunQueue.Settings) {
        if isQuiet { return }
        let seconds =
            runs.reduce(0) { $0 + $1.estimate.seconds(threads: settings.threads) } * Double(runs.count - present)
            / Double(max(1, runs.count))
        let most = runs.reduce(0) { max($0, $1.estimate.memory(threads: settings.threads)) }
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("study     \(study.name)")
        Console.plain(
            "points    \(study.points.count)"
                + (study.columns.isEmpty ? "" : " over \(study.columns.joined(separator: ", "))"))
        Console.plain("runs      \(runs.count)" + (present > 0 ? ", of which \(present) are complete already" : ""))
        printEstimate(seconds: seconds, most: most, settings)
    }

    /// Prints what the runs take, by their estimates: seconds of all on the threads of one, and bytes of the largest.
    private func printEstimate(seconds: Double, most: Double, _ settings: RunQueue.Settings) {
        Console.plain(
            "estimate  \(Figures.time(.number(max(1, (seconds / Double(settings.jobs)).rounded())))), \(settings.jobs) run\(settings.jobs == 1 ? "" : "s") at a time "
                + "on \(settings.threads) thread\(settings.threads == 1 ? "" : "s") each, \(Figures.about(most / 1_048_576)) MiB of memory for the largest"
        )
    }

    /// Prints what the searches of a plan take at most, each by the estimates of some of its candidates.
    ///
    /// - Parameter people: those of the largest fleet, if it grows.
    func printPlan(_ searches: [(sample: [StudyRun], runs: Int)], people: Int?, _ settings: RunQueue.Settings) {
        let seconds = searches.reduce(0) { sum, search in
            let all = search.sample.reduce(0) { $0 + $1.estimate.seconds(threads: settings.threads) }
            return sum + all / Double(max(1, search.sample.count)) * Double(search.runs)
        }
        let most = searches.flatMap(\.sample).reduce(0) { max($0, $1.estimate.memory(threads: settings.threads)) }
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
        printEstimate(seconds: seconds, most: most, settings)
    }

    /// Prints what a large study would take, by the estimates of some of its runs. Runs that its folder holds already
    /// are not looked for.
    func printEstimate(_ sample: [StudyRun], of count: Int, _ settings: RunQueue.Settings) {
        if isQuiet { return }
        let mean =
            sample.reduce(0) { $0 + $1.estimate.seconds(threads: settings.threads) } / Double(max(1, sample.count))
        let most = sample.reduce(0) { max($0, $1.estimate.memory(threads: settings.threads)) }
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("study     \(study.name)")
        Console.plain(
            "points    \(study.points.count)"
                + (study.columns.isEmpty ? "" : " over \(study.columns.joined(separator: ", "))"))
        Console.plain(
            "runs      \(count), of which \(sample.count) were looked at; those that are complete already are among them"
        )
        printEstimate(seconds: mean * Double(count), most: most, settings)
    }

    /// The tally comes last. A run that failed weighs more than a threshold that is broken.
    func end(_ runs: [StudyRun], _ outcomes: [RunOutcome], _ folder: StudyFolder) throws {
        var sentences: Set<String> = []
        for (run, outcome) in zip(runs, outcomes) {
            guard case .failed(let sentence) = outcome, sentences.insert(run.name).inserted else { continue }
            let values = zip(study.columns, study.values(of: run.point)).map { "\($0)=\($1)" }.joined(separator: " ")
            Console.error(
                "run \(run.name) (\(values.isEmpty ? "" : values + ", ")replication \(run.replication)): \(sentence)")
        }
        let done = outcomes.count { $0 == .done }
        let skipped = outcomes.count { $0 == .skipped }
        let failed = outcomes.count - done - skipped
        if !isQuiet { Console.plain("results   \(folder.path)") }
        var broken = 0
        for (run, outcome) in zip(runs, outcomes) where outcome.isComplete {
            if try folder.breaksThreshold(run) { broken += 1 }
        }
        let verdict = broken > 0 ? "; \(broken) break\(broken == 1 ? "s" : "") a threshold" : ""
        Console.plain(
            "\(outcomes.count) run\(outcomes.count == 1 ? "" : "s"): \(done) done, \(skipped) skipped, \(failed) failed\(verdict)"
        )
        if failed > 0 { throw CommandFailure(status: .tryAgain, sentence: nil) }
        if broken > 0 { throw CommandFailure(status: .brokenThreshold, sentence: nil) }
    }
}
