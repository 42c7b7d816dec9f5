import ResultFiles
import Basics
import Simulation

/// A person's life as text: what `reloadsim trace` prints.
package struct TraceReport {
    private let rows: [TraceRow]
    /// The plan's zones, which the rows refer to.
    private let zones: [ZoneTable]
    /// The scenario's start.
    private let begin: Instant

    package init(rows: [TraceRow], zones: [ZoneTable], begin: Instant) {
        self.rows = rows
        self.zones = zones
        self.begin = begin
    }

    /// A row with the zone in force.
    struct Moment {
        let row: TraceRow
        let zone: ZoneTable
        let begin: Instant

        var localTime: String { TimeText.exact(row.time, in: zone) }
        var held: String? {
            row.held.gates.isEmpty
                ? nil
                : row.held.gates.gates.map { "\($0.name)=\(TimeText.decimal(row.held[$0].microseconds, places: 6))" }
                    .joined(separator: ";")
        }
        var gates: String? { row.gates.isEmpty ? nil : row.gates.gates.map(\.name).joined(separator: "+") }
    }

    static let table = Table<Moment>(
        "trace", "One moment in the life of one person's devices a row, in the order of time.",
        [
            .derived("time_us", unit: "us", "The instant, from the scenario's start.") {
                ($0.row.time - $0.begin).microseconds
            },
            .derived("local_time", "The same on the local clock, ISO-8601 with its offset.", \.localTime),
            .derived("person", "The person's number.", \.row.person),
            .derived("device", "The person's device.", \.row.device),
            .derived("instance", "The instance of a widget; empty for what concerns the whole device.", \.row.instance),
            .derived("event", "The event: one of those below.", \.row.event.name),
            .derived("cause", "Why a reload was asked for.") { $0.row.cause?.name },
            .derived("charged", "Whether a token pays for the reload (B1).", \.row.isCharged),
            .derived("balance", unit: "tokens", "The instance's balance afterwards.") {
                $0.row.balance.map { Millionths($0) }
            },
            .derived(
                "gate",
                "The gates that are closed, joined by `+` (section 6); of a reload that is granted or taken, those that held it.",
                \.gates),
            .derived("rule", "The rule of MODEL.md that the event follows.") {
                $0.row.rule.isEmpty ? nil : $0.row.rule
            },
            .derived("kind", "The widget kind of the instance.", \.row.kind),
            .derived(
                "wait_s", unit: "s",
                "For a reload that is withheld, the time from then until it is granted or taken, or the run ends.",
                \.row.wait),
            .derived("held_s", unit: "s", "How long each gate held it, as `gate=seconds` joined by `;`.", \.held),
            .derived("state", "For a view, the state that was seen (C5).") { $0.row.state?.name },
            .derived("age_s", unit: "s", "For a view, the age of the content; empty where it has none.", \.row.age),
            .derived("missed", "For a view, the versions that the content misses.") { $0.row.missed.map { Int64($0) } },
            .derived("detail", "More about it, in words.") { $0.row.detail.isEmpty ? nil : $0.row.detail },
        ])

    private var moments: [Moment] { rows.map { Moment(row: $0, zone: zones[$0.zone], begin: begin) } }

    /// Writes all rows as CSV.
    package func writeCSV(into sink: ByteSink) throws(OutputProblem) {
        try Self.table.write(into: sink) { (add) throws(OutputProblem) in for moment in moments { try add(moment) } }
    }
}
