import ArgumentParser
import Basics
import Foundation
import Pages
import ResultFiles

/// The files of a run that a pipeline reads: its demands as tests, and its figures in Markdown.
struct PipelineFiles: ParsableArguments {
    @Option(
        takes: "file",
        "Write the verdicts on thresholds and objectives to this file as JUnit XML, a test each. A file that an earlier --junit wrote is replaced; another is refused.",
        completion: .file())
    var junit: String?

    @Option(
        takes: "file",
        "Append the verdicts and the main figures with their ranges to this file as Markdown, such as $GITHUB_STEP_SUMMARY.",
        completion: .file())
    var stepSummary: String?

    var isWanted: Bool { junit != nil || stepSummary != nil }

    func validate() throws {
        for (option, file) in [("--junit", junit), ("--step-summary", stepSummary)] {
            if file?.isEmpty == true { throw ValidationError("\(option) takes the path of a file.") }
        }
    }

    /// Refuses what cannot be written, before anything is simulated.
    ///
    /// - Parameter folder: of the results, in which a file of another name would be damage.
    func check(_ folder: String) throws {
        guard isWanted else { return }
        if junit != nil && junit == stepSummary {
            throw ValidationError("--junit and --step-summary take a file each.")
        }
        for (option, file, mark) in [("--junit", junit, RunVerdicts.mark), ("--step-summary", stepSummary, nil)] {
            guard let file else { continue }
            let parent = FolderPath.parts(of: file).folder
            if URL(filePath: parent).resolvingSymlinksInPath() == URL(filePath: folder).resolvingSymlinksInPath() {
                throw ValidationError("\(option) \(file) lies among the results: choose a file beside \(folder).")
            }
            guard FileStatus(ledToBy: parent)?.kind == .folder else {
                throw CommandFailure(.noInput, "\(option) \(file): expected a folder that is there, found no \(parent)")
            }
            try NewFile.check(file, inPlaceOf: mark, option: option)
        }
    }

    /// Makes results and writes the files of them, whether they keep to the demands or not.
    func follow(_ folder: String, _ make: () throws -> Void) throws {
        try check(folder)
        do { try make() } catch let failure as CommandFailure where failure.status == .brokenThreshold {
            try write(of: folder)
            throw failure
        }
        try write(of: folder)
    }

    /// Writes the files of results that stand in a folder.
    func write(of folder: String) throws {
        guard isWanted else { return }
        let verdicts = try RunVerdicts(folder: folder)
        if let junit { try NewFile.write(verdicts.junit, to: junit, inPlaceOf: RunVerdicts.mark) }
        if let stepSummary { try NewFile.write(verdicts.markdown, to: stepSummary, inPlaceOf: nil) }
    }
}

/// The verdicts and main figures of a run's tables.
struct RunVerdicts {
    private struct Demand {
        let metric, text, measured: String
        let objective: String?
        let holds: Bool

        /// As a sentence has it.
        var title: String { objective.map { "objective \($0)" } ?? text }
        var isKnown: Bool { !measured.isEmpty }
    }

    private struct Measure {
        let title, value, range: String
    }

    private let folder, scenario, seed, fingerprint: String
    private let demands: [Demand]
    private let measures: [Measure]

    init(folder: String) throws {
        self.folder = folder
        let manifest = folder + "/" + OutputFolder.manifestName
        guard let bytes = try FileContent.bytes(of: manifest, limit: 64 << 20),
            let words = Manifest.texts(["scenario", "seed", "fingerprint"], in: bytes)
        else {
            throw OutputProblem("\(folder): expected the complete results of a run, found none")
        }
        (scenario, seed, fingerprint) = (words[0], words[1], words[2])
        let (bound, value, holds) = (
            ResultColumn.number("bound"), ResultColumn.number("measured"), ResultColumn.flag("holds")
        )
        let columns: [ResultColumn] = ["metric", "op", bound, value, holds]
        let thresholds = try CSVTable.read(file: folder + "/thresholds.csv", columns: columns)
        let objectives = DemandText.objectives(of: thresholds.rows.map { $0["metric"] })
        demands = zip(thresholds.rows, objectives).map { row, objective in
            let (metric, measured) = (row["metric"], row[value])
            let limit = Double(row[bound]).map(FigureText.shortest) ?? row[bound]
            // In as many digits as tell it from the bound.
            let isNear = measured != limit && Self.short(measured) == Self.short(limit)
            return Demand(
                metric: metric, text: "\(metric) \(row["op"]) \(limit)",
                measured: measured.isEmpty || isNear ? measured : Self.short(measured), objective: objective,
                holds: row.holds(holds))
        }
        measures = try Self.measures(folder)
    }

