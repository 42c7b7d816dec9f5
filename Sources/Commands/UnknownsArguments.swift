import ArgumentParser
import Basics
import ScenarioFiles
import Studies

/// Draws of the parameters that nobody publishes, for commands that repeat their work in each.
struct UnknownsArguments: ParsableArguments {
    @Option(
        takes: "count",
        "Draw the parameters that nobody publishes (MODEL.md, section 14) so many times, each over its range, and do the same in every draw. A run says where each metric lies in 95 % of them, in a folder beside its results whose name ends in -unknowns; a plan what holds in 95 %, and the regret of each candidate; both which unknowns move it most."
    )
    var unknowns: Int?

    @Option(
        "unknown", takes: "key=values",
        "With --unknowns, a key that you do not know either, over range(from,to), log(from,to) or a list; in place of the published range if it has one. Repeatable.",
        completion: Suggestions.keys)
    var own: [String] = []

    var isWanted: Bool { unknowns != nil }

    func validate() throws {
        if let unknowns { try ValidationError.check(unknowns, of: "--unknowns", in: 8...10_000) }
        if unknowns == nil && !own.isEmpty { throw ValidationError("--unknown takes --unknowns COUNT beside it.") }
    }

    /// The draws for a scenario; nil if none are asked for.
    ///
    /// - Parameter key: one that the command varies otherwise.
    func draws(of text: ScenarioText, overrides: [String], except key: String? = nil) throws -> Unknowns? {
        guard let unknowns else { return nil }
        let axes = try own.uniqued.map { own throws(StudyProblem) in try Axis.read(own, option: "--unknown") }
        return try Unknowns(unknowns, of: text, overrides: overrides, own: axes, except: key)
    }
}
