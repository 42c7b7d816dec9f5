import ResultFiles
import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let staleness = RunTable(
        "staleness",
        "How fresh the content of \(ReportWords.stratum) was, by location mode a row (section 10). Views are of the first state that holds, so that the"
            + " states add up to the views. Quantiles are within 1/16 of the value. Rows without any count are left out.",
        [
            .stratum(\.stratum), .locationMode(\.mode), .instances { $0.counts[.instances] },
            .sum("views", "Views (V2).", \.counts.views),
            .several(
                ViewState.allCases.map { state in
                    .sum("views_\(state.name)", "Views in the state `\(state.name)` (C5).") { $0.counts.views(state) }
                }),
            .derived("share_stale", "Stale views, of all.") { Ratio.of($0.counts.views(.stale), to: $0.counts.views) },
            .derived("share_fresh", "Fresh views, of all.") { Ratio.of($0.counts.views(.fresh), to: $0.counts.views) },
            .sum(
                "healed", "Views that were not fresh, after which a reload answered at or before the lock (V6).",
                \.counts.healedViews),
            .sum(
                "aged_views",
                "Views of content of its key, or of the answer that there is none yet: those that have an age and missed versions.",
                \.counts.agedViews),
            .derived("age_mean_s", unit: "s", "The mean age at these views (C2).") {
                Ratio.ofMillionths($0.counts.wide(.ageSum), to: $0.counts.agedViews)
            },
            .derived("age_p50_s", unit: "s", "At half of these views the content was at most this old.") {
                $0.age(0.5)
            },
            .derived("age_p95_s", unit: "s", "At 95 % of these views the content was at most this old.") {
                $0.age(0.95)
            },
            .derived("age_p99_s", unit: "s", "At 99 % of these views the content was at most this old.") {
                $0.age(0.99)
            },
            .derived("missed_mean", "The mean number of versions missed at these views (C3).") {
                Ratio.of($0.counts[.missedSum], to: $0.counts.agedViews)
            },
            .sum("missed_views", "Those of these views that missed a version or more.") { $0.counts[.missedViews] },
            .derived("share_missing_versions", "Those of these views that missed a version or more, as a share.") {
                Ratio.of($0.counts[.missedViews], to: $0.counts.agedViews)
            },
            .derived(
                "lag_mean_s", unit: "s",
                "The mean lag behind the truth at these views: the time since the first version appeared that they lack, 0 for those that lack none (C3)."
            ) {
                Ratio.ofMillionths($0.counts.wide(.lagSum), to: $0.counts.agedViews)
            },
            .derived(
                "lag_p50_s", unit: "s",
                "At half of these views the lag was at most this long, within 1/8 of the value or 8 s."
            ) {
                $0.counts.lag(0.5)
            },
            .derived("lag_p95_s", unit: "s", "At 95 % of these views the lag was at most this long.") {
                $0.counts.lag(0.95)
            },
            .derived("lag_p99_s", unit: "s", "At 99 % of these views the lag was at most this long.") {
                $0.counts.lag(0.99)
            },
            .sum("waking_time_s", unit: "s", "Waking time of the instances since their first timeline.") {
                Millionths($0.counts.wide(.wakingTime))
            },
            .sum("stale_time_s", unit: "s", "The part of it with stale content (C3).") {
                Millionths($0.counts.wide(.staleTime))
            },
            .derived("share_waking_time_stale", "The same as a share.") {
                Ratio.of($0.counts.wide(.staleTime), to: $0.counts.wide(.wakingTime))
            },
            .sum(
                "forecast_views",
                "Views that showed a forecast: fresh, stale or of the wrong place (C4); 0 for content that is not a forecast."
            ) {
                $0.forecasts[.views]
            },
            .derived(
                "forecast_error_mean",
                "The mean expected error of the forecasts at these views, in the unit that follows (C4)."
            ) {
                Ratio.ofMillionths($0.forecasts.wide(.errorSum), to: $0.forecasts[.views])
            },
            .derived("forecast_unit", "The unit of the kind's forecasts.", \.stratum.forecastUnit),
        ]
    ) { (report, add: Table<ModeViews>.RowSink) throws(OutputProblem) in
        for row in report.modeViews { try add(row) }
    }

    static let viewsByHour = RunTable(
        "views_by_hour",
        "The states in which people saw \(ReportWords.stratum), by hour of the device's clock a row (C5). Hours without views are left out.",
        [
            .stratum(\.stratum),
            .key("local_hour", "The hour of the local clock, 0 to 23, where the device is.", \.hour),
            .sum("views", "Views (V2).", \.views),
            .several(
                ViewState.allCases.map { state in
                    .sum("views_\(state.name)", "Views in the state `\(state.name)` (C5).") { $0.views(state) }
                }),
            .derived("share_empty", "Empty views, of all.") { Ratio.of($0.views(.empty), to: $0.views) },
            .derived("share_stale", "Stale views, of all.") { Ratio.of($0.views(.stale), to: $0.views) },
            .derived("share_fresh", "Fresh views, of all.") { Ratio.of($0.views(.fresh), to: $0.views) },
        ]
    ) { (report, add: Table<HourViews>.RowSink) throws(OutputProblem) in
        let measures = report.result.measures
        for stratum in report.strata {
            let counts = BlockSum(measures, at: measures.layout.hourPlace(ofStratum: stratum.index))
            for hour in 0..<HourCounts.hours {
                let row = HourViews(stratum: stratum, hour: hour, counts: counts)
                if row.views != 0 { try add(row) }
            }
        }
    }

    static let location = RunTable(
        "location",
        "How the reloads of \(ReportWords.stratum) came by a place, by location mode a row (section 8). Rows without any count are left out.",
        [
            .stratum(\.stratum), .locationMode(\.mode), .instances { $0.counts[.instances] },
            .sum("fixes", "Reloads with a location fix (L5).") { $0.counts[.fixes] },
            .sum("failed_fixes", "Reloads whose fix failed.") { $0.counts[.failedFixes] },
            .sum("without_access", "Reloads that were not allowed to ask (L4).") { $0.counts[.withoutAccess] },
            .sum("prior_content", "Reloads among the latter two that asked for the last known place (L6).") {
                $0.counts[.priorContent]
            },
            .sum("alternate_content", "Reloads among the latter two that brought content of no place (L6).") {
                $0.counts[.alternateContent]
            },
            .derived("share_with_fix", "Reloads with a fix, of all three.", \.counts.shareWithFix),
            .sum("views_wrong_place", "Views of content of another cell than the person's (L8).") {
                $0.counts.views(.wrongPlace)
            },
        ]
    ) { (report, add: Table<ModeViews>.RowSink) throws(OutputProblem) in
        for row in report.modeViews { try add(row) }
    }

    static let presentation = RunTable(
        "presentation",
        "The views of \(ReportWords.stratum), of one family on one surface, presented in one way, a row. Rows without views are left out.",
        [
            .stratum(\.stratum), .surface(\.face.surface),
            .key(
                "family",
                "The size and shape of the instance (R1): " + ReportWords.listed(WidgetFamily.allCases.map(\.name))
                    + "."
            ) {
                $0.face.family.name
            },
            .part(\.presentation, Presentation.columns),
            .sum("views", "Views.") { $0.counts[.views($0.presentation)] },
            .sum("healed", "Views among these after which a reload answered at or before the lock (V6).") {
                $0.counts[.healed($0.presentation)]
            },
        ]
    ) { (report, add: Table<PresentedViews>.RowSink) throws(OutputProblem) in
        let measures = report.result.measures
        for stratum in report.strata {
            for (i, face) in stratum.faces.enumerated() {
                let counts = BlockSum(measures, at: measures.layout.facePlace(ofStratum: stratum.index, face: i))
                for presentation in Presentation.allCases where counts[.views(presentation)] != 0 {
                    try add(PresentedViews(stratum: stratum, face: face, presentation: presentation, counts: counts))
                }
            }
        }
    }

    static let presentationSurfaces = RunTable(
        "presentation_surfaces",
        "The showings of \(ReportWords.stratum) on one surface a row. Surfaces without any count are left out.",
        [
            .stratum(\.stratum), .surface(\.surface), .instances { $0.counts[.instances] },
            .sum("views", "Views (V2).", \.counts.views),
            .sum("repeated", "Showings that do not count, because the pickup had shown the instance already (V2).") {
                $0.counts[.repeated]
            },
            .sum(
                "late_entries",
                "Views on a dimmed display that showed the entry before the one whose date had come (R4)."
            ) {
                $0.counts[.lateEntries]
            },
        ]
    ) { (report, add: Table<SurfaceViews>.RowSink) throws(OutputProblem) in
        for stratum in report.strata {
            for surface in stratum.surfaces {
                let counts = report.views(stratum, modes: CountedMode.allCases, surfaces: [surface])
                if !counts.isZero { try add(SurfaceViews(stratum: stratum, surface: surface, counts: counts)) }
            }
        }
    }
}

