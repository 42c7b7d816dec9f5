import ResultFiles
import Fleet
import ScenarioModel
import WidgetPlatform

extension RunTable {
    static let controls = RunTable(
        "controls",
        "The controls of \(ReportWords.stratum) a row: what people see, and what reloads them (V10, F9). The file is there only if the scenario has controls.",
        [
            .stratum(\.reloads.stratum),
            .key("place", "Where they stand: \(ReportWords.listed(WidgetKind.ControlPlace.allCases.map(\.name))).") {
                $0.place.name
            },
            .instances { $0.counts[.instances] },
            .sum("views", "Views (V2, V10).", \.views.views),
            .sum("views_stale", "Those of them that lacked a version (C3).") { $0.views.views(.stale) },
            .sum("views_fresh", "Those that were fresh.") { $0.views.views(.fresh) },
            .derived("share_stale", "Stale views, of all.") { Ratio.of($0.views.views(.stale), to: $0.views.views) },
            .derived(
                "lag_mean_s", unit: "s",
                "The mean lag behind the truth at views of content with an age, 0 where it lacks nothing (C3)."
            ) { Ratio.ofMillionths($0.views.wide(.lagSum), to: $0.views.agedViews) },
            .derived("lag_p95_s", unit: "s", "At 95 % of these views the lag was at most this long.") {
                $0.views.lag(0.95)
            },
            .sum("reloads_action", "Reloads begun after a person's use of them (F6).") { $0.begun([.interaction]) },
            .sum("reloads_call", "Reloads that their app called for, in the foreground, a user session or by itself.") {
                $0.begun([.appOpen, .appCall, .userSession, .appTrigger])
            },
            .sum("reloads_push", "Reloads begun by a push (B7).") { $0.begun([.push]) },
            .sum(
                "reloads_other",
                "Reloads begun by other causes: of new controls and changed ones, after changes of the environment."
            ) {
                $0.counts.sum(.started) - $0.begun(ControlCounts.named)
            },
            .sum("reloads_charged", "Those of all that were charged (F9).") { $0.charged },
            .sum("reloads_failed", "Reloads that ended by an error, a time-out or no connection.") { $0.counts.failed },
            .sum("merged", "Causes that another reload served (G8).") { $0.counts.sum(.merged) },
            .sum("requests", "Requests sent.") { $0.counts.sum(.requestsSent) },
        ]
    ) { (report, add: Table<ControlCounts>.RowSink) throws(OutputProblem) in
        let (layout, kinds) = (report.result.measures.layout, report.result.scenario.plan.kinds)
        for reloads in report.stratumReloads {
            guard let place = kinds[layout.strata[reloads.stratum.index].kind].control else { continue }
            let views = report.views(reloads.stratum, modes: CountedMode.allCases, surfaces: reloads.stratum.surfaces)
            try add(ControlCounts(reloads: reloads, place: place, views: views))
        }
    }
}

/// The controls of a stratum.
private struct ControlCounts {
    let reloads: StratumReloads
    let place: WidgetKind.ControlPlace
    let views: BlockSum<ViewCounts>

    var counts: BlockSum<ReloadCounts> { reloads.counts }

    /// The causes that have columns.
    static let named: [ReloadCause] = [.interaction, .appOpen, .appCall, .userSession, .appTrigger, .push]

    func begun(_ causes: [ReloadCause]) -> Int64 {
        causes.reduce(0) { $0 + counts[.started($1, charged: false)] + counts[.started($1, charged: true)] }
    }

    var charged: Int64 { ReloadCause.allCases.reduce(0) { $0 + counts[.started($1, charged: true)] } }
}
