import Basics
import People

/// Checks nodes against forms: every value is read by its form's own rules, every key is one of the catalogue, defaults
/// fill what is absent.
///
/// Problems go to the log; what is wrong becomes an invalid value, so that one pass finds them all.
final class FormCheck {
    let log: ProblemLog
    let isReplay: Bool
    /// The scenario's name if it states none.
    let fileName: String
    /// Where the files lie that the scenario names; nil for a text that lies nowhere.
    var folder: String?
    /// Whether absent keys get their defaults and required ones are missed. Off for a block that others complete.
    private var completes = true
    /// The values of files that distributions name, in order: segments share what the population reads.
    var sampleValues: [SampleKey: [Double]] = [:]

    /// A file of values, and whether they are numbers or lengths of time.
    struct SampleKey: Hashable {
        let file: String
        let isCount: Bool
    }

    init(log: ProblemLog, isReplay: Bool, fileName: String) {
        (self.log, self.isReplay, self.fileName) = (log, isReplay, fileName)
    }

    func check(_ node: RawNode, _ form: Form, _ path: String) -> CheckedValue {
        CheckedValue(content: content(node, form, path) ?? .invalid, form: form, origin: node.origin, path: path)
    }

    /// Checks a value without defaults and without missing keys.
    func checkPart(_ node: RawNode, _ form: Form, _ path: String) {
        completes = false
        _ = content(node, form, path)
        completes = true
    }

    private func content(_ node: RawNode, _ form: Form, _ path: String) -> CheckedValue.Content? {
        switch form.structure {
        case .list(let item, let counts, let key): list(node, form, item, counts, key, path)
        case .table(let table): self.table(node, form, table, path)
        case .block(let block): self.block(node, form, block, path)
        case .variants(let variants): self.variants(node, variants, path)
        case .oneOf(let entries): oneOf(node, form, entries, path)
        case .either(let forms): either(node, form, forms, path)
        case .distribution(let subject):
            DistributionReading(check: self, subject: subject, path: path).distribution(node, form).map {
                .distribution($0)
            }
        case .span: span(node, form, path)
        case .anything: node.isNothing ? refuse(node, path, form.words) : .node(node)
        case .scalar: scalar(node, form, path)
        }
    }

    @discardableResult
    func refuse(
        _ node: RawNode, _ path: String, _ expected: String, found: String? = nil,
        nearest: @autoclosure () -> String? = nil
    ) -> CheckedValue.Content? {
        let reason = KeyCatalogue.reasonOfBounds(of: path).map { " (\($0))" } ?? ""
        log.report(node.origin, path, expected: expected + reason, found: found ?? node.found, nearest: nearest())
        return nil
    }

    // MARK: Lists

    private func list(
        _ node: RawNode, _ form: Form, _ item: Form, _ counts: ClosedRange<Int>, _ key: String?, _ path: String
    ) -> CheckedValue.Content? {
        guard case .list(let nodes) = node.content else { return refuse(node, path, form.words) }
        guard counts.contains(nodes.count) else {
            let range =
                counts.lowerBound == counts.upperBound
                ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
            return refuse(node, path, "a list of \(range) item\(range == "1" ? "" : "s")", found: "\(nodes.count)")
        }
        var seen: Set<String> = []
        var items: [CheckedValue] = []
        for (index, itemNode) in nodes.enumerated() {
            items.append(check(itemNode, item, joined(path, Self.itemName(itemNode, key: key) ?? "\(index)")))
            if let key, let idNode = Self.idNode(of: itemNode, key), let id = Self.itemName(itemNode, key: key),
                !seen.insert(id).inserted
            {
                log.report(idNode.origin, joined(path, id), expected: "each \(key) once", found: "'\(id)' again")
            }
        }
        return .list(items)
    }

    /// The id by which a list item is addressed.
    static func itemName(_ node: RawNode, key: String?) -> String? {
        guard let key, case .scalar(let text, _)? = idNode(of: node, key)?.content, !text.isEmpty else { return nil }
        return text
    }

    /// Where an item's id stands: in the item, or in the one mapping that it consists of.
    private static func idNode(of node: RawNode, _ key: String) -> RawNode? {
        if let own = node[key] { return own }
        guard case .mapping(let fields) = node.content, fields.count == 1, case .mapping = fields[0].value.content
        else { return nil }
        return fields[0].value[key]
    }

    private func span(_ node: RawNode, _ form: Form, _ path: String) -> CheckedValue.Content? {
        guard case .list(let nodes) = node.content else { return refuse(node, path, form.words) }
        guard nodes.count == 2 else { return refuse(node, path, form.words, found: "a list of \(nodes.count)") }
        return .list(nodes.enumerated().map { check($1, .instant(afterStart: true), joined(path, "\($0)")) })
    }

