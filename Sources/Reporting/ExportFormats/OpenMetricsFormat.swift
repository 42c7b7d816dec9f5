import ResultFiles
import Basics

/// OpenMetrics text with timestamps: the requests as counters, for `promtool tsdb create-blocks-from openmetrics`.
extension ExportContents {
    /// `requests.om`: a sample every 15 seconds, from 0 at the start of the span.
    var openMetrics: ExportFile {
        let steps = MetricSeries.steps(of: settings.length)
        return ExportFile("requests.om", Script.OpenMetrics.self, lines: collected.series.count * (steps + 1)) {
            (add) throws(OutputProblem) in
            try add(
                "# HELP reloadsim_requests Simulated requests that arrived at the \(comment: settings.stage.rawValue).")
            try add("# TYPE reloadsim_requests counter")
            for (series, requests) in collected.series.sorted(by: { $0.key < $1.key }) {
                let labels: ScriptText<Script.OpenMetrics> =
                    "stage=\(quoted: settings.stage.rawValue),endpoint=\(quoted: names.endpoints[Int(series.endpoint)]),region=\(quoted: names.regions[Int(series.region)]),cause=\(quoted: names.cause(Int(series.cause))),first_cause=\(quoted: names.firstCause(Int(series.cause)))"
                var sum: UInt64 = 0
                for step in 0...steps {
                    if step > 0 { sum += UInt64(requests[step - 1]) }
                    let at = min(
                        settings.span.upperBound,
                        settings.span.lowerBound + Duration(microseconds: Int64(step) * MetricSeries.step.microseconds))
                    try add("reloadsim_requests_total{\(labels)} \(sum) \(millionths: clock.unixMicroseconds(of: at))")
                }
            }
            try add("# EOF")
        }
    }
}
