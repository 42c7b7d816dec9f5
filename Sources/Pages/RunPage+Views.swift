import Basics
import ResultFiles

/// The part of the page about people's views.
extension RunPage {
    /// The states of a view with their paints, the best first.
    static let states: [(name: String, words: String, paint: Paint)] = [
        ("fresh", "fresh", .series(2)), ("stale", "stale", .series(1)), ("wrong_place", "wrong place", .series(5)),
        ("alternate", "of no place", .series(4)),
        ("empty", "nothing yet", .series(7)), ("redacted", "hidden", .series(3)),
        ("placeholder", "placeholder", .series(6)),
    ]
    private static let seen: [Series] =
        [.count("views", "views")] + states.map { .count("views_" + $0.name, $0.words, $0.paint) }
    private static let ages: [Series] = [
        .count("views", "views"), .cell("age_p50_s", "p50", .duration, .series(0)),
        .cell("age_p95_s", "p95", .duration, .series(1)),
    ]

    func viewsSection() throws(OutputProblem) -> PageDocument.Section {
        let staleness = try source.table("staleness.csv", ["kind", "location_mode"] + Self.seen.map(\.source))
        let hours = try source.table("views_by_hour.csv", ["local_hour"] + Self.seen.map(\.source))
        let weekly = try source.tableIfPresent(
            "staleness_hours.csv",
            ["segment", "kind", "weekday", "local_hour"] + (Self.seen + Self.ages).map(\.source))
        let all = weekly.map { ($0, $0.rows(["segment": "*", "kind": "*"])) }
        let byHour = hasAllHours ? [Self.hourChart(hours), all.flatMap(Self.ageHourChart)] : []
        return PageDocument.Section(
            "views", "What people see",
            byHour + [
                Self.permissionChart(staleness), Self.kindChart(staleness), all.flatMap(Self.weekdayChart), ageChart(),
                lagChart(),
            ])
            ?? PageDocument.Section(
                "views", "What people see", html: Phrase("Nobody looked at a widget in the report.").said)
    }

    /// The rows in which anything was seen.
    private static func seen(_ table: PageTable, by column: String, _ key: String, words: (String) -> String = { $0 })
        -> Frame
    { table.frame(by: column, as: key, seen, words: words).filter { $0.sum > 0 } }

    /// A chart of the states as shares of each row.
    private static func stateRows(_ id: String, _ rows: Frame, says description: String, finding title: String) -> Chart
    {
        Chart("views-" + id, rows.shares(), .bars, says: description, finding: title) {
            $0.figure = { "\(FigureLabel.text($0["views"])) views" }
        }
    }

    private static func fresh(_ row: Frame.Row) -> Double { row.sum == 0 ? 0 : row["fresh"] / row.sum }
    private static func percent(_ row: Frame.Row) -> String { FigureLabel.text(fresh(row), .share) }

    /// The rows where least and most is fresh, the first name of equal ones; nil without rows.
    private static func ends(_ rows: Frame) -> (worst: Frame.Row, best: Frame.Row, areAlike: Bool)? {
        guard let worst = rows.rows.min(by: { (fresh($0), $0.name) < (fresh($1), $1.name) }),
            let best = rows.rows.max(by: { (fresh($0), $1.name) < (fresh($1), $0.name) })
        else { return nil }
        return (worst, best, percent(worst) == percent(best))
    }

    private static func hourChart(_ table: PageTable) -> Chart? {
        let hours = table.hours(seen)
        guard let busiest = hours.most("views")?["views"],
            // Few views at night make no finding.
            let (worst, best, areAlike) = ends(hours.filter { $0.sum > 0 && $0["views"] * 100 >= busiest })
        else { return nil }
        return Chart(
            "views-hours", hours.shares(), .stack,
            says: "The content seen by the hour of the device's own clock, as shares of the hour's views.",
            finding: areAlike
                ? "\(percent(best)) of the views are fresh at every hour"
                : "Content is least fresh at \(worst.name) (\(percent(worst))) and most at \(best.name) (\(percent(best)))"
        )
    }

    private static func permissionChart(_ table: PageTable) -> Chart? {
        let unplaced = "not by place"
        let modes = seen(table, by: "location_mode", "location permission") {
            $0 == "none" ? unplaced : $0.replacing("_", with: " ")
        }
        let following = modes.filter { $0.name != unplaced }
        guard modes.names.count > 1, let (worst, best, _) = ends(following.names.count > 1 ? following : modes)
        else { return nil }
        return stateRows(
            "permission", modes, says: "The content seen, by the location permission of the app.",
            finding: "Fresh views: \(percent(best)) with “\(best.name)”, \(percent(worst)) with “\(worst.name)”")
    }

