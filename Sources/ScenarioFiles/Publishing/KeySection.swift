import Basics

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
                "service", "service.pools", "service.endpoints", "service.regions", "service.failover",
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
