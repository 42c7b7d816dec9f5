import Basics
import Pages
import ResultFiles

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

    private static func measures(_ folder: String) throws -> [Measure] {
        let own = (value: "value", low: "redraw_p2_5", high: "redraw_p97_5")
        let ofAll = (value: "represented_value", low: "represented_p2_5", high: "represented_p97_5")
        let names = [own.value, own.low, own.high, ofAll.value, ofAll.low, ofAll.high]
        let columns: [ResultColumn] = ["scope", "metric", "unit"] + names.map { .number($0) }
        let file = folder + "/summary.csv"
        let table = try CSVTable.read(file: file)
        // Earlier versions had no ranges.
        let rows = try ResultTable(table.completed(with: columns) ?? table, columns, file: file).rows
        return UsualFigures.main.compactMap { metric in
            let plain = metric.split(separator: ".").last.map(String.init) ?? metric
            let scope = metric == plain ? SummaryScope.run : .pool
            guard let row = rows.first(where: { $0["scope"] == scope.name && $0["metric"] == plain }) else {
                return nil
            }
            let measure = MetricText.measure(ofUnit: row["unit"])
            func text(_ column: String) -> String? {
                Double(row[.number(column)]).map { FigureLabel.plain($0, measure) }
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
                "\(broken.isEmpty ? "✅" : "❌") **\(held) of \(demands.count) \(noun) hold\(demands.count == 1 ? "s" : "").**"
            )
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
        let page =
            FolderPath.exists(folder + "/" + OutputFolder.pageName) ? ", with the page `\(OutputFolder.pageName)`" : ""
        parts.append(
            "Seed \(cell(seed)), fingerprint `\(fingerprint)`. All tables stand in `\(folder.replacing("`", with: ""))`\(page): keep the folder as an artifact."
        )
        return parts.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }.joined(separator: "\n\n") + "\n\n"
    }
}
