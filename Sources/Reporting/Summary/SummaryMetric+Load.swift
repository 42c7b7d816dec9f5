import Basics

/// The counts from which the metrics of load are computed: the windows of one endpoint, or of all, the requests, and
/// the length of the report.
struct LoadCounts: Sendable {
    let windows: LoadAnalysis.Endpoint
    let requests: Int64
    let span: Duration
}

/// The metrics of the load at the edge: for the run and for each endpoint.
extension SummaryMetric<LoadCounts> {
    static let load: [Self] =
        [
            .init("requests_total", "requests", "Requests that arrived at the edge in the report.") {
                .count($0.requests)
            },
            .init("load_mean_per_s", "requests/s", "The mean load.", spread: .ofSum) {
                .init(Ratio.of(Int128($0.requests) * 1_000_000, to: Int128($0.span.microseconds)))
            },
        ]
        + LoadWindow.allCases.flatMap { window -> [Self] in
            [
                .init(
                    "load_peak_\(window.name)", "requests",
                    "Requests in the largest window of \(window.name), sliding in steps of 0.1 s.",
                    spread: .ofLargest(window)
                ) {
                    .init($0.windows[window].sliding?.requests)
                },
                .init(
                    "load_peak_\(window.name)_aligned", "requests",
                    "Requests in the largest aligned window of \(window.name).",
                    spread: .unknown
                ) {
                    .init($0.windows[window].aligned?.requests)
                },
            ]
        }
        + [LoadWindow.second, .minute].flatMap { window -> [Self] in
            [
                .init(
                    "load_p99_\(window.name)", "requests",
                    "99 % of the aligned windows of \(window.name) hold at most so many requests.",
                    spread: .unknown
                ) {
                    .init($0.windows[window].p99)
                },
                .init(
                    "load_p999_\(window.name)", "requests",
                    "99.9 % of the aligned windows of \(window.name) hold at most so many requests.",
                    spread: .unknown
                ) {
                    .init($0.windows[window].p999)
                },
                .init(
                    "load_peak_to_mean_\(window.name)", "ratio",
                    "The largest aligned window of \(window.name) over the mean one.",
                    spread: .unknown
                ) {
                    .init($0.windows[window].peakToMean)
                },
                .init(
                    "load_dispersion_\(window.name)", "ratio",
                    "Variance over mean of the aligned windows of \(window.name); 1 for requests at random.",
                    spread: .unknown
                ) {
                    .init($0.windows[window].dispersion)
                },
            ]
        }
}
