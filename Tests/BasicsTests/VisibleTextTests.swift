import Testing
@testable import Basics

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("plain, 東京, é and \u{1F600}", "plain, 東京, é and \u{1F600}"), ("a\tb", "a\\tb"),
        ("\u{1B}[31mred", "\\u{1B}[31mred"),
        ("a\rb", "a\\rb"), ("ding\u{7}", "ding\\u{7}"), ("\u{9B}2J", "\\u{9B}2J"), ("\u{85}", "\\u{85}"),
        ("\u{7F}", "\\u{7F}"),
        ("abc\u{202E}fed", "abc\\u{202E}fed"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
        ("a\u{200B}b", "a\\u{200B}b"),
        ("\u{2028}", "\\u{2028}"), ("\u{E0041}", "\\u{E0041}"), ("two\nlines", "two\\nlines"), ("", ""),
    ])
    func `what a terminal would act on is written out`(text: String, expected: String) {
        #expect(VisibleText.of(text) == expected)
    }

    /// Swift has no literals of them.
    @Test(arguments: [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
    func `what is no character is written out`(value: UInt32) throws {
        let text = String(try #require(Unicode.Scalar(value)))
        #expect(VisibleText.of(text) == "\\u{" + String(value, radix: 16, uppercase: true) + "}")
        #expect(NameText.fault(text) == "it holds the character U+" + String(value, radix: 16, uppercase: true))
        if value <= 0xFFFF { #expect(JSONText.string(text).text == "\"\\u" + String(value, radix: 16) + "\"\n") }
    }

    @Test func `lines stay where a text has several, and nothing else does`() {
        #expect(VisibleText.of("a\nb\tc\u{1B}d\r\n", keepsLines: true) == "a\nb\tc\\u{1B}d\\r\n")
    }

    @Test func `no control character, mark of direction or escape is left of any text`() {
        for value in (0..<0x3000).compactMap(Unicode.Scalar.init) {
            let visible = VisibleText.of("x" + String(value) + "y")
            let isControl = value.properties.generalCategory == .control || value.properties.generalCategory == .format
            if isControl && value.value != 0x600 {
                #expect(
                    !visible.unicodeScalars.contains(value) || (0x600...0x605).contains(value.value)
                        || [0x6DD, 0x70F, 0x890, 0x891, 0x8E2].contains(value.value), "\(value.value)")
            }
        }
    }
}
