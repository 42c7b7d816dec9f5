import Basics
import Testing

@testable import WidgetPlatform

/// Rules: V3, V7.
@Suite struct SmartStackTests {
    static func scores(_ values: [Double]) -> (Int) -> Double {
        { place in place < values.count ? values[place] : -.infinity }
    }

    @Test func `the most relevant widget comes up, the first of equals, and only if it beats the top`() {
        var stack = SmartStack(count: 4)
        let turned1 = stack.rotate(most: 9, score: Self.scores([1, 5, 7, 7]))
        #expect(turned1)
        #expect(stack.top == 2)
        let turned2 = stack.rotate(most: 9, score: Self.scores([1, 5, 7, 7]))
        #expect(!turned2, "an equal one stays below")
        let turned3 = stack.rotate(most: 9, score: Self.scores([1, 8, 7, 7]))
        #expect(turned3)
        #expect(stack.top == 1 && stack.rotations == 2)
    }

    @Test func `a relevance of nothing or less never comes up, not even over one that is worse`() {
        var stack = SmartStack(count: 3)
        let turned4 = stack.rotate(most: 9, score: Self.scores([-5, 0, -1]))
        #expect(!turned4)
        #expect(stack.top == 0)
        let turned5 = stack.rotate(most: 9, score: Self.scores([-5, 0, 0.1]))
        #expect(turned5)
        #expect(stack.top == 2)
    }

    @Test func `the system turns it so many times a device-day, hands as often as they like`() {
        var stack = SmartStack(count: 2)
        let turned6 = stack.rotate(most: 1, score: Self.scores([0, 1]))
        #expect(turned6)
        let turned7 = stack.rotate(most: 1, score: Self.scores([2, 1]))
        #expect(!turned7)
        stack.flip()
        stack.flip()
        stack.flip()
        #expect(stack.top == 0 && stack.rotations == 1)
        stack.beginDay()
        let turned8 = stack.rotate(most: 1, score: Self.scores([0, 1]))
        #expect(turned8)
        stack.show(0)
        #expect(stack.top == 0)
    }

    @Test(
        arguments: [
            ("20:59:59.999999", false), ("21:00", true), ("23:59", true), ("00:30", true), ("07:29:59.999999", true),
            ("07:30", false), ("12:00", false),
        ])
    func `bedtime holds from before the usual onset of sleep to after the usual wake-up`(clock: String, holds: Bool)
        throws
    {
        let usual = UsualWaking(
            workday: .init(from: ClockTime(hour: 7, minute: 0), to: ClockTime(hour: 23, minute: 0)),
            freeDay: .init(from: ClockTime(hour: 10, minute: 0), to: ClockTime(hour: 1, minute: 0)))
        let bedtime = RelevanceRule.Bedtime(score: 2, before: .hours(2), after: .minutes(30))
        let parts = clock.split(separator: ":").map { Double($0) ?? 0 }
        let seconds = parts[0] * 3_600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        let microseconds = Int64((seconds * 1_000_000).rounded())
        // A Tuesday, day 20_557 from 1970.
        let local = LocalTime(localMicroseconds: 20_557 * ClockTime.microsecondsPerDay + microseconds)
        #expect(local.date.isWorkday)
        #expect(bedtime.holds(at: local, usual) == holds)
    }

    @Test func `of clues that hold the highest score counts, and none counts outside of a Smart Stack`() {
        var rule = RelevanceRule(base: 1)
        rule.clues.home = 2
        rule.clues.workout = 5
        let usual = UsualWaking(
            workday: .init(from: ClockTime(hour: 7, minute: 0), to: ClockTime(hour: 23, minute: 0)),
            freeDay: .init(from: ClockTime(hour: 7, minute: 0), to: ClockTime(hour: 23, minute: 0)))
        func score(_ circumstances: RelevanceRule.Circumstances?) -> Double {
            rule.score(
                at: .start, local: LocalTime(localMicroseconds: 0), newSince: .longAgo, isEventOn: false,
                in: circumstances)
        }
        #expect(score(nil) == 1)
        #expect(score(.init(stay: .home, isWorkout: false, usual: usual)) == 2)
        #expect(score(.init(stay: .home, isWorkout: true, usual: usual)) == 5)
        #expect(score(.init(stay: .work, isWorkout: false, usual: usual)) == 1)
    }

    @Test func `what is not there cannot come up, and one alone is never turned`() {
        var stack = SmartStack(count: 2)
        let turned9 = stack.rotate(most: 9, score: Self.scores([1]))
        #expect(!turned9)
        var alone = SmartStack(count: 1)
        let turned10 = alone.rotate(most: 9, score: Self.scores([1]))
        #expect(!turned10)
        alone.flip()
        #expect(alone.top == 0)
    }
}

@Suite struct RelevanceTests {
    /// 2026-03-02, a Monday.
    static let monday = CivilDate(year: 2026, month: 3, day: 2)!
    static func local(_ days: Int64, _ hour: Int, _ minute: Int) -> LocalTime {
        LocalTime(
            localMicroseconds: (monday.dayNumber + days) * ClockTime.microsecondsPerDay
                + ClockTime(hour: hour, minute: minute).microseconds
        )
    }
    static let noon = local(0, 12, 0)
    static let now = Instant.start + .hours(12)

    @Test func `the highest score of what holds counts, and the base if nothing does`() {
        let rule = RelevanceRule(
            base: -1, newVersion: .init(score: 10, duration: .minutes(20)), event: 5,
            hours: [
                .init(
                    span: ClockSpan(from: ClockTime(hour: 11, minute: 0), to: ClockTime(hour: 13, minute: 0)),
                    weekdays: 0b1, score: 7)
            ])
        func score(_ local: LocalTime, new: Instant = .longAgo, on: Bool = false) -> Double {
            rule.score(at: Self.now, local: local, newSince: new, isEventOn: on)
        }
        #expect(score(Self.local(0, 10, 0)) == -1)
        #expect(score(Self.noon) == 7)
        #expect(score(Self.noon, on: true) == 7)
        #expect(score(Self.local(1, 12, 0), on: true) == 5, "Tuesday has no hours")
        #expect(score(Self.noon, new: Self.now - .minutes(20)) == 10, "the limit itself holds (T6)")
        #expect(score(Self.noon, new: Self.now - .minutes(20) - Duration(microseconds: 1)) == 7)
    }

    @Test func `a score of nothing that holds beats a higher base`() {
        let rule = RelevanceRule(base: 3, event: 0)
        #expect(rule.score(at: Self.now, local: Self.noon, newSince: .longAgo, isEventOn: true) == 0)
        #expect(rule.score(at: Self.now, local: Self.noon, newSince: .longAgo, isEventOn: false) == 3)
    }

    @Test
    func `hours include their beginning and not their end, and go over midnight with the weekday of their beginning`() {
        let evening = RelevanceRule.Hours(
            span: ClockSpan(from: ClockTime(hour: 22, minute: 0), to: ClockTime(hour: 1, minute: 0)), weekdays: 0b1,
            score: 1)
        #expect(!evening.hold(at: Self.local(0, 21, 59)))
        #expect(evening.hold(at: Self.local(0, 22, 0)))
        #expect(evening.hold(at: Self.local(1, 0, 59)))
        #expect(!evening.hold(at: Self.local(1, 1, 0)))
        #expect(!evening.hold(at: Self.local(0, 0, 30)), "Sunday evening is none of it")
        #expect(!evening.hold(at: Self.local(1, 22, 0)))
    }
}
