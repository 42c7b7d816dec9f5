import Basics
import Testing
import WidgetPlatform

/// Rules: R3, R4.
@Suite struct TimelineTests {
    static let fetched = Instant(microseconds: 1_000_000_007)

    static func timeline(_ shape: TimelineShape, validFor: Duration? = nil, restOfDay: Duration = .hours(5)) -> Timeline
    {
        Timeline(shape: shape, fetched: fetched, validFor: validFor, midnight: fetched + restOfDay)
    }

    @Test func `a single entry is good for ever`() {
        let timeline = Self.timeline(.single)
        #expect(timeline.entryCount == 1)
        #expect(timeline.lastEntry == Self.fetched)
        #expect(timeline.validUntil == .never)
    }

    @Test(arguments: [1, 2, 6, 48]) func `the last entry of a series is good for one spacing`(count: Int) {
        let timeline = Self.timeline(.series(count: count, spacing: .minutes(30)))
        #expect(timeline.entryCount == count)
        #expect(timeline.lastEntry == Self.fetched + .minutes(30) * Int64(count - 1))
        #expect(timeline.validUntil == Self.fetched + .minutes(30) * Int64(count))
    }

    /// Entries by walking: one at the fetch, then one a spacing as long as it lies before midnight.
    @Test func `entries until midnight lie before it, and the last is good to it`() {
        for restOfDay in [1, 2, 999_999, 1_000_000, 1_000_001, 3_000_000, 3_000_001, 86_400_000_000, 90_000_000_000]
            as [Int64]
        {
            for spacing in [1_000_000, 7_000_003, 3_600_000_000] as [Int64] {
                let midnight = Self.fetched + Duration(microseconds: restOfDay)
                var entries = [Self.fetched]
                while entries[entries.count - 1] + Duration(microseconds: spacing) < midnight {
                    entries.append(entries[entries.count - 1] + Duration(microseconds: spacing))
                }
                let timeline = Self.timeline(
                    .untilMidnight(spacing: Duration(microseconds: spacing)),
                    restOfDay: Duration(microseconds: restOfDay))
                #expect(timeline.entryCount == entries.count, "rest \(restOfDay), spacing \(spacing)")
                #expect(timeline.lastEntry == entries.last)
                #expect(timeline.validUntil == midnight)
            }
        }
    }

    @Test func `a self-updating entry is one entry, good to its end`() {
        let timeline = Self.timeline(.selfUpdating(goodFor: .hours(2)))
        #expect(timeline.entryCount == 1)
        #expect(timeline.lastEntry == Self.fetched)
        #expect(timeline.validUntil == Self.fetched + .hours(2))
    }

    @Test func `a kind's own validity counts from the last entry's date`() {
        let shapes: [TimelineShape] = [
            .single, .series(count: 4, spacing: .hours(1)), .untilMidnight(spacing: .hours(1)),
            .selfUpdating(goodFor: .hours(9)),
        ]
        for shape in shapes {
            let plain = Self.timeline(shape)
            let timeline = Self.timeline(shape, validFor: .minutes(7))
            #expect(timeline.entryCount == plain.entryCount && timeline.lastEntry == plain.lastEntry)
            #expect(timeline.validUntil == plain.lastEntry + .minutes(7), "\(shape)")
        }
    }

    @Test func `an entry is in force from its date to the next one's, the last one ever after for the instant itself`()
    {
        let series = TimelineShape.series(count: 4, spacing: .minutes(30))
        let last = Self.timeline(series).lastEntry
        func inForce(_ shape: TimelineShape, _ after: Duration) -> Duration {
            shape.entryInForce(
                at: Self.fetched + after, drawn: Self.fetched + after, fetched: Self.fetched, lastEntry: last)
                - Self.fetched
        }
        let microsecond = Duration(microseconds: 1)
        #expect(inForce(series, .zero) == .zero && inForce(series, .minutes(30) - microsecond) == .zero)
        #expect(inForce(series, .minutes(30)) == .minutes(30) && inForce(series, .minutes(59)) == .minutes(30))
        #expect(inForce(series, .minutes(90) - microsecond) == .minutes(60))
        for after in [Duration.minutes(90), .minutes(91), .hours(9)] { #expect(inForce(series, after) == after) }
        #expect(inForce(.untilMidnight(spacing: .minutes(30)), .minutes(44)) == .minutes(30))
        for shape in [TimelineShape.single, .selfUpdating(goodFor: .hours(1))] {
            #expect(
                shape.entryInForce(
                    at: Self.fetched + .minutes(7), drawn: Self.fetched + .minutes(7), fetched: Self.fetched,
                    lastEntry: Self.fetched)
                    == Self.fetched + .minutes(7))
        }
    }

    @Test func `a screen drawn earlier shows the entry of then, which is late once another's date has come`() {
        let series = TimelineShape.series(count: 4, spacing: .minutes(30))
        let last = Self.timeline(series).lastEntry
        func shown(_ drawn: Int64, _ now: Int64, _ shape: TimelineShape = .series(count: 4, spacing: .minutes(30))) -> (
            Duration, Bool
        ) {
            let (drawn, now) = (Self.fetched + .minutes(drawn), Self.fetched + .minutes(now))
            return (
                shape.entryInForce(at: now, drawn: drawn, fetched: Self.fetched, lastEntry: last) - Self.fetched,
                shape.hasEntry(after: drawn, through: now, fetched: Self.fetched, lastEntry: last)
            )
        }
        #expect(
            shown(20, 29) == (.zero, false) && shown(20, 30) == (.zero, true) && shown(30, 30) == (.minutes(30), false))
        // Two entries behind is late once; the last entry is never late, and speaks for the instant itself.
        #expect(
            shown(20, 70) == (.zero, true) && shown(89, 90) == (.minutes(60), true)
                && shown(90, 95) == (.minutes(95), false))
        #expect(shown(0, 500) == (.zero, true))
        #expect(
            shown(0, 500, .single) == (.minutes(500), false)
                && shown(0, 500, .selfUpdating(goodFor: .hours(1))) == (.minutes(500), false))
    }
}
