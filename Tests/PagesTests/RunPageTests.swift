import Basics
import ResultFiles
import Foundation
import Pages
import Reporting
import ScenarioFiles
import Simulation
import Testing

/// The page of a run: made from its tables, and from nothing else.
@Suite struct RunPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A path for one test; everything in it goes when the test is over.
    private final class Scratch {
        let path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(error)") } }
    }

    private let scratch: Scratch
    private var out: String { scratch.path + "/out" }

    init() throws { scratch = try Scratch() }

    /// Runs a shipped scenario with few people and writes its folder.
    private func run(
        _ scenario: String, people: Int, threads: Int = 2, hasPage: Bool = true, overrides: [String] = [],
        replacing: Bool = false
    ) throws {
        let file = Self.root.appending(path: "Scenarios/\(scenario).yaml").path
        let read = try ScenarioText(text: try String(contentsOfFile: file, encoding: .utf8), file: file).read(
            overrides: ["people=\(people)"] + overrides)
        let result = try #require(try ScenarioRun(read.scenario).run(threads: threads))
        try RunReport(result).write(
            to: OutputFolder(path: out, replacing: replacing), resolvedScenario: read.resolvedText,
            circumstances: RunCircumstances(
                threads: threads, wallSeconds: 1,
                request: RunRequest(file: file, overrides: ["people=\(people)"] + overrides)),
            page: hasPage ? OutputFolder.pageWriter : nil)
    }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: out + "/" + name, encoding: .utf8) }

    @Test(arguments: ["everything", "market-open-cdn", "outage-echo"])
    func `the page from the folder is the run's, byte for byte, for any number of threads`(scenario: String) throws {
        try run(scenario, people: 200, threads: 1)
        let page = try text(OutputFolder.pageName)
        #expect(try PageFile.html(ofFolders: [out]) == page)
        try run(scenario, people: 200, threads: 3, replacing: true)
        #expect(try text(OutputFolder.pageName) == page)
    }

    @Test func `the page of a week of everything has at most half a megabyte`() throws {
        try run("everything", people: 2_000)
        #expect(try text(OutputFolder.pageName).utf8.count <= 500_000)
    }

    @Test func `every figure that names a cell has the cell's value`() throws {
        for (scenario, people) in [("everything", 200), ("market-open-cdn", 2_000)] {
            try run(scenario, people: people, replacing: true)
            var tables: [String: CSVTable] = [:]
            let page = try text(OutputFolder.pageName)
            let figures = page.matches(of: #/<data value="([^"]*)" title="([^:]+): (\w+) where ([^"]+)">/#)
            #expect(figures.count > 10)
            for figure in figures {
                let file = String(figure.2)
                let table = try tables[file] ?? CSVTable.read(file: out + "/" + file)
                tables[file] = table
                let conditions = figure.4.split(separator: ", ").map {
                    $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                }
                let places = try conditions.map { (try #require(table.header.firstIndex(of: $0[0])), $0[1]) }
                let rows = table.rows.filter { row in places.allSatisfy { row[$0.0] == $0.1 } }
                #expect(rows.count == 1, "\(figure.0)")
                let column = try #require(table.header.firstIndex(of: String(figure.3)))
                #expect(rows.first?[column] == String(figure.1), "\(figure.0)")
            }
        }
    }

    @Test func `no page is written that is not wanted, and an earlier one goes`() throws {
        try run("first-look", people: 100)
        #expect(try text("datapackage.json").contains("report.html") && text("manifest.json").contains("report.html"))
        try run("first-look", people: 100, hasPage: false, replacing: true)
        #expect(!FileManager.default.fileExists(atPath: out + "/report.html"))
        #expect(try !text("datapackage.json").contains("report.html") && !text("manifest.json").contains("report.html"))
        #expect(try PageFile.html(ofFolders: [out]).contains("first-look"), "the page comes from the tables alone")
    }

    @Test func `a page shows no threshold it does not have, and each that it has with a mark and a word`() throws {
        try run("first-look", people: 100)
        #expect(try text(OutputFolder.pageName).contains("No thresholds are set"))
        try run(
            "first-look", people: 100,
            overrides: [
                #"thresholds=[{metric: share_stale, op: "<", value: 0.9}, {metric: load_peak_1s, op: "<=", value: 0}]"#
            ], replacing: true)
        let page = try text(OutputFolder.pageName)
        #expect(page.contains("1 of 2 thresholds is broken."))
        #expect(page.contains("</svg>holds</span>") && page.contains("</svg>broken</span>"))
    }

    @Test func `a changed table is refused, and a folder without results`() throws {
        try run("first-look", people: 100)
        #expect(throws: OutputProblem.self) { try PageFile.html(ofFolders: [scratch.path]) }
        let summary = try text("summary.csv")
        try (summary + "\n").write(toFile: out + "/summary.csv", atomically: true, encoding: .utf8)
        #expect(throws: OutputProblem.self) { try PageFile.html(ofFolders: [out]) }
    }

    @Test func `a page says what was asked for, without the folders of its machine`() throws {
        try run("first-look", people: 100, overrides: ["kinds.weather.policy.after=1h"])
        let page = try text(OutputFolder.pageName)
        #expect(
            page.contains("<dd>reloadsim run first-look.yaml --set people=100 --set kinds.weather.policy.after=1h</dd>")
        )
        #expect(page.contains("<dt>Overrides</dt><dd>people=100, kinds.weather.policy.after=1h</dd>"))
        #expect(!page.contains(Self.root.path) && !page.contains(scratch.path))
        let manifest = try text("manifest.json")
        for part in [#"<dt>Seed</dt><dd>(\d+)</dd>"#, #"<dt>Fingerprint</dt><dd>(\w+)</dd>"#] {
            let value = try #require(page.firstMatch(of: try Regex(part))?.output[1].substring)
            #expect(manifest.contains("\"\(value)\""))
        }
    }

    @Test func `a name with markup in it stays a text`() throws {
        try run("first-look", people: 50, overrides: [#"description="<img src=x onerror=alert(1)>""#])
        let page = try text(OutputFolder.pageName)
        #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;") && !page.contains("<img"))
    }

    @Test func `people who stand for others are not taken for all of them`() throws {
        try run("first-look", people: 100, overrides: ["report.represents=1000000"])
        #expect(try text(OutputFolder.pageName).contains(" · 1,000,000 people, from 100 simulated people · seed"))
        try run("first-look", people: 100, replacing: true)
        #expect(try text(OutputFolder.pageName).contains(" · 100 people · seed"))
    }

    @Test func `the shades of events lie behind the marks`() throws {
        try run("region-lost", people: 300)
        let drawings = try text(OutputFolder.pageName).components(separatedBy: "<svg class=\"plot\"").dropFirst()
        let shaded = drawings.filter { $0.contains("class=\"shade\"") }
        #expect(shaded.count > 5)
        for drawing in shaded {
            let shade = try #require(drawing.ranges(of: "class=\"shade\"").last)
            for mark in ["class=\"fill", "class=\"line"] {
                #expect(drawing.firstRange(of: mark).map { shade.lowerBound < $0.lowerBound } ?? true, "\(mark)")
            }
        }
    }

    @Test func `controls and background transfers have parts of the page where there are any`() throws {
        func charts() throws -> [String] {
            let page = try text(OutputFolder.pageName)
            return ["control-views", "control-reloads", "transfer-times", "transfer-outcomes"].filter {
                page.contains("id=\"\($0)\"")
            }
        }
        try run("smart-home-control-herd", people: 60)
        #expect(try charts() == ["control-views", "control-reloads"])
        try run("first-look", people: 60, overrides: ["kinds.weather.fetch=background"], replacing: true)
        #expect(try charts() == ["transfer-times", "transfer-outcomes"])
        try run("first-look", people: 60, replacing: true)
        #expect(try charts() == [])
    }

    @Test func `two runs stand on one page`() throws {
        try run("first-look", people: 100)
        try FileManager.default.moveItem(atPath: out, toPath: scratch.path + "/first")
        try run("first-look", people: 100, overrides: ["kinds.weather.policy.after=1h"])
        let page = try PageFile.html(ofFolders: [scratch.path + "/first", out])
        #expect(page.contains("first and out") && page.contains("both-loads"))
        for folder in [scratch.path + "/first", out] { #expect(page.contains("<dt>Folder</dt><dd>\(folder)</dd>")) }
    }
}
