import ResultFiles

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
