@testable import ScenarioFiles

/// The dictionary of the scenario's keys as Markdown, made from the catalogue: the part of `Scenarios/README.md`
/// between its markers.
enum ScenarioDictionary {
    static let begin = "<!-- keys: begin -->"
    static let end = "<!-- keys: end -->"

    /// The index, and the tables, one for each section.
    static func markdown() -> String {
        let sections = KeySection.all.map { section in
            (section.name.contains(".") ? "#### " : "### ") + section.title + "\n\n" + table(section)
        }
        return index + "\n" + sections.joined(separator: "\n")
    }

    /// `text` with the dictionary between the markers; nil if it has none.
    static func replaced(in text: String) -> String? {
        guard let from = text.range(of: begin), let to = text.range(of: end), from.upperBound <= to.lowerBound else {
            return nil
        }
        return text[..<from.upperBound] + "\n" + markdown() + text[to.lowerBound...]
    }

    /// The sections by question, and in their order with the number of keys.
    private static var index: String {
        var text = "| question | keys |\n|---|---|\n"
        for (question, names) in KeySection.questions {
            text += "| \(question) | " + names.map(link).joined(separator: ", ") + " |\n"
        }
        text += "\nAll sections, each with the number of its keys:\n\n"
        for section in KeySection.all where !section.name.contains(".") {
            let inner = KeySection.all.filter { $0.name.hasPrefix(section.name + ".") && !section.name.isEmpty }
            text +=
                "- " + ([section] + inner).map { "\(link($0.name)) \($0.lines.count)" }.joined(separator: ", ") + "\n"
        }
        return text
    }

    private static func link(_ name: String) -> String {
        guard let section = KeySection.all.first(where: { $0.name == name }) else { return name }
        return MarkdownHeading.link(name.isEmpty ? "top level" : "`\(name)`", to: section.title)
    }

    /// A citation of the data behind the habits as a link, from the folder of the scenarios.
    private static func linked(_ text: String) -> String {
        text.replacing("docs/calibration-data.md", with: "[docs/calibration-data.md](../docs/calibration-data.md)")
    }

    private static func table(_ section: KeySection) -> String {
        var text = "| key | value | default | rules | meaning |\n|---|---|---|---|---|\n"
        for line in section.lines {
            let key = KeyDescription(line)
            var meaning = key.meaning
            if let condition = key.condition { meaning = "With `\(condition)`. " + meaning }
            if let sweep = key.sweep { meaning += " *Sweep: \(linked(sweep)).*" }
            if let evidence = key.evidence { meaning += " *Default: \(linked(evidence)).*" }
            let below = section.name.isEmpty ? key.path : section.name + "." + key.path
            if below != section.name, let its = KeySection.all.first(where: { $0.name == below }) {
                meaning += " " + MarkdownHeading.link("Its keys", to: its.title) + "."
            }
            text +=
                "| `\(key.path)` | \(cell(key.value)) | \(cell(key.defaultValue)) | \(key.rules) | \(cell(meaning)) |\n"
        }
        return text
    }

    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