    // MARK: Mappings

    private func table(_ node: RawNode, _ form: Form, _ table: Form.Table, _ path: String) -> CheckedValue.Content? {
        guard case .mapping(let fields) = node.content else { return refuse(node, path, form.words) }
        var values: [(key: String, value: CheckedValue)] = []
        for field in fields {
            checkKey(field, table.keys, path)
            values.append((field.key, check(field.value, table.value, joined(path, field.key))))
        }
        if table.sharesAddUp { checkSum(of: values.map(\.value), node, path) }
        return .mapping(values)
    }

    /// A key that the scenario chooses.
    private func checkKey(_ field: RawField, _ keys: Form.Table.Keys, _ path: String) {
        let key = field.key
        func refuse(_ expected: String, nearest: @autoclosure () -> String? = nil) {
            self.refuse(field, path, expected, RawNode.quoted(key), nearest: nearest())
        }
        switch keys {
        case .zones:
            if !ZoneNames.contains(key) {
                refuse(Form.zone(allowsLocal: false).words, nearest: ZoneNames.nearest(to: key))
            }
        case .cities:
            if CityTable.city(named: key) == nil {
                refuse("a city such as New York", nearest: Nearest.name(to: key, among: CityTable.names))
            }
        case .apps, .variants, .parameters: if !ScalarText.isName(key) { refuse(Form.name.words) }
        case .axes:
            if !ScalarText.isAxisName(key) {
                refuse("an axis's name of letters, digits, '_', '-' and '.', with other key paths stated as its key")
            } else if KeyCatalogue.namesOfColumns.contains(key) {
                refuse("an axis's name that no column of a study's tables has")
            }
        case .keyPaths: if KeyPathText.parts(of: key[...]) == nil { refuse(Form.keyPath.words) }
        case .choices, .kinds, .regions: break
        }
    }

    private func block(_ node: RawNode, _ form: Form, _ block: Form.Block, _ path: String) -> CheckedValue.Content? {
        guard case .mapping(let fields) = node.content else {
            let names = block.entries.filter(isAvailable).map(\.name)
            let some = names.count > 6 ? "such as " + names.prefix(3).joined(separator: ", ") : Form.alternatives(names)
            return refuse(node, path, "\(form.words) with keys \(some)")
        }
        let known = block.entries.filter(isAvailable)
        for field in fields where !known.contains(where: { $0.name == field.key }) {
            if let reason = block.unavailable[field.key] {
                refuse(field, path, "another key", "'\(field.key)': \(reason)")
            } else if block.entries.contains(where: { $0.name == field.key }) {
                let (own, other) = isReplay ? ("a replay", "a drawn fleet") : ("a drawn fleet", "a replay")
                refuse(field, path, "a key of \(own)", "'\(field.key)', which belongs to \(other)")
            } else {
                refuseKey(field, known.map(\.name), path)
            }
        }
        let rivals = fields.filter { block.alternatives.contains($0.key) }
        if rivals.count > 1 {
            refuse(
                rivals[1], path, "only one of " + block.alternatives.joined(separator: " and "),
                rivals.count == 2 ? "both" : "\(rivals.count)")
        } else if rivals.isEmpty && block.requiresAlternative && completes {
            log.report(
                node.origin, path, expected: "one of " + block.alternatives.joined(separator: " and "), found: "neither"
            )
        }
        let values = self.values(of: known, among: block.entries, in: node, path)
        if block.sharesAddUp { checkSum(of: values.map(\.value), node, path) }
        return .mapping(values)
    }

    private func variants(_ node: RawNode, _ variants: Form.Variants, _ path: String) -> CheckedValue.Content? {
        guard case .mapping(let fields) = node.content else {
            let example = variants.cases.last { !$0.entries.isEmpty } ?? variants.cases[0]
            return refuse(
                node, path, "a mapping such as {\(variants.key): \(example.name)}",
                nearest: Self.mapping(of: variants, choosing: node))
        }
        let choice = variants.selector.form
        let selector: CheckedValue
        if let stated = node[variants.key] {
            selector = check(stated, choice, joined(path, variants.key))
        } else if let defaultValue = variants.defaultValue {
            selector = CheckedValue(
                content: .text(defaultValue), form: choice, origin: .catalogue, path: joined(path, variants.key),
                isStated: false)
        } else {
            log.report(node.origin, joined(path, variants.key), expected: choice.words, found: "nothing")
            return nil
        }
        guard selector.isValid, let chosen = variants.cases.first(where: { $0.name == selector.text }) else {
            return nil
        }
        let known = chosen.entries + variants.common
        for field in fields where field.key != variants.key && !known.contains(where: { $0.name == field.key }) {
            let others = variants.cases.filter { $0.entries.contains { $0.name == field.key } }.map(\.name)
            if others.isEmpty {
                refuseKey(field, [variants.key] + known.map(\.name), path)
            } else {
                refuse(
                    field, path, "a key of '\(variants.key): \(chosen.name)'",
                    "'\(field.key)', which belongs to \(Form.alternatives(others))")
            }
        }
        return .mapping([(variants.key, selector)] + values(of: known, among: known, in: node, path))
    }

