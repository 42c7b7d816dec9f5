import Foundation
import ScenarioModel
import Simulation
import Testing

@testable import ScenarioFiles

/// The sentences that a person reads about a wrong scenario, word for word.
///
/// Rules: V1, R1.
@Suite struct BadScenarioTests {
    @Test func `every wrong scenario gets exactly the report written down for it`() throws {
        var corpus = try BadScenarioCorpus(contentsOf: Golden.folder.appending(path: "BadScenarios.txt"))
        #expect(corpus.cases.count >= 60)
        for index in corpus.cases.indices {
            let report = corpus.cases[index].report()
            if Golden.rewrites {
                corpus.cases[index].expected = report
            } else {
                #expect(report == corpus.cases[index].expected, "the case '\(corpus.cases[index].name)'")
            }
        }
        if Golden.rewrites {
            try corpus.text.write(
                to: Golden.folder.appending(path: "BadScenarios.txt"), atomically: true, encoding: .utf8)
        }
    }

    @Test func `no wrong scenario is accepted`() throws {
        for scenario in try BadScenarioCorpus(contentsOf: Golden.folder.appending(path: "BadScenarios.txt")).cases {
            #expect(!scenario.report().contains("accepted"), "the case '\(scenario.name)'")
        }
    }
}

/// Golden texts, and the switch that rewrites them.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    static let repository = folder.deletingLastPathComponent().deletingLastPathComponent()
    static let rewrites = ProcessInfo.processInfo.environment["RELOADSIM_REWRITE"] == "1"
}

/// The file of wrong scenarios.
struct BadScenarioCorpus {
    struct Case {
        var name: String
        /// The scenario with its parts written out.
        var scenario: String
        var overrides: [String]
        var replay: String?
        var expected: String
        /// The lines before the report, as they stand in the file.
        var head: [Substring]

        /// The report of reading it.
        func report() -> String {
            do {
                _ = try ScenarioReader.read(
                    text: scenario, file: "bad.yaml", replay: replay, overrides: overrides,
                    knownMetrics: [KnownMetric("requests", unit: "requests"), KnownMetric("reloads", unit: "reloads")])
                return "accepted\n"
            } catch {
                return error.description + "\n"
            }
        }
    }

    private var preamble: [Substring] = []
    var cases: [Case] = []

    init(contentsOf file: URL) throws {
        var parts: [Substring: [Substring]] = [:]
        let text = try String(contentsOf: file, encoding: .utf8)
        var sections: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("=== ") { sections.append([]) }
            sections[sections.count - 1].append(line)
        }
        preamble = sections.removeFirst()
        for section in sections {
            let name = section[0].dropFirst(4)
            if name.hasPrefix("@") {
                parts[name] = Array(section.dropFirst())
                preamble += section
                continue
            }
            var scenario: [Substring] = []
            var overrides: [String] = []
            var replay: [Substring]?
            var at = 1
            while section[at] != "--- problems" {
                let line = section[at]
                if line == "--- replay" {
                    replay = []
                } else if line.hasPrefix("--- set ") {
                    overrides.append(String(line.dropFirst(8)))
                } else if replay != nil {
                    replay!.append(line)
                } else {
                    scenario += parts[line] ?? [line]
                }
                at += 1
            }
            cases.append(
                Case(
                    name: String(name), scenario: scenario.joined(separator: "\n") + "\n", overrides: overrides,
                    replay: replay.map { $0.joined(separator: "\n") + "\n" },
                    expected: section[(at + 1)...].map { $0 + "\n" }.joined(),
                    head: Array(section[...at])))
        }
    }

    var text: String {
        preamble.map { $0 + "\n" }.joined() + cases.map { $0.head.map { $0 + "\n" }.joined() + $0.expected }.joined()
    }
}
