import Foundation
import Testing

/// An error is handled where it is caught: nothing in the sources turns one into nil, and nothing ends the process
/// where one could be said.
@Suite struct SwallowedErrorTests {
    /// An estimate without its sample of the fleet is an estimate; a time to live that was read has a mean.
    private static let allowed: Set = [
        "Simulation/Estimates/ScenarioEstimate.swift", "Simulation/Upscaling/SampledServiceRun.swift",
    ]

    @Test func `no error is swallowed, and none is said not to come`() throws {
        let folder = Document.root.appending(path: "Sources")
        var found: Set<String> = []
        var files = 0
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path))
        where name.hasSuffix(".swift") {
            files += 1
            let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            if lines.contains(where: { !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains(/\btry[?!]/) }) {
                found.insert(name)
            }
        }
        #expect(files > 400 && found.subtracting(Self.allowed).isEmpty, "\(found.sorted())")
    }
}
