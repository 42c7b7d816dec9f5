import Basics
import ScenarioFiles
import ScenarioModel
import Simulation

/// The part of a run that is exported, as the command line states it.
package enum ExportSpan {
    /// A span such as `2026-03-08T06:55Z/07:05Z` or `7h/8h30m`, in the report.
    ///
    /// - Throws: a sentence that says what was expected and found.
    package static func read(_ text: String, _ scenario: Scenario) throws(ExportProblem) -> Range<Instant> {
        let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2, let from = instant(ends[0], scenario.plan),
            let to = instant(completed(ends[1], by: ends[0]), scenario.plan)
        else {
            throw ExportProblem(
                "--span: expected a beginning and an end such as 2026-03-08T06:55Z/07:05Z or, after the scenario's start, 6h55m/7h5m, found '\(text)'",
                isUsage: true)
        }
        if to <= from {
            throw ExportProblem(
                "--span: the end of \(text) does not lie after its beginning, so the span is empty", isUsage: true)
        }
        let report = Self.report(of: scenario)
        guard from >= report.lowerBound && to <= report.upperBound else {
            throw ExportProblem(
                "--span: expected a part of the report, \(Self.text(report, scenario)), found \(Self.text(from..<to, scenario))",
                isUsage: true)
        }
        guard ExportSettings.isInTenths(from - report.lowerBound), ExportSettings.isInTenths(to - from) else {
            throw ExportProblem(
                "--span: expected whole tenths of a second from the start of the report, as the load is counted, found '\(text)'",
                isUsage: true)
        }
        return from..<to
    }

    /// A span round a window, cut to the report.
    ///
    /// - Parameters:
    ///   - tenth: the window's beginning, in tenths of a second from the start of the report.
    ///   - width: in whole tenths of a second, above 0.
    package static func around(tenth: Int, seconds: Int, width: Duration, _ scenario: Scenario) -> Range<Instant> {
        let report = Self.report(of: scenario)
        let middle =
            report.lowerBound + Duration(microseconds: (Int64(tenth) * 10 + Int64(seconds) * 50) / 10 * 100_000)
        let from = middle - Duration(microseconds: width.microseconds / 200_000 * 100_000)
        return max(from, report.lowerBound)..<min(from + width, report.upperBound)
    }

    /// How far time stamps are moved: a length of time such as `7d`, or the whole days (UTC) after which the span
    /// begins on a date from 1970 on, such as `2026-11-28`, which may lie before it. It is at most 40,000 days, so that
    /// every time stamp in nanoseconds since 1970 is a number of 64 bits.
    ///
    /// - Returns: nil for any other text.
    package static func shift(_ text: String, of span: Range<Instant>, _ scenario: Scenario) -> Duration? {
        guard let date = CalendarText.date(text[...]) else { return DurationText.read(text) }
        let begin = scenario.plan.clock.fixedZone(offsetSeconds: 0).localTime(at: span.lowerBound).date
        let shift = Duration(microseconds: (date.dayNumber - begin.dayNumber) * 86_400_000_000)
        return date.dayNumber >= 0 && shift <= DurationText.longest ? shift : nil
    }

    static func report(of scenario: Scenario) -> Range<Instant> { .start + scenario.plan.warmup..<scenario.plan.end }

    /// `2026-03-08T06:55:00Z to 2026-03-08T07:05:00Z`.
    package static func text(_ span: Range<Instant>, _ scenario: Scenario) -> String {
        "\(text(span.lowerBound, scenario)) to \(text(span.upperBound, scenario))"
    }

    package static func text(_ instant: Instant, _ scenario: Scenario) -> String {
        let time = scenario.plan.clock.fixedZone(offsetSeconds: 0).localTime(at: instant)
        return TimeText.date(time.date) + "T" + TimeText.clock(time.clock) + "Z"
    }

    /// A date-time may leave out its seconds.
    private static func instant(_ text: String, _ plan: FleetPlan) -> Instant? {
        func read(_ text: String) -> Instant? { InstantText.read(text, after: plan.begin, by: plan.clock) }
        if let instant = read(text) { return instant }
        guard let time = text.firstIndex(of: "T") else { return nil }
        let rest = text[time...]
        guard rest.prefix(6).filter({ $0 == ":" }).count == 1, rest.count > 6, rest.dropFirst(6).first != ":" else {
            return nil
        }
        return read(text[..<time] + rest.prefix(6) + ":00" + rest.dropFirst(6))
    }

    /// An end that is a time of day alone has the beginning's date.
    private static func completed(_ end: String, by beginning: String) -> String {
        guard end.contains(":"), !end.contains("T"), let time = beginning.firstIndex(of: "T") else { return end }
        return beginning[...time] + end
    }
}
