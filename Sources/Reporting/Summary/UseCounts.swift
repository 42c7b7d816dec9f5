import Basics
import Fleet
import Statistics
import WidgetPlatform

/// The counts from which the metrics of use are computed: those of some segments, kinds of device and strata, and the
/// length of the report.
struct UseCounts: Sendable {
    let totals: Totals
    let span: Duration
    /// The accounts of all pools, which several figures read.
    let pools: BlockSum<PoolCounts>

    init(totals: Totals, span: Duration) {
        (self.totals, self.span, pools) = (totals, span, totals.reloads.allPools)
    }

    var fleet: BlockSum<DeviceCounts> { totals.devices }
    var reloads: BlockSum<ReloadCounts> { totals.reloads }
    var view: BlockSum<ViewCounts> { totals.views }

    var devices: Int64 { fleet[.devices] }
    var instances: Int64 { reloads[.instances] }
    var requests: Int64 { reloads.sum(.requestsSent.all) }

    /// Waits at a gate by either end; whole waits if it is nil.
    func waits(_ gate: Gate?) -> Waits {
        WaitEnd.allCases.reduce(into: Waits()) { sum, end in
            let waits = reloads.waits(end, gate)
            sum.count += waits.count
            sum.time += waits.time
        }
    }

    /// Views on a dimmed display.
    var dimmedViews: Int64 {
        Presentation.allCases.reduce(0) { $0 + ($1.luminance == .low ? totals.faces[.views($1)] : 0) }
    }
}

extension Figures<UseCounts> {
    /// A count for each unit (an instance, a device) and 24 hours of the report.
    static func perDay(
        _ name: String, _ noun: String, _ count: @escaping @Sendable (UseCounts) -> Int64,
        of units: @escaping @Sendable (UseCounts) -> Int64, _ meaning: String
    ) -> Self { value(name, noun, { Ratio.perDay(count($0), of: units($0), over: $0.span) }, meaning) }

    /// The metrics of a fleet's reloads, budgets, views and locations: for the run, for each segment, for each kind of
    /// device and for each kind.
    static let use: Self = [requests, reloads, delays, budget, waits, views, contents, location]

    private static let requests: Self = [
        .instances(\.instances), .part(\.reloads, .requestsSent),
        .perDay(
            "requests_per_instance_day", "requests", \.requests, of: \.instances,
            "Requests sent for each instance and 24 hours."),
        .perDay(
            "requests_per_device_day", "requests", \.requests, of: \.devices,
            "Requests that widgets' reloads sent for each device of the fleet, the segment or the kind of device and 24 hours; those of apps (B8) are in `requests_total`."
        ),
        .part(
            \.reloads,
            .share(
                "share_requests_failed", \.requestsFailed, of: { $0.requestsFailed + $0[.requestsAnswered] },
                "Requests refused with an error or given up, of those that ended.")),
    ]

    private static let reloads: Self = [
        .part(\.reloads, .charged),
        .count(
            "reloads_free", unit: "reloads", { $0.reloads.started(charged: false) }, "Free reloads begun (section 7)."),
        .perDay(
            "reloads_charged_per_instance_day", "reloads", { $0.reloads.started(charged: true) }, of: \.instances,
            "Charged reloads for each instance and 24 hours."),
        .perDay(
            "reloads_free_per_instance_day", "reloads", { $0.reloads.started(charged: false) }, of: \.instances,
            "Free reloads for each instance and 24 hours."),
        .part(
            \.reloads,
            [
                .merged, .coalesced, .early,
                .ofVersions([
                    .count(
                        "reloads_unchanged", unit: "reloads", .unchanged.all,
                        "Reloads that brought what was shown already: content of the same key and no newer version (C3)."
                    ),
                    .share(
                        "share_reloads_unchanged", { $0.sum(.unchanged.all) }, of: { $0.ended(.ok) },
                        "The same, of the reloads that brought a timeline."),
                ]),
                .share(
                    "share_reloads_failed", \.failed, of: { $0.failed + $0.ended(.ok) },
                    "Reloads ended by an error, a time-out or no connection, of those that ran to an end."),
            ]),
    ]

    private static let delays: Self = .part(
        \.reloads,
        .each([("charged", true), ("free", false)]) { name, charged in
            .quantiles(
                "reload_delay_\(name)", of: { $0.sum(.delays(charged: charged)) },
                { LogHistogram.quantile($1, of: $0.bins(.delays(charged: charged))) }
            ) {
                "\($0) of the \(name) reloads that brought a timeline took at most this long from due to done."
            }
        })

    private static let budget: Self = [
        .part(
            \.pools,
            [
                .ledger,
                .share(
                    "share_tokens_expired", { $0.sum(.expired) }, of: { $0[.opening] + $0.sum(.accrued) },
                    "Tokens lost above the cap, of those that were there or accrued."),
            ]), .part({ $0.reloads.pool(.own) }, .allowance.named("allowance_tokens_per_day")),
    ]

