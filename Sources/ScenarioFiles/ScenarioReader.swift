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

/// A scenario's text, read once: the runs of a study are read from it with overrides of their own, whatever becomes of
/// the file meanwhile.
///
/// The recorded events of a replay are no part of it: every `read` reads their file again, and
/// `ParsedScenario.recordSHA256` says what it held.
package struct ScenarioText: Sendable {
    /// The name that problems show: the file's path, or `stdin`.
    package let file: String
    package let text: String
    /// The folder that the file lies in; empty for the working folder. Foundation's own answer ends the program for a
    /// path of one character.
    package var folder: String {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Nil if the problems of the text leave nothing to check.
    let root: RawNode?
    private let problems: [ScenarioProblem]

    /// A scenario's file, or standard input for `-`.
    ///
    /// - Throws: if it cannot be read, is too large or is no UTF-8. `read` reports other faults.
    package init(file: String) throws(ScenarioProblems) {
        let name = file == "-" ? "stdin" : file
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(file, limit: NodeComposition.largestFile)
        } catch {
            throw ScenarioProblems(
                [ScenarioProblem(file: name, expected: "a file that can be read", found: error.reason)],
                isMissingInput: true)
        }
        let log = ProblemLog(file: name)
        guard let text = NodeComposition.text(of: bytes, log: log) else { throw ScenarioProblems(log.sorted) }
        self.init(text: text, file: name)
    }

    /// - Parameter file: the name that problems show; the scenario's default name is made from it, and a replay's
    ///   events lie beside it.
    package init(text: String, file: String = "scenario.yaml") {
        let log = ProblemLog(file: file)
        self.file = file
        self.text = text
        root = NodeComposition.text(of: Array(text.utf8), log: log).flatMap { NodeComposition.root(of: $0, log: log) }
        problems = log.problems
    }

    /// Reads the scenario.
    ///
    /// - Parameters:
    ///   - overrides: `key.path=value`, applied in order before anything is checked.
    ///   - thresholds: `metric <= bound`, after the scenario's own.
    ///   - knownMetrics: the rows of the summary that thresholds may name; nil to leave their names unchecked.
    ///   - replay: the text of the recorded events in place of the file that `replay` names.
    /// - Throws: all problems of the scenario, of its overrides and of its replay in one report.
    package func read(
        overrides: [String] = [], thresholds: [String] = [], knownMetrics: [KnownMetric]? = nil, replay: String? = nil
    ) throws(ScenarioProblems) -> ParsedScenario {
        let log = ProblemLog(file: file)
        for problem in problems { log.add(problem) }
        guard let root else { throw ScenarioProblems(log.sorted) }
        let path = file as NSString
        let tree = thresholds.reduce(root) { tree, text in
            ThresholdText.node(text, log: log).map { tree.appending($0, toListAt: "thresholds") } ?? tree
        }
        return try ScenarioReader.read(
            tree, log: log, stem: (path.lastPathComponent as NSString).deletingPathExtension,
            replay: replay.map { .text($0) } ?? .file(folder: folder), overrides, knownMetrics)
    }
}

extension ScenarioText {
    /// The paths that `--set` takes in this scenario, for suggestions: each key of the catalogue, in its order, under
    /// every item that the text names, such as `kinds.weather.policy.after`.
    ///
    /// Items whose names have other signs than letters, digits, `_` and `-` are left out, so a path is one plain word
    /// in every shell.
    package var paths: [String] {
        KeyCatalogue.lines.flatMap { Self.paths($0.path.split(separator: ".")[...], in: root) }.uniqued
    }

    /// The suggestions without a scenario: paths without items.
    package static var pathsWithoutItems: [String] { ScenarioText(text: "{}").paths }

    private static func paths(_ steps: ArraySlice<Substring>, in node: RawNode?) -> [String] {
        guard let step = steps.first else { return [""] }
        let rest = steps.dropFirst()
        func under(_ name: String, _ node: RawNode?) -> [String] {
            paths(rest, in: node).map { $0.isEmpty ? name : name + "." + $0 }
        }
        if step.hasPrefix("<") {
            guard case .mapping(let fields)? = node?.content else { return [] }
            return fields.filter { ScalarText.isName($0.key) }.flatMap { under($0.key, $0.value) }
        }
        guard step.hasSuffix("[]") else { return under(String(step), node?[String(step)]) }
        let key = String(step.dropLast(2))
        guard case .list(let items)? = node?[key]?.content else { return [] }
        return items.flatMap { (item) -> [String] in
            guard let id = Override.id(item), ScalarText.isName(id) else { return [] }
            return under(id, item).map { key + "." + $0 }
        }
    }
}

extension ThresholdText {
    /// The mapping that a scenario would have for it.
    static func node(_ text: String, log: ProblemLog) -> RawNode? {
        let origin = Origin.threshold(text)
        guard ThresholdText(text) != nil, let parts = Threshold.Comparison.parts(of: text) else {
            log.report(origin, "", expected: words, found: RawNode.quoted(text))
            return nil
        }
        let fields = [("metric", parts.metric), ("op", parts.op.rawValue), ("value", parts.bound)].map { key, value in
            RawField(key: key, origin: origin, value: RawNode(content: .scalar(value, isPlain: true), origin: origin))
        }
        return RawNode(content: .mapping(fields), origin: origin)
    }
}
