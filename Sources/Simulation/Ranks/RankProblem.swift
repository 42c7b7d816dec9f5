/// Why the ranks of a run no longer work together.
package struct RankProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// The lowest of the ranks that it is not about: this one says it for all.
    package let speaker: Int
    /// The exit status that a rank has ended with by itself, and has told the others; nil if it is lost, or if it is
    /// another run's.
    package let status: Int32?

    package init(_ description: String, speaker: Int, status: Int32? = nil) {
        (self.description, self.speaker, self.status) = (description, speaker, status)
    }

    /// With a further sentence about what is still true.
    package func adding(_ sentence: String) -> RankProblem {
        RankProblem("\(description); \(sentence)", speaker: speaker, status: status)
    }
}
