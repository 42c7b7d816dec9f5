/// The way from the top of a scenario to one of its values, `kinds.weather.policy.after`: keys, and the ids or indices
/// of list items, with dots between.
enum KeyPathText {
    /// The keys of a path; nil for a text that is not a path: one with an empty part, an `=`, or more than one line.
    static func parts(of text: Substring) -> [String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isPath = parts.allSatisfy { part in
            !part.isEmpty && part.unicodeScalars.allSatisfy { $0 != "=" && $0.value >= 32 }
        }
        return isPath ? parts : nil
    }

    /// Whether `whole` leads to a part of the scenario in which `part` lies.
    static func leads(_ whole: String, to part: String) -> Bool { part.hasPrefix(whole + ".") }
}
