import Basics
import Foundation
import Pages
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

/// A run again in draws of the parameters that nobody publishes, as a study in a folder beside its own.
struct UnknownsRun {
    let text: ScenarioText
    let overrides: [String]
    let unknowns: Unknowns
    /// The folder of the run.
    let path: String
    let isQuiet: Bool
    let threads: Int
    let allowedMemory: Double?
    let progress: ProgressArguments

    /// Beside the run's own.
    var folder: String {
        var name = path
        while name.count > 1 && name.hasSuffix("/") { name.removeLast() }
        return name + "-unknowns"
    }

    private func study() throws -> Study {
        try Study(scenario: text, overrides: overrides, design: unknowns.design)
    }

    /// Refuses a folder that holds something else, before anything is simulated.
    func check() throws {
        try OutputFolder.check(folder, for: .study, .own)
        if isQuiet { return }
        let runs = try study().sample(of: 1, replications: 1) ?? study().runs(replications: 1)
        let seconds = runs[0].estimate.seconds(threads: 1) * Double(unknowns.draws.count) / Double(threads)
        Console.plain(
            "unknowns  \(FigureText.counted(unknowns.draws.count, "more run")) over \(unknowns.axes.map(\.name).joined(separator: ", ")): about \(Figures.time(.number(max(1, seconds.rounded())))) on \(FigureText.counted(threads, "thread"))"
        )
    }

    /// Simulates the draws whose results are not there yet, writes the tables and says what came of it.
    func run() throws {
        let study = try study()
        let intervals = try StudyFolder(path: folder).alone(for: .study) { place in
            let runs = try study.runs(replications: 1)
            let bar = ProgressDisplay(isShown: !isQuiet && !progress.isHidden, interval: progress.interval)
            let settings = RunQueue.Settings(
                jobs: min(threads, runs.count), threads: 1, memory: allowedMemory ?? 0.75 * Machine.availableMemory,
                kept: .summary)
            let outcomes = RunQueue(text, in: place, settings).perform(
                runs, cancelled: { Interruption.isRequested }, progress: { bar.show($0) })
            bar.clear()
            try place.requireAll(outcomes, of: runs, study)
            let intervals = UnknownInterval.all(
                of: try RunFigures(folder: path), try runs.map { try place.figures(of: $0) }, unknowns)
            try study.writeResults(of: runs, outcomes, intervals: intervals, in: place) { Interruption.isRequested }
            return intervals
        }
        if isQuiet { return }
        for sentence in Self.sentences(intervals, unknowns) { Console.plain("unknowns  \(sentence)") }
        Console.plain("          every metric: \(folder)/\(Table.intervals.declaration.fileName)")
    }

    /// The main figures, each with what other fleets and what the unknowns do to it.
    static func sentences(_ intervals: [UnknownInterval], _ unknowns: Unknowns) -> [String] {
        UsualFigures.main.compactMap { metric in
            guard
                let found =
                    (intervals.first { $0.metric == metric }
                        ?? intervals.first { UsualFigures.name(of: $0.metric) == metric }),
                let value = found.value
            else { return nil }
            let measure = MetricText.measure(ofUnit: found.unit)
            func text(_ value: Double) -> String { FigureLabel.plain(value, measure) }
            func text(_ range: ClosedRange<Double>) -> String {
                "\(text(range.lowerBound)) to \(text(range.upperBound))"
            }
            let most = found.effect.flatMap { effect in
                effect.share >= 0.05
                    ? ", most by \(effect.name) (\(FigureText.threeDigits(effect.share * 100)) % of its variance)" : nil
            }
            return
                "\(MetricText.words(metric)) \(text(value)): \(text(found.draws)) in 95 % of \(FigureText.counted(unknowns.draws.count, "draw"))\(most ?? "")"
                + (found.draws.contains(value)
                    ? "" : "; the run's own lies outside, at the end of the range of some unknown")
                + (found.fleets.map { "; other fleets alone \(text($0))" } ?? "")
        }
    }
}
