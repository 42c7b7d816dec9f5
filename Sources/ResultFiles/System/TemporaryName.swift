import Basics

/// Names of files that are not complete yet, such as `.load.csv.0123456789abcdef.partial`.
///
/// Half of it is drawn at random, so that nobody can have put anything there before, and two processes never write one
/// file.
package enum TemporaryName {
    package static let suffix = ".partial"
    /// The end of the name of a file that new results are about to replace.
    package static let previousSuffix = ".previous"

    /// 16 hex digits that no other writing has: random, for they must differ between processes; they are in no result.
    package static var mark: String { UInt64.random(in: 0 ... .max).hex }

    package static func fresh(for name: String) -> String { full(name, mark, suffix) }
    package static func full(_ name: String, _ mark: String, _ suffix: String) -> String { ".\(name).\(mark)\(suffix)" }

    /// The name of the file that a name of this form stands for, and the mark; nil if it has another form.
    package static func original(of temporary: String, suffix: String = suffix) -> (name: String, mark: String)? {
        guard temporary.hasPrefix("."), temporary.hasSuffix(suffix) else { return nil }
        let parts = temporary.dropFirst().dropLast(suffix.count)
        guard let dot = parts.lastIndex(of: "."), dot > parts.startIndex else { return nil }
        let mark = parts[parts.index(after: dot)...]
        guard mark.utf8.count == 16, mark.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        return (String(parts[..<dot]), String(mark))
    }

    /// The file that a name in a folder is a temporary or a replaced one of; nil if it is neither.
    package static func original(ofAny name: String) -> String? {
        (original(of: name) ?? original(of: name, suffix: previousSuffix))?.name
    }
}
