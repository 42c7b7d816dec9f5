import Foundation
import Testing

/// The marks of evidence of MODEL.md: what a source says, what it says may be, and what is assumed.
@Suite struct EvidenceTests {
    /// A clause of a rule's evidence: its mark and the text after it.
    struct Clause: Equatable {
        let mark, text: String
    }

    /// The text of each rule, by its id, in the document's order.
    private static let rules: [(id: String, text: String)] = {
        let model = (try? Document.text("MODEL.md")) ?? ""
        return model.components(separatedBy: "\n### ").dropFirst().map { section in
            let text = section.components(separatedBy: "\n## ")[0]
            return (String(section.prefix { $0 != " " }), text)
        }
    }()

    /// The abbreviations that the document's list of sources explains.
    private static let sources: Set<String> = {
        let model = (try? Document.text("MODEL.md")) ?? ""
        let head = model.components(separatedBy: "\n## ")[0]
        return Set(head.matches(of: #/\*\*([A-Z][A-Za-z0-9 ]*)\*\*/#).map { String($0.output.1) })
    }()

    /// The last names of all keys in the dictionary of scenarios.
    private static let keys: Set<String> = {
        let dictionary = (try? Document.text("Scenarios/README.md")) ?? ""
        let rows = dictionary.split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(
            rows.compactMap { row in
                row.firstMatch(of: #/^\| `([^`]+)`/#).map {
                    String($0.output.1.split(separator: ".").last!.replacing("[]", with: ""))
                }
            })
    }()

    static func clauses(of rule: String) -> [Clause] {
        guard let start = rule.range(of: "\nEvidence: ") else { return [] }
        let text = rule[start.upperBound...].replacing("\n", with: " ")
        return text.matches(of: #/\*(says|may|assumed)\*([^*]*)/#).map {
            Clause(mark: String($0.output.1), text: String($0.output.2))
        }
    }

    /// The fault of a clause; nil if it has none.
    static func fault(of clause: Clause, keys: Set<String>, sources: Set<String>) -> String? {
        let cited = clause.text.matches(of: #/\[([^\]]+)\]/#).flatMap {
            $0.output.1.split(separator: ", ").map(String.init)
        }
        if let unknown = cited.first(where: { !sources.contains($0) }) {
            return "cites \(unknown), which is no source of the list"
        }
        let named = clause.text.matches(of: #/`([^`]+)`/#).map { String($0.output.1) }
        guard clause.mark == "assumed" else { return cited.isEmpty ? "says so and cites nobody" : nil }
        if let unknown = named.first(where: { !keys.contains($0) }) { return "names \(unknown), which is no key" }
        return named.isEmpty && !clause.text.contains("(no key: ")
            ? "assumes something and names neither its key nor why there is none" : nil
    }

    @Test func `every rule has evidence, every source is listed, and every assumption has its key or a reason`() {
        #expect(Self.rules.count >= 80 && Self.keys.count > 300 && Self.sources.count > 10)
        for (id, text) in Self.rules {
            let clauses = Self.clauses(of: text)
            if clauses.isEmpty { Issue.record("\(id) has no evidence") }
            for clause in clauses {
                if let fault = Self.fault(of: clause, keys: Self.keys, sources: Self.sources) {
                    Issue.record("\(id): *\(clause.mark)*\(clause.text): \(fault)")
                }
            }
            // A rule whose sentence calls something an assumption is not marked as if a source said all of it.
            let prose = text.components(separatedBy: "\nEvidence: ")[0].lowercased()
            if prose.contains("assumption") && !clauses.contains(where: { $0.mark == "assumed" }) {
                Issue.record("\(id) speaks of an assumption and marks none")
            }
        }
    }

    @Test(arguments: [
        ("\nEvidence: *says* something.", 1), ("\nEvidence: *says* [W99].", 1), ("\nEvidence: *assumed* a thing.", 1),
        ("\nEvidence: *assumed* `no_such_key`.", 1),
        ("\nEvidence: *may* [W21]; *assumed* `min_gap`, and this (no key: a reason).", 0),
        ("\nEvidence: *says* [W21]; *assumed* it.", 1),
    ])
    func `a planted clause is judged`(text: String, faults: Int) {
        let found = Self.clauses(of: text).compactMap { Self.fault(of: $0, keys: ["min_gap"], sources: ["W21"]) }
        #expect(found.count == faults, "\(found)")
    }
}
