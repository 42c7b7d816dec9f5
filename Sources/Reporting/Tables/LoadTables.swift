import ResultFiles
import Basics
import Statistics
import WidgetPlatform

extension RunTable {
    /// The largest table of all: millions of rows for a week. Text that stands in many rows is made once.
    static let load: RunTable = RunTable(
        "load",
        "The requests that arrived at the edge in one bin, for one endpoint, region and cause a row. Bins without requests have no row.",
        [.prepared(LoadBin.columns, LoadSeries.columns, .sum("requests", "Requests.") { $0 })]
    ) { (report, add: Table<LoadRow>.RowSink) throws(OutputProblem) in
        let load = report.result.load
        let series = report.series(at: report.edge)
        let cells = series.map { PreparedCells($0, LoadSeries.columns) }
        for minutes in report.minutesOfBins(load.minutes) {
            var time: PreparedCells<ReportInstant>?
            for i in series.indices {
                var requests: Int64 = 0
                for minute in minutes { requests += Int64(series[i].minutes[minute]) }
                if requests == 0 { continue }
                let at =
                    time
                    ?? PreparedCells(
                        report.instant(after: .minutes(Int64(minutes.lowerBound))), LoadBin.columns)
                time = at
                try add(LoadRow(first: at, second: cells[i], value: requests))
            }
        }
    }

    static let loadPeaks: RunTable = RunTable(
        "load_peaks",
        "The windows of one width at one endpoint, at the edge or at the origin, a row: the largest, and the spread of all. Sliding windows begin at any tenth of a second, aligned ones at"
            + " multiples of the width from the start of the report; only windows that lie in the report as a whole count.",
        [
            .stage(\.stage), .endpointOrAll(\.endpoint), .window(\.load.width),
            .peak("sliding", .sliding("sliding_peak_requests"), of: \.load, \.sliding) {
                $0.start.time
            },
            .derived(
                "sliding_minute_cause",
                "The cause of most of the requests in the whole minutes that this window touches (`load_peak_causes.csv`).",
                \.topCause?.cause),
            .derived("sliding_minute_cause_share", "Its share of the requests of these minutes.", \.topCause?.share),
            .peak("aligned", .aligned("aligned_peak_requests"), of: \.load, \.aligned) {
                $0.start.time.microseconds / 1_000_000
            },
            .derived("windows", "Aligned windows in the report.", \.load.windows),
            .derived(
                "mean_requests", unit: "requests", "The mean number of requests in an aligned window.", \.load.mean),
            .derived(
                "p50_requests", unit: "requests", "Half of the aligned windows hold at most so many requests.",
                \.load.median), .figures(\.load, .spread { $0 + $1 }),
            .derived(
                "represented_people",
                "How many people those of the run stand for (`report.represents`), if that is given.", \.people),
        ]
            + LoadQuantile.allCases.map {
                redraw(
                    "redraw", "In another draw of the fleet",
                    "where the load follows what the seed draws for many people (pushed versions, events)", $0, \.load.redraw)
            }
            + LoadQuantile.allCases.map {
                redraw(
                    "represented", "In a draw of `represented_people`",
                    "without `report.represents`, where the load follows what the seed draws for many people, and of fewer than about 32 requests",
                    $0,
                    \.load.represented)
            }
    ) { (report) -> [LoadPeaks] in
        report.windows.map { stage, endpoint, load in
            LoadPeaks(
                stage: stage, endpoint: endpoint, load: load,
                sliding: load.sliding.map { PeakFigures($0, width: load.width, report) },
                aligned: load.aligned.map { PeakFigures($0, width: load.width, report) },
                people: report.result.scenario.report.represents,
                topCause: report.causes(of: load, stage, endpoint).first)
        }
    }

    private static func redraw(
        _ name: String, _ draw: String, _ shared: String, _ quantile: LoadQuantile,
        _ value: @escaping @Sendable (LoadPeaks) -> LoadRedraw?
    ) -> Columns<LoadPeaks> {
        .derived(
            "\(name)_\(quantile.rawValue)_requests", unit: "requests",
            "\(draw), the largest sliding window has at most so many requests with a probability of \(quantile.text), by the counted mean and variance of the windows. For all"
                + " endpoints together; empty with a service, for recorded people, and \(shared)."
        ) { value($0)?[quantile] }
    }

