import Basics
import Foundation
import ScenarioModel

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
