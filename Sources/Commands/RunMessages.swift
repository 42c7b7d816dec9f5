import Basics
import Reporting
import ResultFiles
import ScenarioFiles
import ScenarioModel
import Simulation

/// A run's messages on standard error before and after.
struct RunMessages {
    let scenario: Scenario
    let isQuiet: Bool

    func begin(estimate: ScenarioEstimate, threads: Int, shard: Shard? = nil, ranks: RankLink? = nil) {
        if isQuiet { return }
        let plan = scenario.plan
        let warmup = plan.warmup - plan.lead
        let before = warmup == .zero ? "" : " after \(TimeText.duration(warmup)) of warm-up"
        Console.plain(heading: "reloadsim \(ReloadsimVersion.text)")
        Console.plain("scenario  \(scenario.name)")
        Console.plain("seed      \(plan.seed)")
        Console.plain(
            "fleet     \(FigureText.counted(scenario.people, "person", "people"))"
                + (shard == nil ? ", about \(Figures.about(estimate.devices, "device"))" : ""))
        if let shard {
            let people = shard.people(of: scenario.people)
            Console.plain(
                "shard     \(shard): people \(FigureText.grouped(people.lowerBound)) to \(FigureText.grouped(people.upperBound - 1)), about "
                    + "\(Figures.about(estimate.devices, "device"))")
        }
        Console.plain(
            "report    \(TimeText.duration(scenario.reportedSpan)) from \(TimeText.iso(.start + plan.warmup, in: scenario.report.zone))\(before)"
        )
        if let ranks, ranks.share.ranks > 1 {
            let machines = Set(ranks.machines).count
            Console.plain(
                "ranks     \(ranks.share.ranks) on \(FigureText.counted(machines, "machine")), \(FigureText.counted(threads, "thread")) on this one"
            )
        }
        let seconds = estimate.seconds(threads: threads)
        let represented = Self.people(scenario.peopleBeforeService)
        Console.plain(
            "estimate  \(estimate.isLeast ? "at least " : "")\(Figures.about(estimate.events, "event")), \(Figures.about(estimate.requests, "request"))\(represented), "
                + "\(Figures.time(.number(seconds))) on \(FigureText.counted(threads, "thread")), \(Figures.about(estimate.memory(threads: threads) / 1_048_576)) MiB of memory"
        )
    }

