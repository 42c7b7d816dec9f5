import Basics
import EmbeddedTexts

/// The changes that moved numbers between versions, by the entries of CHANGELOG.md that say **Numbers:**.
package enum Changelog {
    /// Such entries of the versions after one.
    package struct Changes: Hashable, Sendable {
        package let entries: Int
        /// The rules of MODEL.md that they name, sorted.
        package let rules: [String]

        /// The rest of a sentence that ends in "and this is 0.2.0".
        package var clause: String {
            if entries == 0 { return "" }
            let named = rules.isEmpty ? "" : " (rules \(rules.joined(separator: ", ")))"
            let has = entries == 1 ? "has" : "have"
            return
                "; \(FigureText.counted(entries, "entry", "entries")) of CHANGELOG.md \(has) moved numbers since\(named)"
        }
    }

    /// - Parameter version: one that CHANGELOG.md does not have comes before all that it has.
    package static func changes(since version: String, in text: String = EmbeddedText.changelog) -> Changes {
        var entries: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## [\(version)]") { break }
            if line.hasPrefix("- ") { entries.append(String(line)) }
            if line.hasPrefix("  "), !entries.isEmpty { entries[entries.count - 1] += " " + line.trimmed }
        }
        let moving = entries.filter { entry in
            entry.contains("**Numbers:**") && !entry.contains("**Numbers:** none")
        }
        let rules = moving.flatMap { entry in entry.matches(of: /\b[A-Z][0-9]{1,2}\b/).map { String($0.output) } }
        return Changes(entries: moving.count, rules: rules.uniqued.sorted { Self.order($0) < Self.order($1) })
    }

    private static func order(_ rule: String) -> (String, Int) { (String(rule.prefix(1)), Int(rule.dropFirst()) ?? 0) }

    /// Whether results of a version can be read: those of this one, and of any earlier one before 1.0.
    package static func reads(_ version: String, by present: String = ReloadsimVersion.text) -> Bool {
        if version == present { return true }
        guard let old = numbers(of: version), let new = numbers(of: present) else { return false }
        return old[0] == 0 && old.lexicographicallyPrecedes(new)
    }

    private static func numbers(of version: String) -> [Int]? {
        let parts = version.split(separator: ".").map { Int($0) }
        return parts.count == 3 && !parts.contains(nil) ? parts.compactMap { $0 } : nil
    }
}
