import Basics
import Fleet
import ResultFiles
import ScenarioModel
import Statistics
import WidgetPlatform

/// A part of a stratum, with the stratum's counts of reloads.
private typealias ReloadRow<Part> = StratumRow<Part, BlockSum<ReloadCounts>>

extension StratumRow where Counts == BlockSum<ReloadCounts> {
    fileprivate func perInstanceDay(_ count: Int64) -> Double? {
        Ratio.perDay(count, of: counts[.instances], over: stratum.span)
    }
}

extension ReloadRow<(charge: (ReloadCause, Bool), outcome: ReloadOutcome)> {
    fileprivate var ended: Int64 { counts[.ended(part.charge.0, charged: part.charge.1, part.outcome)] }
}

extension Figures<ReloadRow<ReloadCause>> {
    fileprivate static let ofCause: Self = [
        .count(
            "started_charged", { $0.counts[.started($0.part, charged: true)] },
            "Reloads granted and charged in the report."),
        .count("started_free", { $0.counts[.started($0.part, charged: false)] }, "Free reloads begun in the report."),
        .count(
            "ended_charged", { $0.counts.sum(.ended($0.part, charged: true)) }, "Charged reloads ended in the report."),
        .count("ended_free", { $0.counts.sum(.ended($0.part, charged: false)) }, "Free reloads ended in the report."),
        .count("merged", { $0.counts[.merged($0.part)] }, "Causes that another reload served (G8)."),
        .count(
            "unchanged_charged", { $0.counts[.unchanged($0.part, charged: true)] },
            "Charged reloads that brought what was shown already: content of the same key and no newer version (C3)."),
        .count("unchanged_free", { $0.counts[.unchanged($0.part, charged: false)] }, "Free reloads that did."),
        .count("requests", { $0.counts[.requestsSent($0.part)] }, "Requests sent."),
    ]
}

extension RunTable {
    static let reloads: RunTable = RunTable(
        "reloads",
        "The reloads of \(ReportWords.stratum) that ended in the report, by cause, payment and outcome a row. Rows without reloads are left out.",
        [
            .stratum(\.stratum), .cause(\.part.charge.0), .charged(\.part.charge.1),
            .word(
                "outcome", "How they ended",
                rest:
                    ". `ok` brought a timeline; `taken` was granted, but a free reload took it before it ran (G8); `placeholder` made no request, because the provider's condition was unmet (P8).",
                \.part.outcome), .sum("reloads", "Reloads.", \.ended),
            .derived(
                "per_instance_day",
                "The same for each instance of the segment, kind and device and 24 hours; it adds up over causes, payments and outcomes."
            ) { $0.perInstanceDay($0.ended) },
        ]
    ) { (report) -> [ReloadRow<(charge: (ReloadCause, Bool), outcome: ReloadOutcome)>] in
        let charges = ReloadCause.allCases.flatMap { [($0, true), ($0, false)] }
        return report.stratumReloads.by(charges.flatMap { charge in ReloadOutcome.allCases.map { (charge, $0) } })
            .filter { $0.ended > 0 }
    }

    static let reloadCauses: RunTable = RunTable(
        "reload_causes",
        "The effects of one cause on \(ReportWords.stratum) a row. Causes that did not arise are left out.",
        [
            .stratum(\.stratum), .cause(\.part), .figures(.ofCause),
            .derived(
                "charged_per_instance_day",
                "The charged reloads begun, for each instance of the segment, kind and device and 24 hours."
            ) { $0.perInstanceDay($0.counts[.started($0.part, charged: true)]) },
            .derived(
                "free_per_instance_day",
                "The free reloads begun, for each instance and 24 hours: what an exemption is worth (section 7)."
            ) { $0.perInstanceDay($0.counts[.started($0.part, charged: false)]) },
            .derived("requests_per_instance_day", "The requests sent, for each instance and 24 hours.") {
                $0.perInstanceDay($0.counts[.requestsSent($0.part)])
            },
            .derived("share_of_requests", "The requests sent, of all of the segment, kind and device.") {
                Ratio.of($0.counts[.requestsSent($0.part)], to: $0.counts.sum(.requestsSent.all))
            },
        ]
    ) { (report) -> [ReloadRow<ReloadCause>] in
        report.stratumReloads.by(ReloadCause.allCases).filter { !Figures.ofCause.isZero($0) }
    }

