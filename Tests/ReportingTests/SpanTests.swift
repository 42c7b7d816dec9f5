import Basics
import Testing

@testable import Reporting

@Suite struct SpanTests {
    /// A report from 2026-03-03T05:00Z to 2026-03-04T05:00Z.
    private static func span(_ text: String) throws -> Range<Instant> {
        try ExportSpan.read(text, try Shipped.scenario("first-look").scenario)
    }

    @Test(arguments: [
        "2026-03-03T12:00Z/13:00Z", "2026-03-03T12:00:00Z/2026-03-03T13:00:00Z", "2026-03-03T07:00-05:00/08:00-05:00",
        "31h/32h",
        "1d7h/32h",
        "2026-03-03T12:00Z/32h",
    ])
    func `a span is read in every form`(text: String) throws {
        #expect(try Self.span(text) == Instant.start + .seconds(31 * 3_600)..<Instant.start + .seconds(32 * 3_600))
    }

    @Test(arguments: [
        ("31h", "expected a beginning and an end"), ("31h/32h/33h", "expected a beginning and an end"),
        ("tomorrow/32h", "expected a beginning and an end"),
        ("32h/32h", "so the span is empty"), ("33h/32h", "so the span is empty"),
        ("23h/25h", "expected a part of the report, 2026-03-03T05:00:00Z to 2026-03-04T05:00:00Z"),
        ("47h/49h", "expected a part of the report"), ("31h/31h50ms", "expected whole tenths of a second"),
        ("2026-03-03T12:00/13:00", "expected a beginning and an end"),
    ])
    func `another span is refused in one sentence`(text: String, part: String) {
        do {
            _ = try Self.span(text)
            Issue.record("\(text) was taken")
        } catch let problem as ExportProblem {
            #expect(
                problem.isUsage && problem.description.hasPrefix("--span: ") && problem.description.contains(part),
                "\(problem)")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `a span round a peak lies in the report`() throws {
        let scenario = try Shipped.scenario("first-look").scenario
        let report = ExportSpan.report(of: scenario)
        let middle = ExportSpan.around(tenth: 36_000, seconds: 1, width: .seconds(10), scenario)
        #expect(middle == report.lowerBound + .milliseconds(3_595_500)..<report.lowerBound + .milliseconds(3_605_500))
        let first = ExportSpan.around(tenth: 0, seconds: 60, width: .seconds(600), scenario)
        #expect(first.lowerBound == report.lowerBound && ExportSettings.isInTenths(first.upperBound - first.lowerBound))
        let last = ExportSpan.around(tenth: 863_990, seconds: 1, width: .seconds(600), scenario)
        #expect(last.upperBound == report.upperBound)
    }
}
