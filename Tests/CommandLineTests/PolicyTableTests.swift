import EmbeddedTexts
import Foundation
import Reporting
import ScenarioFiles
import Testing

/// The scenarios of `init --for`, and the table that docs/policies.md has of their sweeps.
@Suite struct PolicyTableTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let document = root.appending(path: "docs/policies.md")
    static let names = StarterWidget.allCases.map(\.rawValue)

    static func file(_ name: String) -> String { root.appending(path: "Scenarios/policies/\(name).yaml").path }

    @Test func `every shipped scenario of a policy can be had by init, and every one is ready to run`() throws {
        let shipped = try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/Scenarios/policies")
        #expect(shipped.sorted() == Self.names.map { $0 + ".yaml" }.sorted())
        for name in Self.names {
            let written = try BuiltCommand.run(["init", "--for", name])
            #expect(try written.output == String(contentsOfFile: Self.file(name), encoding: .utf8), "\(name)")
            let read = try ScenarioReader.read(file: Self.file(name))
            #expect(read.warnings().isEmpty, "\(name)")
            #expect(read.study?.variants.count == 3 && read.study?.variants[0].overrides.isEmpty == true, "\(name)")
            #expect(written.output.hasPrefix("# Question: ") && written.output.firstLine.hasSuffix("?"), "\(name)")
        }
    }

    @Test func `the policy of a weather widget is the one that is advised`() throws {
        let text = try BuiltCommand.run(["init", "--for", "weather"]).output
        #expect(text.contains("    policy: {after: 30m} ") && text.contains("    half_hourly: {}\n"), "\(text)")
    }

    @Test func `a new file says what to run next, and a word that is no widget names those that are`() throws {
        let scratch = Scratch()
        let made = try BuiltCommand.run(["init", "--for", "transit", "mine.yaml"], in: scratch.path)
        #expect(made.status == 0)
        #expect(
            made.error + made.output
                == "made mine.yaml; next: reloadsim run mine.yaml, and its policies: reloadsim sweep mine.yaml\n")
        let quick = try BuiltCommand.run(["run", "mine.yaml", "--people", "20", "--quiet"], in: scratch.path)
        #expect(quick.status == 0, "\(quick.error)")
        // As the message says, with the results of the run still there.
        let swept = try BuiltCommand.run(["sweep", "mine.yaml", "--people", "20", "--quiet"], in: scratch.path)
        #expect(swept.status == 0, "\(swept.error)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/out").sorted()
                == ["mine", "transit-policies"])
        let wrong = try BuiltCommand.run(["init", "--for", "radio"])
        #expect(wrong.status == 64 && Self.names.allSatisfy { wrong.error.contains($0) }, "\(wrong.error)")
    }

    /// Sweeps every fourth as it is shipped; with `RELOADSIM_POLICIES=all` all seventeen, and with
    /// `RELOADSIM_REWRITE=1` the table is written.
    @Test func `the table of policies is that of the shipped sweeps`() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let (begin, end) = ("<!-- policies: begin -->\n", "<!-- policies: end -->")
        let from = try #require(text.range(of: begin)).upperBound
        let to = try #require(text.range(of: end)).lowerBound
        let environment = ProcessInfo.processInfo.environment
        let rewrites = environment["RELOADSIM_REWRITE"] == "1"
        let swept =
            rewrites || environment["RELOADSIM_POLICIES"] == "all"
            ? Self.names : Self.names.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
        let rows = try swept.flatMap { try Self.rows($0) }
        if rewrites {
            let heading = [
                "| widget | policy | requests a device-day | tokens a widget-day | fresh views | stale views | busiest minute |",
                "|---|---|---|---|---|---|---|",
            ]
            try text.replacingCharacters(
                in: from..<to, with: (heading + rows).map { $0 + "\n" }.joined()
            ).write(to: Self.document, atomically: true, encoding: .utf8)
        } else {
            let written = text[from..<to].split(separator: "\n").dropFirst(2)
            #expect(written.count == 3 * Self.names.count)
            for (place, name) in Self.names.enumerated() where swept.contains(name) {
                let own = written.dropFirst(3 * place).prefix(3)
                #expect(own.map(String.init) == rows.filter { $0.hasPrefix("| \(name) |") })
            }
        }
        // A sentence of advice for each widget stands above the table.
        for name in Self.names {
            #expect(text[..<from].contains("[\(name)](../Scenarios/policies/\(name).yaml) |"), "\(name)")
        }
    }

    @Test func `each sort of widget is told what a provider of one's own would add, by an example that there is`()
        throws
    {
        let lines = try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n")
        let folder = Self.root.appending(path: "Tests/Examples/Widgets")
        let examples = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        for name in Self.names {
            let row = try #require(lines.first { $0.hasPrefix("| [\(name)](") })
            let added = try #require(row.split(separator: "|").last { $0.contains { $0 != " " } })
            let types = added.split(separator: "`").filter {
                $0.first?.isUppercase == true && $0.allSatisfy(\.isLetter)
            }
            for type in types { #expect(examples.contains("struct \(type): WidgetProvider"), "\(name): \(type)") }
            #expect(!types.isEmpty || added.contains("Nothing: "), "\(name)")
        }
    }

    private static func rows(_ name: String) throws -> [String] {
        let scratch = Scratch()
        let metrics = [
            "requests_per_device_day", "reloads_charged_per_instance_day", "share_fresh", "share_stale", "load_peak_1m",
        ]
        let ended = try BuiltCommand.run(
            ["sweep", file(name), "--quiet", "--out", scratch.path + "/out"] + metrics.flatMap { ["--metric", $0] })
        try #require(ended.status == 0, "\(ended.error)")
        let lines = try String(contentsOfFile: scratch.path + "/out/points.csv", encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        try #require(lines.count == 4)
        return try lines.dropFirst().map { line in
            func cell(_ column: String) throws -> String { line[try #require(lines[0].firstIndex(of: column))] }
            func number(_ metric: String, times factor: Double = 1, _ format: String) throws -> String {
                // Where nobody looks there is no share of views.
                try cell(metric).isEmpty ? "–" : String(format: format, try #require(Double(cell(metric))) * factor)
            }
            return try
                "| \(name) | `\(cell("scenario"))` | \(number(metrics[0], "%.1f")) | \(number(metrics[1], "%.1f"))"
                + " | \(number(metrics[2], times: 100, "%.1f %%")) | \(number(metrics[3], times: 100, "%.1f %%"))"
                + " | \(number(metrics[4], "%.0f")) |"
        }
    }
}

extension String {
    fileprivate var firstLine: Substring { prefix { $0 != "\n" } }
}
