import Testing

/// The version stands in `Sources/ResultFiles/Output/Version.swift`; other files that need it repeat it.
@Suite struct VersionTests {
    @Test func `citation, changelog, packages' names and tutorial have the version of the program`() throws {
        let source = try Document.text("Sources/ResultFiles/Output/Version.swift")
        let version = try #require(source.firstMatch(of: #/text = "([\d.]+)"/#)).1
        #expect(try Document.text("CITATION.cff").contains("\nversion: \(version)\n"))
        let changelog = try Document.text("CHANGELOG.md")
        let headings = changelog.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.prefix(2).map { $0.prefix { $0 != "]" } } == ["## [Unreleased", "## [\(version)"])
        #expect(try Document.text("docs/tutorial.md").contains("\nreloadsim \(version)\n"))
        let install = try Document.text("docs/install.md")
        for name in ["reloadsim_\(version)_amd64.deb", "reloadsim-\(version)-linux-x86_64.tar.xz"] {
            #expect(install.contains(name), "\(name)")
        }
    }
}
