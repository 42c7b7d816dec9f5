import Foundation
import Testing

@testable import Basics

/// Texts that other programs execute, parse or show.
@Suite struct ScriptTextTests {
    private static let hostile = "a\n\u{2028}\\u000a'\"<\u{338}$&"

    @Test func `a text gets into a script by an escape of its language`() {
        let script: ScriptText<Script.JavaScript> = "// \(comment: Self.hostile)\nx = \(7)"
        #expect(script.text == "// a\\n\\u{2028}\\u000a'\"<\u{338}$&\nx = 7")
        let label: ScriptText<Script.OpenMetrics> = "{a=\(quoted: "a\n\u{85}\\\"\u{200D}東")}"
        #expect(label.text == "{a=\"a\\n\\\\u{85}\\\\\\\"\u{200D}東\"}")
        let line: ScriptText<Script.GoReplay> = "GET \(address: "/a b\r\n\"é?x=%20&{y}") HTTP/1.1"
        #expect(line.text == "GET /a%20b%0D%0A%22%C3%A9?x=%20&%7By%7D HTTP/1.1")
    }

    @Test func `numbers in a script have the digits that are asked for`() {
        let text: ScriptText<Script.CSV> =
            "\(-3),\(7, digits: 3),\(255, digits: 8, radix: 16),\(millionths: -1_500_000),\(millionths: 20_000_000),\(millionths: 1)"
        #expect(text.text == "-3,007,000000ff,-1.5,20,0.000001")
        let parts: [ScriptText<Script.CSV>] = ["a", "b", "c"]
        #expect(ScriptText.joined(parts, separator: ";").text == "a;b;c")
    }

    @Test(arguments: [
        ("plain", "plain"), ("a=b", "a=b"), ("=b", "'=b'"), ("", "''"), ("it's", "'it'\\''s'"),
        ("$(touch x)", "'$(touch x)'"), ("`x`", "'`x`'"),
        ("'\u{301};touch x;'\u{301}", "''\\''\u{301};touch x;'\\''\u{301}'"), ("a b", "'a b'"), ("~", "'~'"),
    ])
    func `a word of a shell is itself`(word: String, expected: String) {
        #expect(Array(ShellText.quoted(word).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func `a word of two lines is none of a command`() {
        #expect(ShellText.isOneLine("a b'$(x)é"))
        for word in ["a\nb", "a\rb", "a\u{85}b", "a\u{2028}b", "\u{1B}[2J", "\0"] {
            #expect(!ShellText.isOneLine(word))
        }
    }

    @Test(arguments: [
        ("=1", true), ("@x", true), ("\t=1", true), ("\r1", true), ("\n", true), ("+1+1", true), ("-A1", true),
        ("-", true), ("--x", true), ("+", true), ("-2+3+cmd|' /C'!A0", true),
        ("-1/A1", true), ("-.", true), ("\u{FF1D}1", true), ("\u{FF0D}1", true), ("-1e-05", false), ("-1.5E+3", false),
        ("-0.5", false), ("+.5", false), ("-5%", false), ("-1h30m", false),
        ("-1_000kB", false), ("1=1", false), ("x", false), ("", false), ("°C", false), ("'=1", false),
        ("\u{FF21}", false),
    ])
    func `a formula is told from a number, with its unit or without`(text: String, isFormula: Bool) {
        #expect(CSVText.isFormula(text) == isFormula)
        var bytes: [UInt8] = []
        CSVText.append(text, to: &bytes)
        #expect(bytes.starts(with: "'".utf8) || bytes.starts(with: "\"'".utf8) || !isFormula)
        if !isFormula && text != "'=1" { #expect(bytes == Array(text.utf8)) }
    }

    @Test(arguments: [
        ("n;=1+1;x", "\"n;=1+1;x\""), (";@x", "\";@x\""), ("a\t-b", "\"a\t-b\""), ("idle=1;lock=2", "idle=1;lock=2"),
        ("a;-5%", "a;-5%"), ("=1;=2", "\"'=1;=2\""), ("a;b", "a;b"),
    ])
    func `a text that would begin a formula where semicolons or tabs divide cells is quoted`(
        text: String, cell: String
    ) {
        var bytes: [UInt8] = []
        CSVText.append(text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == cell)
    }

    @Test(
        arguments: [
            ("Weather", nil), ("東京 – Ωλ, é 👩‍👩‍👧", nil), ("می\u{200C}خواهم", nil), ("^GSPC", nil), ("a=b -c", nil),
            (String(repeating: "x", count: 255), nil), ("2026", nil),
            ("", "it is empty"), ("a\nb", "it holds the character U+000A"),
            ("a\u{2028}b", "it holds the character U+2028"), ("\u{85}", "it holds the character U+0085"),
            ("a\u{7F}", "it holds the character U+007F"), ("\u{202E}a", "it holds the character U+202E"),
            ("a\tb", "it holds the character U+0009"),
            (String(repeating: "x", count: 256), "it has 256 characters, more than 255"),
            ("=x", "it begins with '=', as a formula of a spreadsheet does"),
            ("-x", "it begins with '-', as a formula of a spreadsheet does"),
            ("@\u{301}x", "it begins with '@', as a formula of a spreadsheet does"),
            ("\u{FF0B}1", "it begins with '\u{FF0B}', as a formula of a spreadsheet does"),
        ] as [(String, String?)])
    func `a name is one line without control characters, and no formula`(text: String, fault: String?) {
        #expect(NameText.fault(text) == fault)
    }

    @Test func `JSON has no character that ends a line of YAML or JavaScript`() {
        #expect(
            JSONText.string("\u{7F}\u{85}\u{2028}\u{2029}é\u{1F600}").text
                == "\"\\u007f\\u0085\\u2028\\u2029é\u{1F600}\"\n")
    }

    @Test func `JSON has no character that a terminal obeys or that turns the direction of writing`() throws {
        for value in [0x202A, 0x202E, 0x2066, 0x2069, 0x200F, 0x061C, 0x1B, 0x9B, 0xFEFF, 0xE0041, 0x1FFFF] as [UInt32]
        {
            let scalar = try #require(Unicode.Scalar(value))
            let text = "a" + String(scalar) + "b"
            let json = JSONText.string(text).text
            #expect(json.unicodeScalars.allSatisfy { $0.isASCII }, "\(json)")
            #expect(try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8)) == [text])
        }
    }
}
