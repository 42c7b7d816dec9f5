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

    private static func fresh(_ bar: Frame.Row) -> Double { bar.sum == 0 ? 0 : bar["fresh"] / bar.sum }
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

/// Where budgets go, and what holds reloads back.
extension RunPage {
    /// By how many days the sums of a report are divided: by none of a report shorter than a day, whose figures are of
    /// the whole report.
    var days: Double { max(1, facts.seconds / 86_400) }
    var aDay: String { facts.seconds >= 86_400 ? " a day" : " in the report" }
    private var andDays: String { facts.seconds >= 86_400 ? " and days" : "" }

    func budgetSection() throws(OutputProblem) -> PageDocument.Section? {
        let budget = try source.table(
            "budget.csv",
            ["pool", "kind", "local_hour", .count("balance_readings"), .amount("mean_balance_tokens")]
                + Self.tokens.map(\.source))
        let own = budget.rows(["pool": "own"])
        return PageDocument.Section(
            "budget", "Budget and gates",
            [
                hasAllHours ? try tokenChart(budget, own) : nil, try gateChart(), try causeChart(),
                hasAllHours ? balanceChart(budget, own) : nil,
            ])
    }

    private static let tokens: [Series] = [
        .amount("accrued_tokens", "accrued, tokens"), .amount("spent_tokens", "spent, tokens"),
        .amount("expired_tokens", "expired, tokens"),
    ]

    private func tokenChart(_ budget: PageTable, _ own: [PageRow]) throws(OutputProblem) -> Chart? {
        let totals = try source.table("budget_totals.csv", ["pool", .count("accounts")])
        let accounts = PageTable.sum(totals.rows(["pool": "own"]), "accounts")
        guard !own.isEmpty, accounts > 0 else { return nil }
        let hours = budget.hours(of: own, Self.tokens)
            .adding("spent each", .number, .series(0)) { $0["spent, tokens"] / accounts / days }
            .adding("expired each", .number, .series(1)) { $0["expired, tokens"] / accounts / days }
            .adding("accrued each", .number, .ink, as: .steps) { $0["accrued, tokens"] / accounts / days }
        func all(_ column: String) -> String { FigureLabel.text(hours.sum(column)) }
        return Chart(
            "budget-hours", hours, .stack,
            says:
                "Tokens of an instance's own account by hour of its local day, on average over accounts\(andDays): spent below, expired above, accrued as a line.",
            finding: hours.sum("spent each") == 0
                ? "No tokens are spent in the report"
                : "Of \(all("accrued each")) tokens\(aDay) \(all("spent each")) are spent, most at \(hours.most("spent each")!.name), and \(all("expired each")) expire"
        )
    }

    private func balanceChart(_ budget: PageTable, _ own: [PageRow]) -> Chart? {
        let kinds = budget.values("kind", of: own).prefix(Paint.seriesCount).enumerated().map { place, kind in
            let means = (0..<24).map { hour -> Double? in
                let rows = budget.rows(["pool": "own", "kind": kind, "local_hour": "\(hour)"])
                let readings = PageTable.sum(rows, "balance_readings")
                let sum = rows.reduce(0) {
                    $0 + ($1.number("mean_balance_tokens") ?? 0) * ($1.number("balance_readings") ?? 0)
                }
                return readings == 0 ? nil : sum / readings
            }
            return Frame.Column(kind, means, .number, .series(place))
        }
        let hours = Frame.hours("local hour", kinds, source: "budget.csv")
        let found = kinds.flatMap { kind in
            zip(hours.names, kind.values).compactMap { hour, value in
                value.map { (kind: kind.name, hour: hour, mean: $0) }
            }
        }
        guard let lowest = found.min(by: { $0.mean < $1.mean }), found.contains(where: { $0.mean > 0 }) else {
            return nil
        }
        return Chart(
            "balances", hours, .line,
            says:
                "The mean balance of an instance's own account at the beginning of each hour of its local day, in tokens.",
            finding:
                "Balances are lowest at \(lowest.hour): \(FigureLabel.text(lowest.mean)) tokens of \(lowest.kind)")
    }

    private func gateChart() throws(OutputProblem) -> Chart? {
        let series: [Series] = [.count("waits", "waits"), .amount("wait_s", "waiting", .duration)]
        guard let instances = metrics.value("instances"), instances > 0 else { return nil }
        let gates = try source.table("budget_waits.csv", ["gate", "ended_by"] + series.map(\.source))
            .frame(by: "gate", series, words: { $0.replacing("_", with: " ") })
            .filter { $0.name != "any" }.sorted { $0["waiting"] }
            .adding("mean wait", .duration) { $0["waits"] == 0 ? 0 : $0["waiting"] / $0["waits"] }
            .adding("for an instance\(aDay)", .duration, .series(0)) { $0["waiting"] / instances / days }
        guard let first = gates.rows.first else { return nil }
        return Chart(
            "gates", gates, .bars,
            says:
                "How long due reloads wait under each closed gate, on average over instances\(andDays). A reload can wait under several gates at once.",
            finding:
                "The \(first.name) gate holds most: \(FigureLabel.text(first.sum, .duration)) of waiting for an instance\(aDay)"
        ) {
            $0.figure = {
                "\(FigureLabel.text($0.sum, .duration)) · mean \($0.text("mean wait"))"
            }
        }
    }

