import Basics
import Testing

@testable import ScenarioFiles

/// Scalars are read by our own rules.
@Suite struct TextReadingTests {
    @Test(arguments: [
        ("0s", 0), ("15m", 900_000_000), ("1h30m", 5_400_000_000), ("PT15M", 900_000_000), ("250ms", 250_000),
        ("1860000001us", 1_860_000_001),
        ("2d", 172_800_000_000), ("1.5h", 5_400_000_000), ("16.3m", 978_000_000), ("P1DT2H3M4.5S", 93_784_500_000),
        ("P2D", 172_800_000_000),
        ("1d2h3m4s5ms6us", 93_784_005_006), ("1_000ms", 1_000_000), ("0.000001s", 1),
    ]) func `durations with units are exact`(text: String, microseconds: Int64) {
        #expect(DurationText.read(text) == Basics.Duration(microseconds: microseconds))
    }

    @Test(arguments: [
        "", "0", "15", "m", "15 m", "15min", "-5m", "1m1h", "1h1h", "1.5h30m", "0.3us", "P", "PT", "PT15", "P1M", "p1d",
        "1e3s", "٣m",
        "99999999d",
        "12:30", "1hour", "1h ", "010m",
    ]) func `durations that could be meant otherwise are refused`(text: String) {
        #expect(DurationText.read(text) == nil)
    }

    @Test func `a duration's canonical text reads back`() {
        for microseconds in [0, 1, 999, 1_000, 59_999_999, 60_000_000, 86_400_000_000, 123_456_789_012_345] as [Int64] {
            let duration = Basics.Duration(microseconds: microseconds)
            #expect(DurationText.read(TimeText.duration(duration)) == duration)
        }
    }

    @Test func `decimal numbers are exact`() throws {
        #expect(try DecimalText.read("6").get().whole(timesTenTo: 6) == 6_000_000)
        #expect(try DecimalText.read("0.1").get().whole(timesTenTo: 6) == 100_000)
        #expect(try DecimalText.read("1e6").get().whole(timesTenTo: 0) == 1_000_000)
        #expect(try DecimalText.read("1_000_000").get().whole(timesTenTo: 0) == 1_000_000)
        #expect(try DecimalText.read("1.5e1").get().whole(timesTenTo: 0) == 15)
        #expect(try DecimalText.read("1.5").get().whole(timesTenTo: 0) == nil)
        #expect(try DecimalText.read("0.0000001").get().whole(timesTenTo: 6) == nil)
        #expect(try DecimalText.read("9223372036854775807").get().whole(timesTenTo: 0) == .max)
        #expect(try DecimalText.read("9223372036854775808").get().whole(timesTenTo: 0) == nil)
        #expect(try DecimalText.read("1e999").get().double == .infinity)
        #expect(try DecimalText.read("0e999").get().whole(timesTenTo: 0) == 0)
        #expect(try DecimalText.read(".94").get().double == 0.94)
        #expect(try DecimalText.read("-0.5").get().double == -0.5)
        #expect(DecimalText.read("010") == .failure(.leadingZero))
        #expect(try DecimalText.read("0.1").get().double == 0.1)
    }

