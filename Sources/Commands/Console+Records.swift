import Calibration
import Basics
import ScenarioFiles

extension Console {
    /// The end of a command whose record has problems, which it says.
    ///
    /// - Parameter undone: what is still true, such as "nothing was compared".
    static func failure(of problems: RecordProblems, undone: String) -> CommandFailure {
        for problem in problems.problems { error(problem.description) }
        let rest = problems.count - problems.problems.count
        if rest > 0 { plain("and \(FigureText.grouped(rest)) more") }
        if problems.count > 1 {
            plain(
                "\(problems.isComplete ? "" : "at least ")\(FigureText.counted(problems.count, "problem")); \(undone)")
        }
        return CommandFailure(problems.isMissingInput ? .noInput : .wrongScenario)
    }
}
