/// A package of a user's own with one provider, one scenario and two tests, as `init --package` writes it. It is that
/// of the project's own examples, under another name.
package enum PackageTemplate {
    /// The files by their paths in the package's folder.
    ///
    /// - Parameters:
    ///   - name: of the package, of letters, digits and hyphens: `my-widget`.
    ///   - reloadsim: the path of reloadsim's own package from that folder.
    package static func files(name: String, reloadsim: String) -> [(path: String, text: String)] {
        let module = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        func named(_ text: String) -> String {
            text.replacing("my-widget", with: name).replacing("MyWidget", with: module)
                .replacing("\"../reloadsim\"", with: "\"\(reloadsim)\"")
        }
        let files: [(path: String, bytes: [UInt8])] = [
            ("Package.swift", PackageResources.package_manifest_text),
            ("README.md", PackageResources.package_readme_text),
            ("scenario.yaml", PackageResources.package_scenario_text),
            ("Sources/MyWidget/MyProvider.swift", PackageResources.package_provider_text),
            ("Sources/MyWidget/Main.swift", PackageResources.package_main_text),
            ("Tests/MyWidgetTests/MyProviderTests.swift", PackageResources.package_tests_text),
        ]
        return files.map { (named($0.path), named(EmbeddedText.text($0.bytes))) }
    }
}
