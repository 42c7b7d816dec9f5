import Basics
import ResultFiles
import Simulation
import Statistics

extension RunTable {
    static let loadDuration: RunTable = RunTable(
        "load_duration",
        "One point of the load-duration curve of one endpoint, at the edge or at the origin, a row: the load that its busiest seconds or minutes bring at least. Windows are"
            + " aligned to the start of the report. " + ReportWords.edgeAlone,
        [
            .stage(\.stage), .endpointOrAll(\.endpoint), .window(\.curve.width),
            .key("windows", "How many of the busiest windows are meant.", \.point.windows),
            .derived("share", "They as a share of all windows of the report.") {
                Ratio.of($0.point.windows, to: $0.curve.windows)!
            },
            .derived("duration_s", unit: "s", "The time that they last together.") {
                $0.point.windows * $0.curve.width.seconds
            },
            .derived(
                "least_requests", unit: "requests", "Each of them has at least so many requests.", \.point.requests),
            .derived("least_per_s", unit: "1/s", "The same for each second of the window.") {
                Ratio.of($0.point.requests, to: $0.curve.width.seconds)!
            },
        ]
    ) { (report) -> [DurationPoint] in report.durationPoints }

    static let loadPeakWindow: RunTable = RunTable(
        "load_peak_window",
        "The requests of one endpoint in one tenth of a second near a peak a row: from 5 min before the largest second, and the largest minute, of all endpoints together to"
            + " 5 min after it, as far as the report goes. Tenths without requests have no row. The causes of the requests are counted by the minute: `load_peak_minutes.csv`. "
            + ReportWords.edgeAlone,
        [
            .part(\.peak, PeakWindow.columns),
            .key(
                "offset_s", unit: "s", "The beginning of the tenth, from the beginning of the peak; negative before it."
            ) { Millionths($0.offset * 100_000) },
            .derived("start_s", unit: "s", "The same from the start of the report.", \.start.time),
            .clocks(of: "start", \.start), .endpoint(\.endpoint), .sum("requests", "Requests.", \.requests),
        ]
    ) { (report) in report.peakTenths }

    static let loadPeakMinutes: RunTable = RunTable(
        "load_peak_minutes",
        "The requests of one endpoint, region and cause in one whole minute of the report that a window of `load_peak_window.csv` touches a row. Rows without requests are left out.",
        [
            .part(\.peak, PeakWindow.columns),
            .key("start_s", unit: "s", "The beginning of the minute, from the start of the report.") {
                $0.start.time.microseconds / 1_000_000
            },
            .clocks(of: "start", \.start), .endpoint(\.series.endpoint), .region(\.series.region),
            .part(\.series.cause, RequestCause.columnsAtOrigin),
            .sum("requests", "Requests; those of a minute near both peaks are in the rows of both.", \.requests),
        ]
    ) { (report) in report.peakMinutes }

    static let loadSeconds: RunTable = RunTable(
        "load_seconds",
        "The requests of one endpoint in one second a row, at the edge or at the origin. Seconds without requests have no row. The file is there only if the scenario asks for it with"
            + " `report: {seconds: true}`. " + ReportWords.edgeAlone,
        [
            .stage(\.stage),
            .key("start_s", unit: "s", "The beginning of the second, from the start of the report.") { $0.second },
            .clocks(of: "start", \.start), .endpoint(\.endpoint), .sum("requests", "Requests.", \.requests),
        ]
    ) { (report, add: Table<LoadSecond>.RowSink) throws(OutputProblem) in
        for stage in report.ownStages {
            let tenths = report.names.endpoints.indices.map { stage.curve.tenths(of: $0) }
            for second in 0..<stage.curve.minutes * 60 {
                var start: ReportInstant?
                for (i, endpoint) in report.names.endpoints.enumerated() {
                    let requests = tenths[i][second * 10..<second * 10 + 10].reduce(0) { $0 + Int64($1) }
                    if requests == 0 { continue }
                    let instant = start ?? report.instant(after: .seconds(Int64(second)))
                    start = instant
                    try add(
                        LoadSecond(stage: stage, second: second, start: instant, endpoint: endpoint, requests: requests)
                    )
                }
            }
        }
    }
}

/// The surroundings of a peak of all endpoints together.
private struct PeakWindow {
    let stage: LoadStage
    let width: LoadWindow
    /// The tenth of a second of the report with which the peak begins.
    let start: Int
    /// Those that are told.
    let tenths: Range<Int>

    static let columns: [Columns<PeakWindow>] = [.stage(\.stage), .window(\.width)]
}

/// The requests of one endpoint in one second.
private struct LoadSecond {
    let stage: LoadStage
    let second: Int
    let start: ReportInstant
    let endpoint: String
    /// 1 or more.
    let requests: Int64
}

private typealias DurationPoint = (
    stage: LoadStage, endpoint: LoadAnalysis.Endpoint, curve: LoadDuration, point: LoadDuration.Point
)
private typealias PeakTenth = (peak: PeakWindow, offset: Int, start: ReportInstant, endpoint: String, requests: Int64)
private typealias PeakMinute = (peak: PeakWindow, start: ReportInstant, series: LoadSeries, requests: Int64)

extension RunReport {
    /// The edge, and the origin if a service stands between them: without one both have the same requests.
    fileprivate var ownStages: [LoadStage] { result.service == nil ? [edge] : [edge, origin] }

    fileprivate var durationPoints: [DurationPoint] {
        ownStages.flatMap { stage in
            ([stage.analysis.all] + stage.analysis.endpoints).flatMap { endpoint in
                endpoint.durations.flatMap { curve in
                    curve.points.map { DurationPoint(stage, endpoint, curve, $0) }
                }
            }
        }
    }

