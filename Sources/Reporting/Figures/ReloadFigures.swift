import Fleet
import Statistics
import WidgetPlatform

/// Waits of due reloads: how many, and microseconds.
struct Waits {
    var count: Int64 = 0
    var time: Int128 = 0
}

/// Sums that several figures share.
extension BlockSum where Block == ReloadCounts {
    /// Reloads of some causes that were granted (charged) or begun (free).
    func started(_ causes: [ReloadCause] = ReloadCause.allCases, charged: Bool) -> Int64 {
        causes.reduce(0) { $0 + self[.started($1, charged: charged)] }
    }

    /// Reloads of all causes, free and charged, that ended so.
    func ended(_ outcome: ReloadOutcome) -> Int64 {
        ReloadCause.allCases.reduce(0) {
            $0 + self[.ended($1, charged: false, outcome)] + self[.ended($1, charged: true, outcome)]
        }
    }

    /// Those that ran and brought no timeline: by an error, a time-out or no connection.
    var failed: Int64 { ended(.error) + ended(.timeout) + ended(.offline) }

    var requestsFailed: Int64 { self[.requestsRefused] + self[.requestsTimedOut] }

    /// Waits that ended so, held by a gate; whole waits if it is nil.
    func waits(_ end: WaitEnd, _ gate: Gate?) -> Waits {
        let cells: Cells<ReloadCounts> = gate.map { .waits(end, $0) } ?? .wholeWaits(end)
        return Waits(count: self[cells.number], time: wide(cells.time))
    }
}

extension Figures {
    static func instances(_ instances: @escaping @Sendable (Source) -> Int64) -> Self {
        count("instances", instances, "Instances of widgets in the reported span.")
    }
}

extension Figures<BlockSum<ReloadCounts>> {
    static let requestsSent = count(
        "requests_sent", unit: "requests", .requestsSent.all, "Requests that devices sent in the reported span.")
    static let charged = count(
        "reloads_charged", unit: "reloads", { $0.started(charged: true) }, "Reloads granted and charged (B1).")
    static let merged = count("reloads_merged", unit: "causes", .merged.all, "Causes that another reload served (G8).")
    static let coalesced = count(
        "reloads_coalesced", unit: "reloads", .coalesced, "Reloads that ran with another instance's (G7).")
    static let early = count(
        "reloads_early", unit: "reloads", .early, "Coalesced reloads that ran before they were due (G7).")
    static let failed = count(
        "reloads_failed", unit: "reloads", \.failed, "Reloads that ended by an error, a time-out or no connection.")
}

extension Figures<BlockSum<PoolCounts>> {
    /// The ledger: opening + accrued = spent + expired + closing.
    static let ledger: Self = [
        amount("opening_tokens", "tokens", { Int128($0[.opening]) }, "Balances at the start of the report."),
        amount("accrued_tokens", "tokens", { Int128($0.sum(.accrued)) }, "Tokens accrued in the report (B4)."),
        count("spent_tokens", unit: "tokens", .spent, "Tokens charged in the report (B1)."),
        amount(
            "expired_tokens", "tokens", { Int128($0.sum(.expired)) }, "Tokens lost above the cap in the report (B5)."),
        amount("closing_tokens", "tokens", { Int128($0[.closing]) }, "Balances at the end of the report."),
    ]
    static let allowance = mean(
        "mean_allowance_tokens", unit: "tokens", { Int128($0[.allowance]) }, of: { $0[.accounts] },
        "The mean daily allowance of an account at the end of the report (B2); the summary has that of the instances' own accounts."
    )
}

/// The figures of people and their devices; those with a name of their own stand in the summary too.
extension Figures<BlockSum<DeviceCounts>> {
    static let people: Self = [
        count(
            .people,
            "People; of a kind of device, those whose first device is of the kind, and with the phones those without a device too."
        ), count(.devices, "Devices of these people."),
    ]
    static let interactions = count(.interactions, "Buttons of widgets used (V5).")
    static let taps = count(
        .taps, "Taps on widgets, which open their app; these openings are not among those by habit (V5).")
    static let rotations = count(.rotations, "Stacks turned by the system (V3).")
    static let releases = count(.releases, "Reboots that install a release of the system (D9).")
    static let appUpdates = count(
        .appUpdates, unit: "updates", "Updates of apps of which the device has a widget (D9, N1).")
    static let events = count(
        .events,
        "Logical events in the report: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps, changes."
    )

