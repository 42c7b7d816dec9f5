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
    package static func measure(ofUnit unit: String) -> Measure {
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

    /// Metrics in the words of a person who does not write scenarios; all others follow from their names.
    private static let titles = [
        "share_fresh": "fresh views", "share_stale": "stale views", "share_wrong_place": "views of the wrong place",
        "share_alternate": "views of no place", "share_empty": "views of nothing yet",
        "share_redacted": "views of hidden content", "share_placeholder": "views of a placeholder",
        "load_peak_1s": "largest second", "load_peak_10s": "largest 10 seconds", "load_peak_1m": "largest minute",
        "load_peak_5m": "largest 5 minutes", "load_peak_1h": "largest hour", "requests_total": "requests",
        "requests_per_instance_day": "requests of a widget a day",
        "reloads_charged_per_instance_day": "charged reloads of a widget a day",
        "reloads_free_per_instance_day": "free reloads of a widget a day", "share_reloads_failed": "failed reloads",
        "share_tokens_expired": "tokens that expire unused", "share_served": "requests answered with content in time",
        "share_reloads_ended_well": "reloads that brought a timeline", "share_shed": "requests shed at the origin",
        "share_hits": "answers from the edge", "origin_peak_1s": "largest second at the origin",
        "cost_per_month": "cost of a month", "servers": "servers",
    ]
    private static let quantiles = [
        "age": "age of what is seen", "lag": "lag of what is seen", "response_time": "time of an answer",
        "queue_wait": "wait for a server",
    ]

    /// A metric in words, with the part before it that it is of: `load_peak_1s` is “largest second”,
    /// `service.origin.queue_wait_p99_s` is “origin: wait for a server, p99”.
    package static func words(_ name: String) -> String {
        let parts = name.split(separator: ".").map(String.init)
        guard let last = parts.last else { return name }
        let place = parts.dropLast().filter { $0 != "service" }.map { $0.replacing("_", with: " ") }
        let before = place.isEmpty ? "" : place.joined(separator: " ") + ": "
        if let title = titles[last] { return before + title }
        if let found = last.wholeMatch(of: #/(\w+?)_p(\d+)((?:_worst_1m)?)_s/#) {
            let of = quantiles[String(found.1)] ?? String(found.1).replacing("_", with: " ")
            return before + of + ", p\(found.2)" + (found.3.isEmpty ? "" : " of the worst minute")
        }
        let plain = last.hasSuffix("_s") ? String(last.dropLast(2)) : last
        return before + plain.replacing("_worst_1m", with: " of the worst minute").replacing("_", with: " ")
    }

    /// The name with a capital, for the beginning of a sentence or a heading.
    package static func title(_ name: String) -> String {
        let words = words(name)
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
