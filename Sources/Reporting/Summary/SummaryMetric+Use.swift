import Fleet
import Statistics
import WidgetPlatform

/// The metrics of a fleet's reloads, budgets, views and locations: for the run, for each segment, for each kind of
/// device and for each kind.
extension SummaryMetric<UseCounts> {
    static let use: [Self] = size + requests + reloads + delays + budget + waits + views + ages + location

    private static let size: [Self] = [
        .init("instances", "instances", "Instances of widgets in the reported span.") { .count($0.instances) }
    ]

    private static let requests: [Self] = [
        .init("requests_sent", "requests", "Requests that devices sent in the reported span.") {
            .count($0.reloads.sum(.requestsSent))
        },
        .init("requests_per_instance_day", "requests", "Requests sent for each instance and 24 hours.") {
            .init($0.perDay($0.reloads.sum(.requestsSent), of: $0.instances))
        },
        .init(
            "requests_per_device_day", "requests",
            "Requests sent for each device of the fleet, the segment or the kind of device and 24 hours."
        ) {
            .init($0.perDay($0.reloads.sum(.requestsSent), of: $0.devices))
        },
        .init("share_requests_failed", "share", "Requests refused with an error or given up, of those that ended.") {
            let failed = $0.reloads[.requestsRefused] + $0.reloads[.requestsTimedOut]
            return .init(Ratio.of(failed, to: failed + $0.reloads[.requestsAnswered]))
        },
    ]

    private static let reloads: [Self] = [
        .init("reloads_charged", "reloads", "Reloads granted and charged (B1).") { .count($0.started(charged: true)) },
        .init("reloads_free", "reloads", "Free reloads begun (section 7).") { .count($0.started(charged: false)) },
        .init("reloads_charged_per_instance_day", "reloads", "Charged reloads for each instance and 24 hours.") {
            .init($0.perDay($0.started(charged: true), of: $0.instances))
        },
        .init("reloads_free_per_instance_day", "reloads", "Free reloads for each instance and 24 hours.") {
            .init($0.perDay($0.started(charged: false), of: $0.instances))
        },
        .init("reloads_merged", "causes", "Causes that another reload served (G8).") {
            .count($0.reloads.sum(.merged))
        },
        .init("reloads_coalesced", "reloads", "Reloads that ran with another instance's (G7).") {
            .count($0.reloads[.coalesced])
        },
        .init("reloads_early", "reloads", "Coalesced reloads that ran before they were due (G7).") {
            .count($0.reloads[.early])
        },
        .init(
            "reloads_unchanged", "reloads",
            "Reloads that brought what was shown already: content of the same key and no newer version (C3)."
        ) {
            .count($0.reloads.sum(.unchanged))
        },
        .init("share_reloads_unchanged", "share", "The same, of the reloads that brought a timeline.") {
            .init(Ratio.of($0.reloads.sum(.unchanged), to: $0.reloads.ended(.ok)))
        },
        .init(
            "share_reloads_failed", "share",
            "Reloads ended by an error, a time-out or no connection, of those that ran to an end."
        ) {
            .init(Ratio.of($0.reloads.failed, to: $0.reloads.failed + $0.reloads.ended(.ok)))
        },
    ]

    private static let delays: [Self] = [("charged", true), ("free", false)].flatMap { name, charged in
        [(50, 0.5), (95, 0.95), (99, 0.99)].map { percent, q in
            .init(
                "reload_delay_\(name)_p\(percent)_s", "s",
                "\(percent) % of the \(name) reloads that brought a timeline took at most this long from due to done.",
                spread: .ofQuantile
            ) {
                .init($0.quantile(q, of: $0.reloads[.delays(charged: charged)]))
            }
        }
    }

