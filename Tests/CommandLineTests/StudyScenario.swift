import Foundation
import Testing

/// A scenario that takes a few milliseconds, in a folder whose name has a blank, and what tests of studies ask of it.
struct StudyScenario {
    let scratch = Scratch()
    let folder: String
    let scenario: String
    let out: String

    static let text = """
        start: "2026-03-02T00:00:00Z"
        warmup: 0s
        duration: 2h
        people: 40
        kinds:
          - id: quote
            timeline: {shape: single}
            policy: {after: 20m, jitter: 0s}
            versions: {source: steady, every: 10m}
        population:
          devices:
            - kind: phone
              instances: [{id: first, kind: quote, surface: home_first}]

        """
    static let jitter = "kinds.quote.policy.jitter"

    /// A service of one pool, as further text.
    static let service = "service: {pools: [{id: origin, servers: 1, service_time: 50ms}]}\n"

    /// - Parameter more: further text of the scenario.
    init(_ more: String = "") throws {
        folder = scratch.path + "/a folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        scenario = folder + "/small.yaml"
        out = folder + "/results"
        try (Self.text + more).write(toFile: scenario, atomically: true, encoding: .utf8)
    }

    /// `sweep` into the folder of the results; it stands in `folder`.
    func sweep(_ arguments: [String], shell: String = "\"$@\"") throws -> BuiltCommand.Outcome {
        try BuiltCommand.run(["sweep", scenario, "--out", out] + arguments, shell: shell, in: folder)
    }

    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        return folder + "/" + name
    }

    func text(_ name: String, in folder: String? = nil) throws -> String {
        try String(contentsOfFile: (folder ?? out) + "/" + name, encoding: .utf8)
    }

    func lines(_ name: String) throws -> [Substring] { try text(name).split(separator: "\n") }

    /// Everything in the folder but the scenario.
    var made: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "small.yaml" }.sorted()
        }
    }

    var runs: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: out + "/runs").sorted() } }
}