    @Test(arguments: [
        "", ".", "-", "1.2.3", "1e", "e5", "1__0", "_1", "1_", "0x10", "nan", ".inf", "inf", "1 000", "1,5", "١", "+5",
        "1e+-5",
    ])
    func `what is no number is refused`(text: String) { #expect(DecimalText.read(text) == .failure(.notANumber)) }

    @Test func `instants need an offset`() {
        #expect(CalendarText.instant("1970-01-01T00:00:00Z")?.unixMicroseconds == 0)
        #expect(CalendarText.instant("1970-01-01T01:00+01:00")?.unixMicroseconds == 0)
        #expect(CalendarText.instant("2026-03-02T00:00:00-05:00")?.unixMicroseconds == 1_772_427_600_000_000)
        #expect(CalendarText.instant("2026-03-02T00:00:00.000001Z")?.unixMicroseconds == 1_772_409_600_000_001)
        for text in [
            "2026-03-02T00:00:00", "2026-03-02", "2026-02-30T00:00:00Z", "2026-03-02  00:00:00Z", "2026-3-2T00:00Z",
            "2026-03-02T24:00Z",
            "2026-03-02T00:00:60Z", "2026-03-02T00:00+19:00", "Z", "", "02/Mar/2026:00:00:00",
            "02/Mrz/2026:00:00:00 +0000",
            "2026-03-02T00:00:00.Z", "2026-03-02T00:00:00+1", "2026-03-02T00:00:00+010", "2026-03-02T00:00:00+01:0",
            "2026-03-02T00:00:00Zx", "2026-03-02T00:00:00 ", "2026-03-02T00:00:00.0.0Z", "2026-03-02T00Z00:00:00Z",
        ] {
            #expect(CalendarText.instant(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "2026-03-02T07:00:00.25+01:00", "2026-03-02 07:00:00.25+0100", "2026-03-02t06:00:00,250000999z",
        "2026-03-02 01:00:00.25 -05", "02/Mar/2026:06:00:00.25 +0000", "2026-03-02T06:00:00.250Z",
    ])
    func `an instant is the same in every spelling`(text: String) {
        #expect(CalendarText.instant(text)?.unixMicroseconds == 1_772_431_200_250_000)
    }

    @Test func `numbers since 1970 have their unit by their size, or a stated one, and are exact`() {
        func read(_ text: String, _ unit: TimeUnit? = nil) -> Int64? {
            UnixText.microseconds(Array(text.utf8), unit: unit)
        }
        for text in [
            "1772445605.123456", "1772445605123.456", "1772445605123456", "1772445605123456789", "1772445605.1234569",
        ] {
            #expect(read(text) == 1_772_445_605_123_456, "\(text)")
        }
        #expect(read("250", .milliseconds) == 250_000 && read("250") == 250_000_000 && read("250", .nanoseconds) == 0)
        #expect(read("9007199254740993000") == nil && read("9007199254740993000", .nanoseconds) == nil)
        #expect(read("1.772445605e9") == 1_772_445_605_000_000)
        for text in ["", ".", ".5", "-1", "1e", "1.2.3", "0x10", "1_000", "99999999999999999999", "1 ", "4102444800"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test func `clock times have two digits each`() {
        #expect(CalendarText.clock("07:30") == ClockTime(hour: 7, minute: 30))
        #expect(CalendarText.clock("23:59:59.5")?.microseconds == 86_399_500_000)
        for text in ["7:30", "24:00", "12:60", "12", "12:30:", "12:30:00.", "12:30:00.1234567", "ab:cd"] {
            #expect(CalendarText.clock(Substring(text)) == nil, "\(text)")
        }
        for clock in [
            ClockTime(hour: 0, minute: 0), ClockTime(hour: 12, minute: 0), ClockTime(microseconds: 86_399_999_999),
        ] {
            #expect(CalendarText.clock(Substring(CalendarText.text(clock))) == clock)
        }
    }

    @Test func `places, lengths and speeds have units`() {
        #expect(ScalarText.place("work 5000 -0.5")! == ("work", 5_000_000, -500))
        #expect(ScalarText.place("my office 1 2")! == ("my office", 1000, 2000))
        #expect(ScalarText.place("work 0.0001 0") == nil)
        #expect(ScalarText.quantity("10km", in: UnitTable.lengths) == 10_000_000)
        #expect(ScalarText.quantity("500m", in: UnitTable.lengths) == 500_000)
        #expect(ScalarText.quantity("10", in: UnitTable.lengths) == nil)
        #expect(ScalarText.speed("36km/h")?.metresPerSecond == 10)
        #expect(ScalarText.speed("36") == nil)
    }

    @Test func `the nearest name is the one that was meant`() {
        #expect(Nearest.name(to: "polcy", among: ["push", "policy", "place"]) == "policy")
        #expect(Nearest.name(to: "ab", among: ["xy", "zw"]) == nil)
        #expect(Nearest.name(to: "=<", among: ["<", "<=", ">", ">="]) == "<=")
        #expect(Nearest.editDistance(Array("kitten"), Array("sitting")) == 3)
    }
}
