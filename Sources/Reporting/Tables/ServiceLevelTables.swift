import Basics
import RefreshService
import ResultFiles
import Statistics

extension RunTable {
    private static let onlyWithObjectives =
        " The file is there only if the service has `objectives`. A request counts in the minute in which it ended."

    static let serviceLevels: RunTable = RunTable(
        "service_levels",
        "One objective of the service over the report a row, for all regions together and, without a `within`, for each: its error budget, how fast it burns, and when all was well again."
            + onlyWithObjectives,
        [
            .objective(\.budget.objective.name),
            .key(
                "region", "The edge region that the requests reached; `\(ReportWords.all)` for all together.", \.region),
            .derived("share", "The share that shall be good.", \.budget.objective.share),
            .derived(
                "within_s", unit: "s", "The time in which an answer is good; empty for any.",
                \.budget.objective.within),
            .figures(\.budget, .objective),
            .derived("worst_hour_start_s", unit: "s", "When this hour began, from the start of the report.") {
                $0.budget.worstHour.map { $0.start * 60 }
            },
            .derived("holds", "Whether the objective holds; empty without requests.") { $0.budget.holds },
        ]
    ) { (report) -> [(region: String, budget: ErrorBudget)] in
        report.objectives.flatMap { objective in
            [(ReportWords.all, report.errorBudget(objective))]
                + (objective.within == nil && report.names.regions.count > 1
                    ? report.names.regions.enumerated().map { ($1, report.errorBudget(objective, region: $0)) } : [])
        }
    }

    static let serviceLevelBins: RunTable = RunTable(
        "service_level_bins", "One objective of the service in one bin a row." + onlyWithObjectives,
        [
            .bin(\.start), .objective(\.span.budget.objective.name), .figures(\.span, .ended),
            .derived("burn", "The share of bad requests over the share that is allowed.") {
                $0.span.budget.burn($0.span.minutes)
            },
            .figures(\.span, .spent),
        ]
    ) { (report) -> [(start: ReportInstant, span: BudgetSpan)] in
        let budgets = report.errorBudgets
        return report.bins(minutes: budgets.first?.minutes ?? 0).flatMap { start, minutes in
            budgets.map { (start, BudgetSpan(budget: $0, minutes: minutes)) }
        }
    }

    static let serviceAlerts: RunTable = RunTable(
        "service_alerts",
        "One alert that would have fired a row, by the rules of the SRE workbook: the budget burns faster than the rate in both windows, judged at the end of each minute over the minutes that there are, from the first whole short window on."
            + onlyWithObjectives,
        [
            .objective(\.name),
            .key(
                "rule",
                "The rate and its two windows: "
                    + BurnRule.all.map { "`\($0.name)`, a \($0.isPage ? "page" : "ticket")" }.joined(separator: "; ")
                    + "."
            ) { $0.rule.name },
            .key("start_s", unit: "s", "When it fired, from the start of the report.") { $0.alert.start * 60 },
            .clocks(of: "start", \.instant),
            .derived(
                "end_s", unit: "s",
                "When it was over, from the start of the report; empty if it was not at the report's end."
            ) { $0.alert.end.map { $0 * 60 } }, .derived("burn", "The largest rate of its long window.", \.alert.burn),
        ]
    ) { (report) -> [(name: String, rule: BurnRule, alert: BurnAlert, instant: ReportInstant)] in
        report.errorBudgets.flatMap { budget in
            BurnRule.all.flatMap { rule in
                budget.alerts(rule).map {
                    (budget.objective.name, rule, $0, report.instant(after: .minutes(Int64($0.start))))
                }
            }
        }
    }
}

/// An objective's requests in some minutes of the report.
private struct BudgetSpan {
    let budget: ErrorBudget
    let minutes: Range<Int>
}

extension Figures<ErrorBudget> {
    /// Figures of an objective over the report.
    static let objective: Self = [
        .value("requests", "requests", \.requests, "Requests of the fleet that ended."),
        .value("bad", "requests", \.bad, "Those of them that were refused, timed out or were answered too late."),
        .value(
            DemandText.goodShare, "share", { Ratio.of($0.requests - $0.bad, to: $0.requests) },
            "The share of the others."),
        .value("budget_spent", "ratio", { $0.spent(before: $0.minutes) }, budgetSpent),
        .value(
            "burn_worst_1h", "ratio", { $0.worstHour?.burn },
            "The share of bad requests over the share that is allowed, in the hour where it is largest; hours begin at any minute."
        ),
        .value(
            "missed_s", "s", { Double($0.missedMinutes) * 60 },
            "The length of all minutes in which a larger share of the requests was bad than the objective allows."),
        .value(
            "well_after_s", "s", { $0.wellAfter.map { Double($0) * 60 } },
            "From the beginning of the first such minute to the end of the last one: 0 without any, and empty if no request ended after it."
        ),
    ]
    fileprivate static let budgetSpent =
        "The bad requests since the start of the report, over those that the objective allows in all of it: above 1 it is missed."
}

extension Figures<Incident?> {
    /// Figures of a planned event, all regions together; none if it does not touch the report.
    static let event: Self = [
        .value("requests", "requests", { $0?.all.failures.requests }, ended),
        .value("failed", "requests", { $0?.all.failures.failed }, failed),
        .value("share_failed", "share", { $0.flatMap { Ratio.of($0.all.failures) } }, shareFailed),
        .value("well_after_s", "s", { $0?.all.wellAfter?.inSeconds }, wellAfter),
    ]
    fileprivate static let ended = "Requests that ended."
    fileprivate static let failed = "Those of them that were refused or timed out."
    fileprivate static let shareFailed = "Their share; empty without requests."
    fileprivate static let wellAfter =
        "From the beginning of the event until all was well again; of all together until every region was: until the first minute in which requests ended after the last one with more than a hundredth of failures, at most an hour after the event or another such minute and before the next event. 0 if there was none; empty if no request ended after it, before the next event or the end of the report."
}

