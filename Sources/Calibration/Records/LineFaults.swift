import ScenarioFiles

/// The faults of a record's lines: counted, and the first ones kept with their places.
struct LineFaults {
    let file: String
    private(set) var count = 0
    private var problems: [ScenarioProblem] = []

    /// A record with more is not read to its end.
    private static let most = 100_000
    var isHopeless: Bool { count >= Self.most }

    init(file: String) { self.file = file }

    mutating func add(_ fault: LineFault, line: Int, nearest: @autoclosure () -> String? = nil) {
        count += 1
        guard problems.count < RecordProblems.mostShown else { return }
        problems.append(
            ScenarioProblem(
                file: file, line: line, column: line > 0 ? fault.column : 0, expected: fault.expected,
                found: fault.found, nearest: nearest()))
    }

    /// Throws all of them with a last one, by default of the whole file.
    mutating func fail(_ fault: LineFault, line: Int = 0) throws(RecordProblems) -> Never {
        add(fault, line: line)
        try check()
        preconditionFailure("a fault was added")
    }

    /// Throws all of them, if there are any.
    func check() throws(RecordProblems) {
        if count > 0 {
            throw RecordProblems(problems: problems, count: count, isMissingInput: false, isComplete: !isHopeless)
        }
    }
}
