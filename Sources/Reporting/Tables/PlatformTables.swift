import Basics
import Fleet
import Statistics
import WidgetPlatform

extension RunTable {
    static let platforms: RunTable = RunTable(
        "platforms",
        "The devices of one platform a row: their load, its peaks, and what their people see. Requests are counted as they arrive at the edge.",
        [
            platform(\.platform),
            .figures(
                [
                    .count("devices", \.devices, "Devices."), .instances(\.reloads[.instances]),
                    .count("requests", \.requests, "Requests that arrive."),
                    .value(
                        "requests_per_device_day", "requests",
                        { Ratio.perDay($0.requests, of: $0.devices, over: $0.span) },
                        "The same for each device and 24 hours."),
                    .value(
                        "peak_1m", "requests", { $0.most(of: 1) },
                        "The most requests in a whole minute of the report. The peaks of two platforms need not meet."),
                    .value(
                        "peak_1m_to_mean", "ratio",
                        { Ratio.of($0.most(of: 1) * Int64($0.minutes.count), to: $0.requests) },
                        "The same over the mean of all minutes."),
                    .value(
                        "peak_15m", "requests", { $0.most(of: 15) },
                        "The most requests in a quarter of an hour, counted from the start of the report."),
                ]),
            .figures(\.views, [.views, .share(of: .fresh), .share(of: .stale), .meanAge, .shareTimeStale]),
            .sum("reloads", "Reloads begun.") { $0.reloads.sum(.started.all) },
            .figures(\.reloads, .failed.named("failed")),
        ]
    ) { (report) -> [PlatformCounts] in Platform.allCases.map { PlatformCounts($0, report) } }

    private static func platform<Row>(_ platform: @escaping @Sendable (Row) -> Platform) -> Columns<Row> {
        .word("platform", "The platform", platform)
    }

    static let platformHours: RunTable = RunTable(
        "platform_hours",
        "The requests of one platform's devices in one hour of the report's clock a row, all days together.",
        [
            platform(\.counts.platform),
            .key("local_hour", "The hour of the clock of `report.zone`.") { Int64($0.hour) },
            .sum("requests", "Requests that arrive in it.") { $0.counts.hours[$0.hour] },
            .derived("requests_per_device_day", "The same for each device and 24 hours; it adds up over the hours.") {
                Ratio.perDay($0.counts.hours[$0.hour], of: $0.counts.devices, over: $0.counts.span)
            },
        ]
    ) { (report) -> [(counts: PlatformCounts, hour: Int)] in
        Platform.allCases.map { PlatformCounts($0, report) }.flatMap { counts in (0..<24).map { (counts, $0) } }
    }

    static let quota: RunTable = RunTable(
        "quota",
        "The gates that held the refreshes of one segment's provider on one kind of device with Android, by gate and bucket a row (section 13). Over the rows of an app's messages came + carried_in = used + refused + carried_out. Rows of nothing are left out.",
        [
            .stratum(\.stratum),
            .word("gate", "The gate", \.part.0), .word("bucket", "The app's bucket then (N3)", \.part.1),
            .figures(.quota),
        ]
    ) { (report) -> [QuotaRow<(AndroidGate, StandbyBucket)>] in
        report.androidStrata.by(AndroidGate.allCases, StandbyBucket.allCases).filter { !Figures.quota.isZero($0) }
    }

    static let refreshes: RunTable = RunTable(
        "refreshes",
        "The refreshes of one segment's provider on one kind of device with Android, by what asked for them a row: due + carried_in = run + merged + carried_out. Rows of nothing are left out.",
        [
            .stratum(\.stratum),
            .word("means", "What asked", \.part),
            .figures(.refreshes),
        ]
    ) { (report) -> [QuotaRow<RefreshMeans>] in
        report.androidStrata.by(RefreshMeans.allCases).filter { !Figures.refreshes.isZero($0) }
    }
}

/// A part of a stratum of devices with Android, with the counts of the stratum's providers.
private typealias QuotaRow<Part> = StratumRow<Part, BlockSum<QuotaCounts>>

extension Figures<QuotaRow<(AndroidGate, StandbyBucket)>> {
    fileprivate static let quota: Self = [
        .count(
            "came", { $0.part.0 == .messages ? $0.counts[.came($0.part.1)] : 0 },
            "Messages that came to the device; 0 for other gates."),
        .count(
            "used", { $0.counts[.used($0.part.0, $0.part.1).number] },
            "What counted against its limit: runs of jobs and of expedited jobs, alarms in Doze, messages delivered; 0 for gates without a limit."
        ),
        .value(
            "used_s", "s", adds: .sum, { Ratio.ofMillionths($0.counts.wide(.used($0.part.0, $0.part.1).time), to: 1) },
            "The run time that did."),
        .count(
            "refused", { $0.counts[.refused($0.part.0, $0.part.1)] },
            "What came to nothing at its limit: messages, and expedited jobs that ran as ordinary ones."),
        .count(
            "waited", { $0.counts[.waits($0.part.0, $0.part.1).number] },
            "Refreshes that it held; one that several held counts at each."),
        .value(
            "waited_s", "s", adds: .sum,
            { Ratio.ofMillionths($0.counts.wide(.waits($0.part.0, $0.part.1).time), to: 1) }, "How long, together."),
        .count(
            "carried_in", { $0.counts[.heldIn($0.part.0, $0.part.1)] },
            "Refreshes, or messages, that it held as the report began."),
        .count("carried_out", { $0.counts[.heldOut($0.part.0, $0.part.1)] }, "Those that it held as the report ended."),
        .count(
            "lowered", { $0.part.0 == .messages ? $0.counts[.lowered($0.part.1)] : 0 },
            "Messages of high priority that were delivered as ordinary ones; 0 for other gates."),
    ]
}

extension Figures<QuotaRow<RefreshMeans>> {
    fileprivate static let refreshes: Self = [
        .count("due", { $0.counts[.due($0.part)] }, "Refreshes that were asked for."),
        .count("run", { $0.counts[.run($0.part)] }, "Those that ran, each for all instances of its device."),
        .count(
            "merged", { $0.counts[.merged($0.part)] },
            "Those that another refresh took in that waited, or that ran as work instead."),
        .count("carried_in", { $0.counts[.carriedIn($0.part)] }, "Those that waited as the report began."),
        .count("carried_out", { $0.counts[.carriedOut($0.part)] }, "Those that waited as it ended."),
        .count(
            "retried", { $0.counts[.retried($0.part)] },
            "Jobs that failed and are tried again (N2); each further try is due as `work`."),
    ]
}

extension RunReport {
    /// The strata of devices with Android, each with the counts of its providers.
    fileprivate var androidStrata: [QuotaRow<Void>] {
        let (layout, strata) = (result.measures.layout, strata)
        return layout.androidStrata.enumerated().map { place, stratum in
            QuotaRow(
                stratum: strata[stratum], part: (),
                counts: BlockSum(result.measures, at: layout.quotaPlace(ofAndroidStratum: place)))
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
            views.add(report.views(stratum))
        }
        let ofAndroid = (0..<layout.minutes).map { BlockSum(measures, at: layout.minutePlace($0))[.requests] }
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

    var requests: Int64 { minutes.reduce(0, +) }

    /// The most in so many minutes together, from the start on.
    func most(of width: Int) -> Int64 {
        stride(from: 0, to: minutes.count, by: width).map { start in
            minutes[start..<min(start + width, minutes.count)].reduce(0, +)
        }.max() ?? 0
    }
}
