import Basics

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
