import Foundation
import FuzzTargets
import Testing

/// The findings of fuzzing, and its seeds, end with a value or a sentence.
@Suite struct FindingTests {
    private static let findings = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Findings")

    /// An input that ended the program once, under the name of the place that it came in by: `setting-deep-path`.
    static let files: [URL] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: findings, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension != "md" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()

    @Test(arguments: files) func `what ended the program once no longer does`(file: URL) throws {
        let target = try #require(FuzzTarget.allCases.first { file.lastPathComponent.hasPrefix($0.rawValue + "-") })
        target.take([UInt8](try Data(contentsOf: file)))
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every place takes its seeds, and any of them cut or with a byte changed`(target: FuzzTarget) {
        var seeds = target.seeds
        #expect(!seeds.isEmpty)
        // The shipped scenarios are read by other tests.
        seeds = Array(seeds.prefix(3))
        for seed in seeds {
            target.take(seed)
            for share in 0..<8 { target.take(Array(seed.prefix(seed.count * share / 8))) }
            for place in stride(from: 0, to: seed.count, by: max(1, seed.count / 16)) {
                var changed = seed
                changed[place] ^= 0x15
                target.take(changed)
            }
        }
    }
}
