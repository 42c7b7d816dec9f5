import Measures
import SimulatedTime
import WidgetPlatform

extension ReportTable {
    static let load = ReportTable(
        "load",
        "The requests that arrived at the edge in one bin, for one endpoint, region and cause a row. Bins without requests have no row.",
        [
            .binStart, .binStartUTC, .endpoint, .region, .cause,
            .count("requests", "Requests."),
        ])

    static let loadPeaks = ReportTable(
        "load_peaks",
        "The windows of one width at one endpoint, at the edge or at the origin, a row: the largest, and the spread of all. Sliding windows begin at any tenth of a second, aligned ones at"
            + " multiples of the width from the start of the report; only windows that lie in the report as a whole count.",
        [
            .stage, .endpointOrAll, .window,
            .derived("sliding_peak_requests", type: .integer, unit: "requests", "Requests in the largest sliding window."),
            .derived("sliding_peak_per_s", unit: "1/s", "The same for each second of the window."),
            .derived("sliding_start_s", unit: "s", "Its start, from the start of the report; the earliest on a tie."),
            .derived("sliding_start_utc", type: .datetime, "The same instant in UTC."),
            .derived("aligned_peak_requests", type: .integer, unit: "requests", "Requests in the largest aligned window."),
            .derived("aligned_peak_per_s", unit: "1/s", "The same for each second of the window."),
            .derived("aligned_start_s", type: .integer, unit: "s", "Its start, from the start of the report; the earliest on a tie."),
            .derived("aligned_start_utc", type: .datetime, "The same instant in UTC."),
            .derived("windows", type: .integer, optional: false, "Aligned windows in the report."),
            .derived("mean_requests", unit: "requests", "The mean number of requests in an aligned window."),
            .derived("p50_requests", type: .integer, unit: "requests", "Half of the aligned windows hold at most so many requests."),
            .derived("p99_requests", type: .integer, unit: "requests", "99 % of the aligned windows hold at most so many requests."),
            .derived("p999_requests", type: .integer, unit: "requests", "99.9 % of the aligned windows hold at most so many requests."),
            .derived("peak_to_mean", "The largest aligned window over the mean one."),
            .derived("dispersion", "The index of dispersion: variance over mean of the aligned windows. 1 for requests at random."),
        ])

    static let loadPeakCauses = ReportTable(
        "load_peak_causes",
        "What made up the whole minutes that the largest sliding window of a width touches: one region and cause a row. Without requests there is no row.",
        [
            .stage, .endpointOrAll, .window, .region, .cause,
            .derived(
                "requests", type: .integer, optional: false,
                "Requests in these minutes; they add up over regions and causes of one window only."),
            .derived("share", optional: false, "Their share of all requests of these minutes."),
        ])
}

extension RunReport {
    /// The width of the bins of `load.csv` and `service.csv`.
    var minutesPerBin: Int {
        let minutes = Int(result.scenario.loadBin.microseconds / 60_000_000)
        precondition(Duration.minutes(Int64(minutes)) == result.scenario.loadBin, "bins of the load are whole minutes")
        return minutes
    }

