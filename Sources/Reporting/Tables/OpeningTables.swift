import ResultFiles
import Basics
import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let openings = RunTable(
        "openings",
        "The instances of \(ReportWords.stratum) on a surface that is opened: the Smart Stack, the page on a car's display, or tiles (V7–V9, N13).",
        [
            .stratum(\.stratum), .surface(\.surface),
            .sum(
                "openings",
                "Openings of the surface while an instance stands there, for each instance; of a tile those at which the person comes to it."
            ) { $0.counts[.openings] },
            .sum("views", "Views there: of the Smart Stack those of the first widgets alone.", \.views),
            .derived("shown_s", unit: "s", adds: .sum, "How long the instances were on the screen.") {
                Ratio.ofMillionths($0.counts.wide(.shownTime), to: 1)
            },
            .sum("asked_opened", "Timelines asked for as the person came to a tile that was not fresh.") {
                $0.counts[.asks(.opened)]
            },
            .sum("asked_shown", "Those asked for of a tile that stayed on the screen.") { $0.counts[.asks(.shown)] },
            .sum("requests_held", "Requests of an app for an update that waited for the end of the gap.") {
                $0.counts[.held]
            },
            .sum("requests_replaced", "Those of them in whose place a later one waited.") { $0.counts[.replaced] },
        ]
    ) { (report, add: Table<OpenedStratum>.RowSink) throws(OutputProblem) in
        let measures = report.result.measures
        for stratum in report.strata {
            guard let surface = measures.layout.strata[stratum.index].openedSurface else { continue }
            let views = report.views(stratum, modes: CountedMode.allCases, surfaces: [surface])
            try add(
                OpenedStratum(
                    stratum: stratum, surface: surface, views: views.sum(.states),
                    counts: BlockSum(measures, at: measures.layout.openingPlace(ofStratum: stratum.index))))
        }
    }
}

/// A stratum's instances on a surface that is opened.
private struct OpenedStratum {
    let stratum: ReportStratum
    let surface: Surface
    let views: Int64
    let counts: BlockSum<OpeningCounts>
}
