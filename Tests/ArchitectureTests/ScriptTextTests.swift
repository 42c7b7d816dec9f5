import Foundation
import Testing

/// Every file that another program executes is a `ScriptText`, in which a text of a scenario stands behind an escape.
@Suite struct ScriptTextTests {
    private static func text(_ file: String) throws -> String {
        try String(contentsOf: ModuleTableTests.sources.appending(path: file), encoding: .utf8)
    }

    @Test func `no interpolation into a script takes a text without an escape`() throws {
        var declaring: Set<String> = []
        for case let name as String in try #require(
            FileManager.default.enumerator(atPath: ModuleTableTests.sources.path)) where name.hasSuffix(".swift")
        {
            let text = try Self.text(name)
            if text.contains("ScriptText")
                && text.contains(/append(Interpolation|Literal)|stringLiteral:|stringInterpolation:/)
            {
                declaring.insert(name)
            }
        }
        #expect(declaring == ["Basics/Text/ScriptText.swift"])
        let script = try Self.text("Basics/Text/ScriptText.swift")
        let taken = script.matches(of: /func append(Interpolation|Literal)\((?<parameters>[^)]*)\)/).map {
            String($0.output.parameters)
        }
        #expect(taken.count >= 11)
        for parameters in taken where parameters.contains("String") && !parameters.contains("StaticString") {
            #expect(!parameters.hasPrefix("_ "), "an interpolation without the name of its escape: \(parameters)")
        }
        // Literals are static: no value of a text can pass for one.
        #expect(
            script.matches(of: /init\(stringLiteral literal: StaticString\)/).count == 1
                && !script.contains(/init\(_ \w+: String\)/))
    }

    @Test func `every file of an export is made of such texts`() throws {
        let contents = try Self.text("Reporting/Export/ExportContents.swift")
        let from = try #require(contents.firstRange(of: "struct ExportFile {")).lowerBound
        let file = contents[from..<(try #require(contents.firstRange(of: "\n}\n")).lowerBound)]
        #expect(
            file.matches(of: /\binit<Language: ScriptLanguage>\(/).count == 2
                && file.matches(of: /\n    init/).count == 2, "another way to make a file")
        for case let name as String in try #require(
            FileManager.default.enumerator(
                atPath: ModuleTableTests.sources.appending(path: "Reporting/ExportFormats").path))
        {
            let lines = try Self.text("Reporting/ExportFormats/" + name).split(
                separator: "\n", omittingEmptySubsequences: false)
            var isOpen = false
            for (number, line) in lines.enumerated() where line.contains("\"\"\"") {
                if !isOpen {
                    #expect(
                        lines[max(0, number - 2)..<number].contains { $0.contains("ScriptText<Script.") },
                        "\(name):\(number + 1)")
                }
                isOpen.toggle()
            }
        }
        #expect(try Self.text("Commands/Studies/SweepCommand.swift").contains("[ScriptText<Script.Shell>]"))
    }
}
