import EmbeddedTexts

/// A rule of MODEL.md with its text.
package struct ModelRule: Hashable, Sendable {
    /// Such as `B7`.
    package let id: String
    package let title: String
    /// The paragraphs under the heading, the evidence last, as Markdown.
    package let text: String

    /// All rules in their order, from the file that the build embeds.
    package static let all: [ModelRule] = EmbeddedText.model
        .split(separator: "\n## ").flatMap { $0.split(separator: "\n### ").dropFirst() }
        .map { part in
            let heading = part.prefix { $0 != "\n" }
            let id = heading.prefix { $0 != " " }
            return ModelRule(
                id: String(id), title: String(heading.dropFirst(id.count + 1)),
                text: part.dropFirst(heading.count).trimmingBlankLines)
        }

    package static func rule(_ id: some StringProtocol) -> ModelRule? { all.first { $0.id == id } }

    /// The rules of a list such as `B2, B3` or `S1–S6`.
    package static func rules(of list: some StringProtocol) -> [ModelRule] {
        list.split(separator: ",").flatMap { part -> [ModelRule] in
            let ends = part.split(separator: "–").map { end in String(end.filter { $0 != " " }) }
            guard let first = all.firstIndex(where: { $0.id == ends.first }),
                let last = all.firstIndex(where: { $0.id == ends.last }),
                first <= last
            else { return [] }
            return Array(all[first...last])
        }
    }

    /// The rules that a sentence cites in brackets, such as `(B1)` or `(C5, V6)`, each once.
    package static func cited(in sentence: String) -> [ModelRule] {
        var found: [ModelRule] = []
        for bracket in sentence.matches(of: #/\(([^()]*)\)/#) {
            for citation in bracket.1.matches(of: #/\b[A-Z][0-9]+(–[A-Z][0-9]+)?\b/#) {
                for rule in rules(of: citation.0) where !found.contains(rule) { found.append(rule) }
            }
        }
        return found
    }
}

extension Substring {
    fileprivate var trimmingBlankLines: String {
        var text = self
        while text.first == "\n" { text.removeFirst() }
        while text.last == "\n" { text.removeLast() }
        return String(text)
    }
}
