import Basics
import Foundation
import Testing

/// Zones of a test, from 2026-01-01T00:00Z on, with Foundation's own answers beside the tables.
struct TestZone {
    static let clock = ScenarioClock(startUnixMicroseconds: 1_767_225_600_000_000)

    let name: String
    let zone: TimeZone
    let table: ZoneTable

    init(_ name: String) throws {
        self.name = name
        zone = try #require(TimeZone(identifier: name))
        table = try #require(Self.clock.zoneTable(name, until: .start + .days(400)))
    }

    /// Foundation's offset at an instant, in seconds.
    func offset(at instant: Instant) -> Int64 {
        Int64(
            zone.secondsFromGMT(
                for: Date(
                    timeIntervalSince1970: (Double(Self.clock.unixMicroseconds(of: instant)) / 1e6).rounded(.down))))
    }

    /// The time on Foundation's clock at an instant.
    func localTime(at instant: Instant) -> LocalTime {
        LocalTime(localMicroseconds: Self.clock.unixMicroseconds(of: instant) + offset(at: instant) * 1_000_000)
    }

    /// When Foundation's clock shows a local time: the first of two showings; with the offset before the gap if there
    /// is none (P5).
    func instant(of date: CivilDate, at clock: ClockTime) -> Instant {
        let local = Instant(
            microseconds: date.dayNumber * ClockTime.microsecondsPerDay + clock.microseconds
                - Self.clock.startUnixMicroseconds)
        // Offsets near by: no zone moves its clocks twice in four days.
        let offsets = Set([offset(at: local - .days(2)), offset(at: local + .days(2))])
        let showing = offsets.map { local - .seconds($0) }.filter { local - .seconds(offset(at: $0)) == $0 }
        return showing.min() ?? local - .seconds(offset(at: local - .seconds(offsets.max()!)))
    }

    func date(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDate {
        try #require(CivilDate(year: year, month: month, day: day))
    }

    /// The dates of 2026 on which the offset changes.
    var shiftDates: [CivilDate] {
        let first = CivilDate(dayNumber: 20_454)
        return (0..<365 as Range<Int64>).map { first.advanced(by: $0) }.filter {
            offset(at: instant(of: $0, at: ClockTime(hour: 0, minute: 0)))
                != offset(at: instant(of: $0.advanced(by: 1), at: ClockTime(hour: 0, minute: 0)))
        }
    }
}