    private static let budget: [Self] = [
        .init("opening_tokens", "tokens", "Balances at the start of the report.") {
            .millionths(Int128($0.pools[.opening]))
        },
        .init("accrued_tokens", "tokens", "Tokens accrued in the report (B4).") {
            .millionths(Int128($0.pools.sum(.accrued)))
        },
        .init("spent_tokens", "tokens", "Tokens charged in the report (B1).") {
            .count($0.pools.sum(.spent))
        },
        .init("expired_tokens", "tokens", "Tokens lost above the cap in the report (B5).") {
            .millionths(Int128($0.pools.sum(.expired)))
        },
        .init("closing_tokens", "tokens", "Balances at the end of the report.") {
            .millionths(Int128($0.pools[.closing]))
        },
        .init("share_tokens_expired", "share", "Tokens lost above the cap, of those that were there or accrued.") {
            let granted = $0.pools[.opening] + $0.pools.sum(.accrued)
            return .init(Ratio.of($0.pools.sum(.expired), to: granted))
        },
        .init(
            "allowance_tokens_per_day", "tokens",
            "The mean daily allowance of an instance's own account at the end of the report (B2)."
        ) {
            let own = $0.reloads.pool(.own)
            return .init(Ratio.ofMillionths(Int128(own[.allowance]), to: own[.accounts]))
        },
    ]

    private static let waits: [Self] =
        [
            .init("waits", "waits", "Waits of due reloads at closed gates that ended in the report (section 6).") {
                .count($0.wholeWaits.count)
            },
            .init("wait_mean_s", "s", "The mean length of these waits.") {
                .init(Ratio.ofMillionths($0.wholeWaits.time, to: $0.wholeWaits.count))
            },
        ]
        + Gate.allCases.flatMap { gate -> [Self] in
            let (name, rule) = (gate.name, gate.rule)
            return [
                .init(
                    "waits_\(name)", "waits",
                    "Waits that the \(name) gate held (\(rule)); one wait can stand under several gates."
                ) {
                    .count($0.waits(gate).count)
                },
                .init("wait_\(name)_mean_s", "s", "The mean time that the \(name) gate held these waits (\(rule)).") {
                    let waits = $0.waits(gate)
                    return .init(Ratio.ofMillionths(waits.time, to: waits.count))
                },
            ]
        }

    private static let views: [Self] =
        [
            .init("views", "views", "Views (V2).") { .count($0.view.views) },
            .init("views_per_instance_day", "views", "Views for each instance and 24 hours.") {
                .init($0.perDay($0.view.views, of: $0.instances))
            },
        ]
        + ViewState.allCases.reversed().map { state in
            .init("share_\(state.name)", "share", "Views in the state \(state.name), of all (C5).") {
                .init(Ratio.of($0.view.views(state), to: $0.view.views))
            }
        }
        + [
            .init(
                "share_healed", "share",
                "Views after which a reload answered at or before the lock, of those that were not fresh (V6)."
            ) {
                .init(Ratio.of($0.view.healedViews, to: $0.view.views - $0.view.views(.fresh)))
            },
            .init("share_low_luminance", "share", "Views on a dimmed display, of all (R4).") {
                .init(Ratio.of($0.dimmedViews, to: $0.view.views))
            },
            .init(
                "views_repeated", "showings",
                "Showings that do not count, because the pickup had shown the instance already (V2)."
            ) {
                .count($0.view[.repeated])
            },
            .init("entries_per_timeline", "entries", "The mean number of entries of a timeline that came (R6).") {
                .init(Ratio.of($0.reloads[.entries], to: $0.reloads.ended(.ok)))
            },
        ]

