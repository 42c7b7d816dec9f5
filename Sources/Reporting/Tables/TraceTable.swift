import Simulation
import SimulatedTime

extension ReportTable {
    /// The table that `reloadsim trace` prints.
    static let trace = ReportTable(
        "trace", "One moment in the life of one person's devices a row, in the order of time.",
        [
            .derived("time_us", type: .integer, unit: "us", optional: false, "The instant, from the scenario's start."),
            .derived("local_time", type: .string, optional: false, "The same on the local clock, ISO-8601 with its offset."),
            .derived("person", type: .integer, optional: false, "The person's number."),
            .derived("device", type: .string, optional: false, "The person's device."),
            .derived("instance", type: .string, "The instance of a widget; empty for what concerns the whole device."),
            .derived("event", type: .string, optional: false, "What happens."),
            .derived("cause", type: .string, "Why a reload was asked for."),
            .derived("charged", type: .boolean, "Whether a token pays for the reload (B1)."),
            .derived("balance", unit: "tokens", "The instance's balance afterwards."),
            .derived("gate", type: .string, "The gates that are closed, joined by `+` (section 6)."),
            .derived("rule", type: .string, "The rule of MODEL.md that the event follows."),
            .derived("detail", type: .string, "More about it, in words."),
        ])
}

/// A person's life as text.
public struct TraceReport {
    public let rows: [TraceRow]
    /// The plan's zones, which the rows refer to.
    public let zones: [ZoneTable]

    public init(rows: [TraceRow], zones: [ZoneTable]) {
        self.rows = rows
        self.zones = zones
    }

    public static let header = ReportTable.trace.header

    /// Writes all rows as CSV.
    public func writeCSV(into sink: @escaping (UnsafeRawBufferPointer) throws(OutputProblem) -> Void) throws(OutputProblem) {
        var csv = CSVWriter(.trace, into: sink)
        for row in rows {
            csv.integer(row.time.microseconds)
            csv.plain(TimeText.iso(row.time, in: zones[row.zone]))
            csv.integer(row.person)
            csv.text(row.device)
            csv.text(orMissing: row.instance)
            csv.text(row.event)
            csv.text(orMissing: row.cause)
            if let charged = row.charged { csv.boolean(charged) } else { csv.missing() }
            if let balance = row.balanceMicrotokens { csv.millionths(Int128(balance)) } else { csv.missing() }
            csv.text(orMissing: row.gate)
            csv.text(row.rule)
            csv.text(row.detail)
            try csv.endRow()
        }
        try csv.flush()
    }

    /// All rows in aligned columns, for people.
    public var aligned: String {
        let titles = ["local time", "device", "instance", "event", "cause", "charged", "balance", "gate", "rule", "detail"]
        let cells = [titles] + rows.map(cells)
        let widths = titles.indices.map { column in cells.reduce(0) { max($0, $1[column].count) } }
        return cells.reduce(into: "") { text, row in
            let line = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == Self.balanceColumn ? space + cell.0 : cell.0 + space
            }.joined(separator: "  ")
            text += line.trimmingSuffix(of: " ") + "\n"
        }
    }

    private static let balanceColumn = 6

    private func cells(of row: TraceRow) -> [String] {
        let charge = row.charged.map { $0 ? "charged" : "free" }
        let balance = row.balanceMicrotokens.map { MetricValue.millionths(Int128($0)).text }
        return [
            TimeText.iso(row.time, in: zones[row.zone]), row.device, row.instance ?? "", row.event, row.cause ?? "", charge ?? "",
            balance ?? "",
            row.gate ?? "", row.rule, row.detail,
        ]
    }
}

extension CSVWriter {
    fileprivate mutating func text(orMissing value: String?) {
        if let value { text(value) } else { missing() }
    }
}

extension String {
    fileprivate func trimmingSuffix(of character: Character) -> Substring {
        var rest = self[...]
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