    static let loadHours: RunTable = RunTable(
        "load_hours",
        "The requests of one hour at the edge a row, all endpoints together, with the range of the same hour in other draws of the fleet and for all people that those of the run stand for.",
        [
            .key("start_s", unit: "s", "The beginning of the hour, from the start of the report.") {
                $0.start.time.microseconds / 1_000_000
            },
            .clocks(of: "start") { $0.start }, .sum("requests", "Requests.", \.requests),
            hour(
                "redraw_p2_5",
                "In another draw of the fleet there are fewer with a probability of 2.5 %, by the counted variance; empty with a service, for recorded people, and where the load follows what the seed draws for many people.",
                \.redraw?.low), hour("redraw_p97_5", "More with a probability of 2.5 %.", \.redraw?.high),
            hour(
                "represented", "The requests of all people that those of the run stand for (`report.represents`).",
                \.representedValue),
            hour(
                "represented_p2_5", "In a draw of all of them there are fewer with a probability of 2.5 %.",
                \.represented?.low),
            hour("represented_p97_5", "More with a probability of 2.5 %.", \.represented?.high),
        ]
    ) { (report) -> [LoadHour] in report.hours }

    private static func hour(_ name: String, _ meaning: String, _ value: @escaping @Sendable (LoadHour) -> Double?)
        -> Columns<LoadHour>
    { .derived(name + "_requests", unit: "requests", meaning) { value($0).map { Int64($0) } } }

    static let loadPeakCauses: RunTable = RunTable(
        "load_peak_causes",
        "The requests of the whole minutes that the largest sliding window of a width touches: one region and cause a row. Without requests there is no row.",
        [
            .stage(\.stage), .endpointOrAll(\.endpoint), .window(\.width), .region(\.region),
            .part(\.cause, RequestCause.columnsAtOrigin),
            .derived(
                "minute_requests", unit: "requests",
                "Requests in these minutes, of which a window of a second or ten is a part only; they add up over regions and causes of one window only.",
                \.requests), .derived("minute_share", "Their share of all requests of these minutes.", \.share),
        ]
    ) { (report) -> [PeakPart] in
        report.windows.flatMap { stage, endpoint, load in
            load.sliding.map { report.parts(of: $0, width: load.width, stage, endpoint) } ?? []
        }
    }
}

extension Columns {
    /// The largest window of a width: how much it holds, its rate and its start.
    static func peak<Start: CellValue>(
        _ name: String, _ peak: Figures<WindowLoad>, of load: @escaping @Sendable (Row) -> WindowLoad,
        _ figures: @escaping @Sendable (Row) -> PeakFigures?, start: @escaping @Sendable (PeakFigures) -> Start
    ) -> Self {
        .several([
            .figures(load, peak),
            .derived(name + "_peak_per_s", unit: "1/s", "The same for each second of the window.") {
                figures($0)?.perSecond
            },
            .derived(name + "_start_s", unit: "s", "Its start, from the start of the report; the earliest on a tie.") {
                figures($0).map(start)
            },
            .clocks(of: name + "_start") { figures($0)?.start },
        ])
    }
}

extension RequestCause {
    /// The columns of a cause in tables that tell of the origin too, and in those of the edge alone.
    static let columnsAtOrigin = columns(
        meaning + "; `\(outside.name)` for requests from outside the fleet (S4), which are counted at the origin alone."
    )
    static let columnsAtEdge = columns(meaning + ".")

    private static func columns(_ meaning: String) -> [Columns<RequestCause>] {
        [
            .key("cause", meaning, \.name),
            .key(
                "first_cause",
                "The cause of the reload that a `\(retryName)` belongs to; for all other requests the same as `cause`.",
                \.firstName),
        ]
    }

    private static let meaning =
        "Why the reload was asked for: " + ReportWords.listed(ReloadCause.self)
        + "; `\(retryName)` for the further tries of a reload's requests (S3)"
        + "; `\(fetch.name)` for requests of apps' background fetches, which are no reloads (B8)"
}

private enum LoadBin { static let columns: [Columns<ReportInstant>] = [.bin { $0 }] }

/// The requests of one endpoint, region and cause by the minute.
struct LoadSeries {
    let endpoint, region: String
    let cause: RequestCause
    let minutes: UnsafeBufferPointer<UInt32>

    static let columns: [Columns<LoadSeries>] = [
        .endpoint(\.endpoint), .region(\.region), .part(\.cause, RequestCause.columnsAtEdge),
    ]
}

private typealias LoadRow = PreparedRow<ReportInstant, LoadSeries, Int64>

/// The windows of one width at one endpoint.
private struct LoadPeaks {
    let stage: LoadStage
    let endpoint: LoadAnalysis.Endpoint
    let load: WindowLoad
    let sliding, aligned: PeakFigures?
    let people: Int?
    /// The commonest cause in the minutes that the largest sliding window touches; nil without requests.
    let topCause: (cause: String, share: Double)?
}

/// The largest of some windows.
struct PeakFigures {
    let perSecond: Double
    let start: ReportInstant

