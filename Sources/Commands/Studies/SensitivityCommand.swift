import ArgumentParser
import Basics
import Foundation
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

struct Sensitivity: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensitivity",
        abstract: "Ranks keys by their effect on a metric: Morris's screening, or Sobol's shares of the variance.",
        discussion: """
            Keys are varied with --vary, or by the axes of the scenario's study: over all values between two, range(from,to) or log(from,to), or over a list of \
            equally likely values. Morris takes trajectories x (keys + 1) runs and ranks the keys; Sobol takes base x (keys + 2) runs and gives shares with intervals. All \
            runs share their random numbers. The folder gets the runs, the tables of a study, and sensitivity/ with design, outputs and indices.
            """ + HelpExamples.text(
            """
            # which of the unknown parameters move the largest minute
            reloadsim sensitivity Scenarios/unknowns.yaml --metric load_peak_1m
            # shares of the variance, by Sobol's indices
            reloadsim sensitivity Scenarios/unknowns.yaml --method sobol --only a_max
            """))

    enum Method: String, CaseIterable, ExpressibleByArgument { case morris, sobol }

    @OptionGroup var arguments: ScenarioArguments

    @Option(help: "morris to screen many keys, sobol for shares of the variance.")
    var method: Method = .morris

    @Option(
        "vary", takes: "key=values",
        "A key and its values: range(from,to), log(from,to) or a,b,c; name:key=… names it. Repeatable.",
        completion: Suggestions.keys)
    var axes: [String] = []

    @Option(takes: "names", "Vary only these keys, given by their names, with commas between them.")
    var only: String?

    @Option(
        "metric", takes: "name",
        "A metric to explain. Repeatable. (default: share_fresh, load_peak_1s, share_tokens_expired)",
        completion: Suggestions.metrics)
    var metrics: [String] = []

    @Option(help: "Trajectories of Morris's design: 2 or more.")
    var trajectories = 20

    @Option(help: "Levels of Morris's design: an even number of values of each key.")
    var levels = 4

    @Option(help: "Rows of Sobol's design, best a power of two.")
    var base = 64

    @Option(
        "repeat", takes: "count",
        "Replications of every point, each with the next seed; their mean is explained. (default: those of the scenario's study, or 1)"
    )
    var replications: Int?

    @Option(
        "out", takes: "folder", "The folder for the results. (default: out/sensitivity-<the study's name>)",
        completion: .directory)
    var folder: String?

    @Flag(help: "Resume in a folder that holds results: runs that are complete are not run again.")
    var resume = false

    @Flag(help: "Say what it would take, and stop.")
    var dryRun = false

    @OptionGroup var printed: JSONArguments

    @OptionGroup(title: "Work") var queue: QueueArguments
    @OptionGroup var page: PageArguments
    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        try FolderName.check(folder)
        try ValidationError.check(trajectories, of: "--trajectories", in: 2...100_000)
        if !(2...1_000).contains(levels) || levels % 2 != 0 {
            throw ValidationError("--levels takes an even number from 2 to 1000.")
        }
        try ValidationError.check(base, of: "--base", in: 2...1_000_000)
        try ValidationError.check(replications, of: "--repeat", in: 1...10_000)
    }

    func run() throws {
        console.use()
        try StudyProblem.check(metrics: metrics, at: "--metric")
        let (text, base) = try arguments.readText()
        var request = try StudyRequest(base.study)
        for text in axes { request.add(try Axis.read(text)) }
        if let only {
            request.axes = try SensitivityStudy.axes(
                request.axes, only: only.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        try request.checkForSensitivity()
        let design = try SensitivityStudy(
            method == .morris ? .morris(trajectories: trajectories, levels: levels) : .sobol(base: self.base),
            name: request.name,
            scenario: text, overrides: arguments.overrides.all, axes: request.axes, conditions: request.conditions,
            seed: base.scenario.plan.seed)
        let study = design.study
        for metric in metrics { try study.check(metric: metric, at: "--metric") }
        let runs = try study.runs(replications: replications ?? request.replications)
        try study.checkSize(of: runs, allowed: queue.allowedMemory)
        let place = StudyFolder(path: folder ?? "out/sensitivity-" + FolderName.safe(study.name))
        let messages = StudyMessages(study: study, isQuiet: queue.quiet)
        messages.begin(
            runs, present: runs.count { place.has($0, keeping: queue.kept) }, queue.settings(runs: runs.count))
        if dryRun { return }
        Interruption.watch()
        try place.alone(for: .study, resume ? .own : .nothing(cure: "--resume continues with the runs in it")) {
            try perform(design, runs, $0, messages)
        }
    }

    private func perform(
        _ design: SensitivityStudy, _ runs: [StudyRun], _ place: StudyFolder, _ messages: StudyMessages
    ) throws {
        let outcomes = queue.perform(runs, of: design.study, in: place)
        if Interruption.isRequested { throw place.interruption(outcomes) }
        try design.study.writeResults(of: runs, outcomes, hasPage: page.isWanted, in: place) {
            Interruption.isRequested
        }
        // With a point missing there are no indices: the tally says so.
        if outcomes.allSatisfy(\.isComplete) {
            let metrics = self.metrics.isEmpty ? Self.usualMetrics : self.metrics
            let outputs = try design.outputs(metrics, runs: runs, in: place)
            try design.write(
                metrics: metrics, outputs: outputs, to: place.path + "/sensitivity", hasPage: page.isWanted)
            if printed.json {
                let file = place.path + "/sensitivity/" + design.indicesTable.fileName
                guard let bytes = FileManager.default.contents(atPath: file) else {
                    throw OutputProblem("\(file) is gone")
                }
                try JSONOutput.write(
                    "sensitivity",
                    [
                        "scenario": design.study.name, "results": place.path,
                        "indices": design.indicesTable.json(ofCSV: bytes),
                    ])
                return try messages.end(runs, outcomes, place)
            }
            let texts = zip(metrics, outputs).map {
                SensitivityText(metric: $0, indices: design.indices(of: $1), axes: design.axes).text
            }
            try Console.data(texts.joined(separator: "\n"))
            if page.isWanted && !queue.quiet {
                Console.plain("page      \(place.path)/sensitivity/\(OutputFolder.pageName)")
            }
        }
        try messages.end(runs, outcomes, place)
    }

    /// Fresh views, the peak, and where budgets go.
    private static let usualMetrics = ["share_fresh", "load_peak_1s", "share_tokens_expired"]
}

/// The indices of one metric for people, the most important axis first.
struct SensitivityText {
    let metric: String
    let indices: SensitivityStudy.Indices
    let axes: [Axis]

    var text: String {
        switch indices {
        case .constant: return "\(metric) is the same at every point\n"
        case .morris(let effects):
            var table = AlignedTable(header: [metric, "mu*", "95 % interval", "mu", "sigma"], toTheLeft: [0])
            for effect in effects.sorted(by: { $0.muStar > $1.muStar }) {
                table.add([
                    axes[effect.factor].name, Figures.short(effect.muStar), interval(effect.muStarInterval),
                    Figures.signed(effect.mu),
                    Figures.short(effect.sigma),
                ])
            }
            return table.text
                + crossing(
                    effects.sorted { $0.muStar > $1.muStar }.map { ($0.factor, $0.muStarInterval) }, "--trajectories")
        case .sobol(let indices):
            var table = AlignedTable(
                header: [metric, "total", "95 % interval", "first", "95 % interval"], toTheLeft: [0])
            for index in indices.sorted(by: { $0.total > $1.total }) {
                table.add([
                    axes[index.factor].name, share(index.total), interval(index.totalInterval), share(index.first),
                    interval(index.firstInterval),
                ])
            }
            return table.text
                + crossing(indices.sorted { $0.total > $1.total }.map { ($0.factor, $0.totalInterval) }, "--base")
        }
    }

    /// A line if the intervals of two keys beside each other cross, so that their order may be another; empty if none
    /// do.
    private func crossing(_ order: [(factor: Int, interval: ConfidenceInterval?)], _ option: String) -> String {
        let pairs = zip(order, order.dropFirst()).filter { one, other in
            guard let above = one.interval, let below = other.interval else { return true }
            return above.low <= below.high
        }.map { "\(axes[$0.factor].name) and \(axes[$1.factor].name)" }
        return pairs.isEmpty
            ? ""
            : "not converged: the intervals cross of \(pairs.joined(separator: ", of ")) (a larger \(option) narrows them)\n"
    }

    private func share(_ value: Double) -> String { Figures.short((value * 1_000).rounded() / 1_000) }

    private func interval(_ interval: ConfidenceInterval?) -> String {
        interval.map { "\(Figures.short($0.low)) to \(Figures.short($0.high))" } ?? ""
    }
}
