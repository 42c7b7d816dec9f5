import Fleet
import ScenarioFiles

/// The dictionary of all columns and metrics as Markdown, from their declarations. It stands in `Reports/README.md`
/// between two markers.
package enum ReportDictionary {
    package static let beginning =
        "<!-- The dictionary begins here. It is made by scripts/update-dictionary from the declarations in Sources/Reporting and Sources/Studies. -->"
    package static let end = "<!-- The dictionary ends here. -->"

    /// The names that stand for the columns that a study names itself.
    package static let (axis, metric) = ("each axis", "each metric")

    /// With both markers and an index by question.
    ///
    /// - Parameter studies: the tables of studies, each with its title.
    package static func markdown(studies: [(title: String, table: TableDeclaration)]) -> String {
        let lines: [[String]] = [
            [beginning, ""], index(studies: studies),
            RunTable.all.flatMap { section(of: $0.declaration, title: $0.declaration.fileName) },
            metricSections, section(of: trace, title: traceTitle), events,
            PeopleReport.tables.flatMap { section(of: $0.table, title: $0.title) },
            studies.flatMap { section(of: $0.table, title: $0.title) }, [end],
        ]
        return lines.joined().joined(separator: "\n") + "\n"
    }

    /// The tables of a run, its trace and its people, each with the heading that it has in the dictionary.
    package static var tables: [(title: String, table: TableDeclaration)] {
        RunTable.all.map { ($0.declaration.fileName, $0.declaration) } + [(traceTitle, trace)]
            + PeopleReport.tables
    }

    private static var trace: TableDeclaration { TraceReport.table.declaration }
    private static let traceTitle = "Output of `reloadsim trace --format csv`"
    private static let eventsTitle = "Events of a trace"
    private static let (metricsTitle, serviceMetricsTitle) = ("Metrics of summary.csv", "Metrics of a service")
    private static let activityMetricsTitle = "Metrics of Live Activities"

    /// The questions that a run answers, each with the tables to look into.
    package static let questions: [(question: String, tables: [String])] = [
        (
            "How hard do requests hit, when, and why?",
            [
                "load_peaks", "load", "load_hours", "load_duration", "load_peak_causes", "load_peak_window",
                "load_peak_minutes",
                "load_seconds",
                "reload_causes",
            ]
        ),
        ("How fresh is what people see?", ["staleness", "staleness_hours", "location"]),
        (
            "What does the budget allow, and what does it withhold?",
            ["budget", "budget_totals", "budget_waits", "reloads", "reload_causes", "reload_totals", "reload_delays"]
        ),
        (
            "Does the service stand?",
            [
                "service_incidents", "service", "service_latencies", "service_latency_bins", "service_events",
                "failover",
                "service_levels",
                "service_level_bins", "service_alerts", "load_peaks",
            ]
        ),
        (
            "What do servers send, and when is it shown?",
            ["live_activities", "live_views", "pushes", "push_sends", "push_peaks"]
        ),
        ("What does Android let providers refresh?", ["platforms", "platform_hours", "quota", "refreshes"]),
        ("What do controls show, and what reloads them?", ["controls"]),
        ("When does the system transfer what it fetches in the background?", ["background_transfers"]),
        (
            "Who are the people, and what do they look at?",
            ["fleet", "views_by_hour", "presentation", "presentation_surfaces", "openings", "profiles", "events"]
        ),
        ("Is it good enough?", ["summary", "thresholds"]),
        ("What happened to one person?", ["trace"]),
    ]

    private static func index(studies: [(title: String, table: TableDeclaration)]) -> [String] {
        let known = tables
        func link(_ name: String) -> String {
            let title = known.first { $0.table.name == name }?.title ?? name
            return MarkdownHeading.link("`\(name)`", to: title)
        }
        var rows = questions.map { ($0.question, $0.tables.map(link)) }
        rows.append(
            (
                "Which figure sums it up?",
                [metricsTitle, serviceMetricsTitle, activityMetricsTitle, eventsTitle].map {
                    MarkdownHeading.link($0, to: $0)
                }
            ))
        rows.append(
            ("How do the runs of a study differ?", studies.map { MarkdownHeading.link($0.title, to: $0.title) }))
        return ["| question | tables |", "|---|---|"] + rows.map { "| \($0) | \($1.joined(separator: ", ")) |" } + [""]
    }

    private static func section(of table: TableDeclaration, title: String) -> [String] {
        ["## \(title)", "", table.meaning, "", "| column | type | unit | adds | meaning |", "|---|---|---|---|---|"]
            + table.columns.map { column in
                let type = column.type.rawValue + (column.isOptional ? ", may be empty" : "")
                let name = column.name.hasPrefix(axis) || column.name == metric ? column.name : "`\(column.name)`"
                return
                    "| \(name) | \(type) | \(column.unit ?? "") | \(column.adds.rawValue) | \(cell(column.meaning)) |"
            } + [""]
    }

    /// An event of a trace in words.
    package struct EventDescription: Sendable {
        /// The id of its rule, or words for it where that depends on the reload.
        package let name, rule, meaning: String
    }

    package static var traceEvents: [EventDescription] {
        TraceEvent.allCases.map { event in
            let rule =
                switch event.rule {
                case .always(let rule): rule
                case .ofCause: "the cause's"
                case .ofGrant: "G1; of a free reload, the cause's"
                case .ofGate: "the first closed gate's"
                }
            return EventDescription(name: event.name, rule: rule, meaning: event.meaning)
        }
    }

    private static var events: [String] {
        ["### " + eventsTitle, "", "| event | rule | meaning |", "|---|---|---|"]
            + traceEvents.map { "| `\($0.name)` | \($0.rule) | \(cell($0.meaning)) |" } + [""]
    }

    /// A metric of a run's summary in words.
    package struct MetricDescription: Sendable {
        package let name, unit, meaning: String
        /// The parts of a run that have it, and its names there.
        package let scope: String
    }

    /// All metrics, those of a service and of Live Activities last.
    package static var metrics: [MetricDescription] {
        (runMetrics + serviceMetrics).flatMap { $0 } + activityMetrics
    }

    /// Whether some scenario has a metric of the name, of whatever part.
    package static func hasMetric(_ name: String) -> Bool {
        let own = name.split(separator: ".").last.map(String.init)
        return metrics.contains { $0.name == own }
    }

    private static var metricSections: [String] {
        ["## " + metricsTitle, ""] + runMetrics.flatMap(list) + ["### " + serviceMetricsTitle, ""]
            + serviceMetrics.flatMap(list) + ["### " + activityMetricsTitle, ""] + list(activityMetrics)
    }

    private static func list(_ metrics: [MetricDescription]) -> [String] {
        [metrics[0].scope, "", "| metric | unit | meaning |", "|---|---|---|"]
            + metrics.map { "| `\($0.name)` | \($0.unit) | \(cell($0.meaning)) |" } + [""]
    }

    private static func described<Source>(_ scope: String, _ metrics: Figures<Source>)
        -> [MetricDescription]
    {
        metrics.all.map {
            MetricDescription(name: $0.name, unit: $0.unit, meaning: $0.meaning, scope: scope)
        }
    }

    private static var runMetrics: [[MetricDescription]] {
        let segments = "each segment as `segment.<segment>.<metric>`"
        let devices = "each kind of device that anybody can have as `device.<kind of device>.<metric>`"
        return [
            described(
                "Fleet: for the run, for \(segments), and for \(devices).", Figures<UseCounts>.fleet),
            described(
                "Load: for the run, and for each endpoint as `endpoint.<endpoint>.<metric>`.",
                Figures<LoadCounts>.load),
            described(
                "Use: for the run, for \(segments), for \(devices), and for each kind as `<kind>.<metric>`.",
                Figures<UseCounts>.use),
            described(
                "Forecasts: for each kind that has one as `<kind>.<metric>`.",
                Figures.forecastError(unit: "the kind's own")),
        ]
    }

    private static var serviceMetrics: [[MetricDescription]] {
        [
            described(
                "The effect of the service on people: for all pools together as `service.<metric>`.",
                Figures.serviceUse),
            described(
                "Requests, latencies and cost: for all pools together as `service.<metric>`, and for each as `service.<pool>.<metric>`.",
                [.traffic, .cost(currency: "the plan's currency")] as Figures<ServiceCounts>),
            described(
                "Servers, simulated and by the exact formulas of queues, which take arrivals at random: for each pool as `service.<pool>.<metric>`.",
                Figures.servers),
            described(
                "The service's objectives: for each as `objective.<objective>.<metric>`. Its demand on `share_good` is a threshold of every run.",
                Figures.objective),
            described(
                "The planned events of the service, by the minutes from an event's beginning to its end, or until all was well again if that was later: for each as `event.<event>.<metric>`. They are empty if the event does not touch the report.",
                Figures.event),
        ]
    }

    private static var activityMetrics: [MetricDescription] {
        described(
            "For all Live Activities together as `live.<metric>`, and for each kind as `live.<kind>.<metric>`.",
            Figures.activities)
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
