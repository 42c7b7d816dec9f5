import Foundation
import Statistics
import Testing

/// Common random numbers by construction: what people do is drawn in the module People, which knows no widget, and
/// widgets draw nothing of what people do.
@Suite struct PurposeUseTests {
    /// Purposes from here on are those of instances, reloads and content; those before it are people's and devices'.
    private static let firstOfWidgets: UInt32 = 600
    /// Those of openings and drives are people's, too, of a later number.
    private static let openings: ClosedRange<UInt32> = 820...828
    /// The first purpose of resampling and designs, which no run uses.
    private static let firstOfStudies: UInt32 = 900

    private struct SourceFile {
        let name: String
        let bytes: Data
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private static func files(
        in folders: [String] = ["Sources/People", "Sources/Fleet", "Sources/RefreshService", "Sources/Statistics"]
    ) throws -> [SourceFile] {
        try folders.flatMap { folder in
            let folder = Document.root.appending(path: folder)
            let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
            return try names.filter { $0.hasSuffix(".swift") }.sorted()
                .map {
                    SourceFile(
                        name: ($0 as NSString).lastPathComponent,
                        bytes: try Data(contentsOf: folder.appending(path: $0)))
                }
        }
    }

    /// The files that make a stream of a purpose: it is named to a function that draws, or in a list of purposes.
    private static func users(of purpose: Purpose, among files: [SourceFile]) -> Set<String> {
        let pattern = try! Regex(
            "(\\[|[nN]umber\\(|draw\\(|source\\(|stream\\()\\.\(purpose)\\b|purpose: \\.\(purpose)\\b|Purpose\\.[^\\n]*\\.?\(purpose)\\b"
        )
        // The search for a name is much faster than the pattern, and few files have it.
        let name = Data("\(purpose)".utf8)
        return Set(files.filter { $0.bytes.range(of: name) != nil && $0.text.contains(pattern) }.map(\.name))
    }

    @Test func `every purpose is drawn, people's by People and widgets' by the modules above it`() throws {
        let people = try Self.files(in: ["Sources/People"])
        let widgets = try Self.files(in: ["Sources/Fleet", "Sources/RefreshService", "Sources/Statistics"])
        for purpose in Purpose.allCases where purpose.rawValue < Self.firstOfStudies {
            let isPeoples =
                purpose.rawValue < Self.firstOfWidgets || Self.openings.contains(purpose.rawValue)
            #expect(!Self.users(of: purpose, among: isPeoples ? people : widgets).isEmpty, "nothing draws \(purpose)")
            let others = Self.users(of: purpose, among: isPeoples ? widgets : people)
            #expect(others.isEmpty, "\(purpose) is drawn in \(others)")
        }
    }

    /// The seed draws without a person for many people at once, and draws of people do not tell by how
    /// much figures differ with it: `SharedDraw` has it, or says why it moves no figure.
    @Test func `every stream without a person is one that shared draws know`() throws {
        let known: [String: Set<Purpose>] = [
            // Versions, what is pushed of them, and which games a key plays.
            "ContentSource.swift": [.versionTimes], "VersionTimes.swift": [.gameOfRound],
            // So is the time that all copies of an object at an edge state: thousands of draws, one for each fetch.
            "PreparedKind.swift": [.contentPush, .servedPace], "ValueSource.swift": [.contentValue],
            // Whom a sending reaches is a turn of the circle; a project's minute moves pushes by less than a minute.
            "PushClasses+Schedule.swift": [.projectMinute, .contentPush, .campaignReach],
            // Events that people share, and the priorities of their updates.
            "SharedEvents.swift": [.activityUpdate], "PreparedSender.swift": [.activityPriority],
            // By a seed of their own: the same in every run.
            "PickupSolution.swift": [.firstPickup, .pickup, .hourLevel, .dayLevel, .quietDay],
            // People for whom those of a sample stand, whose ranges have draws of their own.
            "SampledServiceRun.swift": [.copyPhase],
        ]
        let all = ["People", "Fleet", "RefreshService", "ScenarioModel", "Simulation"].map { "Sources/" + $0 }
        let files = try Self.files(in: all).filter { $0.text.contains("person: 0)") || $0.text.contains("person: 0,") }
        #expect(Set(files.map(\.name)) == Set(known.keys))
        for (name, purposes) in known {
            let file = files.filter { $0.name == name }
            for purpose in purposes { #expect(Self.users(of: purpose, among: file) == [name], "\(purpose) in \(name)") }
        }
    }

    @Test func `purposes of studies are drawn by studies, and by no run`() throws {
        let runs = try Self.files()
        let studies = try Self.files(in: ["Sources/Calibration", "Sources/Studies"])
        for purpose in Purpose.allCases where purpose.rawValue >= Self.firstOfStudies {
            #expect(Self.users(of: purpose, among: runs).isEmpty, "a run draws \(purpose)")
            #expect(!Self.users(of: purpose, among: studies).isEmpty, "nothing draws \(purpose)")
        }
    }
}
