import Basics
import Reporting
import Simulation

/// A person's life for people to read.
struct TraceText {
    let rows: [TraceRow]
    /// The plan's zones, which the rows refer to.
    let zones: [ZoneTable]

    var text: String {
        let titles = [
            "local time", "device", "instance", "event", "cause", "charged", "balance", "gate", "rule", "detail",
        ]
        var table = AlignedTable(header: titles, toTheLeft: Set(titles.indices.filter { titles[$0] != "balance" }))
        for row in rows { table.add(cells(of: row)) }
        return table.text
    }

    private func cells(of row: TraceRow) -> [String] {
        [
            TimeText.iso(row.time, in: zones[row.zone]), row.device, row.instance ?? "", row.event.name,
            row.cause?.name ?? "",
            row.isCharged.map { $0 ? "charged" : "free" } ?? "",
            row.balance.map { MetricValue.millionths(Int128($0)).text } ?? "",
            row.gates.gates.map(\.name).joined(separator: "+"), row.rule, Self.shortened(row.detail),
        ]
    }

    /// Lengths of time without what is smaller than their seconds, or than their milliseconds if they have none.
    static func shortened(_ detail: String) -> String {
        detail.replacing(#/(\d+s)\d+(?:ms(?:\d+us)?|us)|(\d+ms)\d+us/#) { String($0.1 ?? $0.2 ?? "") }
    }
}
