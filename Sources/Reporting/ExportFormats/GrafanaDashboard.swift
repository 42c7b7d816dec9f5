import Basics

/// A dashboard for Grafana over the counters of `requests.om`, beside those of the real service.
extension ExportContents {
    /// `dashboard.json`: to import as it is; the variable `real` takes a query for the real requests a second.
    var grafanaDashboard: ExportFile {
        let selection =
            "reloadsim_requests_total{stage=\"\(settings.stage.rawValue)\",endpoint=~\"$endpoint\",region=~\"$region\"}"
        func simulated(by label: String? = nil) -> String {
            "sum\(label.map { " by (\($0))" } ?? "") (rate(\(selection)[$__rate_interval]))"
        }
        let panels = [
            Panel(
                "Simulated beside real", [("simulated", simulated()), ("real", "$real")],
                "Requests a second of the run, and those of the query in the variable real."),
            Panel("By endpoint", [("{{endpoint}}", simulated(by: "endpoint"))], "Simulated requests a second."),
            Panel("By region", [("{{region}}", simulated(by: "region"))], "Simulated requests a second."),
            Panel(
                "By cause", [("{{cause}}", simulated(by: "cause"))], "Simulated requests a second, by what led to them."
            ),
            Panel(
                "Simulated over real", [("ratio", "\(simulated()) / ($real)")],
                "Above 1 the run has more requests than the real service."),
        ]
        let dashboard: [(String, JSONText)] = [
            ("title", .string("reloadsim")), ("uid", .string("reloadsim-requests")), ("description", .string(origin)),
            ("tags", .array([.string("reloadsim")])), ("editable", .boolean(true)), ("schemaVersion", .integer(39)),
            ("timezone", .string("utc")), ("refresh", .string("")),
            (
                "time",
                .object([
                    ("from", .string(Self.text(settings.span.lowerBound, clock))),
                    ("to", .string(Self.text(settings.span.upperBound, clock))),
                ])
            ), ("templating", .object([("list", .array(Self.dashboardVariables))])),
            ("annotations", .object([("list", .array([]))])),
            ("panels", .array(panels.enumerated().map { $1.json(place: $0) })),
        ]
        return ExportFile("dashboard.json", text: ScriptText<Script.JSON>("\(json: .object(dashboard))"))
    }

    private static func text(_ instant: Instant, _ clock: ScenarioClock) -> String {
        TimeText.exact(instant, in: clock.fixedZone(offsetSeconds: 0))
    }

    private static let dataSource: JSONText = .object([
        ("type", .string("prometheus")), ("uid", .string("${datasource}")),
    ])

    private static var dashboardVariables: [JSONText] {
        func ofLabel(_ label: String) -> JSONText {
            .object([
                ("name", .string(label)), ("type", .string("query")), ("datasource", dataSource),
                ("query", .string("label_values(reloadsim_requests_total, \(label))")), ("refresh", .integer(2)),
                ("multi", .boolean(true)), ("includeAll", .boolean(true)), ("allValue", .string(".*")),
                ("current", .object([("text", .string("All")), ("value", .string("$__all"))])),
            ])
        }
        return [
            .object([
                ("name", .string("datasource")), ("type", .string("datasource")), ("query", .string("prometheus")),
            ]), ofLabel("endpoint"), ofLabel("region"),
            .object([
                ("name", .string("real")), ("type", .string("textbox")), ("label", .string("query of the real load")),
                ("query", .string("sum(rate(nginx_ingress_controller_requests[$__rate_interval]))")),
            ]),
        ]
    }

    /// A graph of one or more queries.
    private struct Panel {
        private let title, words: String
        private let queries: [(legend: String, expression: String)]
        private static let (width, height): (Int64, Int64) = (12, 9)

        init(_ title: String, _ queries: [(legend: String, expression: String)], _ words: String) {
            (self.title, self.queries, self.words) = (title, queries, words)
        }

        /// - Parameter place: two panels stand in a row.
        func json(place: Int) -> JSONText {
            let (column, row) = (Int64(place % 2), Int64(place / 2))
            let targets = queries.enumerated().map { number, query in
                JSONText.object([
                    ("refId", .string(String(UnicodeScalar(UInt8(65 + number))))), ("datasource", dataSource),
                    ("expr", .string(query.expression)), ("legendFormat", .string(query.legend)),
                    ("range", .boolean(true)),
                ])
            }
            return .object([
                ("id", .integer(Int64(place + 1))), ("type", .string("timeseries")), ("title", .string(title)),
                ("description", .string(words)), ("datasource", dataSource),
                (
                    "gridPos",
                    .object([
                        ("x", .integer(column * Self.width)), ("y", .integer(row * Self.height)),
                        ("w", .integer(Self.width)), ("h", .integer(Self.height)),
                    ])
                ),
                (
                    "fieldConfig",
                    .object([
                        (
                            "defaults",
                            .object([
                                ("unit", .string(title.hasSuffix("real") && queries.count == 1 ? "none" : "reqps")),
                                ("min", .integer(0)),
                            ])
                        ),
                        ("overrides", .array([])),
                    ])
                ), ("targets", .array(targets)),
            ])
        }
    }
}
