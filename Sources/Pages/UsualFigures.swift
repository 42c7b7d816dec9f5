/// The metrics that people ask for first: load, what people see, budgets, the service.
package enum UsualFigures {
    package static let names = [
        "load_peak_1s", "load_peak_1m", "requests_per_instance_day", "share_stale", "age_p95_s", "share_reloads_failed",
        "share_tokens_expired",
        "service.share_served", "service.share_reloads_ended_well", "service.response_time_p99_s", "service.share_shed",
        "service.share_hits",
        "service.origin_peak_1s",
        "service.cost_per_month",
    ]

    /// The name among them of a metric, or of the same of one pool; nil if it is not one of them.
    package static func name(of metric: String) -> String? {
        if names.contains(metric) { return metric }
        let parts = metric.split(separator: ".")
        guard parts.count >= 3, parts[0] == "service", let last = parts.last else { return nil }
        let plain = "service.\(last)"
        return names.contains(plain) ? plain : nil
    }

    /// Some rows with those of the usual figures first, each of both in their order.
    package static func first<Row>(_ rows: [Row], _ metric: (Row) -> String) -> [Row] {
        let isUsual = rows.map { name(of: metric($0)) != nil }
        return zip(rows, isUsual).filter(\.1).map(\.0) + zip(rows, isUsual).filter { !$0.1 }.map(\.0)
    }
}
