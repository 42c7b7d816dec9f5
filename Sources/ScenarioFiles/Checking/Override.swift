import Basics

/// A value that the command line sets over the scenario's own: `--set kinds.weather.policy.after=1h`.
///
/// It is applied to the nodes before anything is checked, so an override obeys the same rules as the file.
struct Override {
    let text: String
    private let path: [String]
    private let value: RawNode

    /// Nil after a problem.
    init?(_ text: String, log: ProblemLog) {
        let origin = Origin.override(text)
        guard let at = text.firstIndex(of: "="), at != text.startIndex else {
            log.report(origin, "", expected: "key.path=value", found: RawNode.quoted(text))
            return nil
        }
        let valueText = String(text[text.index(after: at)...])
        // Each dot is a level; they are counted before anything is made of them.
        let levels = text[..<at].utf8.reduce(1) { $0 + ($1 == UInt8(ascii: ".") ? 1 : 0) }
        if levels > NodeComposition.greatestDepth {
            log.report(
                origin, "", expected: "a key path of at most \(NodeComposition.greatestDepth) levels",
                found: "one of \(levels)")
            return nil
        }
        guard let path = KeyPathText.parts(of: text[..<at]), !valueText.isEmpty else {
            log.report(origin, "", expected: "key.path=value", found: RawNode.quoted(text))
            return nil
        }
        let own = ProblemLog(file: Self.place(of: text))
        guard let node = NodeComposition.root(of: valueText, log: own), own.problems.isEmpty else {
            for var problem in own.problems {
                problem.line = 0
                log.add(problem)
            }
            return nil
        }
        self.text = text
        self.path = path
        value = node.moved(to: origin)
    }

    /// How problems name an override: as it was typed, cut to a readable length.
    static func place(of text: String) -> String {
        "--set " + (text.utf8.count > 200 ? String(text.unicodeScalars.prefix(197)) + "…" : text)
    }

    /// The tree with the value in it.
    func applied(to root: RawNode, log: ProblemLog) -> RawNode { set(root, path[...], at: "", log) }

    private func set(_ node: RawNode, _ rest: ArraySlice<String>, at trail: String, _ log: ProblemLog) -> RawNode {
        guard let key = rest.first else { return value }
        let keyPath = joined(trail, key)
        var node = node
        switch node.content {
        case .mapping(var fields):
            if let (index, count) = Self.field(rest, in: fields) {
                fields[index].value = set(
                    fields[index].value, rest.dropFirst(count), at: joined(trail, fields[index].key), log)
            } else {
                let added = set(.emptyMapping(at: value.origin), rest.dropFirst(), at: keyPath, log)
                fields.append(RawField(key: key, origin: value.origin, value: added))
            }
            node.content = .mapping(fields)
        case .list(var items):
            guard let index = Self.index(of: key, in: items) else {
                let ids = items.compactMap(Self.id)
                log.report(
                    value.origin, keyPath,
                    expected: ids.isEmpty
                        ? "the index of an item, counted from 0" : "the id of an item: \(Form.alternatives(ids))",
                    found: RawNode.quoted(key), nearest: Nearest.name(to: key, among: ids))
                return node
            }
            items[index] = set(items[index], rest.dropFirst(), at: keyPath, log)
            node.content = .list(items)
        case .scalar:
            if node.isNothing { return set(.emptyMapping(at: value.origin), rest, at: trail, log) }
            log.report(value.origin, trail, expected: "a mapping in which to set '\(key)'", found: node.found)
        }
        return node
    }

    /// The field that the first of the keys name, and how many do: the names of a study's axes have dots in them.
    private static func field(_ keys: ArraySlice<String>, in fields: [RawField]) -> (index: Int, keys: Int)? {
        if let index = fields.firstIndex(where: { $0.key == keys.first }) { return (index, 1) }
        let path = keys.joined(separator: ".")
        guard
            let index = fields.firstIndex(where: {
                $0.key == path || $0.key.contains(".") && KeyPathText.leads($0.key, to: path)
            })
        else {
            return nil
        }
        return (index, fields[index].key.split(separator: ".", omittingEmptySubsequences: false).count)
    }

    private static func index(of key: String, in items: [RawNode]) -> Int? {
        if let index = items.firstIndex(where: { id($0) == key }) { return index }
        guard let index = Int(key), items.indices.contains(index) else { return nil }
        return index
    }

    /// The name by which a path addresses an item; nil for one that has an index alone.
    static func id(_ item: RawNode) -> String? {
        FormCheck.itemName(item, key: "id") ?? FormCheck.itemName(item, key: "name")
            ?? FormCheck.itemName(item, key: "region")
    }
}
