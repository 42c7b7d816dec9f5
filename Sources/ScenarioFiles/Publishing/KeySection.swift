import Basics
import People

/// A part of the dictionary of keys: those at the top of a scenario, in a block of it, or in a block of that block.
package struct KeySection: Sendable {
    /// The path of its keys in common, such as `kinds.policy`; empty for the top level.
    package let name: String
    let isList: Bool
    /// By their path inside the top-level block that they are in.
    let lines: [KeyCatalogue.Line]

    /// A block of a block has a section of its own from so many keys on.
    private static let fewest = 4

    /// The heading in the dictionary.
    var title: String { name.isEmpty ? "Top level" : "`\(name)`" + (isList ? ", a list" : "") }

    /// All sections in the order of the catalogue. The key of a section stands in the one above, too.
    package static let all: [KeySection] = {
        let entries = KeyCatalogue.root.entries
        let top = entries.map { KeyCatalogue.Line(path: $0.name, entry: $0, condition: nil) }
        return [KeySection(name: "", isList: false, lines: top)] + entries.flatMap(sections)
    }()

    private static func sections(of entry: KeyEntry) -> [KeySection] {
        var isList = false
        var form = entry.form
        if case .list(let item, _, _) = form.structure { (form, isList) = (item, true) }
        let lines = KeyCatalogue.lines(in: form, under: "")
        if lines.isEmpty { return [] }
        var own: [KeyCatalogue.Line] = []
        var inner: [KeySection] = []
        for name in lines.map(firstKey).uniqued {
            let its = lines.filter { firstKey($0) == name }
            if its.count < fewest || !its.dropFirst().contains(where: { $0.path != its[0].path }) {
                own += its
            } else {
                let heads = its.filter { $0.path == name }
                own += heads
                inner.append(
                    KeySection(name: "\(entry.name).\(name)", isList: false, lines: its.filter { $0.path != name }))
            }
        }
        return [KeySection(name: entry.name, isList: isList, lines: own)] + inner
    }

    private static func firstKey(_ line: KeyCatalogue.Line) -> String {
        let first = line.path.prefix { $0 != "." }
        return String(first.hasSuffix("[]") ? first.dropLast(2) : first)
    }

    /// The questions that scenarios answer, each with the sections to look into.
    package static let questions: [(question: String, sections: [String])] = [
        ("What is run and reported?", ["", "report", "thresholds", "study"]),
        (
            "How hard do requests hit, and when?",
            [
                "kinds", "kinds.policy", "kinds.timeline", "kinds.transfer", "kinds.push_on_version", "pushes",
                "pushes.at",
                "os_releases", "app_releases", "service.background",
                "population.apps",
            ]
        ),
        (
            "How fresh is what people see?",
            ["kinds.versions", "kinds.forecast", "kinds.timeline", "kinds.policy", "population.movement", "population"]
        ),
        ("What does the budget allow?", ["parameters", "kinds.policy", "population.pickups"]),
        (
            "Does the service stand?",
            [
                "service", "service.retries", "service.failure_after", "kinds.retries", "kinds.failure_after",
                "service.pools", "service.endpoints", "service.regions", "service.failover",
                "service.events",
                "service.background",
                "service.back_off", "service.prices", "service.objectives",
            ]
        ),
        (
            "What do servers send, and when is it shown?",
            ["live_activities", "live_activities.kinds", "live_activities.limits", "push_sender", "pushes"]
        ),
        ("What is different on Android?", ["kinds.android", "parameters.android"]),
        (
            "Who are the people, and what do they carry?",
            [
                "population", "segments", "population.sleep", "population.pickups", "population.movement",
                "population.environment",
                "population.power", "population.apps", "population.devices",
                "kinds.relevance",
            ]
        ),
        (
            "What did recorded devices do?",
            ["replay", "replay.columns", "devices", "devices.instances", "devices.stacks", "devices.surface_shown"]
        ),
    ]
}

