import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let staleness: RunTable = RunTable(
        "staleness",
        "How fresh the content of \(ReportWords.stratum) was, by location mode a row (section 10). Views are of the first state that holds, so that the"
            + " states add up to the views. Quantiles are within 1/16 of the value. Rows without any count are left out.",
        [
            .stratum(\.stratum), .locationMode(\.part),
            .figures(
                \.counts.views,
                [
                    .instances { $0[.instances] }, .views, .states, .share(of: .stale), .share(of: .fresh), .healed,
                    .agedViews, .meanAge, .ages(50, 95, 99), .missedMean, .missedViews, .shareMissing, .meanLag,
                    .lags(50, 95, 99), .wakingTime, .shareTimeStale,
                ]),
            .figures(
                \.counts.forecasts,
                [
                    .count(
                        "forecast_views", .views,
                        "Views that showed a forecast: fresh, stale or of the wrong place (C4); 0 for content that is not a forecast."
                    ),
                    .forecastError(unit: ""),
                ]), .derived("forecast_unit", "The unit of the kind's forecasts.", \.stratum.forecastUnit),
        ]
    ) { (report) -> [ModeViews] in report.modeViews }

    static let viewsByHour: RunTable = RunTable(
        "views_by_hour",
        "The states in which people saw \(ReportWords.stratum), by hour of the device's clock a row (C5). Hours without views are left out.",
        [
            .stratum(\.stratum),
            .key("local_hour", "The hour of the local clock, 0 to 23, where the device is.", \.part),
            .figures(\.counts, [.views, .states, .share(of: .empty), .share(of: .stale), .share(of: .fresh)]),
        ]
    ) { (report) in
        report.strata.lazy.flatMap { stratum in
            let counts = report.hours(of: [stratum])
            return (0..<HourCounts.hours).lazy.map { hour in
                StratumRow(stratum: stratum, part: hour, counts: HourViews(counts, weekday: nil, hour: hour))
            }
        }.filter { $0.counts.views != 0 }
    }

    static let location: RunTable = RunTable(
        "location",
        "How the reloads of \(ReportWords.stratum) came by a place, by location mode a row (section 8). Rows without any count are left out.",
        [
            .stratum(\.stratum), .locationMode(\.part),
            .figures(
                \.counts.views,
                [
                    .instances { $0[.instances] }, .count("fixes", .fixes, "Reloads with a location fix (L5)."),
                    .failedFixes, .withoutAccess,
                    .count(
                        "prior_content", .priorContent,
                        "Reloads among the latter two that asked for the last known place (L6)."),
                    .count(
                        "alternate_content", .alternateContent,
                        "Reloads among the latter two that brought content of no place (L6)."), .shareWithFix,
                    .views(of: .wrongPlace),
                ]),
        ]
    ) { (report) -> [ModeViews] in report.modeViews }

    static let presentation: RunTable = RunTable(
        "presentation",
        "The views of \(ReportWords.stratum), of one family on one surface, presented in one way, a row. Rows without views are left out.",
        [
            .stratum(\.stratum), .surface(\.part.0.surface),
            .word("family", "The size and shape of the instance (R1)", \.part.0.family),
            .part(\.part.1, Presentation.columns),
            .sum("views", "Views.") { $0.counts[.views($0.part.1)] },
            .sum("healed", "Views among these after which a reload answered at or before the lock (V6).") {
                $0.counts[.healed($0.part.1)]
            },
        ]
    ) { (report) -> [StratumRow<(MeasureLayout.Face, Presentation), BlockSum<FaceCounts>>] in
        let measures = report.result.measures
        return report.strata.flatMap { stratum in
            stratum.faces.enumerated().flatMap { i, face in
                let counts = BlockSum(measures, at: measures.layout.facePlace(ofStratum: stratum.index, face: i))
                return Presentation.allCases.filter { counts[.views($0)] != 0 }.map {
                    StratumRow(stratum: stratum, part: (face, $0), counts: counts)
                }
            }
        }
    }

    static let presentationSurfaces: RunTable = RunTable(
        "presentation_surfaces",
        "The showings of \(ReportWords.stratum) on one surface a row. Surfaces without any count are left out.",
        [
            .stratum(\.stratum), .surface(\.part),
            .figures(
                \.counts,
                [
                    .instances { $0[.instances] }, .views, .repeated.named("repeated"),
                    .count(
                        "late_entries", .lateEntries,
                        "Views on a dimmed display that showed the entry before the one whose date had come (R4)."),
                ]),
        ]
    ) { (report) -> [StratumRow<Surface, BlockSum<ViewCounts>>] in
        report.strata.flatMap { stratum in
            stratum.surfaces.map {
                StratumRow(stratum: stratum, part: $0, counts: report.views(stratum, surfaces: [$0]))
            }
        }.filter { !$0.counts.isZero }
    }
}

/// The views of a stratum's instances in one location mode, all surfaces together.
private typealias ModeViews = StratumRow<
    CountedMode, (views: BlockSum<ViewCounts>, forecasts: BlockSum<ForecastCounts>)
>

extension RunReport {
    /// Every stratum and location mode with counts.
    fileprivate var modeViews: [ModeViews] {
        strata.flatMap { stratum in
            CountedMode.allCases.map { mode in
                ModeViews(
                    stratum: stratum, part: mode,
                    counts: (
                        views(stratum, modes: [mode]), BlockSum(result.measures, strata: [stratum.index], modes: [mode])
                    ))
            }
        }.filter { !$0.counts.views.isZero }
    }
}

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
