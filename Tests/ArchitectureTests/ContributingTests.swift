import Testing

@Suite struct ContributingTests {
    @Test func `every path that CONTRIBUTING names exists`() throws {
        let prose = try Document.text("CONTRIBUTING.md").replacing(#/(?s)```.*?```|``.*?``/#, with: "")
        let paths = Document.paths(in: prose).filter {
            $0.contains(#/^(Sources|Tests|Scenarios|Reports|scripts)\/\S+$/#)
        }
        #expect(paths.count > 20)
        for path in paths { #expect(Document.exists(path), "\(path)") }
    }
}
