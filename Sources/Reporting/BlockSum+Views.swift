import Fleet
import Statistics
import WidgetPlatform

/// Sums that tables and metrics share.
extension BlockSum where Block == ViewCounts {
    /// All views.
    var views: Int64 { sum(.states) }

    func views(_ state: ViewState) -> Int64 { self[.views(state)] }

    /// Those that have an age, which are those of content of its key or of the answer that there is none yet.
    var agedViews: Int64 { sum(.ages) }

    /// A quantile of the lag behind the truth over these views, in seconds; nil of none.
    func lag(_ q: Double) -> Double? { ReportQuantile.seconds(q, ofCoarse: self[.lags], zeros: agedViews - sum(.lags)) }

    /// Those that were not fresh, after which a reload answered at or before the lock.
    var healedViews: Int64 { sum(.healed) - self[.healed(.fresh)] }

    /// The reloads that found the device's place, of those that asked for it.
    var shareWithFix: Double? { Ratio.of(self[.fixes], to: self[.fixes] + self[.failedFixes] + self[.withoutAccess]) }
}
