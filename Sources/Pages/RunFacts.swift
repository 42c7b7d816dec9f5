import Basics
import ResultFiles

/// The facts about a run that its manifest states.
struct RunFacts: Decodable, Sendable {
    let reloadsim, scenario, scenario_sha256: String
    let record_sha256: String?
    let seed, fingerprint: String
    let people: Int
    let report_start, end: String
    /// The overrides of the scenario's text, and the command that asks for the same run; nil where neither is known.
    let overrides, asked: [String]?
    /// The name of the zone whose clock the page shows; nil for UTC.
    let zone: String?

    static func read(_ source: PageSource) throws(OutputProblem) -> RunFacts {
        let facts: RunFacts = try source.manifest(of: "a run")
        guard facts.seconds > 0, facts.seconds <= longestReport else {
            throw OutputProblem(
                "\(source.name)/\(OutputFolder.manifestName): expected a report of at most 3,660 days, found one from \(facts.report_start) to \(facts.end)"
            )
        }
        return facts
    }

    /// As long as a scenario may ask for.
    private static let longestReport = 3_660.0 * 86_400

    /// The length of the reported span, above 0.
    var seconds: Double { (UnixTime(end) ?? 0) - (UnixTime(report_start) ?? 0) }

    /// The zone as people call it: `New York` for `America/New_York`.
    var zoneName: String {
        guard let zone else { return "UTC" }
        return zone.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? zone
    }
}

/// Reads an instant such as `2026-03-08T07:00:00.5Z` or one with an offset.
///
/// - Returns: seconds since 1970-01-01T00:00Z; nil for anything else.
func UnixTime(_ text: String) -> Double? { CalendarText.instant(text).map { Double($0.unixMicroseconds) / 1e6 } }

/// The clock that a page shows beside seconds from the start of the report: as the tables' own local columns have it.
struct PageClock {
    /// The zone's name for people.
    let zone: String
    let ticks: LocalTicks

    /// - Parameter intervals: from when on the clock is how many seconds ahead of UTC.
    init(reportStart: Double, zone: String, intervals: [(from: Double, offset: Double)]) {
        self.zone = zone
        let listed = intervals.isEmpty ? [(from: 0.0, offset: 0.0)] : intervals
        ticks = LocalTicks(listed.map { LocalInterval(from: $0.from, toLocal: reportStart + $0.offset) })
    }

    /// `02:00 Sun 8 Mar` of a second from the start of the report.
    func text(_ second: Double) -> String { LocalText.instant(ticks.local(second)) }
}

/// The metrics that people ask for first: what people see, load, budgets, the service.
package enum UsualFigures {
    /// The shares of views that are fresh, and then of every way in which a view is not.
    package static let views = RunPage.states.map { "share_" + $0.name }
    package static let names =
        views + [
            "age_p95_s", "load_peak_1s", "load_peak_1m", "requests_per_instance_day", "share_reloads_failed",
            "share_tokens_expired",
            "service.share_served", "service.share_reloads_ended_well", "service.response_time_p99_s",
            "service.share_shed",
            "service.share_hits",
            "service.origin_peak_1s",
            "service.cost_per_month",
        ]

    /// The figures by which a run is known, as far as it has them.
    package static let main = [
        "share_fresh", "age_p95_s", "requests_total", "load_peak_1s", "load_peak_1m", "service.share_served",
        "service.response_time_p99_s", "service.share_shed", "share_reloads_failed",
    ]

    /// The name among them of a metric, or of the same of one pool; nil if it is not one of them.
    package static func name(of metric: String) -> String? {
        if names.contains(metric) { return metric }
        // Most names are of no pool, and splitting one takes ten times as long.
        guard metric.hasPrefix("service.") else { return nil }
        let parts = metric.split(separator: ".")
        guard parts.count >= 3, let last = parts.last else { return nil }
        let plain = "service.\(last)"
        return names.contains(plain) ? plain : nil
    }

    /// The row of each usual figure, in their order. The figures of the only pool stand for those of all.
    ///
    /// - Parameter isNothing: whether a row has nothing in it: ways of not being fresh that no view has are left out,
    ///   and costs without prices.
    package static func chosen<Row>(
        from rows: [Row], _ metric: (Row) -> String, isNothing: (Row) -> Bool = { _ in false }
    ) -> [Row] {
        names.compactMap { usual in
            rows.first { metric($0) == usual } ?? rows.first { name(of: metric($0)) == usual }
        }.filter { !((views.dropFirst().contains(metric($0)) || isCost(metric($0))) && isNothing($0)) }
    }

    /// Whether a metric is a cost, which is nothing where nothing has a price.
    package static func isCost(_ metric: String) -> Bool { metric.contains(".cost_") }

    /// Some metrics without the ways of not being fresh that no view has.
    ///
    /// - Parameter isSeen: whether any view has the state of a metric.
    package static func seen(_ metrics: [String], isSeen: (String) -> Bool) -> [String] {
        metrics.filter { !views.dropFirst().contains($0) || isSeen($0) }
    }

    /// The metrics of which more is better; of all others less is.
    private static let wanted: Set<String> = [
        "share_fresh", "share_served", "share_reloads_ended_well", "share_hits", "share_healed", "share_shown",
        "headroom", "share_reloads_with_fix",
    ]

    /// Whether more of a metric is better, also of one of a part.
    package static func isBetterMore(_ metric: String) -> Bool {
        metric.split(separator: ".").last.map { wanted.contains(String($0)) } ?? false
    }

    /// Some rows without those of a part whose figures are those of the whole, such as the only segment's: of equal
    /// ones that with the shortest name.
    package static func once<Row, Figures: Hashable>(
        _ rows: [Row], _ metric: (Row) -> String, _ figures: (Row) -> Figures
    ) -> [Row] {
        var shortest: [Figures: [Substring: String]] = [:]
        for row in rows {
            let (name, figures) = (metric(row), figures(row))
            let figure = name.split(separator: ".").last ?? ""
            let known = shortest[figures]?[figure]
            if known.map({ name.count < $0.count }) ?? true { shortest[figures, default: [:]][figure] = name }
        }
        let names = Set(shortest.values.flatMap(\.values))
        return rows.filter { names.contains(metric($0)) }
    }

    /// Some rows with those of the usual figures first, each of both in their order.
    package static func first<Row>(_ rows: [Row], _ metric: (Row) -> String) -> [Row] {
        let isUsual = rows.map { name(of: metric($0)) != nil }
        return zip(rows, isUsual).filter(\.1).map(\.0) + zip(rows, isUsual).filter { !$0.1 }.map(\.0)
    }
}
