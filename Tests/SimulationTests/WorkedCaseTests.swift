import Foundation
import Testing

/// The worked cases: replays whose times were worked out by hand, to the microsecond.
@Suite struct WorkedCaseTests {
    /// The project's own cases, and those of any folders that RELOADSIM_WORKED_CASES names, separated by colons.
    static let files: [URL] = {
        let own = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "WorkedCases")
        let more = (ProcessInfo.processInfo.environment["RELOADSIM_WORKED_CASES"] ?? "").split(separator: ":").map {
            URL(filePath: String($0))
        }
        return ([own] + more).flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
                .filter { ["yaml", "json"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
        }
    }()

    @Test func `the project's own cases are there`() { #expect(Self.files.count >= 30) }

    @Test(arguments: files) func `a worked case comes out to the microsecond`(file: URL) throws {
        for difference in try WorkedCase(file: file).differences() { Issue.record("\(difference)") }
    }

    @Test func `the row of a push that is not shown says why`() throws {
        for (name, words) in [
            ("two-beginnings-a-day", "as many were begun by pushes as a day may have"),
            ("two-activities-at-once", "its app has as many active ones as it may"),
            ("one-is-stored-for-an-app", "while offline: a newer push for the app waits"),
        ] {
            let file = try #require(Self.files.first { $0.lastPathComponent == "\(name).yaml" })
            let details = try WorkedCase(file: file).unshownPushes
            #expect(details.contains { $0.hasSuffix(words) }, "\(name): \(details)")
        }
    }

    @Test(arguments: files) func `the tokens of a case's tables are those of its ledgers`(file: URL) throws {
        for difference in try WorkedCase(file: file).tokenDifferences() { Issue.record("\(difference)") }
    }
}