    init(_ peak: WindowLoad.Peak, width: LoadWindow, _ report: RunReport) {
        perSecond = Double(peak.requests) / Double(width.seconds)
        start = report.instant(after: .milliseconds(Int64(peak.start) * 100))
    }
}

/// The requests of one region and cause in the minutes of a peak.
private struct PeakPart {
    let stage: LoadStage
    let endpoint: LoadAnalysis.Endpoint
    let width: LoadWindow
    let region: String
    let cause: RequestCause
    /// 1 or more.
    let requests: Int64
    let share: Double
}

extension RunReport {
    /// The minutes of each bin of the load over so many minutes.
    func minutesOfBins(_ minutes: Int) -> some Sequence<Range<Int>> {
        let width = Int(result.scenario.loadBin.microseconds / 60_000_000)
        precondition(Duration.minutes(Int64(width)) == result.scenario.loadBin, "bins of the load are whole minutes")
        return stride(from: 0, to: minutes, by: width).lazy.map { $0..<min($0 + width, minutes) }
    }

    /// The starts and minutes of these bins, made one after another.
    func bins(minutes: Int) -> some Sequence<(start: ReportInstant, minutes: Range<Int>)> {
        minutesOfBins(minutes).lazy.map { (instant(after: .minutes(Int64($0.lowerBound))), $0) }
    }

    /// Every endpoint, region and cause with requests at a stage.
    func series(at stage: LoadStage) -> [LoadSeries] {
        let causes = RequestCause.all(in: stage.curve)
        return names.endpoints.enumerated().flatMap { i, endpoint in
            names.regions.enumerated().flatMap { j, region in
                causes.filter { stage.curve.hasRequests(of: i, region: j, cause: $0.number) }.map { cause in
                    LoadSeries(
                        endpoint: endpoint, region: region, cause: cause,
                        minutes: stage.curve.minutes(of: i, region: j, cause: cause.number))
                }
            }
        }
    }

    /// Every stage, endpoint, all together among them, and width.
    fileprivate var windows: [(stage: LoadStage, endpoint: LoadAnalysis.Endpoint, load: WindowLoad)] {
        [edge, origin].flatMap { stage in
            ([stage.analysis.all] + stage.analysis.endpoints).flatMap { endpoint in
                endpoint.windows.map { (stage, endpoint, $0) }
            }
        }
    }

    /// Why the requests came in the minutes that the largest second of all endpoints at the edge touches: the shares by
    /// cause, the largest first. None without requests.
    package var largestSecondCauses: [(cause: String, share: Double)] {
        causes(of: edge.analysis.all[.second], edge, edge.analysis.all)
    }

    /// The requests of an endpoint in the minutes that a sliding window touches, by region and cause.
    fileprivate func parts(
        of peak: WindowLoad.Peak, width: LoadWindow, _ stage: LoadStage, _ endpoint: LoadAnalysis.Endpoint
    ) -> [PeakPart] {
        let last = peak.start + width.seconds * 10 - 1
        let minutes = peak.start / LoadCurve.tenthsPerMinute...last / LoadCurve.tenthsPerMinute
        var parts: [(region: Int, cause: RequestCause, requests: Int64)] = []
        let causes = RequestCause.all(in: stage.curve)
        for region in names.regions.indices {
            for cause in causes {
                let requests = endpoint.members.reduce(into: Int64(0)) { sum, endpoint in
                    let bins = stage.curve.minutes(of: endpoint, region: region, cause: cause.number)
                    for minute in minutes { sum += Int64(bins[minute]) }
                }
                if requests > 0 { parts.append((region, cause, requests)) }
            }
        }
        let total = parts.reduce(0) { $0 + $1.requests }
        return parts.map { part in
            PeakPart(
                stage: stage, endpoint: endpoint, width: width, region: names.regions[part.region], cause: part.cause,
                requests: part.requests, share: Double(part.requests) / Double(total))
        }
    }

    /// The causes of the requests in the minutes that the largest sliding window touches, each with its share: the
    /// largest first, equal ones in the tables' order.
    func causes(of load: WindowLoad, _ stage: LoadStage, _ endpoint: LoadAnalysis.Endpoint) -> [(
        cause: String, share: Double
    )] {
        guard let peak = load.sliding else { return [] }
        let parts = parts(of: peak, width: load.width, stage, endpoint)
        // Further tries are one cause, whatever began their reloads.
        var requests: [String: Int64] = [:]
        for part in parts { requests[part.cause.name, default: 0] += part.requests }
        let total = Double(parts.reduce(0) { $0 + $1.requests })
        let found = RequestCause.all(in: stage.curve).compactMap { cause in
            requests.removeValue(forKey: cause.name).map { (cause: cause.name, share: Double($0) / total) }
        }
        return found.sorted { $0.share > $1.share }
    }
}
