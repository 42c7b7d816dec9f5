import Basics
import Yams

/// A node of a scenario's text before it means anything: every value with its place, scalars as the characters that
/// were written.
package struct RawNode: Sendable {
    indirect enum Content: Sendable {
        /// `isPlain` if it stands without quotes.
        case scalar(String, isPlain: Bool)
        case list([RawNode])
        case mapping([RawField])
    }

    var content: Content
    var origin: Origin

    /// A node that states nothing: `key:` with no value, `~` or `null`.
    var isNothing: Bool {
        if case .scalar(let text, isPlain: true) = content { return ["", "~", "null", "Null", "NULL"].contains(text) }
        return false
    }

    /// The value that a problem says it found.
    var found: String {
        switch content {
        case .scalar(let text, _): isNothing ? "nothing" : Self.quoted(text)
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .mapping(let fields): fields.isEmpty ? "an empty mapping" : "a mapping"
        }
    }

    /// The text in quotes, cut to a readable length, on one line.
    package static func quoted(_ text: String) -> String {
        "'\(cut(text))'"
    }

    /// A text on one line and cut to a readable length, without quotes.
    static func cut(_ text: String) -> String {
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line.count > 60 ? "\(line.prefix(57))…" : line
    }

    /// The value at a key of a mapping. One that is set stands in place of the key's own, or as one more; setting
    /// changes nothing but mappings.
    subscript(key: String) -> RawNode? {
        get {
            if case .mapping(let fields) = content { return fields.first { $0.key == key }?.value }
            return nil
        }
        set {
            guard case .mapping(var fields) = content else { return }
            if let newValue, let at = fields.firstIndex(where: { $0.key == key }) {
                fields[at].value = newValue
            } else if let newValue {
                fields.append(RawField(key: key, origin: origin, value: newValue))
            } else {
                fields.removeAll { $0.key == key }
            }
            content = .mapping(fields)
        }
    }

    /// The characters of a scalar.
    var scalarText: String? { if case .scalar(let text, _) = content { text } else { nil } }

    static func emptyMapping(at origin: Origin) -> RawNode { RawNode(content: .mapping([]), origin: origin) }

    /// A mapping with one more key, a text.
    func adding(_ key: String, _ text: String) -> RawNode {
        var node = self
        node[key] = RawNode(content: .scalar(text, isPlain: true), origin: origin)
        return node
    }
}

/// One key of a mapping with its value.
struct RawField: Sendable {
    var key: String
    var origin: Origin
    var value: RawNode
}

/// The strict layer under the scenario: YAML (and so JSON) text to nodes, with limits, and with sentences for what YAML
/// allows and a scenario does not.
///
/// The text is composed into nodes and never constructed: Yams's own reading of scalars (`12:30` as 750, `010` as 8,
/// `no` as false) has no part in it.
struct NodeComposition {
    static let largestFile = 1 << 20
    static let greatestDepth = 32
    /// Nodes after aliases are expanded.
    static let mostNodes = 100_000
    /// Each repeated key makes the file be composed once more.
    private static let mostRepeatedKeys = 50
    /// Stands before a repeated key while the rest of the file is read. No scenario contains it.
    static let repeatedKeyMark = "\u{E000}"

    private static let coreTags = "tag:yaml.org,2002:"

    let log: ProblemLog
    private var nodeCount = 0
    /// For each line, the columns at which a mark was put before a repeated key.
    private var insertions: [Int: [Int]] = [:]
    /// Repeated keys that have been marked.
    private var markedKeys = 0
    private var gaveUp = false

    init(log: ProblemLog) { self.log = log }

    /// The text of a file's bytes; nil after a problem.
    static func text(of bytes: [UInt8], log: ProblemLog) -> String? {
        guard bytes.count <= largestFile else {
            log.report(.catalogue, "", expected: "a scenario of at most 1 MiB", found: "\(bytes.count) bytes")
            return nil
        }
        // Some editors begin a file with a byte-order mark.
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard let text = String(validating: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self) else {
            log.report(.catalogue, "", expected: "text in UTF-8", found: "bytes that are not")
            return nil
        }
        return text
    }

    /// The root node of a text; nil after problems that leave nothing to check.
    static func root(of text: String, log: ProblemLog) -> RawNode? {
        if text.unicodeScalars.contains(where: { $0.value >= 0xE000 && $0.value <= 0xF8FF }) {
            log.report(.catalogue, "", expected: "text without private-use characters", found: "one")
            return nil
        }
        var composition = NodeComposition(log: log)
        guard let node = composition.compose(text) else { return nil }
        let raw = composition.convert(node, depth: 1, path: "")
        return composition.gaveUp ? nil : raw
    }

