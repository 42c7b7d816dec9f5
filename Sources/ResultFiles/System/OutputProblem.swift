import Foundation

/// Results that could not be written, in one sentence that says what is still true. Exit status 74.
public struct OutputProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the reader of a pipe went away: nobody is left to tell.
    public let isClosedPipe: Bool
    /// Whether the person stopped the run while it was written.
    package let isInterruption: Bool

    public init(_ description: String, isClosedPipe: Bool = false, isInterruption: Bool = false) {
        self.description = description
        self.isClosedPipe = isClosedPipe
        self.isInterruption = isInterruption
    }

    /// The operating system's message about `action`, such as `cannot write out/load.csv`.
    package static func system(_ action: String, _ code: Int32) -> OutputProblem {
        OutputProblem("\(action): \(String(cString: strerror(code)))", isClosedPipe: code == EPIPE)
    }

    /// With a further sentence about what is still true.
    package func adding(_ sentence: String) -> OutputProblem {
        OutputProblem("\(description); \(sentence)", isClosedPipe: isClosedPipe, isInterruption: isInterruption)
    }
}
