import ResultFiles
import Basics
import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let platforms = RunTable(
        "platforms",
        "The devices of one platform a row: their load, its peaks, and what their people see. Requests are counted as they arrive at the edge.",
        PlatformCounts.columns
    ) { (report, add: Table<PlatformCounts>.RowSink) throws(OutputProblem) in
        for platform in Platform.allCases { try add(PlatformCounts(platform, report)) }
    }

    static let platformHours = RunTable(
        "platform_hours",
        "The requests of one platform's devices in one hour of the report's clock a row, all days together.",
        [
            .key("platform", "The platform: \(ReportWords.listed(Platform.allCases.map(\.name))).") {
                $0.counts.platform.name
            },
            .key("local_hour", "The hour of the clock of `report.zone`.") { Int64($0.hour) },
            .sum("requests", "Requests that arrive in it.") { $0.counts.hours[$0.hour] },
            .derived("requests_per_device_day", "The same for each device and 24 hours; it adds up over the hours.") {
                Ratio.perDay($0.counts.hours[$0.hour], of: $0.counts.devices, over: $0.counts.span)
            },
        ]
    ) { (report, add: Table<PlatformHour>.RowSink) throws(OutputProblem) in
        for platform in Platform.allCases {
            let counts = PlatformCounts(platform, report)
            for hour in 0..<24 { try add(PlatformHour(counts: counts, hour: hour)) }
        }
    }

    static let quota = RunTable(
        "quota",
        "The gates that held the refreshes of one segment's provider on one kind of device with Android, by gate and bucket a row (section 13). Over the rows of an app's messages came + carried_in = used + refused + carried_out. Rows of nothing are left out.",
        [
            .stratum(\.stratum),
            .key("gate", "The gate: \(ReportWords.listed(AndroidGate.allCases.map(\.name))).") { $0.gate.name },
            .key("bucket", "The app's bucket then (N3): \(ReportWords.listed(StandbyBucket.allCases.map(\.name))).") {
                $0.bucket.name
            },
            .sum("came", "Messages that came to the device; 0 for other gates.") { $0.came },
            .sum(
                "used",
                "What counted against its limit: runs of jobs and of expedited jobs, alarms in Doze, messages delivered; 0 for gates without a limit."
            ) { $0.counts[.used($0.gate, $0.bucket)] },
            .derived("used_s", unit: "s", adds: .sum, "The run time that did.") {
                Ratio.ofMillionths($0.counts.wide(.usedTime($0.gate, $0.bucket)), to: 1)
            },
            .sum(
                "refused",
                "What came to nothing at its limit: messages, and expedited jobs that ran as ordinary ones."
            ) { $0.counts[.refused($0.gate, $0.bucket)] },
            .sum("waited", "Refreshes that it held; one that several held counts at each.") {
                $0.counts[.waits($0.gate, $0.bucket)]
            },
            .derived("waited_s", unit: "s", adds: .sum, "How long, together.") {
                Ratio.ofMillionths($0.counts.wide(.waitTime($0.gate, $0.bucket)), to: 1)
            },
            .sum("carried_in", "Refreshes, or messages, that it held as the report began.") {
                $0.counts[.heldIn($0.gate, $0.bucket)]
            },
            .sum("carried_out", "Those that it held as the report ended.") { $0.counts[.heldOut($0.gate, $0.bucket)] },
            .sum("lowered", "Messages of high priority that were delivered as ordinary ones; 0 for other gates.") {
                $0.lowered
            },
        ]
    ) { (report, add: Table<QuotaRow>.RowSink) throws(OutputProblem) in
        for (stratum, counts) in report.androidStrata {
            for gate in AndroidGate.allCases {
                for bucket in StandbyBucket.allCases {
                    let row = QuotaRow(stratum: stratum, gate: gate, bucket: bucket, counts: counts)
                    if !row.isZero { try add(row) }
                }
            }
        }
    }

    static let refreshes = RunTable(
        "refreshes",
        "The refreshes of one segment's provider on one kind of device with Android, by what asked for them a row: due + carried_in = run + merged + carried_out. Rows of nothing are left out.",
        [
            .stratum(\.stratum),
            .key("means", "What asked: \(ReportWords.listed(RefreshMeans.allCases.map(\.name))).") { $0.means.name },
            .sum("due", "Refreshes that were asked for.") { $0.counts[.due($0.means)] },
            .sum("run", "Those that ran, each for all instances of its device.") { $0.counts[.run($0.means)] },
            .sum("merged", "Those that another refresh took in that waited, or that ran as work instead.") {
                $0.counts[.merged($0.means)]
            },
            .sum("carried_in", "Those that waited as the report began.") { $0.counts[.carriedIn($0.means)] },
            .sum("carried_out", "Those that waited as it ended.") { $0.counts[.carriedOut($0.means)] },
            .sum("retried", "Jobs that failed and are tried again (N2); each further try is due as `work`.") {
                $0.counts[.retried($0.means)]
            },
        ]
    ) { (report, add: Table<RefreshRow>.RowSink) throws(OutputProblem) in
        for (stratum, counts) in report.androidStrata {
            for means in RefreshMeans.allCases {
                let row = RefreshRow(stratum: stratum, means: means, counts: counts)
                if !row.isZero { try add(row) }
            }
        }
    }
}

