import Basics
import Testing

@Suite struct TimeTextTests {
    /// Microseconds since 1970 of an ISO-8601 text with a numeric offset.
    static func unixMicroseconds(_ text: String) throws -> Int64 {
        func number(_ part: Substring) throws -> Int64 { try #require(Int64(part), "'\(part)' of \(text)") }
        let halves = text.split(separator: "T")
        let date = halves[0].split(separator: "-")
        let sign: Int64 = halves[1].contains("+") ? 1 : -1
        let clockAndOffset = halves[1].split(whereSeparator: { $0 == "+" || $0 == "-" })
        let clock = clockAndOffset[0].split(separator: ":")
        let seconds = clock[2].split(separator: ".")
        let offset = clockAndOffset[1].split(separator: ":")
        let civil = try #require(
            try CivilDate(year: Int(number(date[0])), month: Int(number(date[1])), day: Int(number(date[2]))))
        let whole = try civil.dayNumber * 86_400 + number(clock[0]) * 3_600 + number(clock[1]) * 60 + number(seconds[0])
        let fraction = try seconds.count > 1 ? number(seconds[1]) : 0
        return try (whole - sign * (number(offset[0]) * 3_600 + number(offset[1]) * 60)) * 1_000_000 + fraction
    }

    /// A duration written in units, as `1h30m`.
    static func microseconds(_ text: String) throws -> Int64 {
        let units: [String: Int64] = [
            "d": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1,
        ]
        var rest = Substring(text)
        let sign: Int64 = rest.first == "-" ? -1 : 1
        if sign < 0 { rest.removeFirst() }
        var total: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber }
            rest.removeFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest.removeFirst(unit.count)
            total += try #require(Int64(digits)) * #require(units[String(unit)])
        }
        return sign * total
    }

    @Test(arguments: ["America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/St_Johns", "UTC"])
    func `an instant's text reads back as the instant`(name: String) throws {
        let clock = ZoneTableTests.clock
        let zone = try ZoneTableTests.table(name)
        for step in -2_000..<8_000 as Range<Int64> {
            // Every tenth has no fraction.
            let instant = Instant(microseconds: step % 10 == 0 ? step * 3_600_000_000 : step * 3_600_000_000 + step)
            let text = TimeText.iso(instant, in: zone)
            guard try Self.unixMicroseconds(text) == clock.unixMicroseconds(of: instant),
                text.contains(".") == (step % 10 != 0)
            else {
                Issue.record("\(text) for \(instant.microseconds)")
                return
            }
        }
    }

    @Test func `texts have the stated forms`() throws {
        let zone = try ZoneTableTests.table("America/New_York")
        let clock = ZoneTableTests.clock
        // 2026-03-08T07:00:00Z is the hour at which New York's clocks go from 02:00 to 03:00.
        let shift = clock.instant(unixMicroseconds: 1_772_953_200_000_000)
        #expect(TimeText.iso(shift, in: zone) == "2026-03-08T03:00:00-04:00")
        #expect(TimeText.iso(shift - Duration(microseconds: 1), in: zone) == "2026-03-08T01:59:59.999999-05:00")
        #expect(TimeText.clock(ClockTime(microseconds: 25_200_000_001)) == "07:00:00.000001")
        #expect(TimeText.date(CivilDate(dayNumber: -719_162)) == "0001-01-01")
        #expect(TimeText.duration(.zero) == "0s")
        #expect(TimeText.duration(.minutes(90)) == "1h30m")
        #expect(TimeText.duration(.milliseconds(-1_500)) == "-1s500ms")
        #expect(TimeText.decimal(1_500_000, places: 6) == "1.5")
        #expect(TimeText.decimal(-1, places: 6) == "-0.000001")
        #expect(TimeText.decimal(-3_000_000, places: 6) == "-3")
        #expect(TimeText.decimal(7, places: 0) == "7")
        #expect(TimeText.decimal(.min, places: 3) == "-9223372036854775.808")
    }

    @Test func `a duration's text reads back as the duration`() throws {
        var value: Int64 = 1
        for _ in 0..<2_000 {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for shift in [1, 16, 32, 48, 60] as [Int64] {
                let microseconds = value >> shift
                let text = TimeText.duration(Duration(microseconds: microseconds))
                #expect(try Self.microseconds(text) == microseconds, "\(text)")
            }
        }
    }
}
