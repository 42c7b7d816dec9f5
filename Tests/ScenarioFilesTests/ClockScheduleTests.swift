import Basics
import Foundation
import Testing
import WidgetPlatform

@testable import ScenarioFiles

/// Clock times at equal distances are those that a list would write out (P5).
///
/// Rules: P5.
@Suite struct ClockScheduleTests {
    private func schedule(_ after: String) throws -> AlignedSchedule {
        let kind = "kinds: [{id: weather, policy: {after: \(after)}}]\n"
        let text = ScenarioReaderTests.head + kind + ScenarioReaderTests.population
        let policy = try ScenarioReader.read(text: text).scenario.plan.kinds[0].dates.policy
        guard case .clock(let schedule) = policy.usualLife else {
            throw Failure()
        }
        return schedule
    }

    private struct Failure: Error {}

    private func list(_ minutes: some Sequence<Int>) -> String {
        let texts = minutes.map { "\"\(String(format: "%02d:%02d", $0 / 60, $0 % 60))\"" }
        return "[" + texts.joined(separator: ", ") + "]"
    }

    @Test(arguments: [
        ("{every: 1h}", Array(stride(from: 0, to: 1440, by: 60)), ""),
        ("{every: 1d}", [0], ""),
        ("{every: 1d, offset: 7h}", [420], ""),
        ("{every: 6h, offset: 15m, zone: UTC}", [15, 375, 735, 1095], ", zone: UTC"),
        ("{every: 1m}", Array(0..<1440), ""),
        (
            "{every: 15m, between: [\"09:30\", \"16:00\"], days: weekdays}",
            Array(stride(from: 570, through: 960, by: 15)),
            ", days: weekdays"
        ),
        ("{every: 50m, between: [\"00:30\", \"02:20\"], offset: 10m}", [40, 90, 140], ""),
        ("{every: 50m, between: [\"00:30\", \"02:20\"], offset: 11m}", [41, 91], ""),
        (
            "{every: 3h, between: [\"09:30\", \"16:00\"], zone: America/New_York, days: {exchange: NYSE}}",
            [570, 750, 930],
            ", zone: America/New_York, days: {exchange: NYSE}"
        ),
    ])
    func `every is the list of its clock times`(every: String, minutes: [Int], more: String) throws {
        #expect(try schedule(every) == schedule("{at: \(list(minutes))\(more)}"))
    }

    @Test func `an offset shorter than a minute and a distance of seconds are exact`() throws {
        #expect(try schedule("{every: 90s, offset: 20s}").times.count == 960)
        #expect(try schedule("{every: 12h, offset: 1us}").times.map(\.microseconds) == [1, 43_200_000_001])
    }

    @Test func `a resolved scenario says every as it was written`() throws {
        let kind = "kinds: [{id: weather, policy: {after: {every: 1h, offset: 2m}}}]\n"
        let resolved = try ScenarioReader.read(
            text: ScenarioReaderTests.head + kind + ScenarioReaderTests.population
        ).resolvedText
        #expect(resolved.contains("every: 1h") && resolved.contains("offset: 2m") && !resolved.contains("between:"))
    }
}
