import Basics
import RefreshService
import ResultFiles

/// Formats with a line or a record for each request, in the order of arrival.
extension ExportContents {
    private func played(_ arrival: Arrival) -> Duration { settings.speed.played(arrival.at - settings.span.lowerBound) }

    /// `requests.csv`: `time_s` is the time after the start as it is played, `utc` the instant of the run.
    var requestsCSV: ExportFile {
        ExportFile("requests.csv", Script.CSV.self, lines: collected.kept.count) { (add) throws(OutputProblem) in
            let utc = clock.fixedZone(offsetSeconds: 0)
            let columns: ScriptText<Script.CSV> = "time_s,utc,region,endpoint,key,cause,person"
            try add(settings.target == nil ? columns : "\(columns),url")
            var known: [ArrivalTarget: (names: ScriptText<Script.CSV>, url: ScriptText<Script.CSV>)] = [:]
            for arrival in collected.kept {
                let target = ArrivalTarget(arrival)
                let text =
                    known[target]
                    ?? (
                        "\(field: names.region(target)),\(field: names.endpoint(target)),\(field: names.key(target))",
                        settings.target.map { ",\(field: $0.base + names.path(target, $0))" } ?? ""
                    )
                known[target] = text
                let time = utc.localTime(at: arrival.at)
                let (seconds, rest) = Self.parts(played(arrival).microseconds, places: 6)
                try add(
                    "\(seconds).\(rest, digits: 6),\(field: TimeText.exact(time))Z,\(text.names),\(field: names.cause(arrival)),\(field: names.person(arrival))\(text.url)"
                )
            }
        }
    }

    /// `requests.tsv` for `h2load --timing-script-file`: milliseconds after the start, a tab, an address.
    var timingScript: ExportFile {
        ExportFile("requests.tsv", Script.TimingScript.self, lines: collected.kept.count) {
            (add) throws(OutputProblem) in
            let paths = KnownPaths(names, target)
            for arrival in collected.kept {
                let (milliseconds, rest) = Self.parts(played(arrival).microseconds, places: 3)
                try add(
                    "\(milliseconds).\(rest, digits: 3)\t\(address: target.base)\(address: paths.path(ArrivalTarget(arrival)))"
                )
            }
        }
    }

    /// `requests.gor` for `gor --input-file`: a header with a number of 24 hex digits and the instant in nanoseconds
    /// since 1970, the request, a separator.
    var goReplay: ExportFile {
        ExportFile("requests.gor", Script.GoReplay.self, lines: collected.kept.count) { (add) throws(OutputProblem) in
            let paths = KnownPaths(names, target)
            let start = clock.unixMicroseconds(of: settings.span.lowerBound)
            for arrival in collected.kept {
                let hash = IdentityHash.of(arrival)
                let nanoseconds = (start + played(arrival).microseconds) * 1_000
                try add(
                    "1 \(hash, digits: 16, radix: 16)\(IdentityHash.mixed(hash) >> 32, digits: 8, radix: 16) \(nanoseconds)\nGET \(address: paths.path(ArrivalTarget(arrival))) HTTP/1.1\r\nHost: \(address: target.host)\r\nUser-Agent: reloadsim\r\n\r\n\n🐵🙈🙉"
                )
            }
        }
    }

    /// The digits before and behind the point of a whole number of 10^−`places`.
    private static func parts(_ value: Int64, places: Int) -> (whole: Int64, rest: Int64) {
        value.quotientAndRemainder(dividingBy: places == 3 ? 1_000 : 1_000_000) as (Int64, Int64)
    }
}

/// The paths of targets, each made once.
final class KnownPaths {
    private let names: ArrivalNames
    private let template: URLTemplate
    private var known: [ArrivalTarget: String] = [:]

    init(_ names: ArrivalNames, _ template: URLTemplate) { (self.names, self.template) = (names, template) }

    func path(_ target: ArrivalTarget) -> String {
        if let path = known[target] { return path }
        let path = names.path(target, template)
        known[target] = path
        return path
    }
}

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
