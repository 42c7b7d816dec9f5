/// How a command ended. Scripts rely on the numbers.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case internalError = 1
    case usage = 64
    case wrongScenario = 65
    case noInput = 66
    case inputOutput = 74
    /// The number by which mail programs ask to be tried again, with the same meaning here.
    case tryAgain = 75
    case brokenThreshold = 99
    case interrupted = 130
    case terminated = 143

    private var meaning: String {
        switch self {
        case .done: "done"
        case .internalError: "internal error, or the system gave no memory or no thread"
        case .usage: "wrong usage of the command line"
        case .wrongScenario: "something is wrong in the scenario, the study, the record or the parts"
        case .noInput: "a file is missing or cannot be read"
        case .inputOutput: "results could not be written"
        case .tryAgain: "some runs of the study failed, or a rank of the run was lost"
        case .brokenThreshold: "everything is complete, and a threshold is broken"
        case .interrupted: "interrupted (SIGINT)"
        case .terminated: "terminated (SIGTERM)"
        }
    }

    /// The table of the help text.
    static var table: String {
        "Exit status:\n"
            + allCases.map { status in
                let number = String(status.rawValue)
                return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + status.meaning
            }.joined(separator: "\n")
    }
}

/// The end of a command with a status of its own.
struct CommandFailure: Error {
    let status: ExitStatus
    /// Nil if everything is said already.
    let sentence: String?

    init(_ status: ExitStatus, _ sentence: String? = nil) { (self.status, self.sentence) = (status, sentence) }

    /// - Parameter allowed: the bytes of `--memory`, which is then what is wrong; nil for what there is.
    init(noMemory sentence: String, allowed: Double?) {
        self.init(allowed == nil ? .internalError : .usage, sentence)
    }
}
