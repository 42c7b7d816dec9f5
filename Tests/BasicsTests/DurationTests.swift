import Basics
import Testing

/// Rules: T1.
@Suite struct DurationTests {
    @Test func `units are the ones they are named after`() {
        #expect(Duration.milliseconds(3).microseconds == 3_000)
        #expect(Duration.minutes(-2) == Duration.seconds(-120))
        #expect(Duration.hours(1) == Duration.minutes(60))
        #expect(Duration.days(1) == Duration.hours(24))
        #expect(Duration.seconds(3).inSeconds == 3)
    }

    @Test func `instants and durations add up`() {
        let instant = Instant(microseconds: 5) + .seconds(1)
        #expect(instant - Instant.start == Duration(microseconds: 1_000_005))
        #expect(instant - .seconds(1) == Instant(microseconds: 5))
        #expect(Instant.longAgo < .start && .start < Instant.never)
        // An event that has not happened yet is longer ago than any limit, and the difference still fits.
        #expect(Instant(microseconds: .max / 2) - .longAgo > .days(100_000))
    }
}
