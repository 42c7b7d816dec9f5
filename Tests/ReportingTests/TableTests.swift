import ResultFiles
import Testing
@testable import Reporting

@Suite struct TableTests {
    private struct Reading {
        let place: String
        let value: Double?
        let counts: [Int64]
    }

    private static func table(_ counts: [String]) -> Table<Reading> {
        Table(
            "readings", "One reading a row.",
            [
                .key("place", "Where.", \.place),
                .several(counts.enumerated().map { i, name in .sum(name, "A count.") { $0.counts[i] } }),
                .derived("value_s", unit: "s", "The value.", \.value),
            ])
    }

    @Test func `a column's type and whether it may be empty are those of its values`() {
        let columns = Self.table(["a"]).declaration.columns
        #expect(columns.map(\.type) == [.string, .integer, .number])
        #expect(columns.map(\.isOptional) == [false, false, true])
        #expect(columns.map(\.adds) == [.key, .sum, .none])
        #expect(columns.map(\.unit) == [nil, nil, "s"])
    }

    @Test func `cells stand under the names of their columns, and what is missing is empty`() throws {
        let rows = [
            Reading(place: "a, b", value: 0.5, counts: [1, -2]), Reading(place: "", value: nil, counts: [3, 4]),
        ]
        #expect(try Self.table(["x", "y"]).text(rows) == "place,x,y,value_s\n\"a, b\",1,-2,0.5\n,3,4,\n")
    }

    @Test func `a list of no columns leaves no trace`() throws {
        #expect(try Self.table([]).text([Reading(place: "a", value: 1, counts: [])]) == "place,value_s\na,1.0\n")
    }

    @Test func `what was prepared is the text of its columns`() throws {
        let columns: [Columns<Reading>] = [.key("place", "Where.", \.place), .derived("value", "The value.", \.value)]
        let table = Table<PreparedRow<Reading, Int, Int>>(
            "many", "One a row.",
            [.prepared(columns, [.key("number", "Its number.") { $0 }], .sum("count", "A count.") { $0 })])
        let rows = [1, 2].map {
            PreparedRow(
                first: PreparedCells(Reading(place: "say \"no\"", value: 2, counts: []), columns),
                second: PreparedCells($0 + 6, [.key("number", "Its number.") { $0 }]), value: $0)
        }
        #expect(
            try table.text(rows) == "place,value,number,count\n\"say \"\"no\"\"\",2.0,7,1\n\"say \"\"no\"\"\",2.0,8,2\n"
        )
    }

    @Test func `rows of more than one piece are written in their order`() throws {
        let table = Table<Int>("numbers", "One number a row.", [.key("number", "The number.") { $0 }])
        var pieces: [String] = []
        func take(_ bytes: UnsafeRawBufferPointer) throws(OutputProblem) {
            pieces.append(String(decoding: bytes, as: UTF8.self))
        }
        try table.write(into: take) { (add) throws(OutputProblem) in
            for number in 0..<300_000 { try add(number) }
        }
        #expect(pieces.count > 1)
        #expect(pieces.joined() == "number\n" + (0..<300_000).map { "\($0)\n" }.joined())
    }
}
