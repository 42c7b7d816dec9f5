import Basics
import Foundation
import Testing

@Suite struct CivilDateTests {
    static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        return calendar
    }()

    @Test func `dates and weekdays are Foundation's from 1970 to 2100`() throws {
        let last = try #require(CivilDate(year: 2100, month: 12, day: 31))
        for number in 0...last.dayNumber {
            let date = CivilDate(dayNumber: number)
            let theirs = Self.calendar.dateComponents(
                [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let ours = date.yearMonthDay
            // Foundation counts from Sunday, 1; we count from Monday, 0.
            guard ours.year == theirs.year, ours.month == theirs.month, ours.day == theirs.day,
                (date.weekday + 1) % 7 + 1 == theirs.weekday,
                date.isWorkday == ![1, 7].contains(theirs.weekday),
                CivilDate(year: ours.year, month: ours.month, day: ours.day) == date
            else {
                Issue.record("day \(number): \(ours), weekday \(date.weekday), against \(theirs)")
                return
            }
        }
    }

    @Test func `a date that does not exist is none`() throws {
        for year in [1970, 1999, 2000, 2023, 2024, 2100] {
            for month in 1...12 {
                let first = try #require(Self.calendar.date(from: DateComponents(year: year, month: month, day: 1)))
                let days = try #require(Self.calendar.range(of: .day, in: .month, for: first))
                for day in -1...40 {
                    #expect(
                        (CivilDate(year: year, month: month, day: day) != nil) == days.contains(day),
                        "\(year)-\(month)-\(day)")
                }
            }
            #expect(CivilDate(year: year, month: 0, day: 1) == nil)
            #expect(CivilDate(year: year, month: 13, day: 1) == nil)
        }
        #expect(CivilDate(year: 0, month: 1, day: 1) == nil)
        #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
    }

    @Test func `days before 1970 go on backwards`() throws {
        #expect(try #require(CivilDate(year: 1969, month: 12, day: 31)).dayNumber == -1)
        #expect(CivilDate(dayNumber: -1).weekday == 2)
        #expect(CivilDate(dayNumber: -719_162).yearMonthDay == (1, 1, 1))
        for number in stride(from: -719_162 as Int64, to: 0, by: 997) {
            let date = CivilDate(dayNumber: number)
            let (year, month, day) = date.yearMonthDay
            #expect(CivilDate(year: year, month: month, day: day) == date)
            #expect(date.advanced(by: 1).weekday == (date.weekday + 1) % 7)
        }
    }

    @Test func `a local time splits into date and clock on both sides of 1970`() {
        for (local, day, clock) in [
            (0, 0, 0), (-1, -1, 86_399_999_999), (86_399_999_999, 0, 86_399_999_999), (86_400_000_000, 1, 0),
            (-86_400_000_000, -1, 0),
            (-86_400_000_001, -2, 86_399_999_999),
        ] as [(Int64, Int64, Int64)] {
            #expect(LocalTime(localMicroseconds: local).date.dayNumber == day)
            #expect(LocalTime(localMicroseconds: local).clock.microseconds == clock)
        }
    }
}
