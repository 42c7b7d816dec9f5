import Basics

/// One thing that is wrong in a scenario: where it stands, what was expected there and what was found.
///
/// Prints as `file:line:column: key.path: expected X, found Y; did you mean 'z'?`.
public struct ScenarioProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The scenario's file, its replay's, or the override `--set key=value` that brought the value in.
    public var file: String
    /// Counted from 1; 0 if the problem belongs to no line.
    public var line, column: Int
    /// The keys from the top level down, list items by their id or else by their index; empty for the file as a whole.
    public var keyPath: String
    /// The value that would be right.
    public var expected: String
    /// The value in the file: the text in quotes, or a description such as `a list`.
    public var found: String
    /// The known name that is most like the one found.
    public var nearest: String?
    /// Whether it only says that others are not listed.
    var endsList = false

    public init(
        file: String, line: Int = 0, column: Int = 0, keyPath: String = "", expected: String, found: String,
        nearest: String? = nil
    ) {
        (self.file, self.line, self.column, self.keyPath) = (file, line, column, keyPath)
        (self.expected, self.found, self.nearest) = (expected, found, nearest)
    }

    public var description: String {
        let place = line > 0 ? "\(file):\(line):\(column)" : file
        let key = keyPath.isEmpty ? "" : "\(keyPath): "
        return "\(place): \(key)expected \(expected), found \(found)"
            + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
}

extension ScenarioProblem {
    /// Stands after so many problems, or where they end, for all that might follow.
    static func endOfList(file: String, line: Int = 0, most: Int) -> ScenarioProblem {
        var end = ScenarioProblem(
            file: file, line: line, column: line > 0 ? 1 : 0,
            expected: "at most \(most) problems; the rest is not listed", found: "more")
        end.endsList = true
        return end
    }
}

/// All problems of a scenario in one report, in the order of the file. Nothing has been simulated or written.
public struct ScenarioProblems: Error, Hashable, Sendable, CustomStringConvertible {
    public let problems: [ScenarioProblem]
    /// Whether the scenario could not be read at all: the file is missing or unreadable, as against wrong.
    public let isMissingInput: Bool

    public init(_ problems: [ScenarioProblem], isMissingInput: Bool = false) {
        precondition(!problems.isEmpty, "a report without problems")
        self.problems = problems
        self.isMissingInput = isMissingInput
    }

    /// How many there are, those that are not listed left out.
    public var count: Int { problems.count { !$0.endsList } }
    /// Whether all are listed.
    public var isComplete: Bool { !problems.contains(where: \.endsList) }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Where a value comes from.
enum Origin: Hashable, Sendable {
    case file(line: Int, column: Int)
    /// The override as it was typed, `kinds.weather.policy.after=1h`.
    case override(String)
    /// A threshold of the command line as it was typed.
    case threshold(String)
    /// A default of the catalogue, or something that no line states.
    case catalogue
}

/// Collects the problems of one file.
final class ProblemLog {
    let file: String
    private(set) var problems: [ScenarioProblem] = []
    private(set) var warnings: [String] = []
    private var seen: Set<ScenarioProblem> = []

    init(file: String) { self.file = file }

    /// More problems than this are not listed.
    static let mostProblems = 200

    /// - Parameter nearest: looked up only if the problem is listed, since a search among all zones takes its time.
    func report(
        _ origin: Origin, _ keyPath: String, expected: String, found: String, nearest: @autoclosure () -> String? = nil
    ) {
        if isFull { return }
        var keyPath = keyPath
        let (file, line, column): (String, Int, Int)
        switch origin {
        case .file(let stated, let place): (file, line, column) = (self.file, stated, place)
        case .override(let text): (file, line, column) = (Override.place(of: text), 0, 0)
        case .threshold(let text):
            (file, line, column) = ("--threshold '\(RawNode.cut(text))'", 0, 0)
            keyPath = String(keyPath.split(separator: ".").last ?? "")
        case .catalogue: (file, line, column) = (self.file, 0, 0)
        }
        add(
            ScenarioProblem(
                file: file, line: line, column: column, keyPath: keyPath, expected: expected, found: found,
                nearest: nearest()))
    }

    /// Reports shares that do not add up to 1.
    func checkSum(_ shares: [Double], of noun: String = "shares", _ origin: Origin, _ keyPath: String) {
        let sum = shares.reduce(0, +)
        if (sum - 1).magnitude > 1e-9 {
            report(
                origin, keyPath, expected: "\(noun) that add up to 1",
                found: "a sum of \(DecimalText.text(rounded: sum))")
        }
    }

    /// A problem is reported once, however many ways lead to it: what stands in the population is read again in every
    /// segment.
    func add(_ problem: ScenarioProblem) {
        if isFull { return }
        var seenAs = problem
        seenAs.keyPath = String(problem.keyPath.split(separator: ".").last ?? "")
        guard seen.insert(seenAs).inserted else { return }
        problems.append(problem)
    }

    /// Whether a file that the scenario names cannot be read.
    var lacksInput = false

    private var isFull: Bool { problems.count >= Self.mostProblems }

    func warn(_ sentence: String) {
        if !warnings.contains(sentence) { warnings.append(sentence) }
    }

    /// In the order of the file; those of overrides and of other files after those of the scenario's own lines.
    var sorted: [ScenarioProblem] {
        problems.enumerated().sorted { a, b in
            let (p, q) = (a.element, b.element)
            if (p.file == file) != (q.file == file) { return p.file == file }
            if p.file == q.file && (p.line, p.column) != (q.line, q.column) {
                return (p.line, p.column) < (q.line, q.column)
            }
            return a.offset < b.offset
        }.map(\.element) + (isFull ? [.endOfList(file: file, most: Self.mostProblems)] : [])
    }
}