    /// The key figures, the verdict on the thresholds, and the fingerprint on the last line.
    ///
    /// - Throws: the status of a broken threshold, which is said.
    func end(_ report: RunReport, folder: String) throws(CommandFailure) {
        for sentence in scenario.answerWarnings { Console.warning(sentence) }
        if !isQuiet {
            func figure(_ metric: String, _ digits: Int = 1) -> String {
                Figures.text(report.value(metric), digits: digits)
            }
            func percent(_ metric: String) -> String { Figures.percent(report.value(metric)) }
            // Before a service the load is that of those stood for, and the views are those of the people of the run.
            let represented = Self.people(scenario.peopleBeforeService)
            let sample = represented.isEmpty ? "" : Self.people(scenario.people)
            Console.plain(
                "requests  \(figure("requests_total"))\(represented), \(Self.perDeviceDay(report, scenario)), mean \(figure("load_mean_per_s", 2)) a second"
            )
            for (number, peak) in report.largestWindows.enumerated() {
                Console.plain(
                    (number == 0 ? "peaks     " : "          ") + Self.sentence(of: peak, zone: scenario.report.zone))
            }
            let shared = scenario.sharedDraws
            if !shared.isEmpty && scenario.service == nil && scenario.report.represents == nil {
                let without =
                    shared.contains { $0.reach == .everything }
                    ? "none"
                    : shared.contains { $0.reach == .activities } ? "none of Live Activities" : "none of staleness"
                Console.plain(
                    "ranges    \(without): another seed draws \(Self.list(shared)) again, for many people at once; "
                        + "`sweep --repeat` shows by how much seeds differ")
            }
            if let scaled = report.scaled { Console.plain("sample    " + UpscalingText.agreement(scaled, scenario)) }
            if let represented = scenario.report.represents { tell(report, for: represented) }
            if Console.isTerminal { for line in LoadGlance.lines(of: report) { Console.plain(line) } }
            if scenario.plan.parameters.gatesOpen && report.value("reloads_charged_per_instance_day").asDouble == 0 {
                Console.plain(
                    "reloads   \(figure("reloads_free_per_instance_day")) an instance-day, with no budget to hold them")
            } else {
                let budget =
                    scenario.plan.parameters.gatesOpen
                    ? "" : "; \(percent("share_tokens_expired")) of the tokens expired"
                Console.plain(
                    "reloads   \(figure("reloads_charged_per_instance_day")) charged and \(figure("reloads_free_per_instance_day")) free an instance-day\(budget)"
                )
            }
            for kind in scenario.plan.kinds where kind.readsApp && kind.dates.policy != .never {
                let share = percent(SummaryScope.kind.name(of: "share_reloads_unchanged", kind.id))
                Console.plain(
                    "unchanged \(share) of the reloads of \(kind.id) that end well bring what it shows: its app alone makes that newer (C6)"
                )
            }
            let others = Self.notFresh.dropFirst().filter { report.value($0.metric).asDouble ?? 0 > 0 }.map {
                ", \(percent($0.metric)) \($0.words)"
            }.joined()
            if report.value("views").asDouble == 0 {
                Console.plain("views     none: nobody looks")
            } else {
                Console.plain(
                    "views     \(figure("views"))\(sample): \(percent("share_fresh")) fresh, \(percent("share_stale")) stale\(others); "
                        + "age p50 \(Figures.time(report.value("age_p50_s"))), p95 \(Figures.time(report.value("age_p95_s")))"
                )
            }
            if scenario.plan.live != nil {
                Console.plain(
                    "live      \(figure("live.activities")) activities\(sample); \(figure("live.pushes_sent")) pushes, \(figure("live.send_peak_1s")) in 1 s; "
                        + "\(percent("live.share_shown")) are shown, after \(Figures.time(report.value("live.shown_after_p50_s"))), "
                        + "p95 \(Figures.time(report.value("live.shown_after_p95_s"))); \(percent("live.share_over_budget")) find the budget spent"
                )
            }
            if scenario.service != nil {
                Console.plain(
                    "service   \(figure("service.origin_peak_1s")) at the origin in 1 s, \(percent("service.share_hits")) from the edge; "
                        + "\(percent("service.share_shed")) shed; answers p99 \(Figures.time(report.value("service.response_time_p99_s")))"
                )
                if (report.value("service.share_not_modified").asDouble ?? 0) > 0 {
                    Console.plain(
                        "unchanged \(percent("service.share_not_modified")) of the answers told that nothing is new (S10)"
                    )
                }
                let isFailing = report.value("service.share_served").asDouble.map { $0 < 0.99 } == true
                Console.plain(
                    heading: "served    ", isFailing ? .red : .plain,
                    "\(percent("service.share_served")) of the requests and \(percent("service.share_reloads_ended_well")) of the reloads "
                        + "ended well; \(figure("service.retry_amplification", 2)) tries a request")
                tellIncidents(of: report)
                if let cost = cost(of: report) { Console.plain("cost      \(cost)") }
            }
            Console.plain("results   \(folder)")
        }
        let broken = report.verdicts.filter { !$0.holds }
        let objectives = DemandText.objectives(of: report.verdicts.map(\.threshold.metric))
        for (verdict, objective) in zip(report.verdicts, objectives) where !isQuiet || !verdict.holds {
            guard let objective else { continue }
            Console.plain(
                heading: "objective ", verdict.holds ? .bold : .red,
                "\(objective) \(verdict.holds ? "holds" : "is broken"): " + Self.text(of: verdict, objective, report))
        }
        for (verdict, objective) in zip(report.verdicts, objectives) where !verdict.holds && objective == nil {
            let demand =
                "\(verdict.threshold.metric) \(verdict.threshold.op.rawValue) \(Figures.short(verdict.threshold.value))"
            let isKnown = report.value(verdict.threshold.metric) != .missing
            let measured =
                verdict.measured != .missing
                ? "measured \(Self.measured(verdict))"
                : isKnown
                    ? "it is not known for the people stood for" : "it is not defined in this run"
            Console.plain(heading: "broken    ", .red, "\(demand): \(measured)")
        }
        if !isQuiet && !report.verdicts.isEmpty {
            Console.plain(
                "verdict   ",
                verdict:
                    "\(report.verdicts.count - broken.count) of \(report.verdicts.count) \(DemandText.noun(of: report.verdicts.map(\.threshold.metric))) hold\(report.verdicts.count == 1 ? "s" : "")",
                broken.isEmpty ? .green : .red)
        }
        if !isQuiet { Console.plain("fingerprint \(report.fingerprint)") }
        if !broken.isEmpty { throw CommandFailure(.brokenThreshold) }
    }