    private func oneOf(_ node: RawNode, _ form: Form, _ entries: [KeyEntry], _ path: String) -> CheckedValue.Content? {
        guard case .mapping(let fields) = node.content else { return refuse(node, path, form.words) }
        var chosen: [RawField] = []
        for field in fields {
            if entries.contains(where: { $0.name == field.key }) {
                chosen.append(field)
            } else {
                refuseKey(field, entries.map(\.name), path)
            }
        }
        guard chosen.count == 1, let entry = entries.first(where: { $0.name == chosen[0].key }) else {
            if chosen.isEmpty && !fields.isEmpty { return nil }
            return refuse(
                node, path, form.words,
                found: chosen.isEmpty ? "an empty mapping" : chosen.map { "'\($0.key)'" }.joined(separator: " and ")
            )
        }
        return .mapping([(entry.name, check(chosen[0].value, entry.form, joined(path, entry.name)))])
    }

    private func either(_ node: RawNode, _ form: Form, _ forms: [Form], _ path: String) -> CheckedValue.Content? {
        let kind: Form.NodeKind
        switch node.content {
        case .scalar: kind = .scalar
        case .list: kind = .list
        case .mapping: kind = .mapping
        }
        let fitting = forms.filter { $0.reads(kind) }
        guard !node.isNothing, let first = fitting.first else {
            let mappings = forms.lazy.compactMap { form -> String? in
                if case .variants(let variants) = form { Self.mapping(of: variants, choosing: node) } else { nil }
            }
            return refuse(node, path, form.words, nearest: mappings.first)
        }
        if case .scalar(let text, _) = node.content, case .choice(let names) = first, !names.contains(text) {
            for meaning in Self.meanings(of: node, text) {
                guard let key = key(among: forms, named: meaning.key, taking: meaning.value) else { continue }
                return refuse(node, path, first.words, nearest: "{\(key): \(meaning.value.scalarText ?? "")}")
            }
        }
        // The first key tells several mappings apart: one of a form's own, or a parameter of a distribution.
        guard fitting.count > 1, case .mapping(let fields) = node.content, let key = fields.first?.key else {
            return content(node, first, path)
        }
        return content(node, fitting.first { $0.form(of: key, chosen: nil) != nil } ?? fitting[fitting.count - 1], path)
    }

    /// The mapping that chooses a case by its word, which stands in the mapping's place; nil for another word.
    private static func mapping(of variants: Form.Variants, choosing node: RawNode) -> String? {
        guard case .scalar(let word, _) = node.content, variants.cases.contains(where: { $0.name == word }) else {
            return nil
        }
        return "{\(variants.key): \(word)}"
    }

