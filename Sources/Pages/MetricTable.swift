import Basics
import ResultFiles

/// The metrics of a run: those of its summary, and of its service, under the names that thresholds use.
struct MetricTable {
    private struct Entry {
        let unit, value, source: String
    }

    private var entries: [String: Entry] = [:]
    /// The summary has the figures of the only pool and not those of all pools beside them.
    private let onlyPool: String?
    /// In the order of the tables.
    private(set) var names: [String] = []

    init(_ source: PageSource) throws(OutputProblem) {
        let table = try source.table("summary.csv", ["scope", "name", "metric", "unit", .number("value")])
        var pools: Set<String> = []
        for row in table.rows {
            guard let scope = SummaryScope(rawValue: row["scope"]) else { continue }
            let (part, metric) = (row["name"], row["metric"])
            let name = scope.name(of: metric, part)
            names.append(name)
            entries[name] = Entry(
                unit: row["unit"], value: row["value"],
                source: "summary.csv: value where scope=\(scope.name), name=\(part), metric=\(metric)")
            if scope == .pool, part != SummaryScope.allParts { pools.insert(part) }
        }
        onlyPool = pools.count == 1 ? pools.first : nil
    }

    private func entry(_ metric: String) -> Entry? {
        if let entry = entries[metric] { return entry }
        // The only segment, kind or endpoint has no rows beside those of the run.
        guard metric.hasPrefix("service.") else {
            return metric.split(separator: ".").last.flatMap { entries[String($0)] }
        }
        guard let onlyPool else { return nil }
        return entries["service.\(onlyPool).\(metric.dropFirst("service.".count))"]
    }

    /// Nil if the run does not have the metric, or it is not defined.
    func value(_ metric: String) -> Double? { entry(metric).flatMap { ResultColumn.number(in: $0.value) } }

    func unit(_ metric: String) -> String? { entry(metric)?.unit }

    /// As a sentence has it; nil if it is not defined.
    func figure(_ metric: String) -> Figure? {
        guard let entry = entry(metric), let value = ResultColumn.number(in: entry.value) else { return nil }
        return Figure(
            text: FigureLabel.text(value, MetricText.measure(ofUnit: entry.unit)), value: entry.value,
            source: entry.source)
    }
}

extension MetricTable {
    /// A column of some metrics of one unit, in the digits of their table.
    func column(_ name: String, _ metrics: [String], _ paint: Paint? = nil) -> Frame.Column {
        let measure = metrics.lazy.compactMap { unit($0) }.first.map { MetricText.measure(ofUnit: $0) }
        return Frame.Column(
            name, metrics.map { value($0) }, measure ?? .number, paint,
            cells: metrics.map { figure($0)?.value ?? "" })
    }
}

/// Metrics and their units in words.
package enum MetricText {
    static func measure(ofUnit unit: String) -> Measure {
        switch unit {
        case "s": .duration
        case "share": .share
        case "bytes": .bytes
        default: .number
        }
    }

    /// The suffix after the figure: empty for units that the figure has in it, or for none.
    static func suffix(ofUnit unit: String) -> String {
        switch unit {
        case "s", "share", "bytes", "ratio", "": ""
        case "requests/s": " a second"
        default: " " + unit
        }
    }

    /// Follows what is said of a month, if the report is shorter than a day; empty for other metrics.
    package static func source(of metric: String, report seconds: Double) -> String {
        guard metric.hasSuffix("_per_month"), (1..<86_400).contains(seconds) else { return "" }
        return ", from \(TimeText.duration(.seconds(Int64(cutting: seconds)))) only"
    }

    /// A metric's last part in words: `load_peak_1s` is “load peak 1s”.
    static func words(_ name: String) -> String { name.replacing("_", with: " ") }
}