/// The views of a stratum's instances in one location mode, all surfaces together.
private struct ModeViews {
    let stratum: ReportStratum
    let mode: CountedMode
    let counts: BlockSum<ViewCounts>
    let forecasts: BlockSum<ForecastCounts>

    /// A quantile in seconds; nil without views that have an age.
    func age(_ q: Double) -> Double? { ReportQuantile.seconds(q, ofLog: counts[.ages]) }
}

/// The views of a stratum's instances in one hour of the day.
private struct HourViews {
    let stratum: ReportStratum
    let hour: Int
    /// The counts of the week.
    let counts: BlockSum<HourCounts>

    var views: Int64 { ViewState.allCases.reduce(0) { $0 + views($1) } }

    func views(_ state: ViewState) -> Int64 {
        (0..<7).reduce(0) { $0 + counts[.views(state, at: WeekHour(weekday: $1, hour: hour))] }
    }
}

/// The views of a stratum's instances on one surface, all location modes together.
private struct SurfaceViews {
    let stratum: ReportStratum
    let surface: Surface
    let counts: BlockSum<ViewCounts>
}

/// The views of a stratum's instances of one family on one surface, presented in one way.
private struct PresentedViews {
    let stratum: ReportStratum
    let face: MeasureLayout.Face
    let presentation: Presentation
    /// The counts of all presentations.
    let counts: BlockSum<FaceCounts>
}

extension RunReport {
    /// Every stratum and location mode with counts.
    fileprivate var modeViews: [ModeViews] {
        strata.flatMap { stratum in
            CountedMode.allCases.map { mode in
                ModeViews(
                    stratum: stratum, mode: mode, counts: views(stratum, modes: [mode], surfaces: stratum.surfaces),
                    forecasts: BlockSum(result.measures, strata: [stratum.index], modes: [mode]))
            }
        }.filter { !$0.counts.isZero }
    }
}