    /// The meanings of a text in the place of a mapping with one key: its value, the value in other words for its unit,
    /// or the key with its value as Swift writes them, `.after(30m)`, or with a blank or a colon between.
    private static func meanings(of node: RawNode, _ text: String) -> [(key: String?, value: RawNode)] {
        let texts: [(String?, String)] =
            [(nil, text)] + (DurationText.meant(by: text).map { [(nil, TimeText.duration($0))] } ?? [])
            + (text.wholeMatch(of: #/\.?([a-z_]+)(?:\(|[:\s]\s*)([^()\s]+)\)?/#)
                .map { [(String($0.1), String($0.2))] } ?? [])
        return texts.map { key, value in
            (key, RawNode(content: .scalar(value, isPlain: true), origin: node.origin))
        }
    }

    /// The first key of some mappings that takes a value which stands in the place of the mapping; no key that takes
    /// any name.
    ///
    /// - Parameter named: nil for any key.
    private func key(among forms: [Form], named name: String? = nil, taking node: RawNode) -> String? {
        let trial = FormCheck(log: ProblemLog(file: log.file), isReplay: isReplay, fileName: fileName)
        for form in forms {
            let entries: [KeyEntry] =
                switch form.structure {
                case .block(let block): block.entries
                case .oneOf(let entries): entries
                default: []
                }
            for entry in entries where name == nil || entry.name == name {
                switch entry.form {
                case .text, .name, .label: continue
                default: if trial.check(node, entry.form, entry.name).isValid { return entry.name }
                }
            }
        }
        return nil
    }

    private func refuseKey(_ field: RawField, _ known: [String], _ path: String) {
        refuse(
            field, path, "a known key", RawNode.quoted(field.key),
            nearest: Nearest.name(to: field.key, among: known, byWord: false)
                ?? KeyCatalogue.elsewhere(field.key, from: path) ?? Nearest.name(to: field.key, among: known))
    }

    /// Reports a key where it stands.
    private func refuse(
        _ field: RawField, _ path: String, _ expected: String, _ found: String,
        nearest: @autoclosure () -> String? = nil
    ) {
        log.report(
            field.origin, joined(path, field.key), expected: expected, found: found, nearest: nearest())
    }

    private func isAvailable(_ entry: KeyEntry) -> Bool {
        switch entry.fleet {
        case .both: true
        case .drawn: !isReplay
        case .replay: isReplay
        }
    }

    private func checkSum(of shares: [CheckedValue], _ node: RawNode, _ path: String) {
        let stated = shares.filter { !$0.isAbsent }
        guard stated.allSatisfy(\.isValid) else { return }
        if !completes && stated.isEmpty { return }
        log.checkSum(stated.map(\.number), node.origin, path)
    }

    // MARK: Values and defaults of a mapping's keys

    /// - Parameter declared: the entries of this kind of fleet and of the other one.
    private func values(
        of entries: [KeyEntry], among declared: [KeyEntry], in node: RawNode, _ path: String
    ) -> [(key: String, value: CheckedValue)] {
        var values: [(key: String, value: CheckedValue)] = []
        for entry in entries {
            let keyPath = joined(path, entry.name)
            if let stated = node[entry.name] {
                values.append((entry.name, check(stated, entry.form, keyPath)))
            } else if completes {
                // A default can come from the keys before its own, and from no others.
                func soFar() -> CheckedValue {
                    let before = Form.Block(entries: Array(declared.prefix { $0.name != entry.name }))
                    return CheckedValue(
                        content: .mapping(values), form: .block(before), origin: node.origin, path: path)
                }
                values.append((entry.name, absent(entry, in: node, keyPath, soFar)))
            }
        }
        return values
    }

    private func absent(_ entry: KeyEntry, in node: RawNode, _ path: String, _ soFar: () -> CheckedValue)
        -> CheckedValue
    {
        func unstated(_ content: CheckedValue.Content) -> CheckedValue {
            CheckedValue(content: content, form: entry.form, origin: node.origin, path: path, isStated: false)
        }
        switch entry.defaultValue {
        case .required:
            log.report(node.origin, path, expected: entry.form.words, found: "nothing")
            return unstated(.invalid)
        case .none: return unstated(.absent)
        case .value(let text): return filled(text, entry, path, node)
        case .byFleet(let drawn, let replay): return filled(isReplay ? replay : drawn, entry, path, node)
        case .unless(let key, let text):
            return soFar()[key].isAbsent ? filled(text, entry, path, node) : unstated(.absent)
        case .computed(_, let compute):
            // A value from which it is computed is wrong, and reported there.
            return compute(soFar()).map { filled($0, entry, path, node) } ?? unstated(.invalid)
        case .sometimes(_, let compute):
            return compute(soFar()).map { filled($0, entry, path, node) } ?? unstated(.absent)
        case .fileName:
            guard let fault = NameText.fault(fileName) else { return unstated(.text(fileName)) }
            log.report(
                .catalogue, path, expected: "\(NameText.words), since the file's own is none",
                found: "\(RawNode.quoted(fileName)): \(fault)")
            return unstated(.invalid)
        }
    }

    /// A default read like any value, so that it obeys the same rules. Its place is the mapping that lacks it.
    private func filled(_ text: String, _ entry: KeyEntry, _ path: String, _ node: RawNode) -> CheckedValue {
        var value = check(composed(text).moved(to: node.origin), entry.form, path)
        value.isStated = false
        return value
    }

    private func composed(_ text: String) -> RawNode {
        KeyCatalogue.composedDefaults.value(of: text) { NodeComposition.ownRoot(of: text) }
    }
}

extension RawNode {
    /// A copy of the node with all its parts at one place.
    func moved(to origin: Origin) -> RawNode {
        switch content {
        case .scalar: RawNode(content: content, origin: origin)
        case .list(let items): RawNode(content: .list(items.map { $0.moved(to: origin) }), origin: origin)
        case .mapping(let fields):
            RawNode(
                content: .mapping(
                    fields.map { RawField(key: $0.key, origin: origin, value: $0.value.moved(to: origin)) }),
                origin: origin)
        }
    }
}