extension RunReport {
    /// The strata of devices with Android, each with the counts of its providers.
    fileprivate var androidStrata: [(stratum: ReportStratum, counts: BlockSum<QuotaCounts>)] {
        let layout = result.measures.layout
        let strata = strata
        return layout.androidStrata.enumerated().map { place, stratum in
            (strata[stratum], BlockSum(result.measures, at: layout.quotaPlace(ofAndroidStratum: place)))
        }
    }
}

/// The counts of all devices of a platform.
private struct PlatformCounts {
    let platform: Platform
    let span: Duration
    private(set) var devices: Int64 = 0
    private(set) var reloads = BlockSum<ReloadCounts>()
    private(set) var views = BlockSum<ViewCounts>()
    /// Requests that arrive in each minute of the report.
    let minutes: [Int64]
    /// Those of them in each hour of the report's clock.
    private(set) var hours = [Int64](repeating: 0, count: 24)

    init(_ platform: Platform, _ report: RunReport) {
        self.platform = platform
        span = report.span
        let (plan, measures) = (report.result.scenario.plan, report.result.measures)
        let layout = measures.layout
        for segment in 0..<layout.segments {
            for kind in layout.devices where plan.platform(ofSegment: segment, kind) == platform {
                devices += BlockSum(measures, at: layout.place(ofSegment: segment, kind))[.devices]
            }
        }
        for stratum in report.strata
        where plan.platform(ofSegment: layout.strata[stratum.index].segment, stratum.device) == platform {
            reloads.add(measures, at: layout.place(ofStratum: stratum.index))
            views.add(report.views(stratum, modes: CountedMode.allCases, surfaces: stratum.surfaces))
        }
        let ofAndroid = (0..<layout.minutes).map {
            BlockSum(measures, at: layout.minutePlace($0))[.requests]
        }
        let all = report.result.load.requestsByMinute
        // Without a stratum of such devices nothing is counted of them.
        let none = ofAndroid.isEmpty
        minutes = platform == .android ? ofAndroid : none ? all : zip(all, ofAndroid).map(-)
        let zone = report.result.scenario.report.zone
        for (minute, requests) in minutes.enumerated() where requests > 0 {
            let at = Instant.start + plan.warmup + .minutes(Int64(minute))
            hours[zone.localTime(at: at).clock.hour] += requests
        }
    }

