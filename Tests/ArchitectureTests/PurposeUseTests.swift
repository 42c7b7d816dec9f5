import Foundation
import Stochastics
import Testing

/// Common random numbers by construction: what people do is drawn where no widget is known, and widgets draw nothing of what people do.
@Suite struct PurposeUseTests {
    /// Purposes from here on are those of instances, reloads and content; those before it are people's and devices'.
    private static let firstOfWidgets: UInt32 = 600
    /// Of resampling and designs, which no run does.
    private static let firstOfStudies: UInt32 = 900

    /// The files that draw what people are and do; no widget, policy or permission is read in them but where a person's permissions are drawn.
    private static let habitFiles: Set<String> = [
        "PersonTraits.swift", "UsualSleep.swift", "SleepSchedule.swift", "PickupProcess.swift", "PickupSolution.swift", "AppUse.swift",
        "EnvironmentProcess.swift", "Journey.swift", "Journey+Places.swift", "Journey+Travel.swift", "PickupTraits.swift",
        "DeviceOwner.swift", "DeviceOccasions.swift",
    ]

    private static func files(
        in folders: [String] = ["Sources/Fleet", "Sources/RefreshService", "Sources/Stochastics"]
    ) throws -> [(name: String, text: String)] {
        try folders.flatMap { folder in
            let folder = Document.root.appending(path: folder)
            let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
            return try names.filter { $0.hasSuffix(".swift") }.sorted()
                .map { (($0 as NSString).lastPathComponent, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        }
    }

    /// The files that make a stream of a purpose: it is named to a function that draws, or in a list of purposes.
    private static func users(of purpose: Purpose, among files: [(name: String, text: String)]) -> Set<String> {
        let pattern = try! Regex(
            "([sS]tream|[dD]raw\\w*|[nN]umber|arrival)\\(\\.\(purpose)\\b|purpose: \\.\(purpose)\\b|Purpose\\.[^\\n]*\\.?\(purpose)\\b")
        return Set(files.filter { $0.text.contains(pattern) }.map(\.name))
    }

    @Test func `every purpose is drawn, people's where no widget is, widgets' where no habit is`() throws {
        let files = try Self.files()
        for purpose in Purpose.allCases where purpose.rawValue < Self.firstOfStudies {
            let users = Self.users(of: purpose, among: files)
            #expect(!users.isEmpty, "nothing draws \(purpose)")
            if purpose.rawValue >= Self.firstOfWidgets {
                #expect(users.isDisjoint(with: Self.habitFiles), "\(purpose) is drawn in \(users)")
            } else {
                #expect(users.isSubset(of: Self.habitFiles), "\(purpose) is drawn in \(users)")
            }
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

    @Test func `what people do reads no widget`() throws {
        for (name, text) in try Self.files() where Self.habitFiles.contains(name) && name != "PersonTraits.swift" {
            for word in ["InstanceState", "WidgetKind", "PreparedKind", "ReloadPolicy", "BudgetAccount", "LocationMode", "placements"] {
                #expect(!text.contains(word), "\(name) reads \(word)")
            }
        }
    }
}
