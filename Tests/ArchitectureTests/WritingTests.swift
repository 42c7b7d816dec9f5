import Foundation
import Testing

/// The forms that CONTRIBUTING.md rules out: fragments at the start of a comment or paragraph, and a few words.
@Suite struct WritingTests {
    /// The allowed phrases after "goes on": something is put on, and does not continue.
    private static let worn = ["its charger", "the wrist"]

    private static let fragments =
        ["Of", "Who", "What"] + ["of", "with", "as", "without", "in", "for"].map { "The same \($0)" }

    private static let words =
        ["anew", "befall", "befell"] + ["o", "oes", "oing", "one"].flatMap { ["g\($0) on", "G\($0) on"] }

    @Test func `comments, documents, scripts and headers of scenarios are written plainly`() throws {
        var files = 0
        for file in try Self.files() {
            let text = try Document.text(file)
            files += 1
            for breach in Self.breaches(in: text, file: file) {
                Issue.record("\(file):\(breach.line): \(breach.form); CONTRIBUTING.md says what to write instead")
            }
        }
        #expect(files > 700, "\(files) files were read")
    }

    @Test(arguments: [
        ("a.swift", "/// Of the report.\nlet length: Int", 1), ("a.swift", "    // What is left.\n", 1),
        ("a.swift", "/// Who wakes up late\n/// stays at home.\n", 1),
        ("a.swift", "/// The length.\n///\n/// Of the report.\n", 3), ("a.swift", "let a = \"computed anew\"", 1),
        ("a.md", "# Title\n\nWhat is left is small.\n", 3),
        ("a.md", "Text.\n\n- Of three, one.\n", 3), ("a.md", "A run goes on.\n", 1),
        ("a.yaml", "# Of the file.\nname: a\n", 1), ("scripts/a", "#!/bin/sh\n# What it does.\n", 2),
        ("a.py", "# It befalls the fleet.\n", 1), ("a.swift", "/// The same of `total`.\nlet interval = 1", 1),
        ("a.swift", "/// The same with its unit.\nlet known = 1", 1),
    ])
    func `a planted sentence is found`(file: String, text: String, line: Int) {
        #expect(Self.breaches(in: text, file: file).map(\.line) == [line])
    }

    @Test(arguments: [
        ("a.swift", "/// What does it cost?\nlet cost: Int"), ("a.swift", "let whatOf = 1 // Of course."),
        ("a.swift", "/// The time.\n/// Of day."), ("a.md", "| What is it? | a |\n"),
        ("a.md", "## What you need\n"), ("a.md", "The word `anew` is out.\n"), ("a.md", "```\nOf a\n```\n"),
        ("a.yaml", "description: \"What is left\"\n"),
        ("a.swift", "/// When the watch goes on its charger."), ("a.swift", "case isAnew"),
    ])
    func `a natural sentence passes`(file: String, text: String) {
        #expect(Self.breaches(in: text, file: file).map(\.form) == [])
    }