    /// The ways in which a view is not fresh.
    private static let notFresh: [(metric: String, words: String)] = [
        ("share_stale", "stale"), ("share_wrong_place", "of another place"),
        ("share_alternate", "of no place"), ("share_empty", "of nothing yet"), ("share_redacted", "hidden"),
        ("share_placeholder", "of a placeholder"),
    ]

    /// The requests of a device and day: of all that the line counts, and how many of them widgets' reloads sent where
    /// apps send others, such as background fetches.
    private static func perDeviceDay(_ report: RunReport, _ scenario: Scenario) -> String {
        // Before a service the requests are those of all for whom people stand, and so is the rest then.
        func value(_ metric: String) -> Double {
            scenario.peopleBeforeService.flatMap { _ in report.representedValue(metric) }
                ?? report.value(metric).asDouble ?? 0
        }
        let (all, sent, ofReloads) = (
            value("requests_total"), value("requests_sent"), value("requests_per_device_day")
        )
        let days = value("devices") * scenario.reportedSpan.inSeconds / 86_400
        let perDay = sent > 0 ? ofReloads * all / sent : days > 0 ? all / days : 0
        func text(_ value: Double) -> String { Figures.text(.number(value), digits: 1) }
        // Requests on their way as the report begins and ends make little of a difference.
        if (perDay - ofReloads).magnitude <= 0.01 * perDay { return "\(text(ofReloads)) a device-day" }
        return "\(text(perDay)) a device-day (\(text(ofReloads)) of them by reloads of widgets)"
    }

    /// An objective's share of good requests, its error budget, and when all was well again.
    private static func text(of verdict: ThresholdVerdict, _ objective: String, _ report: RunReport) -> String {
        func value(_ name: String) -> Double? {
            report.representedValue(SummaryScope.objective.name(of: name, objective))
        }
        guard let good = verdict.measured.asDouble else { return "no request ended" }
        let budget = value("budget_spent").map(Figures.short) ?? "0"
        var well = ""
        if !verdict.holds {
            well =
                value("well_after_s").map {
                    "; every minute keeps it again after \(TimeText.duration(Duration(seconds: $0)))"
                }
                ?? "; not kept again by the end of the report"
        }
        let (measured, bound) = Figures.percents(good, from: verdict.threshold.value)
        return "\(measured) good for \(bound), \(budget) times its error budget spent\(well)"
    }

    /// A month's cost and its parts, as far as the report knows them; nil if nothing has a price.
    private func cost(of report: RunReport) -> String? {
        guard let service = scenario.service, service.hasPrices else { return nil }
        func money(_ name: String) -> Double? { report.representedValue("service.cost_\(name)per_month") }
        let parts = ["servers", "requests", "bytes", "pushes"].compactMap { part in
            money(part + "_").flatMap { $0 == 0 ? nil : "\(part) \(Figures.short($0))" }
        }
        let currency = "\(service.prices.currency) a month"
        if let all = money("") { return "\(Figures.short(all)) \(currency): \(parts.joined(separator: ", "))" }
        return parts.isEmpty
            ? nil : "\(parts.joined(separator: ", ")) \(currency); the rest is known of a report of whole days"
    }

    /// In as many digits as tell it from the bound.
    private static func measured(_ verdict: ThresholdVerdict) -> String {
        let text = verdict.measured.asDouble.map(Figures.short)
        return text == nil || text == Figures.short(verdict.threshold.value) ? verdict.measured.text : text ?? ""
    }

    /// The consequences of the planned events of the service.
    private func tellIncidents(of report: RunReport) {
        let (shown, others) = IncidentText.worst(of: report.incidentTexts)
        for incident in shown {
            Console.plain(
                heading: "incident  ", incident.isUnwell ? .red : .bold,
                "\(incident.span) \(scenario.report.zone.place)")
            Console.plain("          " + incident.consequences)
        }
        if others > 0 {
            Console.plain("          \(others) more, with fewer failures, stand in service_incidents.csv")
        }
    }

