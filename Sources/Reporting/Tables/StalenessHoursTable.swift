import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let stalenessHours: RunTable = RunTable(
        "staleness_hours",
        "The states in which people saw \(ReportWords.stratum), and the age of the content, by weekday and hour of the device's clock a row (C2, C3, C5). Before these stand rows of all lines together"
            + " and of each kind, with `\(ReportWords.all)` for what is not told apart, by weekday and of the whole week: quantiles do not add up. Quantiles are within 1/8 of the value, or"
            + " 8 s if that is more. Hours without views are left out.",
        [
            .key("segment", "The segment of the fleet (D1); `\(ReportWords.all)` for all.", \.group.segment),
            .key("kind", "The widget kind; `\(ReportWords.all)` for all.", \.group.kind),
            .key("device", "The kind of device (D1); `\(ReportWords.all)` for all.", \.group.device),
            .key(
                "weekday",
                "The weekday of the local clock: " + ReportWords.listed(ReportWords.weekdays)
                    + "; `\(ReportWords.all)` for the whole week."
            ) { $0.views.weekday.map { ReportWords.weekdays[$0] } ?? ReportWords.all },
            .key("local_hour", "The hour of the local clock, 0 to 23, where the device is.", \.views.hour),
            .figures(
                \.views,
                [
                    .views, .states, .share(of: .stale), .share(of: .fresh), .agedViews, .ages(50, 95), .missedMean,
                    .missedViews, .shareMissing,
                ]),
        ]
    ) { (report) in
        report.viewGroups.lazy.flatMap { group in
            let counts = report.hours(of: group.strata)
            return group.weekdays.lazy.flatMap { weekday in
                (0..<HourCounts.hours).lazy.map { hour -> GroupHour in
                    (group, HourViews(counts, weekday: weekday, hour: hour))
                }
            }
        }.filter { $0.views.views != 0 }
    }
}

/// Some strata whose views are told together.
private struct ViewGroup {
    let segment, kind, device: String
    /// Nil for the whole week.
    let weekdays: [Int?]
    let strata: [ReportStratum]
}

private typealias GroupHour = (group: ViewGroup, views: HourViews)

/// The views in one hour of the clock, of one weekday or of all.
struct HourViews: ViewSource {
    let weekday: Int?
    let hour: Int
    let missedSum, missedViews: Int64
    /// By state, in their order.
    private let states: [Int64]
    private let ages: [Int64]

    init(_ counts: BlockSum<HourCounts>, weekday: Int?, hour: Int) {
        (self.weekday, self.hour) = (weekday, hour)
        let hours = (weekday.map { [$0] } ?? Array(0..<7)).map { WeekHour(weekday: $0, hour: hour) }
        func together(_ range: (WeekHour) -> Cells<HourCounts>) -> [Int64] {
            hours.dropFirst().reduce(into: Array(counts.bins(range(hours[0])))) { sum, hour in
                for (i, count) in counts.bins(range(hour)).enumerated() { sum[i] += count }
            }
        }
        states = together { .views(at: $0).all }
        ages = together { .ages(at: $0) }
        missedSum = hours.reduce(0) { $0 + counts[.missedSum(at: $1)] }
        missedViews = hours.reduce(0) { $0 + counts[.missedViews(at: $1)] }
    }

    var agedViews: Int64 { ages.reduce(0, +) }
    func views(_ state: ViewState) -> Int64 { states[state.ordinal] }
    func age(_ q: Double) -> Double? { CoarseHistogram.quantile(q, of: ages) }
}

extension RunReport {
    func hours(of strata: [ReportStratum]) -> BlockSum<HourCounts> {
        BlockSum(result.measures, at: strata.map { result.measures.layout.hourPlace(ofStratum: $0.index) })
    }

    /// All strata together, each kind, and each stratum.
    fileprivate var viewGroups: [ViewGroup] {
        let (all, week) = (ReportWords.all, Array(0..<7).map(Optional.some))
        let kinds = [all] + names.kinds
        return kinds.map { kind in
            ViewGroup(
                segment: all, kind: kind, device: all, weekdays: [nil] + week,
                strata: strata.filter { kind == all || $0.kind == kind })
        }
            + strata.map { stratum in
                ViewGroup(
                    segment: stratum.segment, kind: stratum.kind, device: stratum.device.name, weekdays: week,
                    strata: [stratum])
            }
    }
}
