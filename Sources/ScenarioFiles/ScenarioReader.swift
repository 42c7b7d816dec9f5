import Basics
import Foundation
import ScenarioModel

/// A scenario that has been read and found right.
public struct ParsedScenario: Sendable {
    public let scenario: Scenario
    /// The effective scenario as canonical YAML, every default filled in. Reading it gives the same scenario and the
    /// same text.
    public let resolvedText: String
    /// The SHA-256 of the recorded events in hex, or of the hashes of all files that the scenario names; nil if it
    /// names none.
    public let recordSHA256: String?
    /// The SHA-256 of the scenario without what is behind the clients of its service, hex: runs that have it in common
    /// begin alike, up to the first answer. Nil without a service.
    package let fleetSHA256: String?
    /// The scenario's `study` block, which is not part of the scenario of one run; nil without one.
    package let study: StudyBlock?
    /// Sentences about what is allowed and yet probably not meant, as far as reading it alone shows them.
    package let noticed: [String]
}

/// Reads scenarios: YAML or JSON text, through the strict layer and the catalogue, to a checked `Scenario`.
public enum ScenarioReader {
    /// Reads a scenario's file, or standard input for `-`.
    ///
    /// - Parameters:
    ///   - overrides: `key.path=value`, applied in order before anything is checked.
    ///   - knownMetrics: the rows of the summary that thresholds may name; nil to leave their names unchecked.
    /// - Throws: all problems of the scenario, of its overrides and of its replay in one report.
    public static func read(file: String, overrides: [String] = [], knownMetrics: [KnownMetric]? = nil)
        throws(ScenarioProblems) -> ParsedScenario
    {
        try ScenarioText(file: file).read(overrides: overrides, knownMetrics: knownMetrics)
    }

    /// Reads a scenario's text.
    ///
    /// - Parameters:
    ///   - file: the name that problems show; the scenario's default name is made from it.
    ///   - replay: the text of the recorded events in place of the file that `replay` names, which then need not be
    ///     stated.
    public static func read(
        text: String, file: String = "scenario.yaml", replay: String? = nil, overrides: [String] = [],
        knownMetrics: [KnownMetric]? = nil
    ) throws(ScenarioProblems) -> ParsedScenario {
        try ScenarioText(text: text, file: file).read(overrides: overrides, knownMetrics: knownMetrics, replay: replay)
    }

    /// Reads the scenario of a tree of nodes.
    ///
    /// - Parameters:
    ///   - log: has the problems of the text.
    ///   - stem: the scenario's default name.
    static func read(
        _ root: RawNode, log: ProblemLog, stem: String, replay: ReplaySource, _ overrides: [String],
        _ knownMetrics: [KnownMetric]?
    ) throws(ScenarioProblems) -> ParsedScenario {
        var tree = root
        for text in overrides {
            if let override = Override(text, log: log) { tree = override.applied(to: tree, log: log) }
        }
        guard case .mapping(let fields) = tree.content else {
            log.report(tree.origin, "", expected: "a mapping with the scenario's keys", found: tree.found)
            throw ScenarioProblems(log.sorted)
        }
        let ofReplays = KeyCatalogue.root.entries.filter { $0.fleet == .replay }.map(\.name)
        let isReplay = fields.contains { ofReplays.contains($0.key) }
        let check = FormCheck(log: log, isReplay: isReplay, fileName: stem)
        if case .file(let folder) = replay { check.folder = folder }
        // A study is about many runs: it is read, and then it is not part of the scenario of one run.
        let statedStudy = tree["study"].map { check.check($0, .block(KeyCatalogue.study), "study") }
        tree.content = .mapping(fields.filter { $0.key != "study" })
        if isReplay, case .text = replay, tree["replay"] == nil { tree = tree.adding("replay", "events.csv") }
        tree = isReplay ? DeviceCompletion.replay(tree) : withWholeSegments(tree, check)
        tree = DeviceCompletion.controls(DeviceCompletion.platforms(tree))
        let checked = check.check(tree, .block(KeyCatalogue.root), "")
        let assembly = ScenarioAssembly(
            root: checked, log: log, isReplay: isReplay, files: replay,
            check: FormCheck(log: ProblemLog(file: ""), isReplay: isReplay, fileName: "").check)
        let study = statedStudy.map {
            StudyAssembly(log: log, study: assembly.read(KeyCatalogue.study, of: $0, over: StatedStudy())).block()
        }
        let scenario = assembly.scenario(knownMetrics: knownMetrics)
        guard log.problems.isEmpty, checked.isValid else {
            throw ScenarioProblems(log.sorted, isMissingInput: log.lacksInput && log.problems.count == 1)
        }
        return ParsedScenario(
            scenario: scenario, resolvedText: CanonicalText.document(checked), recordSHA256: assembly.recordSHA256,
            fleetSHA256: scenario.service.map { _ in
                SHA256.hash(data: Array(CanonicalText.document(checked.withoutPartsBehindClients).utf8)).hex
            },
            study: study,
            noticed: log.warnings)
    }

    /// The tree with every segment laid over the population, and with an entry for every app.
    ///
    /// A population with segments is checked as it stands and then taken out, since its keys are in every segment;
    /// without segments it stays, and an absent one is empty.
    private static func withWholeSegments(_ tree: RawNode, _ check: FormCheck) -> RawNode {
        let apps = appNames(of: tree)
        func whole(_ node: RawNode) -> RawNode {
            DeviceCompletion.population(SegmentMerge.overHabits(node)).withApps(apps)
        }
        var tree = tree
        let population = tree["population"]
        guard let segments = tree["segments"] else {
            tree["population"] = whole(population ?? .emptyMapping(at: tree.origin))
            return tree
        }
        guard case .list(let items) = segments.content else { return tree }
        if let population { check.checkPart(population, .block(KeyCatalogue.population), "population") }
        tree["segments"]?.content = .list(items.map { whole(SegmentMerge.segment($0, over: population)) })
        tree["population"] = nil
        return tree
    }

    /// The container apps of the kinds, as far as they are names.
    private static func appNames(of tree: RawNode) -> [String] {
        guard case .list(let kinds)? = tree["kinds"]?.content else { return [] }
        var names: [String] = []
        for kind in kinds {
            let name = kind["app"].map { $0.scalarText ?? "" } ?? KeyCatalogue.defaultApp
            if ScalarText.isName(name) && !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension RawNode {
    /// A population or segment with an entry for each of the apps.
    fileprivate func withApps(_ names: [String]) -> RawNode {
        var (node, apps) = (self, self["apps"] ?? .emptyMapping(at: origin))
        for name in names where apps[name] == nil { apps[name] = .emptyMapping(at: origin) }
        node["apps"] = apps
        return node
    }

    /// A mapping with one more item in a list of it, which is made if there is none. A value that is no list stays, for
    /// the check to refuse.
    func appending(_ item: RawNode, toListAt key: String) -> RawNode {
        var (node, list) = (self, RawNode(content: .list([]), origin: item.origin))
        if let stated = self[key], !stated.isNothing { list = stated }
        guard case .list(let items) = list.content else { return self }
        list.content = .list(items + [item])
        node[key] = list
        return node
    }
}

/// Where a replay's events come from.
enum ReplaySource {
    /// The file that the scenario names, relative to the folder.
    case file(folder: String)
    case text(String)
}