    private static func short(_ number: String) -> String { Double(number).map(Figures.short) ?? number }

    /// The figures by which a run is known, as far as it has them.
    private static let main = [
        "share_fresh", "age_p95_s", "requests_total", "load_peak_1s", "load_peak_1m", "service.share_served",
        "service.response_time_p99_s", "service.share_shed", "share_reloads_failed",
    ]

    private static func measures(_ folder: String) throws -> [Measure] {
        let own = (value: "value", low: "redraw_p2_5", high: "redraw_p97_5")
        let ofAll = (value: "represented_value", low: "represented_p2_5", high: "represented_p97_5")
        let names = [own.value, own.low, own.high, ofAll.value, ofAll.low, ofAll.high]
        let columns: [ResultColumn] = ["scope", "metric", "unit"] + names.map { .number($0) }
        let rows = try CSVTable.read(file: folder + "/summary.csv", columns: columns).rows
        return main.compactMap { metric in
            let plain = metric.split(separator: ".").last.map(String.init) ?? metric
            let scope = metric == plain ? SummaryScope.run : .pool
            guard let row = rows.first(where: { $0["scope"] == scope.name && $0["metric"] == plain }) else {
                return nil
            }
            let measure = MetricText.measure(ofUnit: row["unit"])
            func text(_ column: String) -> String? {
                Double(row[.number(column)]).map { FigureLabel.text($0, measure).replacing("\u{A0}", with: " ") }
            }
            let its = text(ofAll.value) != nil ? ofAll : own
            guard let value = text(its.value) else { return nil }
            var range = ""
            if let low = text(its.low), let high = text(its.high) { range = "\(low) to \(high)" }
            return Measure(title: MetricText.title(metric), value: value, range: range)
        }
    }

    /// The words by which a file of such tests is known.
    static let mark = "<testsuites name=\"reloadsim\""

    private var broken: [Demand] { demands.filter { !$0.holds } }

    /// One test for each demand; that the run is complete where there is none.
    var junit: String {
        func attribute(_ text: String) -> String { Markup.escaped(VisibleText.of(text)) }
        let name = attribute(scenario)
        var tests = demands.map { demand in
            let head = "    <testcase classname=\"reloadsim.\(name)\" name=\"\(attribute(demand.title))\""
            if demand.holds { return head + "/>" }
            let measured = demand.isKnown ? "measured \(demand.measured)" : "not defined in this run"
            return head
                + ">\n      <failure type=\"demand\" message=\"\(attribute("\(demand.text): \(measured)"))\">\(attribute(folder))</failure>\n    </testcase>"
        }
        if tests.isEmpty { tests = ["    <testcase classname=\"reloadsim.\(name)\" name=\"the run is complete\"/>"] }
        let counts = "tests=\"\(tests.count)\" failures=\"\(broken.count)\" errors=\"0\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            \(Self.mark) \(counts)>
              <testsuite name="\(name)" \(counts) skipped="0">
                <properties>
                  <property name="seed" value="\(attribute(seed))"/>
                  <property name="fingerprint" value="\(attribute(fingerprint))"/>
                </properties>
            \(tests.joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    var markdown: String {
        func cell(_ text: String) -> String { AlignedTable.markdownCell(text) }
        var parts = ["## reloadsim: \(cell(scenario))"]
        if demands.isEmpty {
            parts.append("No thresholds and no objectives are set.")
        } else {
            let noun = DemandText.noun(of: demands.map(\.metric))
            let held = demands.count - broken.count
            parts.append(
                "\(broken.isEmpty ? "✅" : "❌") **\(held) of \(demands.count) \(noun) hold\(demands.count == 1 ? "s" : "").**")
            var table = AlignedTable(header: ["demand", "verdict", "measured"], toTheLeft: [0, 1])
            for demand in demands {
                table.add([
                    demand.objective.map { "\($0): \(demand.text)" } ?? demand.text,
                    demand.holds ? "holds" : "broken", demand.isKnown ? demand.measured : "not defined",
                ])
            }
            parts.append(table.markdown)
        }
        var table = AlignedTable(header: ["figure", "value", "95 % range"], toTheLeft: [0])
        for measure in measures { table.add([measure.title, measure.value, measure.range]) }
        parts.append(table.markdown)
        let page = FolderPath.exists(folder + "/" + OutputFolder.pageName) ? ", with the page `\(OutputFolder.pageName)`" : ""
        parts.append(
            "Seed \(cell(seed)), fingerprint `\(fingerprint)`. All tables stand in `\(folder.replacing("`", with: ""))`\(page): keep the folder as an artifact.")
        return parts.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }.joined(separator: "\n\n") + "\n\n"
    }
}
