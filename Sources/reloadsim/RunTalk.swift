import Fleet
import PlainText
import Reporting
import RunFiles
import ScenarioFiles
import SimulatedTime
import Simulation

/// What a run says on standard error before and after.
struct RunTalk {
    private let scenario: Scenario
    private let isQuiet: Bool

    init(_ scenario: Scenario, isQuiet: Bool) {
        self.scenario = scenario
        self.isQuiet = isQuiet
    }

    func begin(estimate: ScenarioEstimate, threads: Int, shard: Shard? = nil) {
        if isQuiet { return }
        let plan = scenario.plan
        let utc = plan.zones.first { $0.name == "UTC" } ?? plan.clock.zoneTable("UTC", until: plan.end)!
        let warmup = plan.warmup == .zero ? "" : " after \(TimeText.duration(plan.warmup)) of warm-up"
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("scenario  \(scenario.name)")
        Console.plain("seed      \(plan.seed)")
        Console.plain(
            "fleet     \(FigureText.grouped(scenario.people)) people"
                + (shard == nil ? ", about \(Figures.about(estimate.devices)) devices" : ""))
        if let shard {
            let people = shard.people(of: scenario.people)
            Console.plain(
                "shard     \(shard): people \(FigureText.grouped(people.lowerBound)) to \(FigureText.grouped(people.upperBound - 1)), about "
                    + "\(Figures.about(estimate.devices)) devices")
        }
        Console.plain(
            "report    \(TimeText.duration(scenario.reportedSpan)) from \(TimeText.iso(.start + plan.warmup, in: utc))\(warmup)")
        let seconds = estimate.seconds(threads: threads)
        Console.plain(
            "estimate  \(Figures.about(estimate.events)) events, \(Figures.about(estimate.requests)) requests, "
                + "\(Figures.time(.number(seconds))) on \(threads) threads, \(Figures.about(estimate.memory(threads: threads) / 1_048_576)) MiB of memory"
        )
    }

    /// The key figures, the verdict on the thresholds, and the fingerprint on the last line.
    func end(_ report: RunReport, folder: String) {
        if !isQuiet {
            func figure(_ metric: String, _ digits: Int = 1) -> String { Figures.text(report.value(metric), digits: digits) }
            func percent(_ metric: String) -> String { Figures.percent(report.value(metric)) }
            Console.plain(
                "requests  \(figure("requests_total")), \(figure("requests_per_device_day")) a device-day, mean \(figure("load_mean_per_s", 2)) a second"
            )
            Console.plain(
                "peaks     \(figure("load_peak_1s")) in 1 s, \(figure("load_peak_1m")) in 1 min, \(figure("load_peak_1h")) in 1 h")
            Console.plain(
                "reloads   \(figure("reloads_charged_per_instance_day")) charged and \(figure("reloads_free_per_instance_day")) free an instance-day; "
                    + "\(percent("share_tokens_expired")) of the tokens expired")
            Console.plain(
                "views     \(figure("views")): \(percent("share_fresh")) fresh, \(percent("share_stale")) stale; "
                    + "age p50 \(Figures.time(report.value("age_p50_s"))), p95 \(Figures.time(report.value("age_p95_s")))")
            if !report.service.isEmpty {
                Console.plain(
                    "service   \(figure("service.origin_peak_1s")) at the origin in 1 s, \(percent("service.share_hits")) from the edge; "
                        + "\(percent("service.share_shed")) shed; answers p99 \(Figures.time(report.value("service.response_time_p99_s")))")
                Console.plain(
                    "          \(percent("service.share_served")) of the requests and \(percent("service.share_reloads_ended_well")) of the reloads "
                        + "ended well; \(figure("service.retry_amplification", 2)) tries a request")
            }
            Console.plain("results   \(folder)")
        }
        let broken = report.verdicts.filter { !$0.holds }
        for verdict in broken {
            let demand = "\(verdict.threshold.metric) \(verdict.threshold.op.rawValue) \(verdict.threshold.value)"
            let measured = verdict.measured == .missing ? "it is not defined in this run" : "measured \(verdict.measured.text)"
            Console.plain(heading: "broken    ", .red, "\(demand): \(measured)")
        }
        if isQuiet { return }
        if !report.verdicts.isEmpty {
            Console.plain(
                "verdict   ",
                verdict: "\(report.verdicts.count - broken.count) of \(report.verdicts.count) thresholds hold", broken.isEmpty ? .green : .red)
        }
        Console.plain("fingerprint \(report.fingerprint)")
    }
}
