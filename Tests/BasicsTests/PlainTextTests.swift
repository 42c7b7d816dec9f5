import Basics
import Testing

@Suite struct PlainTextTests {
    static let value = JSONText.object([
        "b": JSONText.array([.string("x"), .digits("0.10"), .boolean(true), .null]),
        "a": JSONText.object([:]),
        "list": [JSONText.object(["n": -3]), .array([]), .number(2.5)],
    ])

    @Test func `members keep their order, and an item has a line of its own`() {
        #expect(
            Self.value.text == """
                {
                  "b": [
                    "x",
                    0.10,
                    true,
                    null
                  ],
                  "a": {},
                  "list": [
                    {
                      "n": -3
                    },
                    [],
                    2.5
                  ]
                }

                """)
    }

    @Test func `a list of scalars alone can stand on one line`() {
        #expect(
            Self.value.text(.scalarsOnOneLine) == """
                {
                  "b": ["x", 0.10, true, null],
                  "a": {},
                  "list": [
                    {
                      "n": -3
                    },
                    [],
                    2.5
                  ]
                }

                """)
    }

    @Test func `a member without a value is null where it is written and missing where it is added`() {
        let none: String? = nil
        var members: JSONMembers = ["a": none, "b": ["x", "y"]]
        members.add("c", none)
        members.add("d", true)
        let text = JSONText.object(members + ["e": 2]).text(.scalarsOnOneLine)
        #expect(
            text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
                == #"{ "a": null, "b": ["x", "y"], "d": true, "e": 2 }"#)
    }

    @Test func `a text of JSON has no control characters`() {
        #expect(JSONText.string("a\"\\\n\r\t\u{1}\u{1f}é").text == "\"a\\\"\\\\\\n\\r\\t\\u0001\\u001fé\"\n")
    }

    @Test func `hex has two digits a byte`() {
        #expect([0, 7, 0xAB, 0xFF].hex == "0007abff")
        #expect(UInt64(0xF0E).hex == "0000000000000f0e")
        #expect(UInt64.max.hex == "ffffffffffffffff")
        #expect(UInt8(9).hex == "09")
    }

    @Test func `thousands stand apart`() {
        #expect(
            [0, 999, 1_000, -12_345, 1_234_567].map { FigureText.grouped($0) } == [
                "0", "999", "1,000", "-12,345", "1,234,567",
            ])
        #expect(FigureText.grouped(Int64.min) == "-9,223,372,036,854,775,808")
    }

    @Test func `the units of a table have names of their own, and durations fall`() {
        for table in [UnitTable.durations, UnitTable.lengths, UnitTable.sizes] {
            #expect(Set(table.map(\.name)).count == table.count)
        }
        #expect(UnitTable.durations.map(\.size) == UnitTable.durations.map(\.size).sorted(by: >))
    }
}
