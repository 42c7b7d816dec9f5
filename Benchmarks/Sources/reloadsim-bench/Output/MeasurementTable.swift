/// The results as text: a table for people, the same in Markdown, and CSV.
enum MeasurementTable {
    /// A column of the CSV.
    private struct Column {
        let name: String
        let text: (Measurement) -> String

        init(_ name: String, _ text: @escaping (Measurement) -> String) { (self.name, self.text) = (name, text) }
        init(_ name: String, _ value: @escaping (Measurement) -> Double?) {
            self.init(name) { value($0).map { Self.number($0) } ?? "" }
        }

        /// To a ten-thousandth, in the shortest decimal.
        private static func number(_ value: Double) -> String {
            let rounded = (value * 10_000).rounded() / 10_000
            return rounded.magnitude < 1e15 && rounded == rounded.rounded()
                ? String(Int64(rounded)) : rounded.description
        }
    }

    private static var columns: [Column] {
        [
            Column("group") { $0.group.rawValue },
            Column("benchmark") { $0.benchmark },
            Column("unit") { $0.unit.rawValue },
            Column("median") { $0.figure.median },
            Column("min") { $0.figure.least },
            Column("max") { $0.figure.most },
            Column("repeats") { String($0.repeats) },
            Column("people") { $0.people.map(String.init) ?? "" },
            Column("device_days") { $0.deviceDays },
            Column("events") { $0.events.map { $0.rounded() } },
            Column("ns_per_event") { $0.nanosecondsAnEvent },
            Column("fixed_ms") { $0.fixedMilliseconds },
            Column("set_up_ms") { $0.setUpMilliseconds },
            Column("report_ms") { $0.reportMilliseconds },
            Column("operation") { $0.operation ?? "" },
            Column("operations") { $0.operations.map(String.init) ?? "" },
            Column("fingerprint") { $0.fingerprint },
        ]
    }

    /// RFC 4180 with LF line ends; empty where a column does not apply.
    static func csv(_ measurements: [Measurement]) -> String {
        let lines = [columns.map(\.name)] + measurements.map { row in columns.map { quoted($0.text(row)) } }
        return lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        let mustQuote = text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        return mustQuote ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// A table for people: what all rows of a group lack is left out.
    static func text(_ measurements: [Measurement]) -> String {
        sections(measurements).map { _, rows in
            let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            return rows.map { row in
                let cells = zip(row, widths).enumerated().map { index, cell in
                    let space = String(repeating: " ", count: cell.1 - cell.0.count)
                    // Names to the left, figures to the right.
                    return index == 0 ? cell.0 + space : space + cell.0
                }
                return cells.joined(separator: "  ") + "\n"
            }.joined()
        }.joined(separator: "\n")
    }

    static func markdown(_ measurements: [Measurement]) -> String {
        sections(measurements).map { group, rows in
            let lines = rows.map { "| " + $0.joined(separator: " | ") + " |\n" }
            let rule = "|---" + String(repeating: "|---:", count: rows[0].count - 1) + "|\n"
            return "## \(group.rawValue)\n\n" + lines[0] + rule + lines.dropFirst().joined()
        }.joined(separator: "\n")
    }

    /// A group's rows below their headings.
    private static func sections(_ measurements: [Measurement]) -> [(BenchmarkGroup, [[String]])] {
        BenchmarkGroup.allCases.compactMap { group -> (BenchmarkGroup, [[String]])? in
            let rows = measurements.filter { $0.group == group }
            guard let first = rows.first else { return nil }
            let shown = headings(of: first.unit)
            let columns = shown.map { shown in
                guard let column = Self.columns.first(where: { $0.name == shown.column }) else {
                    preconditionFailure("no column \(shown.column)")
                }
                return column
            }
            return (group, [shown.map(\.heading)] + rows.map { row in columns.map { $0.text(row) } })
        }
    }

    private static func headings(of unit: Measurement.Unit) -> [(column: String, heading: String)] {
        let figure = [("median", ""), ("min", "least"), ("max", "most")]
        func all(_ unit: String, _ more: [(String, String)]) -> [(column: String, heading: String)] {
            [("benchmark", "benchmark"), (figure[0].0, unit), figure[1], figure[2]] + more + [
                ("fingerprint", "fingerprint")
            ]
        }
        switch unit {
        case .microsecondsADeviceDay:
            return all(
                "µs a device-day",
                [
                    ("ns_per_event", "ns an event"), ("people", "people"), ("device_days", "device-days"),
                    ("events", "events"),
                    ("fixed_ms", "fixed ms"), ("set_up_ms", "set-up ms"), ("report_ms", "reports ms"),
                ])
        case .nanosecondsAnOperation: return all("ns", [("operation", "for each"), ("operations", "operations")])
        case .timesAsFast: return all("times as fast", [("people", "people")])
        case .mebibytes: return all("peak MiB", [("people", "people")])
        case .bytes: return all("B", [("people", "people")])
        case .shareOfRun: return all("share of the run", [("people", "people"), ("report_ms", "reports ms")])
        }
    }
}
