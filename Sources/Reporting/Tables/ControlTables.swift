import Fleet
import ScenarioModel
import WidgetPlatform

extension RunTable {
    static let controls: RunTable = RunTable(
        "controls",
        "The controls of \(ReportWords.stratum) a row: what people see, and what reloads them (V10, F9). The file is there only if the scenario has controls.",
        [
            .stratum(\.stratum),
            .word("place", "Where they stand", \.part.place),
            .figures(\.counts, .instances { $0[.instances] }),
            .figures(
                \.part.views,
                [.views, .views(of: .stale), .views(of: .fresh), .share(of: .stale), .meanLag, .lags(95)]),
            .sum("reloads_action", "Reloads begun after a person's use of them (F6).") {
                $0.counts.begun([.interaction])
            },
            .sum("reloads_call", "Reloads that their app called for, in the foreground, a user session or by itself.") {
                $0.counts.begun([.appOpen, .appCall, .userSession, .appTrigger])
            },
            .sum("reloads_push", "Reloads begun by a push (B7).") { $0.counts.begun([.push]) },
            .sum(
                "reloads_other",
                "Reloads begun by other causes: of new controls and changed ones, after changes of the environment."
            ) {
                $0.counts.sum(.started.all)
                    - $0.counts.begun([.interaction, .appOpen, .appCall, .userSession, .appTrigger, .push])
            },
            .figures(\.counts, [.charged, .failed, .merged.named("merged"), .requestsSent.named("requests")]),
        ]
    ) { (report) -> [Controls] in
        let (layout, kinds) = (report.result.measures.layout, report.result.scenario.plan.kinds)
        return report.stratumReloads.compactMap { row in
            kinds[layout.strata[row.stratum.index].kind].control.map {
                Controls(stratum: row.stratum, part: ($0, report.views(row.stratum)), counts: row.counts)
            }
        }
    }
}

/// The controls of a stratum.
private typealias Controls = StratumRow<
    (place: WidgetKind.ControlPlace, views: BlockSum<ViewCounts>), BlockSum<ReloadCounts>
>

extension BlockSum<ReloadCounts> {
    fileprivate func begun(_ causes: [ReloadCause]) -> Int64 {
        started(causes, charged: false) + started(causes, charged: true)
    }
}
