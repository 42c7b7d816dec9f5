import Basics

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