    private static let waits: Self = [
        .count(
            "waits", { $0.waits(nil).count },
            "Waits of due reloads at closed gates that ended in the report (section 6)."),
        .part({ $0.waits(nil) }, .mean("wait_mean_s", \.time, of: \.count, "The mean length of these waits.")),
        .each(Gate.allCases) { gate in
            .part(
                { $0.waits(gate) },
                [
                    .count(
                        "waits_\(gate.name)", unit: "waits", \.count,
                        "Waits that the \(gate.name) gate held (\(gate.rule)); one wait can stand under several gates."),
                    .mean(
                        "wait_\(gate.name)_mean_s", \.time, of: \.count,
                        "The mean time that the \(gate.name) gate held these waits (\(gate.rule))."),
                ])
        },
    ]

    private static let views: Self = [
        .part(\.view, .views),
        .perDay(
            "views_per_instance_day", "views", \.view.views, of: \.instances, "Views for each instance and 24 hours."),
        .part(
            \.view,
            [
                .each(ViewState.allCases.reversed()) {
                    [.fresh, .stale].contains($0) ? .ofVersions(.share(of: $0)) : .share(of: $0)
                },
                .ofVersions(
                    .share(
                        "share_healed", \.healedViews, of: { $0.views - $0.views(.fresh) },
                        "Views after which a reload answered at or before the lock, with whatever content, of those that were not fresh (V6)."
                    )),
            ]),
        .share("share_low_luminance", \.dimmedViews, of: \.view.views, "Views on a dimmed display, of all (R4)."),
        .part(\.view, .repeated),
        .part(
            \.reloads,
            .value(
                "entries_per_timeline", "entries", { Ratio.of($0[.entries], to: $0.ended(.ok)) },
                "The mean number of entries of a timeline that came (R6).")),
    ]

    private static let contents: Self = .part(
        \.view,
        [
            .meanAge, .ages(50, 95, 99),
            .ofVersions([.missedMean, .shareMissing, .meanLag, .lags(50, 95, 99), .shareTimeStale]),
        ])

    private static let location: Self = .part(
        \.view,
        [
            .shareWithFix.named("share_reloads_with_fix"), .withoutAccess.named("reloads_without_access"),
            .failedFixes.named("reloads_with_failed_fix"),
        ])

    /// The metrics of people and their devices: for the run, for each segment and for each kind of device.
    static let fleet: Self = [
        .part(\.fleet, .people),
        .perDay(
            "sessions_per_device_day", "sessions", { $0.fleet[.sessions] }, of: \.devices,
            "Sessions for each device and 24 hours (D3)."),
        .perDay(
            "glances_per_device_day", "glances", { $0.fleet[.glances] }, of: \.devices,
            "Glances for each device and 24 hours (D3)."),
        .perDay(
            "looks_per_device_day", "looks", { $0.fleet[.looks] }, of: \.devices,
            "Looks at an always-on display that nobody wakes, for each device and 24 hours (R4)."),
        .value(
            "worn_hours_per_watch_day", "h",
            { Ratio.of($0.fleet.wide(.wornTime) * 24, to: Int128($0.totals.watches) * Int128($0.span.microseconds)) },
            "Hours that a watch is worn of each 24; missing without watches (V4)."),
        .part(\.fleet, [.interactions, .taps, .rotations]),
        .perDay(
            "pushes_per_device_day", "pushes", { $0.fleet[.pushes] }, of: \.devices,
            "Pushes to widgets that came, for each device and 24 hours (B7)."),
        .part(\.fleet, [.releases, .appUpdates, .events]),
    ]

    /// The metrics of what a service means to the fleet: for the run.
    static let serviceUse: Self = .part(
        \.reloads,
        .share(
            "share_reloads_ended_well", { $0.ended(.ok) }, of: { $0.ended(.ok) + $0.failed },
            "Reloads that brought a timeline, of those that ran to an end: what people get."))
}

/// The counts from which the metrics of load are computed: the windows of one endpoint, or of all, the requests, and
/// the length of the report.
struct LoadCounts: Sendable {
    let windows: LoadAnalysis.Endpoint
    let requests: Int64
    let span: Duration
}

/// The metrics of the load at the edge: for the run and for each endpoint.
extension Figures<LoadCounts> {
    static let load: Self = [
        .count("requests_total", unit: "requests", \.requests, "Requests that arrived at the edge in the report."),
        .value(
            "load_mean_per_s", "requests/s", spread: .ofSum,
            { Ratio.of(Int128($0.requests) * 1_000_000, to: Int128($0.span.microseconds)) }, "The mean load."),
        .each(LoadWindow.allCases) { window in
            .part(
                { $0.windows[window] },
                [
                    .sliding("load_peak_\(window.name)", of: window.name, spread: .ofLargest(window)),
                    .aligned("load_peak_\(window.name)_aligned", of: window.name),
                ])
        },
        .each([LoadWindow.second, .minute]) { window in
            .part({ $0.windows[window] }, .spread(of: window.name) { name, _ in "load_\(name)_\(window.name)" })
        },
    ]
}
