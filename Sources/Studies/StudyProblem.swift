/// Something that is wrong in what a study is asked for: one sentence that names the place and the cure. Nothing has
/// been simulated or written.
package struct StudyProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// - Parameters:
    ///   - place: where it stands, such as `--vary people=` or `study.axes.jitter`.
    ///   - nearest: a known name that may have been meant.
    package init(_ place: String, expected: String, found: String, nearest: String? = nil) {
        description =
            "\(place): expected \(expected), found \(found)" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
}
