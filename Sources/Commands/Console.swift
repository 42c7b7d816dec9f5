import ArgumentParser
import Basics
import Calibration
import Foundation
import Reporting
import ResultFiles
import ScenarioFiles
import Simulation
import Synchronization

/// Writes to standard error.
enum Console {
    enum Colour: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

    /// How messages are written: as text, or each as a JSON object on a line.
    enum Form: String, CaseIterable, ExpressibleByArgument { case text, json }

    private static let writesJSON = Atomic<Bool>(false)

    static func use(_ form: Form) { writesJSON.store(form == .json, ordering: .relaxed) }

    private static let colours = Atomic<Bool>(StandardStream.error.isTerminal && environmentAllowsColour)

    /// `auto` colours a terminal, unless NO_COLOR is set to anything or the terminal is dumb.
    static func use(_ colour: Colour) {
        let isColoured =
            switch colour {
            case .auto: StandardStream.error.isTerminal && environmentAllowsColour
            case .always: true
            case .never: false
            }
        colours.store(isColoured, ordering: .relaxed)
    }

    /// Whether this process leaves the talking to another rank.
    private static let isSilent = Atomic<Bool>(false)
    private static let last = LockedValue("")

    static func silence() { isSilent.store(true, ordering: .relaxed) }
    static func speakUp() { isSilent.store(false, ordering: .relaxed) }
    /// The last sentence that was an error, or the end of one; empty before.
    static var lastSentence: String { last.withLock { $0 } }

    // Whatever a sentence quotes, nothing of it reaches a terminal as a command: every text passes through
    // `VisibleText` here, and the program's own styles are put round it afterwards.

    /// A line.
    static func plain(_ text: String) {
        if !writesObject(text) { write(wrapped(VisibleText.of(text)) + "\n") }
    }

    /// A text of several lines of the program's own.
    static func lines(_ text: String) {
        if writesJSON.load(ordering: .relaxed) {
            for line in text.split(separator: "\n") { plain(String(line)) }
        } else {
            write(VisibleText.of(text, keepsLines: true) + "\n")
        }
    }

    /// Writes a line as an object if messages are JSON: `level`, `subject`, which is the word at its beginning that
    /// stands apart, and `text`.
    ///
    /// - Returns: whether they are.
    private static func writesObject(_ line: String, _ level: String = "info") -> Bool {
        guard writesJSON.load(ordering: .relaxed) else { return false }
        let heading =
            level != "info" ? nil : line.prefixMatch(of: #/([^\s:]{1,11}) {2,}|(fingerprint|reloadsim) /#)?.output
        let subject = heading?.1 ?? heading?.2
        let text = line.dropFirst(heading?.0.count ?? 0).trimmed
        var members: JSONMembers = ["level": level]
        members.add("subject", subject.map(String.init))
        members.add("text", text)
        write(JSONText.object(members).text(.everythingOnOneLine))
        return true
    }

    /// Prints a command's data on standard output before it has more to do: where the reader has gone away, the rest is
    /// done all the same.
    static func data(_ text: String) throws(OutputProblem) {
        do { try StandardStream.output.write(text) } catch { if !error.isClosedPipe { throw error } }
    }

    /// A line that begins in a style.
    static func plain(heading: String, _ style: Style = .bold, _ text: String = "") {
        if writesObject(heading + text) { return }
        let (heading, line) = (VisibleText.of(heading), wrapped(VisibleText.of(heading) + VisibleText.of(text)))
        write(line.hasPrefix(heading) ? styled(heading, style) + line.dropFirst(heading.count) + "\n" : line + "\n")
    }

    /// A line that ends in a style.
    static func plain(_ text: String, verdict: String, _ style: Style) {
        if writesObject(text + verdict) { return }
        let (verdict, line) = (VisibleText.of(verdict), wrapped(VisibleText.of(text) + VisibleText.of(verdict)))
        write(line.hasSuffix(verdict) ? line.dropLast(verdict.count) + styled(verdict, style) + "\n" : line + "\n")
    }

    static func error(_ sentence: String) {
        last.withLock { $0 = sentence }
        if !writesObject(sentence, "error") { plain(heading: "error: ", .red, sentence) }
    }
    static func warning(_ sentence: String) {
        if !writesObject(sentence, "warning") { plain(heading: "warning: ", .yellow, sentence) }
    }

    /// A line broken between words where it would run over the edge of the terminal on standard error; a file gets it
    /// whole. Further lines begin under the text beside a heading.
    private static func wrapped(_ line: String) -> String {
        StandardStream.error.columns.map { wrapped(line, columns: $0) } ?? line
    }

    /// - Parameter columns: 1 or more. A longer word has a line of its own.
    static func wrapped(_ line: String, columns: Int) -> String {
        if line.count <= columns { return line }
        let heading = line.prefixMatch(of: /\S{0,11} {2,}/)?.output.count ?? 0
        let indent = (1...12).contains(heading) ? heading : 2
        var lines: [String] = []
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            guard let last = lines.last else {
                lines.append(String(word))
                continue
            }
            // The spaces of an aligned line stay where they are.
            if word.isEmpty || last.count <= indent || last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(repeating: " ", count: indent) + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Says the warnings of a scenario that was read, and hands it on.
    static func warning(of read: ParsedScenario, _ estimate: ScenarioEstimate? = nil) -> ParsedScenario {
        for warning in read.warnings(estimate) { self.warning(warning) }
        return read
    }

    /// One line a problem, and how many there are.
    static func error(_ problems: ScenarioProblems) {
        for problem in problems.problems { error(problem.description) }
        if problems.count > 1 {
            plain(
                "\(problems.isComplete ? "" : "at least ")\(FigureText.counted(problems.count, "problem")); nothing was simulated or written"
            )
        }
    }

    /// Prints a fault in the words of the command line, and the right usage: the parser's own text.
    ///
    /// - Parameter fault: the sentence at its beginning, which quotes words of the user's and is one line whatever they
    ///   are.
    static func usage(_ text: String, fault: String) {
        let beginning = "Error: " + fault
        guard text.hasPrefix(beginning) else { return lines(text) }
        error(withChoicesOnOneLine(fault))
        let rest = text.dropFirst(beginning.count).drop { $0 == "\n" }
        if !rest.isEmpty { lines(String(rest)) }
    }

    /// The fault of a word that is none of several: the parser lists these on lines of their own at its end.
    private static func withChoicesOnOneLine(_ fault: String) -> String {
        let item = "\n  - "
        guard let list = fault.range(of: " Please provide one of the following:" + item, options: .backwards) else {
            return fault
        }
        let choices = fault[list.upperBound...].replacingOccurrences(of: item, with: ", ")
        return fault[..<list.lowerBound] + " It is one of: " + choices
    }

    enum Style: String { case red = "31", green = "32", yellow = "33", bold = "1", plain = "0" }

    private static func styled(_ text: String, _ style: Style) -> String {
        colours.load(ordering: .relaxed) ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Writes what the others have made visible, or a style of the program's own. Where nobody reads standard error
    /// there is nobody to tell, so a failed write is let go.
    static func write(_ text: String) {
        if isSilent.load(ordering: .relaxed) { return }
        do { try StandardStream.error.write(text) } catch {}
    }

    /// Whether standard error is a terminal that can write over a line: a dumb one is a log.
    static var isTerminal: Bool {
        StandardStream.error.isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
            && !writesJSON.load(ordering: .relaxed)
    }

    private static var environmentAllowsColour: Bool {
        let environment = ProcessInfo.processInfo.environment
        return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}

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
