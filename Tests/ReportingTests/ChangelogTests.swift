import Basics
import Testing

@testable import ResultFiles

/// Which versions' results are read, and what moved numbers since.
@Suite struct ChangelogTests {
    private static let text = """
        # Changelog

        Entries that begin with **Numbers:** change results.

        ## [Unreleased]

        - A key (B3). **Numbers:** only of plans
          with it (rule S11).
        - A page.

        ## [0.2.0]

        - **Numbers:** none of other runs.
        - **Numbers:** allowances (B3, B12).

        ## [0.1.0]

        - **Numbers:** everything (T1).
        """

    @Test func `entries count from the version on, with the rules that they name`() {
        let changes = Changelog.changes(since: "0.1.0", in: Self.text)
        #expect(changes.entries == 2 && changes.rules == ["B3", "B12", "S11"])
        #expect(Changelog.changes(since: "0.2.0", in: Self.text).rules == ["B3", "S11"])
        #expect(Changelog.changes(since: "0.0.7", in: Self.text).entries == 3, "before all that there are")
        #expect(Changelog.Changes(entries: 0, rules: []).clause == "")
        #expect(changes.clause == "; 2 entries of CHANGELOG.md have moved numbers since (rules B3, B12, S11)")
    }

    @Test func `the program's own text has entries since its first version`() {
        #expect(Changelog.changes(since: "0.1.0").rules.contains("S11"))
    }

    @Test func `a column that an earlier version did not write is empty, and none is made up for counts`() throws {
        let table = try CSVTable(Array("a,b\n1,2\n3,4\n".utf8), file: "t.csv")
        let more = try #require(table.completed(with: ["a", .number("c"), "d"]))
        #expect(more.header == ["a", "b", "c", "d"] && more.rows == [["1", "2", "", ""], ["3", "4", "", ""]])
        #expect(table.completed(with: [.count("n")]) == nil && table.completed(with: [.flag("f")]) == nil)
        #expect(table.completed(with: ["b", "a"]) == table)
    }

    @Test func `earlier versions before the first whole one are read, and no later ones`() {
        for version in ["0.3.0", "0.2.9", "0.0.1"] { #expect(Changelog.reads(version, by: "0.3.0"), "\(version)") }
        for version in ["0.3.1", "1.0.0", "0.3", "x", ""] { #expect(!Changelog.reads(version, by: "0.3.0"), "\(version)") }
        #expect(Changelog.reads("0.9.9", by: "1.2.0") && !Changelog.reads("1.0.0", by: "1.2.0"))
    }
}