    private static func kindChart(_ table: PageTable) -> Chart? {
        let kinds = seen(table, by: "kind", "kind")
        guard kinds.names.count > 1, let (worst, _, _) = ends(kinds) else { return nil }
        return stateRows(
            "kinds", kinds, says: "The content seen of each kind of widget.",
            finding: "Least fresh is \(worst.name): \(percent(worst)) of its views")
    }

    private static let weekdays = [
        "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday",
        "sun": "Sunday",
    ]

    private static func weekdayChart(_ table: PageTable, _ rows: [PageRow]) -> Chart? {
        let days = table.frame(by: "weekday", of: rows.filter { weekdays[$0["weekday"]] != nil }, seen) {
            weekdays[$0] ?? ""
        }.filter { $0.sum > 0 }
        guard days.names.count > 1, let (worst, best, areAlike) = ends(days) else { return nil }
        return stateRows(
            "weekdays", days, says: "The content seen by the weekday of the device’s own clock.",
            finding: areAlike
                ? "\(percent(best)) of the views are fresh on every day"
                : "Least fresh on \(worst.name)s (\(percent(worst))), most on \(best.name)s (\(percent(best)))")
    }

    private static func ageHourChart(_ table: PageTable, _ rows: [PageRow]) -> Chart? {
        let hours = table.hours(of: rows.filter { $0["weekday"] == "*" }, ages)
        guard let oldest = hours.most("p95"), oldest["p95"] > 0 else { return nil }
        return Chart(
            "age-hours", hours, .steps,
            says:
                "Ages of regular content at its views by the hour of the device’s own clock: the median, and what 95\u{A0}% of the views do not exceed.",
            finding: "Content is oldest at \(oldest.name): 95\u{A0}% is younger than \(oldest.text("p95"))")
    }

    /// Some metrics of all views together and of each kind, where all of them are defined.
    private func quantiles(_ wanted: [(metric: String, name: String, paint: Paint?)]) -> Frame {
        let last = "." + wanted[0].metric
        let kinds = metrics.names.filter {
            $0.hasSuffix(last) && !$0.hasPrefix("segment.") && !$0.hasPrefix("device.")
        }.map { $0.dropLast(last.count) + "." }
        let prefixes = ([""] + kinds).filter { prefix in
            wanted.allSatisfy { metrics.value(prefix + $0.metric) != nil }
        }
        return Frame(
            "kind", prefixes.map { $0.isEmpty ? (kinds.isEmpty ? "all views" : "all kinds") : String($0.dropLast()) },
            wanted.map { metric, name, paint in metrics.column(name, prefixes.map { $0 + metric }, paint) },
            source: "summary.csv")
    }

    /// How far the views lag behind the truth: the time since the first version appeared that they lack.
    private func lagChart() -> Chart? {
        let kinds = quantiles([
            ("lag_mean_s", "mean", nil), ("lag_p50_s", "p50", nil), ("lag_p95_s", "p95", .series(1)),
            ("lag_p99_s", "p99", nil),
        ])
        guard let all = kinds.rows.first, kinds.sum("p99") > 0 else { return nil }
        let half =
            all["p50"] == 0
            ? "Half of the views lack nothing" : "Half of the views lag at most \(all.text("p50")) behind the truth"
        return Chart(
            "lags", kinds, .bars,
            says:
                "How long before a view of regular content the first version appeared that it lacks; 0 for a view that lacks none. The bars end at 95\u{A0}% of the views.",
            finding: "\(half), 95\u{A0}% lag at most \(all.text("p95"))"
        ) { $0.figure = { "\($0.text("p95")) · p99: \($0.text("p99"))" } }
    }

    /// How old content is as it is seen: each kind on one logarithmic axis.
    private func ageChart() -> Chart? {
        let kinds = quantiles([
            ("age_p50_s", "p50", .series(0)), ("age_p95_s", "p95", .series(0)), ("age_p99_s", "p99", .series(0)),
        ])
        guard let all = kinds.rows.first, kinds.sum("p99") > 0 else { return nil }
        return Chart(
            "ages", kinds, .quantiles,
            says:
                "Ages at the views of regular content on a logarithmic axis: the point is the median, the thick line ends at 95\u{A0}% of the views, the thin one at 99\u{A0}%.",
            finding:
                "Half of the content seen is younger than \(all.text("p50")), 95\u{A0}% younger than \(all.text("p95"))"
        )
    }
}
