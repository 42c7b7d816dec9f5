import Foundation
import Testing

/// The imports that each module may have, asserted from the import lines of every source file.
@Suite struct ModuleTableTests {
    static let ours: Set<String> = [
        "CGSL", "CNettle", "CWords", "CZlib", "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "DeviceStorage",
        "WidgetPlatform", "RefreshService", "People", "ScenarioModel", "Fleet", "Simulation", "ScenarioFiles",
        "Reporting", "Pages", "Calibration", "Studies", "Commands", "Reloadsim", "ReloadsimMain",
    ]

    /// The imports allowed to each module. `Foundation` stands only where a module needs the operating system or the
    /// zone database.
    static let table: [String: Set<String>] = [
        "Basics": ["CNettle", "Glibc", "Darwin", "Foundation"],
        "EmbeddedTexts": [],
        "ResultFiles": ["Basics", "EmbeddedTexts", "Foundation"],
        "Statistics": ["Basics", "CGSL", "Synchronization"],
        "WidgetPlatform": ["Basics", "Synchronization"],
        "RefreshService": ["Basics", "Statistics", "CWords"],
        "DeviceStorage": ["Basics", "Statistics", "CWords", "Synchronization"],
        "People": ["Basics", "EmbeddedTexts", "Statistics", "DeviceStorage", "WidgetPlatform"],
        "ScenarioModel": ["Basics", "Statistics", "WidgetPlatform", "RefreshService", "People"],
        "Fleet": [
            "Basics", "Statistics", "DeviceStorage", "WidgetPlatform", "RefreshService", "People", "ScenarioModel",
            "CWords",
        ],
        "Simulation": [
            "Basics", "Statistics", "WidgetPlatform", "RefreshService",
            "ScenarioModel", "Fleet", "Foundation", "Synchronization",
        ],
        "ScenarioFiles": [
            "Basics", "Statistics", "WidgetPlatform", "RefreshService", "People",
            "ScenarioModel", "EmbeddedTexts", "Yams", "Foundation",
        ],
        "Reporting": [
            "Basics", "ResultFiles", "Statistics", "WidgetPlatform", "RefreshService", "People",
            "ScenarioModel", "Fleet", "Simulation", "ScenarioFiles", "Foundation",
        ],
        "Pages": ["Basics", "EmbeddedTexts", "ResultFiles", "Foundation"],
        "Calibration": [
            "Basics", "CZlib", "ResultFiles", "Statistics", "RefreshService", "People", "ScenarioModel", "Fleet",
            "Simulation", "ScenarioFiles", "Foundation", "Synchronization",
        ],
        "Studies": [
            "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "RefreshService", "ScenarioModel", "Simulation",
            "ScenarioFiles", "Reporting", "Pages", "Foundation", "Synchronization",
        ],
        "Commands": [
            "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "WidgetPlatform", "ScenarioModel", "Fleet",
            "Simulation", "ScenarioFiles", "Reporting", "Pages", "Calibration", "Studies", "ArgumentParser",
            "Foundation", "Synchronization",
        ],
        "Reloadsim": [
            "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "WidgetPlatform", "RefreshService",
            "ScenarioModel", "Simulation", "ScenarioFiles", "Reporting", "Pages", "Commands", "Foundation",
        ],
        "ReloadsimMain": ["Commands", "Foundation"],
    ]

    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources")

    static func imports() throws -> [(module: String, file: String, imported: String)] {
        var found: [(String, String, String)] = []
        for module in try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() {
            let folder = sources.appending(path: module)
            for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
            where file.hasSuffix(".swift") {
                // Texts may have lines of other languages.
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8).replacing(
                    #/"""[\s\S]*?"""/#, with: "")
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ")
                    guard let at = words.firstIndex(of: "import"),
                        words[..<at].allSatisfy({ $0.hasPrefix("@") || $0 == "public" || $0 == "internal" }),
                        at + 1 < words.count
                    else { continue }
                    found.append((module, file, String(words[at + 1])))
                }
            }
        }
        return found
    }

    @Test func `every import is one that the module table allows`() throws {
        for (module, file, imported) in try Self.imports() {
            let allowed = try #require(Self.table[module], "module \(module) is not in the table")
            #expect(allowed.contains(imported), "\(module)/\(file) imports \(imported)")
        }
    }

    @Test func `the document's table has every module`() {
        let rows = Document.table(in: Document.architecture, headed: ["module", "what lives there"])
        #expect(Set(rows.flatMap { Document.paths(in: $0[0]) }) == Self.ours)
    }

    @Test func `every module of the table has sources`() throws {
        let present = try Set(FileManager.default.contentsOfDirectory(atPath: Self.sources.path))
        #expect(present == Self.ours)
    }
}