    /// The root node of a text of the program's own, such as a default.
    static func ownRoot(of text: String) -> RawNode {
        // Most are one word or number, which is itself in any YAML.
        let isWord = text.utf8.allSatisfy(ScalarText.isNameByte) && text.first.map { $0 != "-" } == true
        if isWord { return RawNode(content: .scalar(text, isPlain: true), origin: .catalogue) }
        let log = ProblemLog(file: "the catalogue")
        guard let node = root(of: text, log: log), log.problems.isEmpty else {
            preconditionFailure("this is no YAML: \(text)")
        }
        return node
    }

    // MARK: Composing

    private mutating func compose(_ original: String) -> Node? {
        if let line = Self.complexKeyLine(original) {
            log.report(
                .file(line: line, column: 1), "", expected: "keys that are plain words",
                found: "an alias or a collection as a key")
            return nil
        }
        var lines = original.lines
        for _ in 0..<Self.mostRepeatedKeys {
            do {
                // The encoding is stated: by default the environment chooses it. The resolver is the one without rules:
                // what a scalar means is not asked.
                guard let node = try Yams.compose(yaml: lines.joined(separator: "\n"), .basic, .default, .utf8) else {
                    log.report(.file(line: 1, column: 1), "", expected: "a scenario", found: "an empty file")
                    return nil
                }
                return node
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                guard markKey(keys, at: context.mark, in: &lines) else {
                    log.report(
                        .file(line: context.mark.line, column: context.mark.column), "",
                        expected: "each key once in a mapping",
                        found: "'\(keys.first ?? "")' repeated")
                    return nil
                }
            } catch {
                report(error)
                return nil
            }
        }
        log.report(
            .catalogue, "", expected: "each key once in a mapping",
            found: "more than \(Self.mostRepeatedKeys) repeated keys")
        return nil
    }

    /// Puts a mark before the repeated key at `mark`, so that composing gets past it. False if the text there is not
    /// the key's own.
    private mutating func markKey(_ keys: [String], at mark: Mark, in lines: inout [String]) -> Bool {
        guard lines.indices.contains(mark.line - 1), let key = keys.first else { return false }
        var scalars = Array(lines[mark.line - 1].unicodeScalars)
        var at = mark.column - 1
        guard at >= 0, at < scalars.count else { return false }
        if scalars[at] == "\"" || scalars[at] == "'" {
            at += 1
        } else if String(String.UnicodeScalarView(scalars[at...])).hasPrefix(key) == false {
            return false
        }
        // Each of them one mark more than the one before, so that a third repetition differs from the second.
        markedKeys += 1
        let count = markedKeys
        scalars.insert(contentsOf: Array(repeating: Self.repeatedKeyMark.unicodeScalars.first!, count: count), at: at)
        insertions[mark.line, default: []].append(contentsOf: Array(repeating: at, count: count))
        lines[mark.line - 1] = String(String.UnicodeScalarView(scalars))
        return true
    }

    /// The column in the file of a column in the text with marks.
    private func origin(_ mark: Mark?) -> Origin {
        guard let mark else { return .file(line: 1, column: 1) }
        let shift = insertions[mark.line]?.count { $0 < mark.column - 1 } ?? 0
        return .file(line: mark.line, column: max(1, mark.column - shift))
    }

    /// The first line with an alias or a collection in a key's place, in a text with anchors: comparing such keys can
    /// take for ever.
    private static func complexKeyLine(_ text: String) -> Int? {
        guard text.utf8.contains(UInt8(ascii: "&")), text.utf8.contains(UInt8(ascii: "*")) else { return nil }
        for (index, line) in text.lines.enumerated() {
            let trimmed = line.drop { $0 == " " || $0 == "-" }
            if trimmed.hasPrefix("? ") || trimmed == "?" { return index + 1 }
            if line.contains(/[\[{,]\s*\?\s/) || line.contains(/[\]}]\s*:/) || line.contains(/\*[A-Za-z0-9_-]+\s*:/) {
                return index + 1
            }
        }
        return nil
    }

