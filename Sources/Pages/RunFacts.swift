import Basics
import Foundation
import Reporting

/// The facts about a run that its manifest states.
struct RunFacts: Decodable, Sendable {
    let reloadsim: String
    let scenario: String
    let scenario_sha256: String
    let record_sha256: String?
    let seed: String
    let fingerprint: String
    let people: Int
    let report_start: String
    let end: String
    /// The overrides of the scenario's text, and the command that asks for the same run; nil where neither is known.
    let overrides, asked: [String]?
    /// The name of the zone whose clock the page shows; nil for UTC.
    let zone: String?

    static func read(_ source: PageSource) throws(OutputProblem) -> RunFacts {
        guard let bytes = try source.bytes(OutputFolder.manifestName) else {
            throw source.missing(OutputFolder.manifestName)
        }
        let facts: RunFacts
        do { facts = try JSONDecoder().decode(RunFacts.self, from: Data(bytes)) } catch {
            throw OutputProblem(
                "\(source.name)/\(OutputFolder.manifestName): expected the manifest of a run, found something else")
        }
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
func UnixTime(_ text: String) -> Double? { ZonedText(text)?.unix }

/// An instant as a table writes it.
struct ZonedText {
    /// Seconds since 1970-01-01T00:00Z.
    let unix: Double
    /// Seconds that the clock is ahead of UTC.
    let offset: Double

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        func digits(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            return bytes[range].reduce(Int?.some(0)) { sum, byte in
                guard let sum, (48...57).contains(byte) else { return nil }
                return sum * 10 + Int(byte) - 48
            }
        }
        guard bytes.count >= 20, let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10),
            let hour = digits(11..<13),
            let minute = digits(14..<16), let second = digits(17..<19),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var at = 19
        var fraction = 0.0
        if bytes[at] == UInt8(ascii: ".") {
            var (value, scale) = (0.0, 1.0)
            at += 1
            while at < bytes.count, (48...57).contains(bytes[at]) {
                value = value * 10 + Double(bytes[at] - 48)
                scale *= 10
                at += 1
            }
            fraction = value / scale
        }
        guard at < bytes.count else { return nil }
        var offset = 0
        switch bytes[at] {
        case UInt8(ascii: "Z"): break
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard let hours = digits(at + 1..<at + 3), let minutes = digits(at + 4..<at + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 3_600 + minutes * 60) * (bytes[at] == UInt8(ascii: "-") ? -1 : 1)
        default: return nil
        }
        unix = Double(date.dayNumber * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)) + fraction
        self.offset = Double(offset)
    }
}

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

/// A text in double quotes, as JSON and YAML both write it.
enum JSONString {
    static func value(of quoted: String) -> String? {
        do { return try JSONDecoder().decode([String].self, from: Data("[\(quoted)]".utf8)).first } catch { return nil }
    }
}