    private static let ages: [Self] =
        [
            .init("age_mean_s", "s", "The mean age of regular content at a view (C2).") {
                .init(Ratio.ofMillionths($0.view.wide(.ageSum), to: $0.view.agedViews))
            }
        ]
        + [(50, 0.5), (95, 0.95), (99, 0.99)].map { percent, q in
            .init(
                "age_p\(percent)_s", "s",
                "At \(percent) % of the views of regular content it was at most this old (C2).",
                spread: .ofQuantile
            ) {
                .init($0.quantile(q, of: $0.view[.ages]))
            }
        }
        + [
            .init("missed_mean", "versions", "The mean number of versions missed at a view of regular content (C3).") {
                .init(Ratio.of($0.view[.missedSum], to: $0.view.agedViews))
            },
            .init("share_missing_versions", "share", "Views of regular content that missed a version or more (C3).") {
                .init(Ratio.of($0.view[.missedViews], to: $0.view.agedViews))
            },
            .init(
                "lag_mean_s", "s",
                "The mean lag behind the truth at a view of regular content: the time since the first version appeared that it lacks, 0 if it lacks none (C3)."
            ) {
                .init(Ratio.ofMillionths($0.view.wide(.lagSum), to: $0.view.agedViews))
            },
        ]
        + [(50, 0.5), (95, 0.95), (99, 0.99)].map { percent, q in
            .init(
                "lag_p\(percent)_s", "s",
                "At \(percent) % of the views of regular content the lag was at most this long (C3).",
                spread: .ofQuantile
            ) {
                .init($0.lag(q))
            }
        }
        + [
            .init(
                "share_waking_time_stale", "share",
                "Waking time with stale content, of all since the first timeline (C3)."
            ) {
                .init(Ratio.of($0.view.wide(.staleTime), to: $0.view.wide(.wakingTime)))
            }
        ]

    private static let location: [Self] = [
        .init(
            "share_reloads_with_fix", "share",
            "Reloads that found the device's place, of those that asked for it (L4, L5)."
        ) {
            .init($0.view.shareWithFix)
        },
        .init("reloads_without_access", "reloads", "Reloads that were not allowed to ask for the place (L4).") {
            .count($0.view[.withoutAccess])
        },
        .init("reloads_with_failed_fix", "reloads", "Reloads whose location fix failed (L5).") {
            .count($0.view[.failedFixes])
        },
    ]
}

/// The metrics of forecasts: for each kind that has one, in its own unit.
extension SummaryMetric<BlockSum<ForecastCounts>> {
    static func forecast(unit: String) -> [Self] {
        [
            .init("forecast_error_mean", unit, "The mean expected error of the forecasts seen (C4).") {
                .init(Ratio.ofMillionths($0.wide(.errorSum), to: $0[.views]))
            }
        ]
    }
}

/// The metrics of people and their devices: for the run, for each segment and for each kind of device.
extension SummaryMetric<UseCounts> {
    static let fleet: [Self] = [
        .init("people", "people", "People of the fleet; of a kind of device, those whose first device is of the kind.")
        {
            .count($0.fleet[.people])
        },
        .init("devices", "devices", "Devices of these people.") { .count($0.devices) },
        .init("sessions_per_device_day", "sessions", "Sessions for each device and 24 hours (D3).") {
            .init($0.perDay($0.fleet[.sessions], of: $0.devices))
        },
        .init("glances_per_device_day", "glances", "Glances for each device and 24 hours (D3).") {
            .init($0.perDay($0.fleet[.glances], of: $0.devices))
        },
        .init(
            "looks_per_device_day", "looks",
            "Looks at an always-on display that nobody wakes, for each device and 24 hours (R4)."
        ) {
            .init($0.perDay($0.fleet[.looks], of: $0.devices))
        },
        .init("worn_hours_per_watch_day", "h", "Hours that a watch is worn of each 24; missing without watches (V4).") {
            .init($0.wornHours)
        },
        .init("interactions", "interactions", "Buttons of widgets used (V5).") { .count($0.fleet[.interactions]) },
        .init("taps", "taps", "Taps on widgets, which open their app (V5).") { .count($0.fleet[.taps]) },
        .init("rotations", "rotations", "Stacks turned by the system (V3).") { .count($0.fleet[.rotations]) },
        .init("pushes_per_device_day", "pushes", "Pushes to widgets that came, for each device and 24 hours (B7).") {
            .init($0.perDay($0.fleet[.pushes], of: $0.devices))
        },
        .init("releases", "releases", "Releases of the system installed (D9).") { .count($0.fleet[.releases]) },
        .init("app_updates", "updates", "Updates of apps of which the device has a widget (D9, N1).") {
            .count($0.fleet[.appUpdates])
        },
        .init("events", "events", "Logical events in the report.") { .count($0.fleet[.events]) },
    ]
}
