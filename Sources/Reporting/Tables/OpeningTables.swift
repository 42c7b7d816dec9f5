import ResultFiles
import Basics
import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let openings: RunTable = RunTable(
        "openings",
        "The instances of \(ReportWords.stratum) on a surface that is opened: the Smart Stack, the page on a car's display, or tiles (V7–V9, N13).",
        [
            .stratum(\.stratum), .surface(\.part.surface),
            .figures(
                \.counts,
                .count(
                    "openings", .openings,
                    "Openings of the surface while an instance stands there, for each instance; of a tile those at which the person comes to it."
                )),
            .sum("views", "Views there: of the Smart Stack those of the first widgets alone.", \.part.views.views),
            .figures(
                \.counts,
                [
                    .value(
                        "shown_s", "s", adds: .sum, { Ratio.ofMillionths($0.wide(.shownTime), to: 1) },
                        "How long the instances were on the screen."),
                    .count(
                        "asked_opened", .asks(.opened),
                        "Timelines asked for as the person came to a tile that was not fresh."),
                    .count("asked_shown", .asks(.shown), "Those asked for of a tile that stayed on the screen."),
                    .count(
                        "requests_held", .held, "Requests of an app for an update that waited for the end of the gap."),
                    .count("requests_replaced", .replaced, "Those of them in whose place a later one waited."),
                ]),
        ]
    ) { (report) -> [StratumRow<(surface: Surface, views: BlockSum<ViewCounts>), BlockSum<OpeningCounts>>] in
        let measures = report.result.measures
        return report.strata.compactMap { stratum in
            measures.layout.strata[stratum.index].openedSurface.map { surface in
                StratumRow(
                    stratum: stratum, part: (surface, report.views(stratum, surfaces: [surface])),
                    counts: BlockSum(measures, at: measures.layout.openingPlace(ofStratum: stratum.index)))
            }
        }
    }
}