    /// The main figures for the people that those of the run stand for.
    private func tell(_ report: RunReport, for people: Int) {
        let count = FigureText.counted(people, "person", "people")
        var figures: [(metric: String, words: String)] = [
            ("requests_total", "requests"), ("load_peak_1s", "in 1 s"), ("load_peak_1m", "in 1 min"),
            ("load_peak_1h", "in 1 h"), ("share_fresh", "of the views fresh"),
        ]
        figures += Self.notFresh.filter { report.value($0.metric).asDouble ?? 0 > 0 }.map {
            ($0.metric, "of the views \($0.words)")
        }
        figures += [
            ("age_p95_s", "s of age at 95 % of the views"), ("live.pushes_sent", "pushes to Live Activities"),
            ("live.send_peak_1s", "pushes in 1 s"), ("live.shown_after_p95_s", "s to the showing of 95 % of them"),
        ]
        let known = figures.compactMap { metric, words -> String? in
            let unit = metric.hasPrefix("share") ? "share" : ""
            if let range = report.range(metric) { return Figures.ranged(range, unit: unit, words) }
            return report.representedValue(metric).map { Figures.ranged($0, unit: unit, words) }
        }
        if known.isEmpty {
            Console.plain("stand for \(count): too little was counted to tell by how much others differ")
            return
        }
        let shared = scenario.sharedDraws
        Console.plain(
            "stand for \(count), with the range of 95 % of draws"
                + (shared.isEmpty
                    ? ":"
                    : " where figures do not follow \(Self.list(shared)), which the seed draws for many people at once:")
        )
        for text in known { Console.plain("          " + text) }
    }

    private static func list(_ shared: [SharedDraw]) -> String { shared.map(\.name).joined(separator: ", ") }

    /// ` from 1,000,000 people`; empty without a number.
    private static func people(_ count: Int?) -> String {
        count.map { " from " + FigureText.counted($0, "person", "people") } ?? ""
    }

    private static func width(_ seconds: Int) -> String {
        [1: "1 s", 60: "1 min", 3_600: "1 h"][seconds] ?? "\(seconds) s"
    }

    /// `12,253 in 1 s at 02:00:00 Sun 8 Mar New York (cause environment: 57 % of the requests of its minute)`.
    private static func sentence(of peak: LargestWindow, zone: ZoneTable) -> String {
        let width = width(peak.seconds)
        let range = peak.redraw.map {
            ", \(FigureText.grouped($0[.p2_5])) to \(FigureText.grouped($0[.p97_5])) in 95 % of draws"
        }
        let requests = "\(FigureText.grouped(peak.requests)) in \(width)"
        guard let cause = peak.cause, let share = peak.share else { return requests + (range ?? "") }
        let clock = TimeText.clock(ClockTime(microseconds: peak.start.clock.microseconds / 1_000_000 * 1_000_000))
        return
            "\(requests) at \(clock) \(TimeText.day(peak.start.date)) \(zone.place) (cause \(cause): \(Int(cutting: (share * 100).rounded())) % of the requests of \(peak.seconds < 60 ? "its minute" : "its minutes"))\(range ?? "")"
    }
}

/// Sentences about people who stand for many before a service.
enum UpscalingText {
    /// How the outcomes of reloads and what follows from them agree.
    static func agreement(_ scaled: ScaledService, _ scenario: Scenario) -> String {
        let (agreement, people) = (scaled.agreement, FigureText.counted(scenario.people, "person", "people"))
        let words = "\(people) for \(FigureText.grouped(scaled.people)) before the service"
        if agreement.rounds == 1 { return words + "; so few reloads fail for good that their return does not matter" }
        return words
            + "; what fails and what comes back agree after \(agreement.rounds) rounds (the last moved \(Figures.percent(.number(agreement.moved))) of the reloads)"
    }

    /// Refuses what needs the requests or the answers of each person.
    static func refuse(_ command: String, _ scenario: Scenario) throws {
        guard let people = scenario.peopleBeforeService else { return }
        throw CommandFailure(
            .usage,
            "no \(command) here: the people of the scenario stand for \(FigureText.grouped(people)) before a service (report.represents), who are not simulated one by one"
        )
    }

    /// Why a sample tells nothing.
    static func disagreement(_ scaled: ScaledService, _ scenario: Scenario) -> String {
        let agreement = scaled.agreement
        let failed = Figures.percent(.number(agreement.failed))
        let found =
            agreement.failedOfHalves.map {
                "\(failed) of the reloads fail by all people of the sample, \(Figures.percent(.number($0.0))) by one half of them and \(Figures.percent(.number($0.1))) by the other: \(agreement.halvesAgree ? "their rounds come to no end" : "they settle apart, as whole runs with other seeds do")"
            }
            ?? "\(failed) of the reloads fail, and the last round still moved \(Figures.percent(.number(agreement.moved)))"
        return "not known from a sample: after \(agreement.rounds) rounds \(found); "
            + "simulate all \(FigureText.grouped(scaled.people)) people without report.represents (run --dry-run says what that takes)"
    }
}