    static let columns: [Columns<PlatformCounts>] = [
        .key("platform", "The platform: \(ReportWords.listed(Platform.allCases.map(\.name))).", \.platform.name),
        .sum("devices", "Devices.", \.devices),
        .sum("instances", "Instances in the reported span.", \.instances),
        .sum("requests", "Requests that arrive.", \.requests),
        .derived("requests_per_device_day", "The same for each device and 24 hours.", \.requestsPerDeviceDay),
        .derived(
            "peak_1m",
            "The most requests in a whole minute of the report. The peaks of two platforms need not meet.",
            \.peakOfMinute),
        .derived("peak_1m_to_mean", "The same over the mean of all minutes.", \.peakToMean),
        .derived(
            "peak_15m", "The most requests in a quarter of an hour, counted from the start of the report.",
            \.peakOfQuarter),
        .sum("views", "Views.", \.viewCount),
        .derived("share_fresh", "The share of the views that were fresh (C5).", \.shareFresh),
        .derived("share_stale", "The share of the views that were stale.", \.shareStale),
        .derived("age_mean_s", unit: "s", "The mean age of the content at a view (C2).", \.meanAge),
        .derived(
            "share_waking_time_stale", "The share of waking time in which the content was stale (C3).",
            \.shareWakingTimeStale),
        .sum("reloads", "Reloads begun.", \.reloadsBegun),
        .sum("failed", "Reloads that ended by an error, a time-out or no connection.", \.reloads.failed),
    ]

    var instances: Int64 { reloads[.instances] }
    var requestsPerDeviceDay: Double? { Ratio.perDay(requests, of: devices, over: span) }
    var peakOfMinute: Int64 { most(of: 1) }
    var peakToMean: Double? { Ratio.of(peakOfMinute * Int64(minutes.count), to: requests) }
    var peakOfQuarter: Int64 { most(of: 15) }
    var viewCount: Int64 { views.sum(.states) }
    var shareFresh: Double? { Ratio.of(views[.views(.fresh)], to: viewCount) }
    var shareStale: Double? { Ratio.of(views[.views(.stale)], to: viewCount) }
    var meanAge: Double? { Ratio.ofMillionths(views.wide(.ageSum), to: views.sum(.ages)) }
    var shareWakingTimeStale: Double? { Ratio.of(views.wide(.staleTime), to: views.wide(.wakingTime)) }
    var reloadsBegun: Int64 { reloads.sum(.started) }

    var requests: Int64 { minutes.reduce(0, +) }

    /// The most in so many minutes together, from the start on.
    func most(of width: Int) -> Int64 {
        stride(from: 0, to: minutes.count, by: width).map { start in
            minutes[start..<min(start + width, minutes.count)].reduce(0, +)
        }.max() ?? 0
    }
}

/// The requests of a platform in one hour of the day.
private struct PlatformHour {
    let counts: PlatformCounts
    let hour: Int
}

/// The effect of one gate on a stratum's refreshes in one bucket.
private struct QuotaRow {
    let stratum: ReportStratum
    let gate: AndroidGate
    let bucket: StandbyBucket
    /// The stratum's.
    let counts: BlockSum<QuotaCounts>

    var came: Int64 { gate == .messages ? counts[.came(bucket)] : 0 }
    var lowered: Int64 { gate == .messages ? counts[.lowered(bucket)] : 0 }

    var isZero: Bool {
        counts[.used(gate, bucket)] == 0 && counts[.refused(gate, bucket)] == 0 && counts[.waits(gate, bucket)] == 0
            && counts[.heldIn(gate, bucket)] == 0 && counts[.heldOut(gate, bucket)] == 0
            && counts.wide(.waitTime(gate, bucket)) == 0 && came == 0 && lowered == 0
    }
}

/// A stratum's refreshes of one means.
private struct RefreshRow {
    let stratum: ReportStratum
    let means: RefreshMeans
    let counts: BlockSum<QuotaCounts>

    var isZero: Bool {
        counts[.due(means)] == 0 && counts[.run(means)] == 0 && counts[.merged(means)] == 0
            && counts[.carriedIn(means)] == 0 && counts[.carriedOut(means)] == 0 && counts[.retried(means)] == 0
    }
}