    private func report(_ error: any Error) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _):
            log.report(origin(mark), "", expected: "YAML or JSON", found: Self.sentence(problem))
        case YamlError.composer(_, let problem, let mark, _):
            let several = problem == "but found another document"
            log.report(
                origin(mark), "", expected: several ? "one document" : "YAML or JSON",
                found: several ? "another one" : Self.sentence(problem))
        case YamlError.reader(let problem, let offset, _, let yaml):
            let before = String(yaml.prefix(offset ?? 0)).lines
            let place = Origin.file(line: before.count, column: (before.last?.unicodeScalars.count ?? 0) + 1)
            log.report(offset == nil ? .catalogue : place, "", expected: "YAML or JSON", found: Self.sentence(problem))
        default:
            log.report(.catalogue, "", expected: "YAML or JSON", found: "a text that cannot be parsed")
        }
    }

    /// libyaml's words as the end of a sentence.
    private static func sentence(_ problem: String) -> String {
        switch problem {
        case "found character that cannot start any token":
            return "a character that cannot start a value, such as a tab or '@'"
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return "a tab where spaces indent"
        case "mapping values are not allowed in this context": return "a ':' where no key can stand"
        case "could not find expected ':'": return "a line without the ':' of a key"
        case "did not find expected key": return "a line that fits no mapping or list above it"
        case "did not find expected '-' indicator": return "a line that is not an item of the list above it"
        case "did not find expected ',' or ']'": return "a list that is not closed by ']'"
        case "did not find expected ',' or '}'": return "a mapping that is not closed by '}'"
        case "found unexpected end of stream": return "the end of the file inside quotes"
        case "found undefined alias": return "an alias without its anchor"
        case "control characters are not allowed": return "a control character"
        default: return problem
        }
    }

    // MARK: Converting

    private mutating func convert(_ node: Node, depth: Int, path: String) -> RawNode {
        let origin = origin(node.mark)
        nodeCount += 1
        if gaveUp { return RawNode(content: .list([]), origin: origin) }
        let problem: (expected: String, found: String)? =
            nodeCount > Self.mostNodes
            ? ("at most 100,000 values with aliases expanded", "more")
            : depth > Self.greatestDepth ? ("at most \(Self.greatestDepth) levels", "a deeper one") : nil
        if let problem {
            log.report(
                origin, String(path.prefix { $0 != "." }), expected: problem.expected, found: problem.found)
            gaveUp = true
            return RawNode(content: .list([]), origin: origin)
        }
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain
            refuseTag(scalar.tag, implicit: isPlain ? [] : [Tag.Name.str.rawValue, "!"], origin, path)
            return RawNode(content: .scalar(Self.unmarked(scalar.string), isPlain: isPlain), origin: origin)
        case .sequence(let sequence):
            refuseTag(sequence.tag, implicit: [], origin, path)
            var items: [RawNode] = []
            for item in sequence {
                items.append(convert(item, depth: depth + 1, path: joined(path, "\(items.count)")))
                if gaveUp { break }
            }
            return RawNode(content: .list(items), origin: origin)
        case .mapping(let mapping):
            refuseTag(mapping.tag, implicit: [], origin, path)
            return RawNode(content: .mapping(fields(of: mapping, depth: depth, path: path)), origin: origin)
        case .alias:
            preconditionFailure("composing has resolved all aliases")
        }
    }

    private mutating func fields(of mapping: Node.Mapping, depth: Int, path: String) -> [RawField] {
        var fields: [RawField] = []
        var occurrences: [String: [Origin]] = [:]
        for (keyNode, valueNode) in mapping {
            let keyOrigin = origin(keyNode.mark)
            guard case .scalar(let scalar) = keyNode else {
                log.report(
                    keyOrigin, path, expected: "keys that are plain words", found: "a list or a mapping as a key")
                continue
            }
            nodeCount += 1
            let key = Self.unmarked(scalar.string)
            let value = convert(valueNode, depth: depth + 1, path: joined(path, key))
            if gaveUp { break }
            if key == "<<" {
                log.report(keyOrigin, path, expected: "every key written out", found: "the merge key '<<'")
                continue
            }
            occurrences[key, default: []].append(keyOrigin)
            if occurrences[key]!.count == 1 {
                fields.append(RawField(key: key, origin: keyOrigin, value: value))
            } else if case .file(let line, _) = occurrences[key]![0] {
                log.report(
                    keyOrigin, joined(path, key), expected: "each key once", found: "it again after line \(line)")
            }
        }
        return fields
    }

    private func refuseTag(_ tag: Tag, implicit: [String], _ origin: Origin, _ path: String) {
        // The description is the name as it was written; `Node.tag` would resolve it.
        let name = tag.description
        if name.isEmpty || implicit.contains(name) { return }
        log.report(
            origin, path, expected: "a value without a tag",
            found: "the tag '\(name.hasPrefix(Self.coreTags) ? "!!" + name.dropFirst(Self.coreTags.count) : name)'")
    }

    private static func unmarked(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.drop { String($0) == repeatedKeyMark }))
    }
}

/// A key path one level deeper.
func joined(_ path: String, _ key: String) -> String { path.isEmpty ? key : path + "." + key }

extension String {
    /// The lines between line feeds. A carriage return stays at the end of its line.
    var lines: [String] {
        utf8.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}

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

/// The names of the zone database, looked up once: asking it for every zone of a file takes its time.
package enum ZoneNames {
    /// Sorted, for suggestions.
    static let sorted = ScenarioClock.zoneNames
    private static let known = SharedValues<String, Bool>(most: 10_000)

    package static func contains(_ name: String) -> Bool { known.value(of: name) { ScenarioClock.knowsZone(name) } }

    package static func nearest(to name: String, or others: [String] = []) -> String? {
        Nearest.name(to: name, among: sorted + others)
    }
}
