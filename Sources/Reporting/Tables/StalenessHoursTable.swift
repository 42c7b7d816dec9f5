import ResultFiles
import Fleet
import WidgetPlatform

extension RunTable {
    static let stalenessHours = RunTable(
        "staleness_hours",
        "The states in which people saw \(ReportWords.stratum), and the age of the content, by weekday and hour of the device's clock a row (C2, C3, C5). Before these stand rows of all lines together"
            + " and of each kind, with `\(ReportWords.all)` for what is not told apart, by weekday and of the whole week: quantiles do not add up. Quantiles are within 1/8 of the value, or"
            + " 8 s if that is more. Hours without views are left out.",
        [
            .key("segment", "The segment of the fleet (D1); `\(ReportWords.all)` for all.", \.segment),
            .key("kind", "The widget kind; `\(ReportWords.all)` for all.", \.kind),
            .key("device", "The kind of device (D1); `\(ReportWords.all)` for all.", \.device),
            .key(
                "weekday",
                "The weekday of the local clock: " + ReportWords.listed(ReportWords.weekdays)
                    + "; `\(ReportWords.all)` for the whole week."
            ) {
                $0.weekday.map { ReportWords.weekdays[$0] } ?? ReportWords.all
            },
            .key("local_hour", "The hour of the local clock, 0 to 23, where the device is.", \.hour),
            .sum("views", "Views (V2).", \.views),
            .several(
                ViewState.allCases.map { state in
                    .sum("views_\(state.name)", "Views in the state `\(state.name)` (C5).") { $0.views(state) }
                }),
            .derived("share_stale", "Stale views, of all.") { Ratio.of($0.views(.stale), to: $0.views) },
            .derived("share_fresh", "Fresh views, of all.") { Ratio.of($0.views(.fresh), to: $0.views) },
            .sum(
                "aged_views",
                "Views of content of its key, or of the answer that there is none yet: those that have an age and missed versions.",
                \.agedViews),
            .derived("age_p50_s", unit: "s", "At half of these views the content was at most this old.") {
                $0.age(0.5)
            },
            .derived("age_p95_s", unit: "s", "At 95 % of these views the content was at most this old.") {
                $0.age(0.95)
            },
            .derived("missed_mean", "The mean number of versions missed at these views (C3).") {
                Ratio.of($0.missed, to: $0.agedViews)
            },
            .sum("missed_views", "Those of these views that missed a version or more.", \.missedViews),
            .derived("share_missing_versions", "Those of these views that missed a version or more, as a share.") {
                Ratio.of($0.missedViews, to: $0.agedViews)
            },
        ]
    ) { (report, add: Table<WeekHourViews>.RowSink) throws(OutputProblem) in
        for group in report.viewGroups {
            for weekday in group.weekdays {
                for hour in 0..<HourCounts.hours {
                    let row = WeekHourViews(group: group, weekday: weekday, hour: hour)
                    if row.views != 0 { try add(row) }
                }
            }
        }
    }
}

/// Some strata whose views are told together.
private struct ViewGroup {
    let segment, kind, device: String
    /// Nil for the whole week.
    let weekdays: [Int?]
    let counts: BlockSum<HourCounts>
}

/// The views of a group in one hour of the clock, of one weekday or of all.
private struct WeekHourViews {
    let segment, kind, device: String
    let weekday: Int?
    let hour: Int
    let views, missed, missedViews: Int64
    /// By state, in their order.
    private let states: [Int64]
    private let ages: [Int64]

    init(group: ViewGroup, weekday: Int?, hour: Int) {
        (segment, kind, device) = (group.segment, group.kind, group.device)
        (self.weekday, self.hour) = (weekday, hour)
        let hours = (weekday.map { [$0] } ?? Array(0..<7)).map { WeekHour(weekday: $0, hour: hour) }
        func together(_ range: (WeekHour) -> CountRange<HourCounts>) -> [Int64] {
            hours.dropFirst().reduce(into: Array(group.counts[range(hours[0])])) { sum, hour in
                for (i, count) in group.counts[range(hour)].enumerated() { sum[i] += count }
            }
        }
        states = together { .views(at: $0) }
        ages = together { .ages(at: $0) }
        views = states.reduce(0, +)
        missed = hours.reduce(0) { $0 + group.counts[.missedSum(at: $1)] }
        missedViews = hours.reduce(0) { $0 + group.counts[.missedViews(at: $1)] }
    }

    var agedViews: Int64 { ages.reduce(0, +) }

    func views(_ state: ViewState) -> Int64 { states[ViewState.allCases.firstIndex(of: state)!] }

    /// A quantile in seconds; nil without views that have an age.
    func age(_ q: Double) -> Double? { ReportQuantile.seconds(q, ofCoarse: ages) }
}

extension RunReport {
    /// All strata together, each kind, and each stratum.
    fileprivate var viewGroups: [ViewGroup] {
        let measures = result.measures
        func counts(_ strata: [ReportStratum]) -> BlockSum<HourCounts> {
            BlockSum(measures, at: strata.map { measures.layout.hourPlace(ofStratum: $0.index) })
        }
        let (all, week) = (ReportWords.all, Array(0..<7).map(Optional.some))
        let kinds = [all] + names.kinds
        return kinds.map { kind in
            ViewGroup(
                segment: all, kind: kind, device: all, weekdays: [nil] + week,
                counts: counts(strata.filter { kind == all || $0.kind == kind }))
        }
            + strata.map { stratum in
                ViewGroup(
                    segment: stratum.segment, kind: stratum.kind, device: stratum.device.name, weekdays: week,
                    counts: counts([stratum]))
            }
    }
}