extension Figures<BudgetSpan> {
    fileprivate static let ended: Self = [
        .count("requests", { $0.budget.requests(in: $0.minutes) }, "Requests of the fleet that ended."),
        .count(
            "bad", { $0.budget.bad(in: $0.minutes) },
            "Those of them that were refused, timed out or were answered too late."),
    ]
    fileprivate static let spent = value(
        "budget_spent", "ratio", { $0.budget.spent(before: $0.minutes.upperBound) }, Figures<ErrorBudget>.budgetSpent)
}

extension Columns {
    fileprivate static func objective(_ name: @escaping @Sendable (Row) -> String) -> Self {
        .key("objective", "The objective's name.", name)
    }
}

extension ErrorBudget {
    /// The counts of all pools, of some regions; of an objective with a time those of all regions are known alone.
    init(_ objective: ServiceObjective, _ measures: ServiceMeasures, regions: Range<Int>? = nil) {
        precondition(regions == nil || objective.within == nil, "late answers of one region")
        var (requests, bad): ([Int64], [Int64]) = ([], [])
        let pools = 0..<measures.pools
        for minute in 0..<measures.minutes {
            let counts = measures.counts(
                pools: pools, regions: regions ?? 0..<measures.regions, minutes: minute..<minute + 1)
            requests.append(counts.ended)
            var late: Int64 = 0
            if let within = objective.within {
                for pool in pools {
                    let answers = measures[.responseTime, pool: pool].byMinute.distribution(of: minute..<minute + 1)
                    late += answers.total - answers.count(atMost: within)
                }
            }
            bad.append(counts.failed + late)
        }
        self.init(objective, requests: requests, bad: bad)
    }
}

extension RunReport {
    package var objectives: [ServiceObjective] { result.scenario.service?.objectives ?? [] }

    /// An objective's requests, of all regions or of one.
    fileprivate func errorBudget(_ objective: ServiceObjective, region: Int? = nil) -> ErrorBudget {
        guard let measures = result.service else { preconditionFailure("an objective without a service") }
        return ErrorBudget(objective, measures, regions: region.map { $0..<$0 + 1 })
    }

    /// One for each objective of the service; none without any.
    fileprivate var errorBudgets: [ErrorBudget] { objectives.map { errorBudget($0) } }
}

extension RunTable {
    static let serviceIncidents: RunTable = RunTable(
        "service_incidents",
        "The requests of the fleet during one planned event of the service (S4), or while devices of a region are sent to another one without an outage (S7): all regions together and each with requests, one a row, by the minutes of the report from the event's beginning to its end, or until all was well again if that was later: up to `counted_to_s`. Rows of regions have each their own end, and do not add up. The file is there only if the scenario has a service (S2).",
        [
            .key("event", "The event's name, or the two regions.", \.incident.event),
            .key(
                "region", "The edge region that the requests reached; `\(ReportWords.all)` for all together.", \.region),
            .key("start_s", unit: "s", "When the event began, from the start of the report; negative in the warm-up.") {
                $0.incident.from
            },
            .clocks(of: "start", \.start),
            .derived(
                "end_s", unit: "s",
                "When it was over, from the start of the report; empty if it was not at the report's end.",
                \.incident.to),
            .clocks(of: "end", ofOptional: \.end),
            .derived(
                "counted_to_s", unit: "s", "The end of the minutes that are counted, from the start of the report.",
                \.part.until),
            .derived("requests", Figures<Incident?>.ended, \.part.failures.requests),
            .derived("failed", Figures<Incident?>.failed, \.part.failures.failed),
            .derived("share_failed", Figures<Incident?>.shareFailed) { Ratio.of($0.part.failures) },
            .derived(
                "worst_minute_start_s", unit: "s",
                "The beginning of the minute with the most failures, from the start of the report; empty if none failed."
            ) { $0.part.worst.map { Int64($0.minute) * 60 } },
            .derived("worst_minute_requests", "Requests that ended in it.") { $0.part.worst?.failures.requests },
            .derived("worst_minute_failed", "Those of them that failed.") { $0.part.worst?.failures.failed },
            .derived("worst_minute_share_failed", "Their share.") { $0.part.worst.flatMap { Ratio.of($0.failures) } },
            .derived("well_after_s", unit: "s", Figures<Incident?>.wellAfter, \.part.wellAfter),
            .derived(
                "well_after_least_s", unit: "s",
                "The shortest such time of this run and of its half samples, where people stand for others before a service: an echo that just overruns in one of them is none in another. Empty where they do not.",
                \.part.wellAfterRange?.least),
            .derived(
                "well_after_most_s", unit: "s",
                "The longest of them; empty if any of these does not know it.", \.part.wellAfterRange?.most),
        ]
    ) { (report, add: Table<IncidentRow>.RowSink) throws(OutputProblem) in
        for incident in report.incidents {
            for (region, part) in [(ReportWords.all, incident.all)] + incident.regions.map({ ($0.name, $0.part) }) {
                try add(
                    IncidentRow(
                        incident: incident, region: region, part: part, start: report.instant(after: incident.from),
                        end: incident.to.map(report.instant)))
            }
        }
    }
}

private struct IncidentRow {
    let incident: Incident
    let region: String
    let part: Incident.Part
    let start: ReportInstant
    let end: ReportInstant?
}

extension Ratio {
    fileprivate static func of(_ failures: Incident.Failures) -> Double? { of(failures.failed, to: failures.requests) }
}