    /// The use of the devices.
    static let habits: Self = [
        count(.deviceDays, "Device-days that a wake-up in the span completed (T5)."),
        count(.sessions, "Pickups that unlock (D3)."),
        count(.glances, "Pickups that do not unlock (D3)."),
        amount("session_time_s", "s", .sessionTime, "Time in session."),
        count(
            .looks, "Looks at an always-on display that nobody wakes (R4); of Macs, looks at the desktop (V2)."
        ), count(.standbyLooks, "Looks at a phone in standby (V4)."),
        amount("worn_time_s", "s", .wornTime, "Time that a watch was worn (V4)."),
        count(.appOpenings, "Openings of the container apps by habit (D4)."),
        count(.navigationSessions, "Navigation sessions (D5)."),
        count(.audioSessions, "Audio sessions (D5)."), interactions, taps,
        count(.flips, "Stacks turned by the person (V3)."), rotations,
        count(.edits, "Edits of an instance's configuration (F8)."),
    ]

    /// The surroundings of people and of their devices.
    static let surroundings: Self = [
        count(.cutNights, "Nights whose drawn length was cut to 3 to 14 h (D2)."),
        count(.trips, "One-way trips begun (L1)."),
        count(.significantChanges, "Significant location changes reported (L2)."),
        count(.environmentChanges, "Environment changes (F4)."),
        count(.zoneCrossings, "Those that are crossings into another time zone."),
        count(.reboots, "Those that are reboots (D9)."), releases, appUpdates,
        count(.lowPowerEpisodes, "Episodes of low power begun (D7)."),
        count(.offlineEpisodes, "Episodes without a connection begun (D8)."),
        count(.appearanceSwitches, "Switches of an automatic appearance (R2)."),
        count(
            .rerenders,
            "Instances rendered again by a switch of the appearance (R2), or because windows cover a Mac's desktop or free it (R4); no reload."
        ),
    ]
    static let pushes: Self = [
        count(.pushes, "Pushes to widgets that came to the device (B7)."),
        count(.latePushes, "Those of them that had waited for a connection (D8)."),
        count(.wakeUps, "Times that an app was woken up in the background and called for a reload (B1, B7)."),
        count(.refusedWakeUps, "Times that it was not, because background refresh was off or the power low (D7)."),
        count(.silentPushes, "Silent pushes to apps that came for the device (B7)."),
        count(.silentPushesDelivered, "Silent pushes that reached their app: it woke up, or was refused."),
        count(
            .silentPushesMerged,
            "Silent pushes whose place a newer one took as they waited for the limit or a connection."),
        count(.silentPushesDropped, "Silent pushes dropped because they were over the limit."),
        count(.silentPushesCarriedIn, "Silent pushes that waited when the report began (T4)."),
        count(.silentPushesCarriedOut, "Silent pushes that waited when it ended (T4)."),
    ]
    static let fetches: Self = [
        count("background_fetches", .fetches, "Background fetches of apps, which are no reloads (B8)."),
        count(.refusedFetches, "Those that were not let, because background refresh was off or the power low (D7)."),
        count(.missedFetches, "Those that came to nothing without a connection (D8)."),
        count(.fetchRequests, "Requests that background fetches sent."),
        count(.fetchRequestsCarriedIn, "Those sent before the report that reached the edge in it (T4)."),
        count(.fetchRequestsCarriedOut, "Those sent in the report that reach the edge after its end (T4)."),
    ]
}

/// Views, and the contents that were seen: of some location modes and surfaces, or of some hours of the week.
protocol ViewSource: SendableMetatype {
    func views(_ state: ViewState) -> Int64
    /// Views of regular content, that of its key or the answer that there is none yet: only these have an age.
    var agedViews: Int64 { get }
    /// Over these views: those that missed a version, and the versions that they missed.
    var missedViews: Int64 { get }
    var missedSum: Int64 { get }
    /// A quantile of their ages in seconds; nil of none.
    func age(_ q: Double) -> Double?
}

extension ViewSource { var views: Int64 { ViewState.allCases.reduce(0) { $0 + views($1) } } }