    /// The texts of the repository, by their paths.
    private static func files() throws -> [String] {
        var found = try FileManager.default.contentsOfDirectory(atPath: Document.root.path).filter {
            $0.hasSuffix(".md")
        }
        for top in ["Sources", "Tests", "Benchmarks", "Engines", "Scenarios", "Reports", "docs", "scripts"] {
            let names =
                FileManager.default.enumerator(atPath: Document.root.appending(path: top).path)?.compactMap {
                    $0 as? String
                } ?? []
            found += names.map { top + "/" + $0 }
        }
        return found.filter { file in
            let name = file.split(separator: "/").last ?? ""
            let isKnown =
                [".swift", ".h", ".md", ".py", ".yaml"].contains(where: file.hasSuffix)
                || file.hasPrefix("scripts/") && !name.contains(".")
            var isFolder: ObjCBool = false
            return isKnown && !file.contains("/.") && !file.hasSuffix("/WritingTests.swift")
                && !file.hasSuffix("/GoldenHelp.swift")
                && FileManager.default.fileExists(
                    atPath: Document.root.appending(path: file).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// The places in a text that have a forbidden form, in their order.
    private static func breaches(in text: String, file: String) -> [(line: Int, form: String)] {
        let bytes = Data(text.utf8)
        func has(_ words: [String]) -> Bool { words.contains { bytes.range(of: Data($0.utf8)) != nil } }
        let (hasFragments, hasWords) = (has(fragments.map { $0 + " " }), has(words))
        // Most files have none of the letters, and need not be taken apart.
        guard hasFragments || hasWords else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let paragraphs = hasFragments ? Self.paragraphs(of: lines, file: file) : [:]
        var found: [(line: Int, form: String)] = []
        for (number, line) in lines.enumerated() {
            if let paragraph = paragraphs[number], let word = fragments.first(where: { paragraph.hasPrefix($0 + " ") }),
                !isQuestion(paragraph)
            {
                found.append((number + 1, "a comment or paragraph that begins with \"\(word)\""))
            }
            if hasWords,
                let word = forbiddenWord(in: line, followedBy: number + 1 < lines.count ? lines[number + 1] : "")
            {
                found.append((number + 1, "the word \"\(word)\""))
            }
        }
        return found
    }

    /// The texts of paragraphs of comments or, in Markdown, of the document, by the line on which each begins.
    private static func paragraphs(of lines: [Substring], file: String) -> [Int: String] {
        let isMarkdown = file.hasSuffix(".md")
        let marks = file.hasSuffix(".swift") || file.hasSuffix(".h") ? ["///", "//"] : ["#"]
        var found: [Int: String] = [:]
        var start: Int?
        var mark: String?
        var isFenced = false
        for (number, line) in lines.enumerated() {
            var words = line.drop { $0 == " " }
            if isMarkdown {
                if words.hasPrefix("```") { isFenced.toggle() }
                if isFenced || words.hasPrefix("#") || words.hasPrefix("|") || words.hasPrefix("```") { words = "" }
            } else {
                let own = words.hasPrefix("#!") ? nil : marks.first(where: words.hasPrefix)
                if own != mark { start = nil }
                mark = own
                words = own.map { words.dropFirst($0.count).drop { $0 == " " } } ?? ""
            }
            let item = ["- ", "* ", "> "].contains(where: words.hasPrefix) ? 2 : numberLength(words)
            if words.isEmpty {
                start = nil
            } else if let first = start, item == 0 {
                found[first]? += " " + words
            } else {
                start = number
                found[number] = String(words.dropFirst(item).drop { $0 == "*" })
            }
        }
        return found
    }

    /// The length of the number that begins an item of a list, with its full stop and blank; 0 without one.
    private static func numberLength(_ words: Substring) -> Int {
        let digits = words.prefix { $0.isNumber }
        return !digits.isEmpty && words[digits.endIndex...].hasPrefix(". ") ? digits.count + 2 : 0
    }

    /// Whether the first sentence of a paragraph asks something.
    private static func isQuestion(_ paragraph: String) -> Bool {
        guard let end = paragraph.firstMatch(of: #/[.!?]( |$)/#) else { return false }
        return end.0.hasPrefix("?")
    }

    /// The first forbidden word of a line outside of code; a line that ends with it is read together with the next.
    private static func forbiddenWord(in line: Substring, followedBy next: Substring) -> String? {
        guard words.contains(where: { line.contains($0) }) else { return nil }
        let prose = String(line).replacing(#/`[^`]*`/#, with: "")
        if let match = prose.firstMatch(of: #/\b(anew|befalls?|befallen|befell)\b/#) { return String(match.1) }
        guard let match = prose.firstMatch(of: #/\b([Gg]o|[Gg]oes|[Gg]oing|[Gg]one) on\b/#) else { return nil }
        let rest = (prose[match.range.upperBound...] + " " + next.drop { " /#".contains($0) }).drop { $0 == " " }
        return worn.contains(where: rest.hasPrefix) ? nil : String(match.0)
    }
}