    fileprivate var peakTenths: some Sequence<PeakTenth> {
        peakWindows.lazy.flatMap { peak in
            peak.tenths.lazy.flatMap { tenth -> [PeakTenth] in
                let load = peak.stage.curve
                // Most tenths of a small fleet have no request.
                guard (0..<load.endpoints).contains(where: { load.tenths(of: $0)[tenth] != 0 }) else { return [] }
                let requests = (0..<load.endpoints).map { Int64(load.tenths(of: $0)[tenth]) }
                let start = instant(after: .milliseconds(Int64(tenth) * 100))
                return zip(names.endpoints, requests).compactMap { endpoint, count in
                    count == 0 ? nil : (peak, tenth - peak.start, start, endpoint, count)
                }
            }
        }
    }

    fileprivate var peakMinutes: some Sequence<PeakMinute> {
        peakWindows.lazy.filter { !$0.tenths.isEmpty }.flatMap { peak in
            let series = series(at: peak.stage)
            let unit = LoadCurve.tenthsPerMinute
            let minutes = peak.tenths.lowerBound / unit...(peak.tenths.upperBound - 1) / unit
            return minutes.lazy.flatMap { minute -> [PeakMinute] in
                let start = instant(after: .minutes(Int64(minute)))
                return series.compactMap { one in
                    one.minutes[minute] == 0 ? nil : (peak, start, one, Int64(one.minutes[minute]))
                }
            }
        }
    }

    /// The surroundings of the largest second and of the largest minute; none without requests.
    fileprivate var peakWindows: [PeakWindow] {
        let margin = 5 * LoadCurve.tenthsPerMinute
        return ownStages.flatMap { stage in
            [LoadWindow.second, .minute].compactMap { width in
                guard let peak = stage.analysis.all[width].sliding, peak.requests > 0 else { return nil }
                let all = 0..<stage.curve.minutes * LoadCurve.tenthsPerMinute
                let tenths = (peak.start - margin..<peak.start + width.tenths + margin).clamped(to: all)
                return PeakWindow(stage: stage, width: width, start: peak.start, tenths: tenths)
            }
        }
    }
}

/// The requests of an hour of the report, and of the same hour in other draws of the fleet.
struct LoadHour: Sendable {
    let start: ReportInstant
    /// At the edge, all endpoints together.
    let requests: Int64
    /// The range of 95 % of other draws; nil where people are not drawn independently.
    let redraw: SamplingRange?
    /// That for all people that those of the run stand for.
    let represented: SamplingRange?
    let representedValue: Double?

    /// Fewer requests are a count that is not normal; none does not make the next draw certain.
    private static let few: Int64 = 30
    private static let deviations = 1.959964

    /// - Parameter dispersion: of the requests of quiet hours, 1 or more: by it an hour without any knows how many come
    ///   together.
    init(
        _ start: ReportInstant, _ requests: Int64, variance: Double?, dispersion: Double, people: Int,
        represented: Int?, hasSharedDraws: Bool
    ) {
        (self.start, self.requests) = (start, requests)
        func range(_ others: Int) -> SamplingRange? {
            guard let variance else { return nil }
            let scale = Double(others) / Double(people)
            let value = Double(requests)
            let deviation = max(1, variance).squareRoot()
            if requests < Self.few {
                let range = RareCount.range(
                    of: requests, dispersion: requests == 0 ? dispersion : max(1, variance / value), scale: scale)
                return SamplingRange(
                    value: (value * scale).rounded(), standardError: deviation * scale,
                    low: min(range.lowerBound, (value * scale).rounded()), high: range.upperBound)
            }
            let half = Self.deviations * deviation * (1 + 1 / scale).squareRoot()
            return SamplingRange(
                value: (value * scale).rounded(), standardError: deviation * scale,
                low: (max(0, value - half) * scale).rounded(), high: ((value + half) * scale).rounded())
        }
        redraw = hasSharedDraws ? nil : range(people)
        self.represented = hasSharedDraws ? nil : represented.flatMap(range)
        representedValue =
            variance == nil
            ? nil
            : represented.map {
                (Double(requests) * Double($0) / Double(people)).rounded()
            }
    }
}

extension RunReport {
    /// The hours of the report from its start; the last may be shorter.
    var hours: [LoadHour] {
        let load = edge.curve
        let drawn = DrawnLoad(load)
        let scenario = result.scenario
        let byMinute = load.requestsByMinute
        let hour = LoadWindow.allCases.firstIndex(of: .hour)!
        let people = scenario.people
        let hours = stride(from: 0, to: load.minutes, by: 60).map { minute in
            (
                minute, requests: byMinute[minute..<min(load.minutes, minute + 60)].reduce(0, +),
                variance: drawn?.variance(width: hour, minute: minute, people: Double(people))
            )
        }
        // In hours in which most people send nothing, it is no person's usual number that makes requests come together.
        let quiet = hours.filter { $0.requests > 0 && $0.requests * 4 <= Int64(people) }
        let dispersion =
            quiet.reduce(0) { $0 + ($1.variance ?? 0) } / Double(max(1, quiet.reduce(0) { $0 + $1.requests }))
        return hours.map { minute, requests, variance in
            LoadHour(
                instant(after: .minutes(Int64(minute))), requests, variance: variance, dispersion: max(1, dispersion),
                people: people, represented: result.scaled == nil ? scenario.report.represents : nil,
                hasSharedDraws: scenario.hasSharedLoad)
        }
    }
}
