import Basics
import Foundation
import Testing

@testable import Pages

/// The first sentences of the pages of comparisons, sensitivities and studies, held against their tables.
@Suite struct StudyPagesTests {
    /// A page of tables that are given as text.
    private func page(_ manifest: String, _ files: [String: String]) throws -> String {
        let folder = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record("\(error)") } }
        for (name, text) in files.merging(["manifest.json": manifest], uniquingKeysWith: { first, _ in first }) {
            try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
        return try PageFile.html(of: PageSource(folder: folder)).replacing("\u{A0}", with: " ")
    }

    private func heading(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: #/<h2>([^<]*)/#)).output.1)
    }

    // MARK: Comparison

    private static let header =
        "baseline,variant,metric,unit,pairs,baseline_mean,variant_mean,difference,interval_low,interval_high,relative_change,effect,p_value,variance_reduction\n"

    /// - Parameter rows: metric, unit, first and second.
    private func comparison(_ rows: [(String, String, Double, Double)]) throws -> String {
        let lines = rows.map { metric, unit, a, b in
            let relative = a == 0 ? "" : "\((b - a) / a)"
            return
                "al,wu,\(metric),\(unit),1,\(a),\(b),\(b - a),,,\(relative),\((b - a).magnitude / max(a, b, 1e-9)),,\n"
        }
        return try page(
            #"{"reloadsim": "0.1.0", "comparison": "al and wu", "compared": ["al", "wu"]}"#,
            ["comparison.csv": Self.header + lines.joined()])
    }

    @Test func `less that is fresh is said first, with every other way, whatever falls`() throws {
        let page = try comparison([
            ("share_stale", "share", 0.251, 0.208), ("load_peak_1s", "requests", 8, 7),
            ("share_fresh", "share", 0.732, 0.593),
            ("share_wrong_place", "share", 0.017, 0.196), ("waits", "waits", 0, 12),
        ])
        #expect(try heading(page) == "Fresh views fall from 73.2 % to 59.3 %")
        let said = try #require(page.firstMatch(of: #/<p class="say">(.*?)<\/p>/#)).output.1
        #expect(said.contains("views of the wrong place 1.7 % → 19.6 % (11.5 times)"), "\(said)")
        // The largest changes are drawn: nothing stands in the table alone.
        let forest = try #require(page.range(of: "id=\"forest-1\"")).lowerBound
        let drawing = page[forest...].prefix(while: { _ in true })
        for text in ["1.7 % → 19.6 %, 11.5 times »", "0 → 12, from nothing »"] {
            #expect(drawing.contains(text), "\(text)")
        }
        #expect(!page.contains("stand in the table"))
    }

    @Test(arguments: [0.7, 0.732, 0.8]) func `the heading has the direction of the figures`(second: Double) throws {
        let page = try comparison([
            ("share_fresh", "share", 0.732, second), ("share_stale", "share", 0.268, 1 - second),
        ])
        let verb = second > 0.732 ? "rise" : second < 0.732 ? "fall" : "stay"
        let found = try heading(page)
        #expect(found.hasPrefix("Fresh views \(verb) "), "\(found)")
    }

    // MARK: Sensitivity

    /// - Parameter indices: of each output, the total of each key with half its interval.
    private func sobol(_ indices: [(String, [(String, Double, Double)])]) throws -> String {
        let rows = indices.flatMap { output, keys in
            keys.map { key, total, reach in
                "\(output),\(key),\(total),0,1,\(total),\(total - reach),\(total + reach)\n"
            }
        }
        return try page(
            #"{"reloadsim": "0.1.0", "sensitivity": "s", "keys": ["a", "b", "c"]}"#,
            ["indices.csv": "output,factor,first,first_low,first_high,total,total_low,total_high\n" + rows.joined()])
    }

    /// The keys in the order of the ranking's table.
    private func ranking(_ page: String) -> [String] {
        page.matches(of: #/<th scope="row">\d+<\/th><td><code>(\w+)</#).map { String($0.output.1) }
    }

    @Test(arguments: [0.5, 0.3, 0.1, 0.02, 0.005])
    func `the headline has the order of the table, or says not converged`(
        reach: Double
    ) throws {
        // A small base of a design has wide intervals.
        let page = try sobol([
            ("share_stale", [("after", 0.99, reach * 1.5), ("a_max", 0.1, reach), ("jitter", 0.017, reach / 20)]),
            ("load_peak_1m", [("after", 0.96, reach * 1.5), ("a_max", 0.13, reach), ("jitter", 0.114, reach)]),
        ])
        let order = ranking(page)
        #expect(order == ["after", "a_max", "jitter"])
        let heading = try heading(page)
        let named = order.filter { heading.contains($0) }
        #expect(named == Array(order.prefix(named.count)) && !named.isEmpty, "\(heading)")
        // 0.99 - 1.5 r crosses 0.1 + r at r = 0.356, and 0.13 - r crosses 0.114 + r at r = 0.008.
        #expect(heading.hasPrefix("Not converged: ") == (reach > 0.34), "\(heading)")
        #expect(heading.hasSuffix("then a_max") == (reach == 0.005), "\(heading)")
        #expect(page.contains("not converged") == (reach > 0.008), "\(reach)")
        // The axis of the whiskers has numbers.
        let axis = try #require(page.firstMatch(of: #/<g class="axis"(.*?)<\/svg>/#)).output.1
        #expect(axis.contains("50 %") && axis.contains("100 %"), "\(axis)")
    }
}
