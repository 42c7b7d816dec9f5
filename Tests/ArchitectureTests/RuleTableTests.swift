import Foundation
import Testing

/// The table of MODEL.md's rules in docs/rule-index.md: which files implement a rule, and which tests pin it.
@Suite struct RuleTableTests {
    /// The sections of the model: the letter of their ids, and how many there are.
    static let sections: [(letter: String, count: Int)] = [
        ("T", 6), ("D", 10), ("V", 10), ("P", 8), ("B", 8), ("G", 9), ("F", 9), ("L", 8), ("R", 6), ("C", 5), ("S", 8),
        ("O", 6),
        ("N", 13),
    ]
    static let rules = sections.flatMap { section in (1...section.count).map { "\(section.letter)\($0)" } }

    /// The ids of the headings, in order.
    static let headings = Document.model.matches(of: #/(?m)^### ([A-Z][0-9]+) /#).map { String($0.1) }
    /// The ids on the line of what is not built.
    static let notBuilt = Document.model.matches(of: #/(?m)^Not built yet: (.+)\.$/#).flatMap { Document.ids(in: $0.1) }
    static let rows: [(rules: [String], code: [String], tests: [String])] = Document.table(
        in: Document.ruleIndex, headed: ["rules", "code", "tests"]
    )
    .map { (Document.ids(in: $0[0]), Document.paths(in: $0[1]), Document.paths(in: $0[2])) }
    /// The words of rows that have no test.
    static let noTest = Document.table(in: Document.ruleIndex, headed: ["rules", "code", "tests"]).filter {
        $0[2] == "none yet"
    }.count

    @Test func `every rule has one heading, in order`() {
        #expect(Self.headings == Self.rules)
    }

    @Test func `a rule that is not built, or partly, says so once`() {
        let parts = Document.model.split(separator: #/(?m)^#{2,3} /#).map(String.init)
        for rule in Self.rules {
            let text = parts.first { $0.hasPrefix("\(rule) ") } ?? ""
            let statuses = text.matches(of: #/\*\*(Partly built|Not built)\b/#)
            #expect(statuses.count <= 1, "\(rule) says it \(statuses.count) times")
            #expect((statuses.first.map { String($0.1) } == "Not built") == Self.notBuilt.contains(rule), "\(rule)")
        }
    }

    @Test func `every rule is in the table or listed as not built, once`() {
        let named = Self.rows.flatMap(\.rules) + Self.notBuilt
        #expect(Set(named) == Set(Self.rules))
        #expect(Set(named).count == named.count, "a rule stands in two rows")
    }

    @Test func `every row names code, and tests or that there are none`() {
        for row in Self.rows { #expect(!row.rules.isEmpty && !row.code.isEmpty) }
        #expect(Self.rows.filter(\.tests.isEmpty).count == Self.noTest)
    }

    @Test func `every name is that of one file, and the tests hold tests`() throws {
        for row in Self.rows {
            for name in row.code { #expect(Document.sources(name, below: "Sources").count == 1, "\(name)") }
            for name in row.tests {
                let files = Document.sources(name, below: "Tests")
                #expect(files.count == 1, "\(name)")
                for file in files { #expect(try Document.text(file).contains("@Test"), "\(name) has no test") }
            }
        }
    }

    /// The cases, where there are any: data that WorkedCaseTests plays.
    static let casesFolder = Document.root.appending(path: "Tests/WorkedCases")
    static let cases = ((try? FileManager.default.contentsOfDirectory(atPath: casesFolder.path)) ?? [])
        .filter { $0.hasSuffix(".json") || $0.hasSuffix(".yaml") }.sorted()

    @Test(.enabled(if: !cases.isEmpty, "there are no worked cases"))
    func `a rule that worked cases pin is named by one`() throws {
        var named: Set<String> = []
        for file in Self.cases {
            let text = try String(contentsOf: Self.casesFolder.appending(path: file), encoding: .utf8)
            if let list = text.firstMatch(of: #/"?rules"?:\s*\[([^\]]*)\]/#) {
                named.formUnion(Document.ids(in: list.1))
            }
        }
        for row in Self.rows where row.tests.contains(where: { $0 == "WorkedCaseTests" }) {
            for rule in row.rules { #expect(named.contains(rule), "no worked case names \(rule)") }
        }
    }
}

/// The project's documents as the tests read them.
enum Document {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let model = (try? text("MODEL.md")) ?? ""
    static let ruleIndex = (try? text("docs/rule-index.md")) ?? ""
    static let architecture = (try? text("ARCHITECTURE.md")) ?? ""

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static let swiftFiles: [String] = ["Sources", "Tests"].flatMap { top in
        (FileManager.default.enumerator(atPath: root.appending(path: top).path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") }.map { "\(top)/\($0)" }
    }

    /// The Swift files of a name below a folder. The name may begin with the folder of the file; `+Loop`
    /// stands for `DeviceSimulation+Loop`.
    static func sources(_ name: String, below top: String) -> [String] {
        let file = (name.hasPrefix("+") ? "DeviceSimulation" : "") + name + ".swift"
        return swiftFiles.filter { $0.hasPrefix(top + "/") && $0.hasSuffix("/" + file) }
    }

    /// The ids of rules in a text, such as `T1, T6`.
    static func ids(in text: some StringProtocol) -> [String] {
        String(text).matches(of: #/\b[A-Z][0-9]+\b/#).map { String($0.0) }
    }

    /// The texts between backticks.
    static func paths(in text: String) -> [String] { text.matches(of: #/`([^`]+)`/#).map { String($0.1) } }

    /// The cells of the rows under a header, without the header and the line below it.
    static func table(in text: String, headed header: [String]) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(cells)
        guard let first = lines.firstIndex(of: header) else { return [] }
        return Array(lines[(first + 2)...].prefix { $0.count == header.count })
    }

    private static func cells(of line: Substring) -> [String] {
        guard line.hasPrefix("|") && line.hasSuffix("|") else { return [] }
        return line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
