import RunLaws
import Simulation
import Statistics
import Testing

/// Timelines that live longer than a report: the start of a run is no event of theirs (T4).
@Suite struct LongLifeLawTests {
    /// Reloads in the fullest minute, and in all, of phones with one widget that asks to live so long.
    static func reloads(after life: String, gates: String = "all") throws -> (fullest: Int64, all: Int64) {
        let result = try Fixtures.run(
            """
            start: "2026-03-02T00:00:00-05:00"
            warmup: 0s
            duration: 24d
            people: 1000
            parameters: {gates: \(gates)}
            kinds:
              - {id: note, timeline: {shape: single}, policy: {after: \(life)}}
            population:
              zones: {America/Phoenix: 1}
              \(Fixtures.still)
              devices:
                - {kind: phone, instances: [{id: note, kind: note}]}
            """)
        let tenths = result.load.tenths(of: 0)
        let minutes = stride(from: 0, to: tenths.count, by: 600).map { from in
            (from..<from + 600).reduce(0) { $0 + Int64(tenths[$1]) }
        }
        return (minutes.max() ?? 0, minutes.reduce(0, +))
    }

    @Test(arguments: ["8d", "30d", "60d"]) func `content of any age at the start leaves no herd in the run`(
        _ life: String
    ) throws {
        let days = Double(life.dropLast()) ?? 0
        for gates in ["all", "none"] {
            let (fullest, all) = try Self.reloads(after: life, gates: gates)
            // About a thousand in each life, at random over waking hours: some 0.04 a minute where the gates are closed
            // by night.
            #expect(fullest <= 5, "\(fullest) of \(all) in one minute")
            #expect((Double(all) - 24_000 / days).magnitude < 0.2 * 24_000 / days, "\(all) reloads of lives of \(life)")
        }
    }
}
