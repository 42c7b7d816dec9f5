import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Studies
import Synchronization

/// The command line: it parses flags, calls the rest, and turns every end into an exit status.
public enum ReloadsimProgram {
    /// Prepares the process for commands: its signals. The first thing that a program does.
    public static func begin() {
        if CommandLine.arguments.first?.isEmpty ?? true {
            Console.error("the words of the command line cannot be read: expected /proc/self/cmdline (mount /proc)")
            exit(ExitStatus.internalError.rawValue)
        }
        if let sentence = unreadableWord() {
            Console.error(sentence)
            exit(ExitStatus.usage.rawValue)
        }
        Interruption.begin()
        // A reader that goes away and a limit on file sizes are errors of the write, not signals.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// The sentence on a word of the command line that is not UTF-8, such as a path in an older character set; nil if
    /// all are. Swift would repair it, and a file of another name be read or made.
    private static func unreadableWord() -> String? {
        let words = CommandLine.unsafeArgv
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = words[place], String(validatingCString: word) == nil else { continue }
            let bytes = UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
            let shown = bytes.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "\\x" + $0.hex }.joined()
            let option = place > 1 ? words[place - 1].flatMap { String(validatingCString: $0) } : nil
            let name = option.flatMap { $0.hasPrefix("--") && !$0.contains("=") ? $0 + ": " : nil } ?? ""
            return
                "\(name)expected a name in UTF-8, found '\(shown)' (rename the file or folder, or name a link to it; inside of such a folder other names are read as usual); nothing was done"
        }
        return nil
    }

    /// Does what the words after the program's name ask for, and returns the exit status, which the help text lists.
    ///
    /// - Parameters:
    ///   - exchange: to the other ranks of a run, of which each is a process that was called with the same words; nil
    ///     for a program that works alone.
    ///   - code: providers and servers of a user's own, for scenarios that name them.
    public static func status(
        of arguments: [String], exchange: (any RankExchange)? = nil, code: UserCode = UserCode()
    ) -> Int32 {
        onEnoughStack {
            // A task's values hold on its own thread, which may be another one here.
            UserCode.$current.withValue(code) {
                guard let exchange else { return end(of: arguments) }
                let ranks = RankSession(exchange)
                return RankSession.$current.withValue(ranks) {
                    let status = end(of: arguments)
                    ranks.end(status)
                    return status
                }
            }
        }.rawValue
    }

    /// Does the work on the first thread, or on one of its own where the first has little stack (`ulimit -s`) and would
    /// end in the middle of a function.
    private static func onEnoughStack(_ work: @escaping @Sendable () -> ExitStatus) -> ExitStatus {
        if HostCalls.stackLimit.map({ $0 >= leastStack }) ?? true { return work() }
        let shared = SharedStatus()
        do throws(ThreadProblem) {
            try ThreadPool.work(1) { _ in shared.status.store(work().rawValue, ordering: .relaxed) }
        } catch {
            Console.error("\(error)")
        }
        return ExitStatus(rawValue: shared.status.load(ordering: .relaxed)) ?? .internalError
    }

    private final class SharedStatus: Sendable {
        let status = Atomic<Int32>(ExitStatus.internalError.rawValue)
    }

    /// Bytes; half of what a thread of a pool has.
    private static let leastStack: UInt64 = 4 << 20

    /// Does what the words after the program's name ask for, and says how it ended.
    static func end(of arguments: [String]) -> ExitStatus {
        // Before the words are read, so that what is wrong with them is said in that form, too.
        let form = arguments.firstRange(of: ["--messages", "json"]) != nil || arguments.contains("--messages=json")
        Console.use(form ? .json : .text)
        do {
            do {
                var command = try Reloadsim.parseAsRoot(arguments == ["-V"] ? ["--version"] : arguments)
                if command is Reloadsim {
                    Console.lines(Reloadsim.helpMessage())
                    return .usage
                }
                if let ranks = RankSession.current?.ranks, ranks > 1, !(command is Run) {
                    throw ValidationError("\(ranks) ranks can do the command run and no other.")
                }
                try InputWait.$listener.withValue(ConsoleListener()) {
                    guard let reader = command as? any ReadsScenarios else { return try command.run() }
                    try reader.code.provide { try command.run() }
                }
                return .done
            } catch  where Reloadsim.exitCode(for: error).isSuccess {
                // The parser answers an unknown word after help with the help of everything.
                if arguments.first == "help", let sentence = unknownCommand(in: Array(arguments.dropFirst())) {
                    throw CommandFailure(.usage, sentence)
                }
                // Help and version are what was asked for: data.
                if RankSession.current?.isFollower ?? false { return .done }
                try StandardStream.output.write(Reloadsim.fullMessage(for: error) + "\n")
                return .done
            }
        } catch let failure as CommandFailure {
            if let sentence = failure.sentence { Console.error(sentence) }
            return failure.status
        } catch let problems as ScenarioProblems {
            Console.error(problems)
            return problems.isMissingInput ? .noInput : .wrongScenario
        } catch let problem as DistributionProblem {
            Console.error("the scenario asks for a distribution that cannot be drawn from: \(problem)")
            return .wrongScenario
        } catch let problem as ThreadProblem {
            Console.error(problem.description)
            return problem.isUserCode ? .wrongScenario : .internalError
        } catch let problem as RankProblem {
            return RankSession.current?.status(of: problem) ?? .tryAgain
        } catch let problem as StudyProblem {
            Console.error(problem.description)
            return .wrongScenario
        } catch let problem as ExportProblem {
            Console.error(problem.description)
            return problem.isUsage ? .usage : .wrongScenario
        } catch let problem as CSVProblem {
            Console.error(problem.description)
            return problem.isMissingInput ? .noInput : .wrongScenario
        } catch let problem as OutputProblem {
            if problem.isInterruption { return Interruption.status(saying: problem.description) }
            // A reader that has gone away, such as `head`, has what it wanted.
            if problem.isClosedPipe { return .done }
            Console.error(problem.description)
            return .inputOutput
        } catch  where Reloadsim.exitCode(for: error) == .validationFailure {
            let (text, fault) = (Reloadsim.fullMessage(for: error), Reloadsim.message(for: error))
            if let sentence = unknownCommand(in: arguments) {
                Console.error(sentence)
                return .usage
            }
            let unknown =
                RemovedWords.sentence(in: arguments) ?? unquotedValue(in: arguments) ?? unknownOption(in: arguments).map
            { "Unknown option '\($0)'" }
                ?? fault
            if fault.hasPrefix(unknown) {
                Console.usage(text, fault: fault)
            } else {
                Console.usage(
                    "Error: " + unknown + "\n" + (text.range(of: "Usage:").map { text[$0.lowerBound...] } ?? ""),
                    fault: unknown)
            }
            return .usage
        } catch {
            Console.error("internal: \(error)")
            return .internalError
        }
    }

    /// The sentence on a first word that is no command, with the nearest one, or with what a file is for; nil if it is
    /// one.
    private static func unknownCommand(in words: [String]) -> String? {
        let known = Reloadsim.configuration.subcommands.map { $0._commandName }
        guard let word = words.first, !word.hasPrefix("-"), word != "help", !known.contains(word) else { return nil }
        let way =
            word == "why"
            ? "; `reloadsim trace SCENARIO --person 7 --why 18:00` says why nothing came"
            : FolderPath.isFolder(word)
                ? "; `reloadsim report \(word)` makes the page of results"
                : FolderPath.exists(word)
                    ? "; did you mean `reloadsim run \(word)`?"
                    : Nearest.name(to: word, among: known).map { "; did you mean `\($0)`?" } ?? ""
        return "there is no command '\(word)'\(way) (known are \(known.joined(separator: ", ")))"
    }

    /// The sentence on a value of `--set` that the shell has cut at its blanks; nil without one.
    private static func unquotedValue(in words: [String]) -> String? {
        let brackets = ["{": "}", "[": "]"]
        for (place, word) in words.enumerated() {
            guard let equals = word.lastIndex(of: "="), let open = word[equals...].dropFirst().first.map(String.init),
                let close = brackets[open], !word.contains(close),
                let last = words[place...].firstIndex(where: { $0.contains(close) })
            else { continue }
            let key = word[..<equals].split(separator: "=").last ?? ""
            return
                "The shell has cut the value of \(key) at its blanks: quote it, as in --set '\(key)\(words[place...last].joined(separator: " ").dropFirst(word[..<equals].count))'"
        }
        return nil
    }

    /// The first option among some words that their command does not have: what else is wrong may follow from it.
    private static func unknownOption(in words: [String]) -> String? {
        do {
            var help = try Reloadsim.parseAsRoot(words.prefix { !$0.hasPrefix("-") }.prefix(1) + ["--help"])
            try help.run()
            return nil
        } catch {
            let known = Set(Reloadsim.fullMessage(for: error).split { !$0.isLetter && !$0.isNumber && $0 != "-" })
            return words.prefix { $0 != "--" }.map { $0.prefix { $0 != "=" } }.first {
                $0.hasPrefix("--") && !known.contains($0)
            }.map(String.init)
        }
    }
}

private struct ConsoleListener: InputListener {
    func hears(_ sentence: String) { Console.plain(sentence) }
}

/// The root of all commands.
struct Reloadsim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reloadsim",
        abstract:
            "Simulates a fleet of devices with widgets: the load of their reloads on the servers, and how fresh the content is that people see.",
        discussion: "Standard output carries data, standard error everything else.\n\n" + ExitStatus.table,
        version: ReloadsimVersion.text,
        subcommands: [
            Run.self, Merge.self, Sweep.self, Compare.self, Sensitivity.self, Plan.self, Report.self, Trace.self,
            People.self, Calibrate.self,
            Export.self, Validate.self,
            Resolve.self, Schema.self, Init.self, Explain.self,
        ])
}
