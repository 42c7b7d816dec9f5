import Fleet
import Statistics
import WidgetPlatform

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
