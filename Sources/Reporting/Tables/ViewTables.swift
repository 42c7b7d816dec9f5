import Fleet
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
