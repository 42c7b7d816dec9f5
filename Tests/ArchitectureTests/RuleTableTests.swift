import Foundation
import Testing

/// The rules of MODEL.md: each is named in the comments of the files that implement it, and by the tests that pin it.
/// docs/rule-index.md is made of these.
@Suite struct RuleTableTests {
    /// The sections of the model: the letter of their ids, and how many there are.
    static let sections: [(letter: String, count: Int)] = [
        ("T", 6), ("D", 10), ("V", 10), ("P", 9), ("B", 8), ("G", 9), ("F", 9), ("L", 8), ("R", 6), ("C", 6), ("S", 11),
        ("O", 6),
        ("N", 13),
    ]
    static let rules = sections.flatMap { section in (1...section.count).map { "\(section.letter)\($0)" } }

    /// The ids of the headings, in order.
    static let headings = Document.model.matches(of: #/(?m)^### ([A-Z][0-9]+) /#).map { String($0.1) }
    /// The ids on the line of what is not built.
    static let notBuilt = Document.model.matches(of: #/(?m)^Not built yet: (.+)\.$/#).flatMap { Document.ids(in: $0.1) }

    /// The files below a folder that name each rule in a comment: after `Rules:`, or anywhere.
    private static func files(below top: String, afterWord: Bool) -> [String: [String]] {
        var files: [String: [String]] = [:]
        for file in Document.swiftFiles.sorted() where file.hasPrefix(top + "/") {
            let comments = ((try? Document.text(file)) ?? "").matches(
                of: afterWord ? #/(?m)///? Rules: (.*)$/# : #/(?m)//(.*)$/#)
            for rule in Set(comments.flatMap { Document.ids(in: $0.1) }).intersection(rules) {
                files[rule, default: []].append(Document.shortName(of: file))
            }
        }
        return files
    }

    static let code = files(below: "Sources", afterWord: false)
    /// With the worked cases, which name their rules themselves.
    static let tests = files(below: "Tests", afterWord: true).merging(
        pinnedByCases.map { ($0, ["WorkedCaseTests"]) }, uniquingKeysWith: { ($0 + $1).sorted() })

    /// The rules that worked cases name.
    private static let pinnedByCases: Set<String> = {
        let folder = Document.root.appending(path: "Tests/WorkedCases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let lists = names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".yaml") }.compactMap { name in
            try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
                .firstMatch(of: #/"?rules"?:\s*\[([^\]]*)\]/#).map { Document.ids(in: $0.1) }
        }
        return Set(lists.joined())
    }()

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

    @Test func `every rule that is built is named by code and by a test`() {
        for rule in Self.rules where !Self.notBuilt.contains(rule) {
            #expect(!Self.code[rule, default: []].isEmpty, "no comment in Sources names \(rule)")
            #expect(!Self.tests[rule, default: []].isEmpty, "no test names \(rule), as in /// Rules: \(rule).")
        }
    }

    @Test func `the index is what the files say`() throws {
        func cell(_ names: [String]?) -> String { (names ?? []).map { "`\($0)`" }.joined(separator: ", ") }
        let text =
            """
            # Rules, code and tests

            The Swift files of `Sources` whose comments name a rule of [MODEL.md](../MODEL.md), and those of `Tests` that pin it
            or hold it to a law: they say so after `Rules:`. `WorkedCaseTests` plays replays worked out by hand. A name that
            begins with `+` is an extension of `DeviceSimulation`. `scripts/update-rule-index` makes this table.

            | rule | code | tests |
            |---|---|---|

            """ + Self.rules.map { "| \($0) | \(cell(Self.code[$0])) | \(cell(Self.tests[$0])) |\n" }.joined()
        let file = Document.root.appending(path: "docs/rule-index.md")
        if ProcessInfo.processInfo.environment["RELOADSIM_REWRITE"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try Document.text("docs/rule-index.md") == text, "scripts/update-rule-index brings it up to date")
    }
}

/// The project's documents as the tests read them.
enum Document {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let model = (try? text("MODEL.md")) ?? ""
    static let architecture = (try? text("ARCHITECTURE.md")) ?? ""

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static let swiftFiles: [String] = ["Sources", "Tests"].flatMap { top in
        (FileManager.default.enumerator(atPath: root.appending(path: top).path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") }.map { "\(top)/\($0)" }
    }

    /// The name of a Swift file: with its folder where another file has the same name, and as `+Loop` for
    /// `DeviceSimulation+Loop`.
    static func shortName(of file: String) -> String {
        let words = file.dropLast(".swift".count).split(separator: "/")
        let isShared = swiftFiles.count { $0.hasSuffix("/\(words.last!).swift") } > 1
        let name = words.suffix(isShared ? 2 : 1).joined(separator: "/")
        return name.hasPrefix("DeviceSimulation+") ? String(name.dropFirst("DeviceSimulation".count)) : name
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