/// A key of the format in words, for the dictionary and for `reloadsim explain`.
package struct KeyDescription: Sendable {
    /// From the top of a scenario, such as `kinds[].timeline.shape` or `population.apps.<app>.signed_in`.
    package let path: String
    /// The condition of the mapping's variant that has this key, such as `shape: series`.
    package let condition: String?
    /// The values that it takes.
    package let value: String
    /// The value that it has where a scenario is silent, as Markdown.
    package let defaultValue: String
    /// The rules of the model that it belongs to, `G2` or `B2, B3`; empty for none.
    package let rules: String
    package let meaning: String
    /// The range worth sweeping, and where the default comes from.
    package let sweep, evidence: String?

    init(_ line: KeyCatalogue.Line) {
        let entry = line.entry
        (path, condition, rules, meaning) = (line.path, line.condition, entry.rules, entry.meaning)
        (sweep, evidence) = (entry.sweep, entry.evidence)
        if case .list(.block, _, let key?) = entry.form {
            value = "a list of mappings, each with its own `\(key)`"
        } else {
            value = entry.form.words
        }
        defaultValue = Self.defaultValue(of: entry)
    }

    private static func defaultValue(of entry: KeyEntry) -> String {
        switch entry.defaultValue {
        case .required:
            entry.fleet == .drawn
                ? "required in a drawn fleet" : entry.fleet == .replay ? "required in a replay" : "required"
        case .none: "absent"
        case .value("{}") where fillsIn(entry.form): "its keys' defaults"
        case .value(let text): "`\(text)`"
        case .byFleet(let drawn, let replay): "`\(drawn)`; in a replay `\(replay)`"
        case .unless(let key, let text): "`\(text)`; absent with `\(key)`"
        case .computed(let words, _), .sometimes(let words, _): words
        case .fileName: "the file's name"
        }
    }

    /// Whether an empty mapping gets keys by default: the table of apps has an entry for each app.
    private static func fillsIn(_ form: Form) -> Bool {
        if case .table(let table) = form { table.keys == .apps } else { true }
    }

    /// How a name refers to the key: by its whole path, in which an item may be named as `--set` does
    /// (`kinds.weather.policy.after`), or by the end of it.
    package enum Reference: Comparable { case whole, end }

    /// Nil if the name does not mean this key.
    package func reference(of name: String) -> Reference? {
        let words = name.split(separator: ".").map { $0.hasSuffix("[]") ? String($0.dropLast(2)) : String($0) }
        guard let last = words.last, path.contains(last) else { return nil }
        let steps = Self.steps(of: path)
        if words.count > steps.count { return nil }
        if Self.fits(words[...], steps[...]) { return .whole }
        // An end begins with a key, not with the name of an item.
        let isEnd = steps.indices.dropFirst().contains { steps[$0] != nil && Self.fits(words[...], steps[$0...]) }
        return isEnd ? .end : nil
    }

    /// The keys of the path, with nil for the name of an item, which may be left out.
    private static func steps(of path: String) -> [String?] {
        path.split(separator: ".").flatMap { part -> [String?] in
            if part.hasPrefix("<") { return [nil] }
            return part.hasSuffix("[]") ? [String(part.dropLast(2)), nil] : [String(part)]
        }
    }

    private static func fits(_ words: ArraySlice<String>, _ steps: ArraySlice<String?>) -> Bool {
        guard let step = steps.first else { return words.isEmpty }
        guard let key = step else {
            return fits(words, steps.dropFirst()) || !words.isEmpty && fits(words.dropFirst(), steps.dropFirst())
        }
        return words.first == key && fits(words.dropFirst(), steps.dropFirst())
    }

    /// The path without marks of lists and items, as it is typed.
    package var name: String { Self.steps(of: path).compactMap { $0 }.joined(separator: ".") }
}

extension KeyCatalogue {
    /// All keys of the format in words, in order.
    package static let descriptions = lines.map(KeyDescription.init)

    /// The keys of that name in other places, by their paths as `reloadsim explain` takes them, or else those that the
    /// word means in the field; nil for none, and for a name that stands in many places.
    ///
    /// - Parameter path: where the name stood: keys of the same block come alone if there are any.
    static func elsewhere(_ name: String, from path: String) -> String? {
        let block = path.prefix { $0 != "." } + "."
        func nearest(_ paths: [String]) -> [String] {
            let near = paths.filter { $0.hasPrefix(block) }
            return near.isEmpty ? paths : near
        }
        let named = nearest(pathsByName[name] ?? [])
        let meant = nearest(PlainWords.names(of: name).uniqued.filter { $0.contains(".") && allPaths.contains($0) })
        let paths = named.isEmpty || named.count > 3 ? Array(meant.prefix(3)) : named
        return paths.isEmpty ? nil : paths.joined(separator: "' or '")
    }

    private static let allPaths = Set(descriptions.map(\.name))
    private static let pathsByName = Dictionary(grouping: descriptions.map(\.name).uniqued) {
        String($0.split(separator: ".").last ?? "")
    }

    /// The edge regions that a scenario can name, in the order of reports, with their cities in the table's order.
    package static let edgeRegions: [(name: String, cities: [String])] = CityTable.regions.map { region in
        (region, CityTable.all.filter { $0.region == region }.map(\.name))
    }
}

/// Headings of Markdown as GitHub links to them.
package enum MarkdownHeading {
    /// The part of a link after `#`: in small letters, a hyphen for each space, no other signs than hyphens and
    /// underscores.
    package static func anchor(_ title: String) -> String {
        String(
            title.lowercased().compactMap {
                $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil
            })
    }

    /// A link to a heading of the same page.
    package static func link(_ text: String, to title: String) -> String { "[\(text)](#\(anchor(title)))" }
}
