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
            row.gates.gates.map(\.name).joined(separator: "+"), row.rule, row.detail,
        ]
    }
}
