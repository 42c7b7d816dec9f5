import Fleet

/// The dictionary of all columns and metrics as Markdown, from their declarations. It stands in `Reports/README.md` between two markers.
package enum ReportDictionary {
    package static let beginning =
        "<!-- The dictionary begins here. It is made by scripts/update-dictionary from the declarations in Sources/Reporting and Sources/Studies. -->"
    package static let end = "<!-- The dictionary ends here. -->"

    /// The names that stand for the columns that a study names itself.
    package static let (axis, metric) = ("each axis", "each metric")

    /// With both markers.
    ///
    /// - Parameter studies: the tables of studies, each with its title.
    package static func markdown(studies: [(title: String, table: TableDeclaration)]) -> String {
        let tables = RunTable.all.flatMap { section(of: $0.declaration, title: $0.declaration.fileName) }
        let trace = section(of: TraceReport.table.declaration, title: "Output of `reloadsim trace --format csv`")
        let lines: [[String]] = [
            [beginning, ""], tables, metrics, trace, events, studies.flatMap { section(of: $0.table, title: $0.title) }, [end],
        ]
        return lines.joined().joined(separator: "\n") + "\n"
    }

    private static func section(of table: TableDeclaration, title: String) -> [String] {
        ["## \(title)", "", table.meaning, "", "| column | type | unit | adds | meaning |", "|---|---|---|---|---|"]
            + table.columns.map { column in
                let type = column.type.rawValue + (column.isOptional ? ", may be empty" : "")
                let name = column.name.hasPrefix(axis) || column.name == metric ? column.name : "`\(column.name)`"
                return "| \(name) | \(type) | \(column.unit ?? "") | \(column.adds.rawValue) | \(cell(column.meaning)) |"
            } + [""]
    }

    private static var events: [String] {
        let rules = TraceEvent.allCases.map { event in
            switch event.rule {
            case .always(let rule): rule
            case .ofCause: "the cause's"
            case .ofGrant: "G1; of a free reload, the cause's"
            case .ofGate: "the first closed gate's"
            }
        }
        return ["### Events of a trace", "", "| event | rule | meaning |", "|---|---|---|"]
            + zip(TraceEvent.allCases, rules).map { event, rule in "| `\(event.name)` | \(rule) | \(cell(event.meaning)) |" } + [""]
    }

    private static var metrics: [String] {
        let segments = "each segment as `segment.<segment>.<metric>`"
        let devices = "each kind of device that anybody can have as `device.<kind of device>.<metric>`"
        return ["## Metrics of summary.csv", ""]
            + list("Fleet: for the run, for \(segments), and for \(devices).", SummaryMetric<UseCounts>.fleet)
            + list("Load: for the run, and for each endpoint as `endpoint.<endpoint>.<metric>`.", SummaryMetric<LoadCounts>.load)
            + list(
                "Use: for the run, for \(segments), for \(devices), and for each kind as `<kind>.<metric>`.", SummaryMetric<UseCounts>.use)
            + list(
                "Forecasts: for each kind that has one as `<kind>.<metric>`.",
                SummaryMetric<BlockSum<ForecastCounts>>.forecast(unit: "the kind's own"))
            + ["### Metrics of a service", ""]
            + list("The effect of the service on people: for all pools together as `service.<metric>`.", SummaryMetric.serviceUse)
            + list(
                "Requests, latencies and cost: for all pools together as `service.<metric>`, and for each as `service.<pool>.<metric>`.",
                SummaryMetric<ServiceCounts>.traffic + SummaryMetric.cost(currency: "the plan's currency"))
            + list(
                "Servers, simulated and by the closed forms of queues, which take arrivals at random: for each pool as `service.<pool>.<metric>`.",
                SummaryMetric<PoolNeed>.servers)
    }

    private static func list<Source>(_ title: String, _ metrics: [SummaryMetric<Source>]) -> [String] {
        [title, "", "| metric | unit | meaning |", "|---|---|---|"] + metrics.map { "| `\($0.name)` | \($0.unit) | \(cell($0.meaning)) |" }
            + [""]
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
