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

    /// The columns of views by state.
    private static let stateColumns: [ResultColumn] = states.map { .count("views_" + $0.name) }

    /// Counts of views by state.
    struct StateCounts {
        let name: String
        var counts: [Int64]
        var views: Int64 { counts.reduce(0, +) }

        func share(_ state: Int) -> Double { views == 0 ? 0 : Double(counts[state]) / Double(views) }

        init(_ name: String, _ rows: [PageRow]) {
            self.name = name
            counts = RunPage.states.map { state in rows.reduce(0) { $0 + $1.count("views_" + state.name) } }
        }
    }

    func viewsSection() throws(OutputProblem) -> PageDocument.Section {
        var charts: [PageChart] = []
        let staleness = try source.table(
            "staleness.csv", ["kind", "location_mode", .count("views")] + Self.stateColumns)
        let hours = try source.table("views_by_hour.csv", ["local_hour", .count("views")] + Self.stateColumns)
        charts.append(hourChart(hours))
        let modes = staleness.values("location_mode").map { mode in
            StateCounts(Self.modeWords(mode), staleness.rows(["location_mode": mode]))
        }.filter { $0.views > 0 }
        if modes.count > 1 {
            charts.append(
                PageChart(
                    stateRows(
                        "permission", modes, title: permissionTitle(modes),
                        description: "The content seen, by the location permission of the app.",
                        first: "location permission")))
        }
        let kinds = staleness.values("kind").map { kind in StateCounts(kind, staleness.rows(["kind": kind])) }.filter {
            $0.views > 0
        }
        if kinds.count > 1 || charts.isEmpty, let title = kindTitle(kinds) {
            charts.append(
                PageChart(
                    stateRows(
                        "kinds", kinds, title: title, description: "The content seen of each kind of widget.",
                        first: "kind")))
        }
        let ages: [ResultColumn] = [
            "segment", "kind", "weekday", "local_hour", .count("views"), .amount("age_p50_s"), .amount("age_p95_s"),
        ]
        if let weekly = try source.tableIfPresent("staleness_hours.csv", ages + Self.stateColumns) {
            charts.append(weekdayChart(weekly))
            charts.append(ageHourChart(weekly))
        }
        charts.append(ageChart())
        charts.append(lagChart())
        if charts.isEmpty {
            return PageDocument.Section(
                "views", "What people see", html: "<p class=\"say\">Nobody looked at a widget in the report.</p>")
        }
        return PageDocument.Section("views", "What people see", charts: charts)
    }

    private static func modeWords(_ mode: String) -> String {
        mode == "none" ? "not by place" : mode.replacing("_", with: " ")
    }

    private func permissionTitle(_ modes: [StateCounts]) -> String {
        let following = modes.filter { $0.name != Self.modeWords("none") }
        let ranked = (following.count > 1 ? following : modes).sorted {
            $0.share(0) == $1.share(0) ? $0.name < $1.name : $0.share(0) > $1.share(0)
        }
        let (best, worst) = (ranked[0], ranked[ranked.count - 1])
        return "Fresh views: \(FigureLabel.text(best.share(0), .share)) with “\(best.name)”, "
            + "\(FigureLabel.text(worst.share(0), .share)) with “\(worst.name)”"
    }

    private func kindTitle(_ kinds: [StateCounts]) -> String? {
        guard let worst = kinds.min(by: { ($0.share(0), $0.name) < ($1.share(0), $1.name) }) else { return nil }
        if kinds.count == 1 {
            return "\(FigureLabel.text(worst.share(0), .share)) of the views of \(worst.name) were fresh"
        }
        return "Least fresh is \(worst.name): \(FigureLabel.text(worst.share(0), .share)) of its views"
    }

    /// States as shares of each row.
    private func stateRows(
        _ id: String, _ rows: [StateCounts], title: String, description: String, first: String,
        source: String = "staleness.csv"
    )
        -> ChartFigure
    {
        let present = Self.states.indices.filter { state in rows.contains { $0.counts[state] > 0 } }
        return ChartFigure(
            "views-" + id, title: title, description: description,
            BarRows(
                rows.map { row in
                    BarRows.Row(
                        row.name, figure: "\(FigureLabel.text(Double(row.views))) views",
                        present.map {
                            BarRows.Part(
                                row.share($0), Self.states[$0].paint,
                                label: "\(Self.states[$0].words) \(FigureLabel.text(row.share($0), .share))")
                        })
                }, most: 1),
            legend: present.map { (Self.states[$0].words, Self.states[$0].paint) },
            table: ChartTable(
                columns: [first, "views"] + present.map { Self.states[$0].words },
                rows: rows.map { row in [row.name, "\(row.views)"] + present.map { "\(row.counts[$0])" } },
                source: source))
    }

    private func hourChart(_ table: PageTable) -> ChartFigure? {
        let hours = (0..<24).map { StateCounts(Self.hourText($0), table.rows(["local_hour": "\($0)"])) }
        guard hours.contains(where: { $0.views > 0 }) else { return nil }
        let present = Self.states.indices.filter { state in hours.contains { $0.counts[state] > 0 } }
        var plot = Self.hourPlot(Ticks.upTo(1, .share))
        var heights = [Double](repeating: 0, count: 24)
        var layers: [PlotLayer] = []
        for state in present {
            let below = heights
            for hour in hours.indices { heights[hour] += hours[hour].share(state) }
            if let label = Self.label(Self.states[state].words, below, heights, Self.states[state].paint) {
                plot.areaLabels.append(label)
            }
            layers.append(.columns(heights.map { min($0, 1) }, Self.states[state].paint))
        }
        plot.layers = layers.reversed()
        let seen = hours.filter { $0.views > 0 }
        // Few views at night make no finding.
        let usual = seen.filter { $0.views * 100 >= (seen.map(\.views).max() ?? 0) }
        let worst = usual.min { ($0.share(0), $0.name) < ($1.share(0), $1.name) }!
        let best = usual.max { ($0.share(0), $1.name) < ($1.share(0), $0.name) }!
        let title =
            FigureLabel.text(best.share(0), .share) == FigureLabel.text(worst.share(0), .share)
            ? "\(FigureLabel.text(best.share(0), .share)) of the views are fresh at every hour"
            : "Content is least fresh at \(worst.name) (\(FigureLabel.text(worst.share(0), .share))) and most at \(best.name) "
                + "(\(FigureLabel.text(best.share(0), .share)))"
        return ChartFigure(
            "views-hours", title: title,
            description: "The content seen by the hour of the device's own clock, as shares of the hour's views.", plot,
            legend: present.map { (Self.states[$0].words, Self.states[$0].paint) },
            table: ChartTable(
                columns: ["local hour", "views"] + present.map { Self.states[$0].words },
                rows: hours.map { row in [row.name, "\(row.views)"] + present.map { "\(row.counts[$0])" } },
                source: "views_by_hour.csv", followsPlot: true))
    }

    /// The name of an area of hourly columns, six hours wide where it is thickest.
    private static func label(_ words: String, _ low: [Double], _ high: [Double], _ paint: Paint) -> AreaLabel? {
        let width = 6
        let places = (1..<low.count - width).map { from -> (from: Int, low: Double, high: Double) in
            (from, low[from..<from + width].max()!, high[from..<from + width].min()!)
        }
        guard let best = places.max(by: { $0.high - $0.low < $1.high - $1.low }), best.high > best.low else {
            return nil
        }
        return AreaLabel(
            words, from: Double(best.from), to: Double(best.from + width), low: best.low, high: best.high, paint: paint)
    }

    static func hourText(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }

    private static let weekdays = [
        ("mon", "Monday"), ("tue", "Tuesday"), ("wed", "Wednesday"), ("thu", "Thursday"), ("fri", "Friday"),
        ("sat", "Saturday"), ("sun", "Sunday"),
    ]

    private func weekdayChart(_ table: PageTable) -> ChartFigure? {
        let all = table.rows(["segment": "*", "kind": "*"])
        let days = Self.weekdays.map { name, words in StateCounts(words, all.filter { $0["weekday"] == name }) }.filter
        { $0.views > 0 }
        guard days.count > 1 else { return nil }
        let ranked = days.sorted { $0.share(0) == $1.share(0) ? $0.name < $1.name : $0.share(0) < $1.share(0) }
        let (worst, best) = (ranked[0], ranked[ranked.count - 1])
        let title =
            FigureLabel.text(worst.share(0), .share) == FigureLabel.text(best.share(0), .share)
            ? "\(FigureLabel.text(best.share(0), .share)) of the views are fresh on every day"
            : "Least fresh on \(worst.name)s (\(FigureLabel.text(worst.share(0), .share))), most on \(best.name)s (\(FigureLabel.text(best.share(0), .share)))"
        return stateRows(
            "weekdays", days, title: title, description: "The content seen by the weekday of the device’s own clock.",
            first: "weekday",
            source: "staleness_hours.csv")
    }

    private func ageHourChart(_ table: PageTable) -> ChartFigure? {
        let rows = table.rows(["segment": "*", "kind": "*", "weekday": "*"])
        let hours = (0..<24).map { hour in rows.first { $0["local_hour"] == "\(hour)" } }
        let (half, most) = (hours.map { $0?.number("age_p50_s") }, hours.map { $0?.number("age_p95_s") })
        guard let highest = most.compactMap({ $0 }).max(), highest > 0,
            let oldest = (0..<24).max(by: { (most[$0] ?? 0) < (most[$1] ?? 0) })
        else { return nil }
        var plot = Self.hourPlot(Ticks.upTo(highest, .duration))
        plot.layers = [.steps(most, .series(1)), .steps(half, .series(0))]
        return ChartFigure(
            "age-hours",
            title:
                "Content is oldest at \(Self.hourText(oldest)): 95\u{A0}% is younger than \(FigureLabel.text(most[oldest] ?? 0, .duration))",
            description:
                "Ages of regular content at its views by the hour of the device’s own clock: the median, and what 95\u{A0}% of the views do not exceed.",
            plot,
            legend: [("p95", .series(1)), ("p50", .series(0))],
            table: ChartTable(
                columns: ["local hour", "views", "p50, s", "p95, s"],
                rows: (0..<24).map { hour in
                    [
                        Self.hourText(hour), hours[hour]?["views"] ?? "0", hours[hour]?["age_p50_s"] ?? "",
                        hours[hour]?["age_p95_s"] ?? "",
                    ]
                },
                source: "staleness_hours.csv", followsPlot: true))
    }

    /// Some metrics of all views together and of each kind, where all of them are defined: with their values and as the
    /// page shows them.
    private func figures(_ wanted: [String]) -> [(name: String, values: [Double], figures: [Figure])] {
        let last = "." + wanted[0]
        let kinds = metrics.names.compactMap { name -> String? in
            guard name.hasSuffix(last), !name.hasPrefix("segment."), !name.hasPrefix("device.") else { return nil }
            return String(name.dropLast(last.count))
        }
        return ([""] + kinds.map { $0 + "." }).compactMap { prefix in
            let names = wanted.map { prefix + $0 }
            let (values, figures) = (names.compactMap { metrics.value($0) }, names.compactMap { metrics.figure($0) })
            let name = prefix.isEmpty ? (kinds.isEmpty ? "all views" : "all kinds") : String(prefix.dropLast())
            return values.count == wanted.count ? (name, values, figures) : nil
        }
    }

    /// How far the views lag behind the truth: the time since the first version appeared that they lack.
    private func lagChart() -> ChartFigure? {
        let rows = figures(["lag_mean_s", "lag_p50_s", "lag_p95_s", "lag_p99_s"])
        guard let all = rows.first, rows.contains(where: { $0.values[3] > 0 }) else { return nil }
        let half =
            all.values[1] == 0
            ? "Half of the views lack nothing" : "Half of the views lag at most \(all.figures[1].text) behind the truth"
        return ChartFigure(
            "lags", title: "\(half), 95\u{A0}% lag at most \(all.figures[2].text)",
            description:
                "How long before a view of regular content the first version appeared that it lacks; 0 for a view that lacks none. The bars end at "
                + "95\u{A0}% of the views.",
            BarRows(
                rows.map { row in
                    BarRows.Row(
                        row.name, figure: "\(row.figures[2].text) · 99 %: \(row.figures[3].text)",
                        [BarRows.Part(row.values[2], .series(1))])
                }),
            table: ChartTable(
                columns: ["kind", "mean, s", "p50, s", "p95, s", "p99, s"],
                rows: rows.map { row in [row.name] + row.figures.map { $0.value ?? "" } },
                source: "summary.csv"))
    }

    /// How old content is as it is seen: each kind on one logarithmic axis.
    private func ageChart() -> ChartFigure? {
        let rows = figures(["age_p50_s", "age_p95_s", "age_p99_s"])
        guard let all = rows.first, rows.contains(where: { $0.values[2] > 0 }) else { return nil }
        return ChartFigure(
            "ages",
            title:
                "Half of the content seen is younger than \(all.figures[0].text), 95\u{A0}% younger than \(all.figures[1].text)",
            description:
                "Ages at the views of regular content on a logarithmic axis: the point is the median, the thick line ends at 95\u{A0}% of the views, "
                + "the thin one at 99\u{A0}%.",
            IntervalRows(
                rows.map { name, values, figures in
                    IntervalRows.Row(
                        name, figure: "\(figures[0].text) · 95 %: \(figures[1].text)", value: values[0],
                        interval: values[0]...max(values[0], values[1]),
                        reach: values[0]...max(values[0], values[2]), paint: .series(0))
                }, measure: .duration, isLogarithmic: true),
            table: ChartTable(
                columns: ["kind", "p50, s", "p95, s", "p99, s"],
                rows: rows.map { name, _, figures in [name] + figures.map { $0.value ?? "" } },
                source: "summary.csv"))
    }
}