    private func causeChart() throws(OutputProblem) -> Chart? {
        let series: [Series] = [
            .count("started_charged", "charged", .series(0)), .count("started_free", "free", .series(2)),
        ]
        let causes = try source.table("reload_causes.csv", ["cause"] + series.map(\.source))
            .frame(by: "cause", series, words: CauseText.words).filter { $0.sum > 0 }.sorted()
        guard let first = causes.rows.first else { return nil }
        let all = causes.sum("charged") + causes.sum("free")
        return Chart(
            "causes", causes, .bars,
            says: "Reloads begun in the report by their cause, charged to the budget or free.",
            finding:
                "\(FigureLabel.text(first.sum / all, .share)) of the reloads come of \(first.name); \(FigureLabel.text(causes.sum("free") / all, .share)) of all are free"
        )
    }
}

/// The part of the page about controls; nothing where a scenario has none.
extension RunPage {
    private static let views: [Series] = [
        .count("views", "views"), .count("views_fresh", "fresh", .series(0)),
        .count("views_stale", "stale", .series(1)),
    ]
    private static let causes: [Series] = [
        .count("reloads_action", "their use", .series(0)), .count("reloads_call", "calls of their app", .series(1)),
        .count("reloads_push", "pushes", .series(2)), .count("reloads_other", "other causes", .series(3)),
    ]

    func controlSection() throws(OutputProblem) -> PageDocument.Section? {
        let columns = ["kind", "place"] + (Self.views + Self.causes).map(\.source)
        return try source.tableIfPresent("controls.csv", columns).flatMap { table in
            PageDocument.Section("controls", "Controls", [Self.freshness(of: table), Self.reloads(of: table)])
        }
    }

    /// The views by kind and place.
    private static func freshness(of table: PageTable) -> Chart? {
        let names = table.values("kind").flatMap { kind in
            table.values("place", of: table.rows(["kind": kind])).map { (kind, $0) }
        }
        let places = Frame(
            "control", names.map { "\($0), \($1.replacing("_", with: " "))" },
            views.map { $0.column(of: names.map { table.rows(["kind": $0, "place": $1]) }) }, source: table.file
        ).filter { $0["views"] > 0 }.shares(of: "views")
        guard let worst = places.most("stale") else { return nil }
        return Chart(
            "control-views", places, .bars,
            says:
                "Views of controls that were fresh and stale, by kind and place; others showed no value of the place.",
            finding: "At most \(worst.text("stale")) of views are stale: \(worst.name)"
        ) { $0.figure = { "\($0.text("views")) views" } }
    }

    /// The reloads by kind and cause.
    private static func reloads(of table: PageTable) -> Chart? {
        let kinds = table.frame(by: "kind", as: "control", causes).filter { $0.sum > 0 }
        guard !kinds.isEmpty, let most = causes.map(\.name).max(by: { kinds.sum($0) < kinds.sum($1) }) else {
            return nil
        }
        let all = kinds.rows.reduce(0) { $0 + $1.sum }
        return Chart(
            "control-reloads", kinds, .bars, says: "Reloads of controls begun in the report, by their cause.",
            finding: "\(FigureLabel.text(kinds.sum(most) / all, .share)) of the reloads of controls come from \(most)")
    }
}

/// The part of the page about what the system fetches in the background; nothing where no kind leaves it that.
extension RunPage {
    private static let deferrals: [Series] = [
        .cell("deferral_mean_s", "mean", .duration), .cell("deferral_p50_s", "p50", .duration, .series(0)),
        .cell("deferral_p95_s", "p95", .duration, .series(0)),
    ]
    private static let endings: [Series] = [
        .count("shown_free", "shown free", .series(0)),
        .count("shown_charged", "shown by a charged reload", .series(1)),
        .count("dropped", "dropped, another choice", .series(2)), .count("failed", "failed", .series(3)),
        .count("carried_out", "not sent or not come yet", .series(4)),
        .count("waiting_out", "not shown yet", .series(5)),
    ]

    func transferSection() throws(OutputProblem) -> PageDocument.Section? {
        let columns = ["kind"] + (Self.deferrals + Self.endings).map(\.source)
        return try source.tableIfPresent("background_transfers.csv", columns).flatMap { table in
            PageDocument.Section("transfers", "Background transfers", [Self.sending(table), Self.endings(of: table)])
        }
    }

    /// How long the system waits before it sends.
    private static func sending(_ table: PageTable) -> Chart? {
        let kinds = table.frame(by: "kind", deferrals).filter { $0.value("p95") != nil }
        guard let slowest = kinds.most("p95") else { return nil }
        return Chart(
            "transfer-times", kinds, .quantiles,
            says:
                "From a transfer's hand-over to its sending on a logarithmic axis: the point is the median, the line ends at 95\u{A0}%.",
            finding: "95\u{A0}% of the transfers sent waited for at most \(slowest.text("p95"))")
    }

    /// The outcomes of transfers.
    private static func endings(of table: PageTable) -> Chart? {
        let kinds = table.frame(by: "kind", endings).filter { $0.sum > 0 }
        let all = kinds.rows.reduce(0) { $0 + $1.sum }
        guard all > 0 else { return nil }
        let shown = (kinds.sum("shown free") + kinds.sum("shown by a charged reload")) / all
        return Chart(
            "transfer-outcomes", kinds, .bars, says: "Background transfers by their outcome in the report.",
            finding: "\(FigureLabel.text(shown, .share)) of the transfers are shown by the report's end")
    }
}