    func writeLoad(_ csv: inout CSVWriter) throws(OutputProblem) {
        let load = result.load
        let minutesPerBin = minutesPerBin
        var series: [(cells: [UInt8], minutes: UnsafeBufferPointer<UInt32>)] = []
        for endpoint in 0..<load.endpoints {
            for region in 0..<load.regions {
                for cause in ReloadCause.allCases {
                    let minutes = load.minutes(of: endpoint, region: region, cause: Int(cause.rawValue))
                    guard minutes.contains(where: { $0 != 0 }) else { continue }
                    var cells: [UInt8] = []
                    CellText.append(names.endpoints[endpoint], to: &cells)
                    cells.append(UInt8(ascii: ","))
                    CellText.append(names.regions[region], to: &cells)
                    cells.append(UInt8(ascii: ","))
                    cells.append(contentsOf: cause.name.utf8)
                    series.append((cells, minutes))
                }
            }
        }
        for first in stride(from: 0, to: load.minutes, by: minutesPerBin) {
            let start = Duration.minutes(Int64(first))
            var time: [UInt8] = []
            CellText.append(start.microseconds / 1_000_000, to: &time)
            time.append(UInt8(ascii: ","))
            time.append(contentsOf: utc(after: start).utf8)
            for (cells, minutes) in series {
                var requests: Int64 = 0
                for minute in first..<min(first + minutesPerBin, load.minutes) { requests += Int64(minutes[minute]) }
                if requests == 0 { continue }
                csv.prepared(time, cells: 2)
                csv.prepared(cells, cells: 3)
                csv.integer(requests)
                try csv.endRow()
            }
        }
    }

    func writeLoadPeaks(_ csv: inout CSVWriter) throws(OutputProblem) {
        for stage in [edge, origin] {
            for endpoint in [stage.analysis.all] + stage.analysis.endpoints {
                for window in endpoint.windows {
                    csv.plain(stage.name)
                    csv.text(endpoint.name)
                    write(window, to: &csv)
                    try csv.endRow()
                }
            }
        }
    }

    /// The cells of a window from `window_s` on.
    private func write(_ window: WindowLoad, to csv: inout CSVWriter) {
        let seconds = Int64(window.width.seconds)
        csv.integer(seconds)
        for (peak, isSliding) in [(window.sliding, true), (window.aligned, false)] {
            csv.integer(peak?.requests)
            csv.number(peak.flatMap { Ratio.of($0.requests, to: seconds) })
            if let peak {
                let start = Duration.milliseconds(Int64(peak.start) * 100)
                if isSliding { csv.millionths(Int128(start.microseconds)) } else { csv.integer(start.microseconds / 1_000_000) }
                csv.plain(utc(after: start), as: .datetime)
            } else {
                csv.missing()
                csv.missing()
            }
        }
        csv.integer(window.windows)
        csv.number(window.mean)
        csv.integer(window.median)
        csv.integer(window.p99)
        csv.integer(window.p999)
        csv.number(window.peakToMean)
        csv.number(window.dispersion)
    }

    func writeLoadPeakCauses(_ csv: inout CSVWriter) throws(OutputProblem) {
        for stage in [edge, origin] {
            for endpoint in [stage.analysis.all] + stage.analysis.endpoints {
                for window in endpoint.windows {
                    guard let peak = window.sliding else { continue }
                    let first = peak.start / LoadCurve.tenthsPerMinute
                    let last = (peak.start + window.width.seconds * 10 - 1) / LoadCurve.tenthsPerMinute
                    let parts = split(stage.curve, endpoint.members, minutes: first...last)
                    let total = parts.reduce(0) { $0 + $1.requests }
                    for part in parts where part.requests > 0 {
                        csv.plain(stage.name)
                        csv.text(endpoint.name)
                        csv.integer(window.width.seconds)
                        csv.text(names.regions[part.region])
                        csv.plain(part.cause.name)
                        csv.integer(part.requests)
                        csv.number(Ratio.of(part.requests, to: total))
                        try csv.endRow()
                    }
                }
            }
        }
    }

    /// The requests of some endpoints in some minutes, by region and cause.
    private func split(_ curve: LoadCurve, _ endpoints: [Int], minutes: ClosedRange<Int>)
        -> [(region: Int, cause: ReloadCause, requests: Int64)]
    {
        names.regions.indices.flatMap { region in
            ReloadCause.allCases.map { cause in
                let requests = endpoints.reduce(into: Int64(0)) { sum, endpoint in
                    let bins = curve.minutes(of: endpoint, region: region, cause: Int(cause.rawValue))
                    for minute in minutes { sum += Int64(bins[minute]) }
                }
                return (region, cause, requests)
            }
        }
    }
}
