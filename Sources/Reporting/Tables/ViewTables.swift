import Measures
import WidgetPlatform

extension ReportTable {
    static let staleness = ReportTable(
        "staleness",
        "How fresh the content of \(line) was, by location mode a row (section 10). Views are of the first state that holds, so that the"
            + " states add up to the views. Quantiles are within 1/16 of the value. Rows without any count are left out.",
        Column.line + [.locationMode, .instances, .count("views", "Views (V2).")]
            + ViewState.allCases.map { .count("views_\($0.name)", "Views in the state `\($0.name)` (C5).") }
            + [
                .derived("share_stale", "Stale views, of all."),
                .derived("share_fresh", "Fresh views, of all."),
                .count("healed", "Views that were not fresh, after which a reload answered at or before the lock (V6)."),
                .count("aged_views", "Views of regular content: those that have an age and missed versions."),
                .derived("age_mean_s", unit: "s", "The mean age at these views (C2)."),
                .derived("age_p50_s", unit: "s", "At half of these views the content was at most this old."),
                .derived("age_p95_s", unit: "s", "At 95 % of these views the content was at most this old."),
                .derived("age_p99_s", unit: "s", "At 99 % of these views the content was at most this old."),
                .derived("missed_mean", "The mean number of versions missed at these views (C3)."),
                .count("missed_views", "Those of these views that missed a version or more."),
                .derived("share_missing_versions", "Those of these views that missed a version or more, as a share."),
                .amount("waking_time_s", unit: "s", "Waking time of the instances since their first timeline."),
                .amount("stale_time_s", unit: "s", "The part of it with stale content (C3)."),
                .derived("share_waking_time_stale", "The same as a share."),
                .count(
                    "forecast_views", "Views that showed a forecast: fresh, stale or of the wrong place (C4); 0 for content that is none."),
                .derived("forecast_error_mean", "The mean expected error of the forecasts at these views, in the unit that follows (C4)."),
                .derived("forecast_unit", type: .string, "The unit of the kind's forecasts."),
            ])

    static let location = ReportTable(
        "location",
        "How the reloads of \(line) came by a place, by location mode a row (section 8). Rows without any count are left out.",
        Column.line + [
            .locationMode, .instances,
            .count("fixes", "Reloads with a location fix (L5)."),
            .count("failed_fixes", "Reloads whose fix failed."),
            .count("without_access", "Reloads that were not allowed to ask (L4)."),
            .count("prior_content", "Of the latter two, reloads that asked for the last known place (L6)."),
            .count("alternate_content", "Of the latter two, reloads that brought content of no place (L6)."),
            .derived("share_with_fix", "Reloads with a fix, of all three."),
            .count("views_wrong_place", "Views of content of another cell than the person's (L8)."),
        ])

    static let presentation = ReportTable(
        "presentation",
        "The views of \(line), of one family on one surface, presented in one way, a row. Rows without views are left out.",
        Column.line + [
            .surface, .family, .renderingMode, .luminance, .redaction, .state,
            .count("views", "Views."),
            .count("healed", "Of these, views after which a reload answered at or before the lock (V6)."),
        ])

    static let presentationSurfaces = ReportTable(
        "presentation_surfaces",
        "The showings of \(line) on one surface a row. Surfaces without any count are left out.",
        Column.line + [
            .surface, .instances,
            .count("views", "Views (V2)."),
            .count("repeated", "Showings that do not count, because the pickup had shown the instance already (V2)."),
        ])
}

extension RunReport {
    func writeStaleness(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachMode { (line, mode, counts, forecasts) throws(OutputProblem) in
            let views = counts.sum(ViewField.states, count: MeasureLayout.states)
            let ages = counts[ViewField.ages, LogHistogram.binCount]
            let aged = ages.reduce(0, +)
            csv.line(line)
            csv.plain(mode)
            csv.integer(counts[ViewField.instances])
            csv.integer(views)
            for state in ViewState.allCases { csv.integer(counts[ViewField.states + Int(state.rawValue)]) }
            for state in [ViewState.stale, .fresh] { csv.number(Ratio.of(counts[ViewField.states + Int(state.rawValue)], to: views)) }
            csv.integer(
                counts.sum(ViewField.healed, count: MeasureLayout.states) - counts[ViewField.healed + Int(ViewState.fresh.rawValue)])
            csv.integer(aged)
            csv.number(Ratio.ofMillionths(counts.wide(ViewField.ageSum), to: aged))
            for q in [0.5, 0.95, 0.99] { csv.number(LogHistogram.quantile(q, of: ages)) }
            csv.number(Ratio.of(counts[ViewField.missedSum], to: aged))
            csv.integer(counts[ViewField.missedViews])
            csv.number(Ratio.of(counts[ViewField.missedViews], to: aged))
            csv.millionths(counts.wide(ViewField.wakingTime))
            csv.millionths(counts.wide(ViewField.staleTime))
            csv.number(Ratio.of(counts.wide(ViewField.staleTime), to: counts.wide(ViewField.wakingTime)))
            csv.integer(forecasts[ForecastField.views])
            csv.number(Ratio.ofMillionths(forecasts.wide(ForecastField.errorSum), to: forecasts[ForecastField.views]))
            if let unit = line.forecastUnit { csv.text(unit) } else { csv.missing() }
            try csv.endRow()
        }
    }

    func writeLocation(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachMode { (line, mode, counts, _) throws(OutputProblem) in
            let fixes = counts[ViewField.fixes]
            csv.line(line)
            csv.plain(mode)
            csv.integer(counts[ViewField.instances])
            for field in [
                ViewField.fixes, ViewField.failedFixes, ViewField.withoutAccess, ViewField.priorContent, ViewField.alternateContent,
            ] {
                csv.integer(counts[field])
            }
            csv.number(Ratio.of(fixes, to: fixes + counts[ViewField.failedFixes] + counts[ViewField.withoutAccess]))
            csv.integer(counts[ViewField.states + Int(ViewState.wrongPlace.rawValue)])
            try csv.endRow()
        }
    }

    func writePresentation(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachFace { (line, surface, family, counts) throws(OutputProblem) in
            for presentation in Presentation.all {
                let views = counts[PresentationField.views + presentation.combination]
                if views == 0 { continue }
                csv.line(line)
                for name in [surface.name, family.name] + presentation.names { csv.plain(name) }
                csv.integer(views)
                csv.integer(counts[PresentationField.healed + presentation.combination])
                try csv.endRow()
            }
        }
    }

    func writePresentationSurfaces(_ csv: inout CSVWriter) throws(OutputProblem) {
        try eachSurface { (line, surface, counts) throws(OutputProblem) in
            csv.line(line)
            csv.plain(surface.name)
            csv.integer(counts[ViewField.instances])
            csv.integer(counts.sum(ViewField.states, count: MeasureLayout.states))
            csv.integer(counts[ViewField.repeated])
            try csv.endRow()
        }
    }
}
