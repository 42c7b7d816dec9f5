/// How the demands on a run are called: thresholds, and the objectives of its service, which are metrics of a scope of
/// their own.
package enum DemandText {
    /// The objective whose demand a metric is; nil for a threshold.
    package static func objective(_ metric: String) -> String? {
        let parts = metric.split(separator: ".", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[0] == SummaryScope.objective.rawValue, parts[2] == goodShare else { return nil }
        return parts[1]
    }

    /// The metric on which an objective's demand is.
    package static let goodShare = "share_good"

    /// The noun for some demands by their metrics, in its plural if they are several.
    package static func noun(of metrics: [String]) -> String {
        let objectives = metrics.count { objective($0) != nil }
        let s = metrics.count == 1 ? "" : "s"
        if objectives == 0 { return "threshold" + s }
        return objectives == metrics.count ? "objective" + s : "thresholds and objectives"
    }
}
