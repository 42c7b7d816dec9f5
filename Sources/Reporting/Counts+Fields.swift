import Measures
import WidgetPlatform

/// Sums of fields that tables and metrics share. Each is of one kind of block.
extension Counts {
    /// Of the reloads of a line: requests sent for any cause.
    var requestsSent: Int64 { sum(KindField.requestsSent, count: MeasureLayout.causes) }

    /// Of views: all of them.
    var views: Int64 { sum(ViewField.states, count: MeasureLayout.states) }

    func views(_ state: ViewState) -> Int64 { self[ViewField.states + Int(state.rawValue)] }

    /// Of views: those that have an age, which are those of regular content.
    var agedViews: Int64 { sum(ViewField.ages, count: LogHistogram.binCount) }

    /// Of views: those that were not fresh, after which a reload answered at or before the lock.
    var healedViews: Int64 { sum(ViewField.healed, count: MeasureLayout.states) - self[ViewField.healed + Int(ViewState.fresh.rawValue)] }

    /// Of views: the reloads that found the device's place, of those that asked for it.
    var shareWithFix: Double? {
        let fixes = self[ViewField.fixes]
        return Ratio.of(fixes, to: fixes + self[ViewField.failedFixes] + self[ViewField.withoutAccess])
    }
}
