/// How the demands on a run are called: thresholds, and the objectives of its service, which are metrics of a scope of
/// their own.
package enum DemandText {
    /// Whether a metric is one of an objective's; a kind may have that name, and its metrics have two parts.
    package static func isOfObjective(_ metric: String) -> Bool {
        let parts = metric.split(separator: ".")
        return parts.count == 3 && parts[0] == SummaryScope.objective.rawValue
    }

    /// Whether a metric is one of a planned event of the service.
    package static func isOfEvent(_ metric: String) -> Bool {
        let parts = metric.split(separator: ".")
        return parts.count == 3 && parts[0] == SummaryScope.event.rawValue
    }

    /// The objective whose demand a metric is; nil for a threshold.
    private static func objective(_ metric: String) -> String? {
        let parts = metric.split(separator: ".").map(String.init)
        return isOfObjective(metric) && parts[2] == goodShare ? parts[1] : nil
    }

    /// The objectives whose demands some demands are, in the order in which a run lists them: those of objectives are
    /// the last on their metrics. Nil for thresholds.
    package static func objectives(of metrics: [String]) -> [String?] {
        metrics.enumerated().map { i, metric in
            metrics[(i + 1)...].contains(metric) ? nil : objective(metric)
        }
    }

    /// The metric on which an objective's demand is.
    package static let goodShare = "share_good"

    /// The noun for some demands by their metrics, in its plural if they are several.
    package static func noun(of metrics: [String]) -> String {
        let objectives = objectives(of: metrics).count { $0 != nil }
        let s = metrics.count == 1 ? "" : "s"
        if objectives == 0 { return "threshold" + s }
        return objectives == metrics.count ? "objective" + s : "thresholds and objectives"
    }
}
