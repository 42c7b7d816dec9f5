import Basics
import ResultFiles

/// The platforms of a fleet beside each other; nothing where no device runs Android.
extension RunPage {
    private static let platformViews: [Series] = [
        .count("views", "views"), .cell("share_fresh", "fresh", .share, .series(0)),
        .cell("share_stale", "stale", .share, .series(1)), .cell("age_mean_s", "mean age", .duration),
    ]
    private static let quotas: [Series] = [
        .count("waited", "waits"), .amount("waited_s", "waiting", .duration), .count("refused", "refused"),
    ]

    func platformSection() throws(OutputProblem) -> PageDocument.Section? {
        let requests = ResultColumn.number("requests_per_device_day")
        guard
            let platforms = try source.tableIfPresent(
                "platforms.csv", ["platform", .count("devices"), requests] + Self.platformViews.map(\.source)),
            let hours = try source.tableIfPresent("platform_hours.csv", ["platform", "local_hour", requests]),
            let quota = try source.tableIfPresent("quota.csv", ["gate"] + Self.quotas.map(\.source))
        else { return nil }
        let rows = platforms.rows.filter { $0.count("devices") > 0 }
        let devices = PageTable.sum(rows.filter { $0["platform"] == "android" }, "devices")
        return PageDocument.Section(
            "platforms", "Platforms",
            [
                Self.freshness(platforms.frame(by: "platform", of: rows, Self.platformViews)),
                hasAllHours ? Self.day(rows, hours) : nil, gates(quota.frame(by: "gate", Self.quotas), devices),
            ])
    }

    /// The freshness of views on each.
    private static func freshness(_ platforms: Frame) -> Chart? {
        let seen = platforms.filter { $0["views"] > 0 }
        if seen.isEmpty { return nil }
        return Chart(
            "platform-views", seen, .bars,
            says:
                "Shares of the views that were fresh and stale, by platform; the rest showed no content of a place, or another.",
            finding:
                "Views are fresh: \(seen.rows.map { "\($0.text("fresh")) on \($0.name)" }.joined(separator: ", "))"
        ) { $0.figure = { "mean age \($0.text("mean age"))" } }
    }

    /// When the devices of each ask.
    private static func day(_ rows: [PageRow], _ table: PageTable) -> Chart? {
        let requests = "requests_per_device_day"
        let lines = rows.enumerated().map { place, row in
            let values = (0..<24).map { hour in
                table.rows(["platform": row["platform"], "local_hour": "\(hour)"]).first?.number(requests) ?? 0
            }
            return Frame.Column(row["platform"], values, .number, .series(place))
        }
        guard lines.contains(where: { $0.values.contains { $0! > 0 } }) else { return nil }
        let words = rows.map { "\(FigureLabel.text($0.number(requests) ?? 0)) on \($0["platform"])" }
        return Chart(
            "platform-hours", .hours("hour", lines, source: table.file), .line,
            says: "The requests of a device in each hour of the report's clock, a day, by platform.",
            finding: "Requests of a device a day: \(words.joined(separator: ", "))")
    }

    /// The gates that held refreshes on Android.
    private func gates(_ gates: Frame, _ devices: Double) -> Chart? {
        let each = "for a device\(aDay)"
        let gates = gates.filter { $0["waits"] > 0 || $0["refused"] > 0 }
            .adding(each, .duration, .series(0)) { devices == 0 ? 0 : $0["waiting"] / devices / days }.sorted()
        guard let first = gates.rows.first else { return nil }
        let mean = first["waits"] == 0 ? 0 : first["waiting"] / first["waits"]
        return Chart(
            "platform-gates", gates, .bars,
            says:
                "How long refreshes of providers waited at each gate, on average \(each) with Android, and what came to nothing there.",
            finding:
                "On Android \(first.name) holds most, \(FigureLabel.text(mean, .duration)) for a refresh that waits"
        ) {
            $0.figure = {
                "\($0.text(each)) · \($0.text("waits")) waits\($0["refused"] == 0 ? "" : ", \($0.text("refused")) refused")"
            }
        }
    }
}

/// The part of the page about what servers send: pushes to Live Activities and to widgets.
extension RunPage {
    private static let outcomes: [Series] = [
        .count("pushes_shown", "shown", .series(0)),
        .count("pushes_superseded_offline", "replaced while offline", .series(1)),
        .count("pushes_superseded", "replaced on the phone", .series(2)),
        .count("pushes_expired", "expired", .series(3)),
        .count("pushes_over_budget_dropped", "dropped, no budget", .series(4)),
        .count("pushes_too_late", "too late", .series(5)), .count("starts_refused", "beginning refused", .series(6)),
        .count("pushes_accepted", "accepted"), .count("pushes_over_budget", "over budget"),
    ]
    private static let showings: [Series] = [
        .cell("shown_after_p50_s", "p50", .duration, .series(0)),
        .cell("shown_after_p95_s", "p95", .duration, .series(0)),
        .cell("shown_after_p99_s", "p99", .duration, .series(0)),
    ]