    static let reloadTotals: RunTable = RunTable(
        "reload_totals",
        "The reloads and requests of \(ReportWords.stratum) a row: carried in + started = ended + carried out, for reloads."
            + " Requests that arrive at the edge = sent + carried in − carried out.",
        [
            .stratum(\.stratum),
            .figures(
                \.counts,
                [
                    .instances { $0[.instances] },
                    .count("carried_in", .carriedIn, "Reloads granted or under way at the start of the report."),
                    .count("started", .started.all, "Reloads granted or begun in it."),
                    .count("ended", .ended.all, "Reloads ended in it."),
                    .count("carried_out", .carriedOut, "Reloads granted or under way at its end."),
                    .coalesced.named("coalesced"), .early.named("early"),
                    .count("entries", .entries, "Entries of the timelines that came (R6)."), .requestsSent,
                    .count(
                        "requests_carried_in", .requestsCarriedIn,
                        "Requests sent before the report that arrive at the edge in it."),
                    .count(
                        "requests_carried_out", .requestsCarriedOut,
                        "Requests sent in it that arrive at the edge after it."),
                    .count("requests_answered", .requestsAnswered, "Requests answered in it."),
                    .count("requests_refused", .requestsRefused, "Requests refused with an error in it."),
                    .count("requests_timed_out", .requestsTimedOut, "Requests given up in it."),
                ]),
        ]
    ) { (report) -> [ReloadRow<Void>] in report.stratumReloads }

    static let reloadDelays: RunTable = RunTable(
        "reload_delays",
        "How long the reloads of \(ReportWords.stratum) took from due to done, if they brought a timeline, by payment a row. Quantiles are within"
            + " 1/16 of the value. Rows without reloads are left out.",
        [
            .stratum(\.stratum), .charged(\.part),
            .sum("reloads", "Reloads that brought a timeline.") { $0.counts.reduce(0, +) },
            .several(
                [50, 95, 99].map { percent in
                    .derived("p\(percent)_s", unit: "s", "\(percent) % of them took at most this long.") {
                        let quantile = LogHistogram.quantile(Double(percent) / 100, of: $0.counts)!
                        return min(SignificantDigits.rounded(quantile, to: 3), longest($0.counts))
                    }
                }),
            .derived(
                "longest_s", unit: "s", adds: .maximum,
                "All took less than this: the upper end of the longest one's bin."
            ) { longest($0.counts) },
        ]
    ) { (report) -> [StratumRow<Bool, [Int64]>] in
        report.stratumReloads.by([true, false]).map {
            StratumRow(stratum: $0.stratum, part: $0.part, counts: Array($0.counts.bins(.delays(charged: $0.part))))
        }.filter { row in row.counts.contains { $0 != 0 } }
    }

    /// The upper end of the last bin of a `LogHistogram` that is not empty, in seconds.
    private static func longest(_ bins: [Int64]) -> Double {
        Double(LogHistogram.bounds(of: bins.lastIndex { $0 != 0 }!).upper) / 1_000
    }
}

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

extension RunTable {
    static let backgroundTransfers: RunTable = RunTable(
        "background_transfers",
        "The transfers in the background of one kind a row (S8): started + carried in = completed + failed + carried out, and completed + waiting in = shown + dropped + waiting out. The file is there only if a kind has `fetch: background`.",
        [
            .key("kind", "The kind.", \.kind),
            .figures(
                \.counts,
                [
                    .count(.started, "Transfers that extensions handed to the system."),
                    .count(.carriedIn, "Those that were under way as the report began."),
                    .count(.completed, "Transfers whose answers came."),
                    .count(.failed, "Transfers that failed for good (S3)."),
                    .count(.carriedOut, "Those that were on their way as the report ended."),
                    .count(.sent, "Transfers whose requests were sent."),
                    .count(.heldOffline, "Transfers that waited for a connection when they were to be sent."),
                    .mean(
                        "deferral_mean_s", { $0.wide(.deferralSum) }, of: { $0[.sent] },
                        "The mean time from a hand-over to the sending."),
                    .quantiles(
                        "deferral", at: [50, 95], of: { $0.sum(.deferrals) },
                        { LogHistogram.quantile($1, of: $0.bins(.deferrals)) }
                    ) {
                        "\($0) of them were sent after at most this time."
                    },
                ]),
            .figures(
                \.counts,
                [
                    .count(.waitingIn, "What had been transferred before the report and not shown yet."),
                    .count(.shownFree, "What was transferred and then shown by a free reload."),
                    .count(.shownCharged, "What a charged reload showed."),
                    .count(.dropped, "What was transferred for a choice that the instance has no longer (F8)."),
                    .count(.waitingOut, "What was still to be shown as the report ended."),
                ]),
        ]
    ) { (report) -> [(kind: String, counts: BlockSum<TransferCounts>)] in
        let measures = report.result.measures
        return report.result.scenario.plan.kinds.filter { $0.transfer != nil }.enumerated().map { place, kind in
            (kind.id, BlockSum(measures, at: measures.layout.place(ofTransferKind: place)))
        }
    }
}