extension Figures where Source: ViewSource {
    static var views: Self { .count("views", \.views, "Views (V2).") }
    static var states: Self { .each(ViewState.allCases, views(of:)) }
    static func views(of state: ViewState) -> Self {
        .count("views_\(state.name)", unit: "views", { $0.views(state) }, "Views in the state `\(state.name)` (C5).")
    }
    static func share(of state: ViewState) -> Self {
        .share(
            "share_\(state.name)", { $0.views(state) }, of: \.views, "Views in the state `\(state.name)`, of all (C5).")
    }
    static var agedViews: Self {
        .count(
            "aged_views", unit: "views", \.agedViews,
            "Views of regular content, that of its key or the answer that there is none yet: those that have an age and missed versions."
        )
    }
    static func ages(_ percents: Int...) -> Self {
        .quantiles("age", at: percents, of: \.agedViews, { $0.age($1) }) {
            "At \($0) of the views of regular content it was at most this old (C2)."
        }
    }
    static var missedMean: Self {
        .value(
            "missed_mean", "versions", { Ratio.of($0.missedSum, to: $0.agedViews) },
            "The mean number of versions missed at a view of regular content (C3).")
    }
    static var missedViews: Self {
        .count(
            "missed_views", unit: "views", \.missedViews, "Views of regular content that missed a version or more (C3)."
        )
    }
    static var shareMissing: Self {
        .share(
            "share_missing_versions", \.missedViews, of: \.agedViews,
            "Views that missed a version or more, of those of regular content (C3).")
    }
}

extension BlockSum: ViewSource where Block == ViewCounts {
    func views(_ state: ViewState) -> Int64 { self[.views(state)] }
    var agedViews: Int64 { sum(.ages) }
    var missedViews: Int64 { self[.missedViews] }
    var missedSum: Int64 { self[.missedSum] }
    func age(_ q: Double) -> Double? { LogHistogram.quantile(q, of: self.bins(.ages)) }
    func lag(_ q: Double) -> Double? {
        CoarseHistogram.quantile(q, of: self.bins(.lags), zeros: agedViews - sum(.lags))
    }

    /// Those that were not fresh, after which a reload answered at or before the lock.
    var healedViews: Int64 { sum(.healed.all) - self[.healed(.fresh)] }
}

extension Figures<BlockSum<ViewCounts>> {
    static let healed = count(
        "healed", unit: "views", \.healedViews,
        "Views that were not fresh, after which a reload answered at or before the lock (V6).")
    static let repeated = count(
        "views_repeated", unit: "showings", .repeated,
        "Showings that do not count, because the pickup had shown the instance already (V2).")
    static let meanAge = mean(
        "age_mean_s", { $0.wide(.ageSum) }, of: \.agedViews, "The mean age of regular content at a view (C2).")
    static let meanLag = mean(
        "lag_mean_s", { $0.wide(.lagSum) }, of: \.agedViews,
        "The mean lag behind the truth at a view of regular content: the time since the first version appeared that it lacks, 0 if it lacks none (C3)."
    )
    static func lags(_ percents: Int...) -> Self {
        quantiles("lag", at: percents, of: \.agedViews, { $0.lag($1) }) {
            "At \($0) of the views of regular content the lag was at most this long, within 1/8 of the value or 8 s (C3)."
        }
    }
    static let wakingTime: Self = [
        amount("waking_time_s", "s", .wakingTime, "Waking time of the instances since their first timeline."),
        amount("stale_time_s", "s", .staleTime, "The part of it with stale content (C3)."),
    ]
    static let shareTimeStale = share(
        "share_waking_time_stale", { $0.wide(.staleTime) }, of: { $0.wide(.wakingTime) },
        "Waking time with stale content, of all since the first timeline (C3).")
    static let shareWithFix = share(
        "share_with_fix", { $0[.fixes] }, of: { $0[.fixes] + $0[.failedFixes] + $0[.withoutAccess] },
        "Reloads that found the device's place, of those that asked for it (L4, L5).")
    static let failedFixes = count(
        "failed_fixes", unit: "reloads", .failedFixes, "Reloads whose location fix failed (L5).")
    static let withoutAccess = count(
        "without_access", unit: "reloads", .withoutAccess, "Reloads that were not allowed to ask for the place (L4).")
}

extension Figures<BlockSum<ForecastCounts>> {
    static func forecastError(unit: String) -> Self {
        mean(
            "forecast_error_mean", unit: unit, { $0.wide(.errorSum) }, of: { $0[.views] },
            "The mean expected error of the forecasts seen, in the unit of the kind's forecasts (C4).")
    }
}