    func pushSection() throws(OutputProblem) -> PageDocument.Section? {
        guard
            let sends = try source.tableIfPresent(
                "push_sends.csv", [.amount("bin_start_s"), "sort", "priority", .count("pushes")]),
            let peaks = try source.tableIfPresent(
                "push_peaks.csv", ["sort", .amount("window_s"), .number("sliding_peak_pushes")])
        else { return nil }
        let activities = try source.tableIfPresent(
            "live_activities.csv", ["kind"] + (Self.outcomes + Self.showings).map(\.source))
        func kinds(_ series: [Series]) -> Frame? { activities?.frame(by: "kind", as: "Live Activity", series) }
        return PageDocument.Section(
            "pushes", "Pushes",
            [
                sendChart(sends, peaks), kinds(Self.showings).flatMap(Self.showingChart),
                kinds(Self.outcomes).flatMap(Self.outcomeChart), kinds([]).flatMap { lagChart($0.names) },
            ])
    }

    /// The pushes sent a second, by sort.
    private func sendChart(_ sends: PageTable, _ peaks: PageTable) -> Chart {
        let time = time(most: TimeColumns.most)
        let sorts = sends.values("sort").enumerated().map { place, sort in
            time.sum(sort, time.bins(sends.rows(["sort": sort]), "pushes"), .series(place))
        }
        let peak = peaks.row(["sort": "*", "window_s": "1"])?.number("sliding_peak_pushes") ?? 0
        return Chart(
            "push-sends", time.frame(sorts, source: "push_sends.csv"), .steps,
            says: "Pushes sent a second, the mean of each column, by what they are sent to.",
            finding: "At most \(FigureLabel.grouped(peak, decimals: 0)) pushes are sent in a second", isWide: true)
    }

    /// From an update to its showing.
    private static func showingChart(_ kinds: Frame) -> Chart? {
        let kinds = kinds.filter { $0.value("p99") != nil }
        guard let slowest = kinds.most("p95") else { return nil }
        return Chart(
            "shown-after", kinds, .quantiles,
            says:
                "Times from an update to its showing on a logarithmic axis: the point is the median, the thick line ends at 95\u{A0}%, the thin one at 99\u{A0}%.",
            finding: "95\u{A0}% of the updates shown are shown within \(slowest.text("p95"))")
    }

    /// The outcomes of accepted pushes.
    private static func outcomeChart(_ kinds: Frame) -> Chart? {
        let all = kinds.sum("accepted")
        guard all > 0 else { return nil }
        return Chart(
            "push-outcomes", kinds, .bars, says: "Pushes to Live Activities by their outcome.",
            finding:
                "\(FigureLabel.text(kinds.sum("over budget") / all, .share)) of the accepted pushes find the phone's budget spent"
        ) { $0.figure = { FigureLabel.text($0.sum == 0 ? 0 : $0["shown"] / $0.sum, .share) + " shown" } }
    }

    /// How far behind the truth is what people see: widgets and Live Activities beside each other.
    private func lagChart(_ activities: [String]) -> Chart? {
        let suffix = ".lag_mean_s"
        let kinds = metrics.names.filter { $0.hasSuffix(suffix) && $0.split(separator: ".").count == 2 }
        let widgets =
            kinds.isEmpty ? [("widgets", "lag_mean_s")] : kinds.map { (String($0.dropLast(suffix.count)), $0) }
        let live = activities.map {
            ($0, activities.count == 1 ? "live.view_lag_mean_s" : "live.\($0).view_lag_mean_s")
        }
        let rows = widgets + live
        let lags = Frame(
            "what is seen", rows.map(\.0),
            [metrics.column("mean lag", rows.map(\.1), .series(0))], source: "summary.csv"
        ).grouped("sort", [("widgets", .series(7)), ("Live Activities", .series(0))]) {
            $0.place < widgets.count ? 0 : 1
        }.filter { $0.value("mean lag") != nil }
        guard let least = lags.least("mean lag") else { return nil }
        return Chart(
            "push-lag", lags, .bars,
            says:
                "The mean lag behind the truth at a view: how long the first update that it lacks has been out, 0 if it lacks none.",
            finding: "\(least.name) is least behind: \(least.text("mean lag")) at a view, on average")
    }
}
