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
        let dashboard: JSONMembers = [
            "title": "reloadsim", "uid": "reloadsim-requests", "description": origin,
            "tags": ["reloadsim"], "editable": true, "schemaVersion": 39, "timezone": "utc", "refresh": "",
            "time": JSONText.object([
                "from": Self.text(settings.span.lowerBound, clock),
                "to": Self.text(settings.span.upperBound, clock),
            ]), "templating": JSONText.object(["list": Self.dashboardVariables]),
            "annotations": JSONText.object(["list": JSONText.array([])]),
            "panels": panels.enumerated().map { $1.json(place: $0) },
        ]
        return ExportFile("dashboard.json", text: ScriptText<Script.JSON>("\(json: .object(dashboard))"))
    }

    private static func text(_ instant: Instant, _ clock: ScenarioClock) -> String {
        TimeText.exact(instant, in: clock.fixedZone(offsetSeconds: 0))
    }

    private static let dataSource: JSONText = .object([
        "type": "prometheus", "uid": "${datasource}",
    ])

    private static var dashboardVariables: [JSONText] {
        func ofLabel(_ label: String) -> JSONText {
            .object([
                "name": label, "type": "query", "datasource": dataSource,
                "query": "label_values(reloadsim_requests_total, \(label))", "refresh": 2,
                "multi": true, "includeAll": true, "allValue": ".*",
                "current": JSONText.object(["text": "All", "value": "$__all"]),
            ])
        }
        return [
            .object([
                "name": "datasource", "type": "datasource", "query": "prometheus",
            ]), ofLabel("endpoint"), ofLabel("region"),
            .object([
                "name": "real", "type": "textbox", "label": "query of the real load",
                "query": "sum(rate(nginx_ingress_controller_requests[$__rate_interval]))",
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
                    "refId": String(UnicodeScalar(UInt8(65 + number))), "datasource": dataSource,
                    "expr": query.expression, "legendFormat": query.legend, "range": true,
                ])
            }
            return .object([
                "id": place + 1, "type": "timeseries", "title": title, "description": words, "datasource": dataSource,
                "gridPos": JSONText.object([
                    "x": column * Self.width, "y": row * Self.height, "w": Self.width, "h": Self.height,
                ]),
                "fieldConfig": JSONText.object([
                    "defaults": JSONText.object([
                        "unit": title.hasSuffix("real") && queries.count == 1 ? "none" : "reqps", "min": 0,
                    ]),
                    "overrides": JSONText.array([]),
                ]), "targets": targets,
            ])
        }
    }
}
