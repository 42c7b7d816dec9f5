import Basics
import Foundation
import Testing

/// Zone tables against Foundation's own answers, for one year in zones of every make: half-hour and two-hour shifts,
/// shifts at midnight, in the evening before and on the first of a month with the sign turned round, offsets of quarter
/// hours, and no shift at all.
///
/// Rules: T2.
@Suite struct ZoneTableTests {
    static let zones = [
        "America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "America/Nuuk",
        "Pacific/Chatham",
        "America/Santiago", "Europe/Dublin", "America/St_Johns", "Africa/Cairo", "Antarctica/Troll",
        "Pacific/Kiritimati", "UTC",
    ]
    /// 2026-01-01T00:00:00Z.
    static let startSeconds: Int64 = 1_767_225_600
    static let clock = ScenarioClock(startUnixMicroseconds: startSeconds * 1_000_000)
    static let days: Int64 = 365

    static func table(_ name: String) throws -> ZoneTable {
        try #require(clock.zoneTable(name, until: .start + .days(days)))
    }

    /// Foundation's offset, in seconds, `second` seconds after the start.
    static func offset(_ zone: TimeZone, at second: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(startSeconds + second))))
    }

    /// The seconds after the start, to the second, at which Foundation's offset is another than a second before.
    static func shifts(_ zone: TimeZone, from: Int64, to: Int64) -> [Int64] {
        var found: [Int64] = []
        for hour in stride(from: from, to: to, by: 3_600) where offset(zone, at: hour) != offset(zone, at: hour + 3_600)
        {
            var (low, high) = (hour, hour + 3_600)
            while high - low > 1 {
                let middle = (low + high) / 2
                if offset(zone, at: middle) == offset(zone, at: hour) { low = middle } else { high = middle }
            }
            found.append(high)
        }
        return found
    }

    @Test(arguments: zones) func `a table changes where Foundation's offset does, and nowhere else`(name: String) throws
    {
        let zone = try #require(TimeZone(identifier: name))
        let table = try Self.table(name)
        let shifts = Self.shifts(zone, from: -30 * 86_400, to: (Self.days + 30) * 86_400)
        for (previous, shift) in zip([-30 * 86_400] + shifts, shifts + [(Self.days + 30) * 86_400]) {
            for second in [previous, (previous + shift) / 2, shift - 1] {
                let interval = table.intervals[table.intervalIndex(at: Instant(microseconds: second * 1_000_000))]
                #expect(Int64(interval.offsetSeconds) == Self.offset(zone, at: second), "\(name), second \(second)")
                #expect(
                    interval.toLocal == Self.clock.startUnixMicroseconds + Int64(interval.offsetSeconds) * 1_000_000)
            }
            guard shifts.contains(shift) else { continue }
            let border = Instant(microseconds: shift * 1_000_000)
            #expect(table.nextChange(after: border - .milliseconds(1)) == border, "\(name), second \(shift)")
            #expect(table.intervalIndex(at: border - Duration(microseconds: 1)) + 1 == table.intervalIndex(at: border))
            #expect(table.nextChange(after: border) > border)
        }
        // Between two shifts, the table has no boundary of its own.
        let inside = table.intervals.map(\.from).filter {
            $0 >= .start - .days(30) && $0 < .start + .days(Self.days + 30)
        }
        #expect(
            inside.dropFirst(inside.first.map { shifts.contains($0.microseconds / 1_000_000) } == false ? 1 : 0).count
                == shifts.count)
    }

    /// The local clock is read off Foundation; a time that no instant shows is read with the offset before the gap, one
    /// that two show counts first.
    @Test(arguments: zones) func `a local time is the instant that shows it, also when it is skipped or comes twice`(
        name: String
    ) throws {
        let zone = try #require(TimeZone(identifier: name))
        let table = try Self.table(name)
        let shifts = Self.shifts(zone, from: 0, to: Self.days * 86_400)
        let offsets = Set(([0] + shifts).map { Self.offset(zone, at: $0) })
        let largest = try #require(offsets.max())
        var (skipped, repeated) = (0, 0)
        func check(_ local: Int64) -> Bool {
            let candidates = offsets.filter { Self.offset(zone, at: local - Self.startSeconds - $0) == $0 }.map {
                local - Self.startSeconds - $0
            }
            let before = Self.offset(zone, at: local - Self.startSeconds - largest)
            let expected = candidates.min() ?? local - Self.startSeconds - before
            if candidates.isEmpty { skipped += 1 }
            if candidates.count > 1 { repeated += 1 }
            let time = LocalTime(localMicroseconds: local * 1_000_000)
            let found = table.instant(of: time.date, at: time.clock)
            if found.microseconds == expected * 1_000_000 { return true }
            Issue.record("\(name), local second \(local): \(found.microseconds), expected second \(expected)")
            return false
        }
        let first = Self.startSeconds + 86_400
        for local in stride(from: first, to: first + (Self.days - 2) * 86_400, by: 3 * 3_600 + 60) {
            guard check(local) else { return }
        }
        (skipped, repeated) = (0, 0)
        for shift in shifts {
            let middle = Self.startSeconds + shift + Self.offset(zone, at: shift)
            for local in stride(from: middle / 60 * 60 - 4 * 3_600, to: middle + 4 * 3_600, by: 60) {
                guard check(local) else { return }
            }
        }
        let forward = shifts.map { Self.offset(zone, at: $0) - Self.offset(zone, at: $0 - 1) }
        #expect(skipped * 60 == forward.filter { $0 > 0 }.reduce(0, +))
        #expect(repeated * 60 == -forward.filter { $0 < 0 }.reduce(0, +))
    }

    @Test(arguments: zones) func `an instant's local time leads back to it, or to its first showing`(name: String)
        throws
    {
        let table = try Self.table(name)
        for step in 0..<20_000 as Range<Int64> {
            let instant = Instant(microseconds: step * 1_576_800_007)
            let local = table.localTime(at: instant)
            let back = table.instant(of: local.date, at: local.clock)
            guard back == instant || (back < instant && table.localTime(at: back) == local) else {
                Issue.record("\(name) at \(instant.microseconds): \(local) leads back to \(back.microseconds)")
                return
            }
        }
    }

    @Test func `names of zones are known by their exact spelling only`() {
        #expect(ScenarioClock.knowsZone("Europe/London"))
        #expect(ScenarioClock.knowsZone("UTC"))
        for wrong in ["europe/london", "Europe/Londn", "", "EST5EDT7", "local"] {
            #expect(!ScenarioClock.knowsZone(wrong), "\(wrong)")
        }
        #expect(Self.clock.zoneTable("Europe/Londn", until: .start) == nil)
        #expect(ScenarioClock.zoneNames == ScenarioClock.zoneNames.sorted())
    }

    /// Every hour's local date by Foundation: a new one begins at the midnight that the table names, to the second, and
    /// at none besides.
    @Test(arguments: zones) func `midnights are the instants at which Foundation's local date changes`(name: String)
        throws
    {
        let zone = try #require(TimeZone(identifier: name))
        let table = try Self.table(name)
        var expected: [Int64] = []
        func day(_ second: Int64) -> Int64 {
            (Self.startSeconds + second + Self.offset(zone, at: second)).quotient(by: 86_400)
        }
        for quarter in stride(from: Int64(0), to: (Self.days - 1) * 86_400, by: 900)
        where day(quarter + 900) > day(quarter) {
            var (low, high) = (quarter, quarter + 900)
            while high - low > 1 {
                let middle = (low + high) / 2
                if day(middle) == day(quarter) { low = middle } else { high = middle }
            }
            expected.append(high)
        }
        var found: [Int64] = []
        var at = table.nextMidnight(after: .start)
        while at <= .start + .days(Self.days - 1) {
            found.append(at.microseconds / 1_000_000)
            at = table.nextMidnight(after: at)
        }
        #expect(found == expected)
    }
}

extension Int64 {
    fileprivate func quotient(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
