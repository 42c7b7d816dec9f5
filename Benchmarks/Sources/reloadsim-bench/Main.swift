import ResultFiles
import ArgumentParser
import Foundation
import Reporting
import ScenarioFiles
import Statistics

/// The command line of the benchmarks. Standard output carries the table, standard error everything else.
@main enum Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        exit(status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// The exit statuses are those of `reloadsim`, as far as they occur here.
    private static func status(of arguments: [String]) -> Int32 {
        do {
            do {
                var command = try Bench.parseAsRoot(arguments)
                try command.run()
                return 0
            } catch  where Bench.exitCode(for: error).isSuccess {
                // Help is what was asked for: data.
                try StandardStream.output.write(Bench.fullMessage(for: error) + "\n")
                return 0
            }
        } catch let problems as ScenarioProblems {
            for problem in problems.problems { Progress.say("error: \(problem)") }
            return problems.isMissingInput ? 66 : 65
        } catch let problem as DistributionProblem {
            Progress.say("error: a scenario asks for a distribution that cannot be drawn from: \(problem)")
            return 65
        } catch let problem as OutputProblem {
            if !problem.isClosedPipe { Progress.say("error: \(problem)") }
            return 74
        } catch let problem as BenchmarkProblem {
            Progress.say("error: \(problem)")
            return 1
        } catch  where Bench.exitCode(for: error) == .validationFailure {
            Progress.say(Bench.fullMessage(for: error))
            return 64
        } catch {
            Progress.say("error: \(error)")
            return 1
        }
    }
}

/// The lines that a benchmark writes while it runs.
enum Progress {
    /// Where nobody reads standard error there is nobody to tell, so a failed write is let go.
    static func say(_ line: String) {
        do { try StandardStream.error.write(line + "\n") } catch {}
    }
}

/// A benchmark that does not hold what it must, such as one result for one input.
struct BenchmarkProblem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
