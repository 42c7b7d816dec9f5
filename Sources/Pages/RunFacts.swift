import ResultFiles
import Basics

/// The facts about a run that its manifest states.
struct RunFacts: Decodable, Sendable {
    let reloadsim, scenario, scenario_sha256: String
    let record_sha256: String?
    let seed, fingerprint: String
    let people: Int
    let report_start, end: String
    /// The overrides of the scenario's text, and the command that asks for the same run; nil where neither is known.
    let overrides, asked: [String]?
    /// The name of the zone whose clock the page shows; nil for UTC.
    let zone: String?

    static func read(_ source: PageSource) throws(OutputProblem) -> RunFacts {
        let facts: RunFacts = try source.manifest(of: "a run")
        guard facts.seconds > 0, facts.seconds <= longestReport else {
            throw OutputProblem(
                "\(source.name)/\(OutputFolder.manifestName): expected a report of at most 3,660 days, found one from \(facts.report_start) to \(facts.end)"
            )
        }
        return facts
    }

    /// As long as a scenario may ask for.
    private static let longestReport = 3_660.0 * 86_400

    /// The length of the reported span, above 0.
    var seconds: Double { (UnixTime(end) ?? 0) - (UnixTime(report_start) ?? 0) }

    /// The zone as people call it: `New York` for `America/New_York`.
    var zoneName: String {
        guard let zone else { return "UTC" }
        return zone.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? zone
    }
}

/// Reads an instant such as `2026-03-08T07:00:00.5Z` or one with an offset.
///
/// - Returns: seconds since 1970-01-01T00:00Z; nil for anything else.
func UnixTime(_ text: String) -> Double? { CalendarText.instant(text).map { Double($0.unixMicroseconds) / 1e6 } }

/// The clock that a page shows beside seconds from the start of the report: as the tables' own local columns have it.
struct PageClock {
    /// The zone's name for people.
    let zone: String
    let ticks: LocalTicks

    /// - Parameter intervals: from when on the clock is how many seconds ahead of UTC.
    init(reportStart: Double, zone: String, intervals: [(from: Double, offset: Double)]) {
        self.zone = zone
        let listed = intervals.isEmpty ? [(from: 0.0, offset: 0.0)] : intervals
        ticks = LocalTicks(listed.map { LocalInterval(from: $0.from, toLocal: reportStart + $0.offset) })
    }

    /// `02:00 Sun 8 Mar` of a second from the start of the report.
    func text(_ second: Double) -> String { LocalText.instant(ticks.local(second)) }
}
