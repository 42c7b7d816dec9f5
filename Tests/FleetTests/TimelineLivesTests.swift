import Basics
import Foundation
import Statistics
import Testing
import WidgetPlatform

@testable import Fleet

/// Rules: T4.
@Suite struct TimelineLivesTests {
    /// - Parameter jitter: in seconds.
    static func lives(after: Duration, _ jitter: Distribution.Shape) throws -> TimelineLives {
        var tables = StandardTables()
        return try TimelineLives(after: after, jitter: Distribution(jitter).preparedOffsets(with: &tables))
    }

    /// The lives under way at many instants, which are even over the random numbers.
    static func underWay(_ lives: TimelineLives) -> [Double] {
        let step = UInt64.max / 200_000
        return (0..<200_000).map { lives.lifeUnderWay(step * $0 + step / 2, $0 &* 0x9e37_79b9_7f4a_7c15).inSeconds }
    }

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    @Test func `lives of one length are met as they are`() throws {
        let lives = try Self.lives(after: .hours(3), .constant(60))
        #expect(lives.mean == 10_860)
        #expect(Set(Self.underWay(lives)) == [10_860])
    }

    /// The mean life that is met is that of the squares over that of the lives.
    @Test func `long lives are met more often, by their length`() throws {
        let even = Self.underWay(try Self.lives(after: .zero, .uniform(min: 0, max: 100)))
        #expect(abs(Self.mean(even) - 66.667) < 0.1)
        // A quarter of a density that rises evenly lies below the half.
        let short = Double(even.count { $0 < 50 })
        #expect(abs(short / 200_000 - 0.25) < 0.002)
        let day = 86_400.0
        let exponential = Self.underWay(try Self.lives(after: .days(1), .exponential(mean: day / 2)))
        let expected: Double = day * 2.5 / 1.5
        #expect(abs(Self.mean(exponential) / expected - 1) < 0.005)
    }

    @Test func `a jitter that takes more than there is makes lives of nothing, and they are never met`() throws {
        let lives = try Self.lives(after: .seconds(50), .uniform(min: -100, max: 100))
        #expect(abs(lives.mean - 0.75 * 75) < 0.1)
        // The part of the random numbers in which lives begin to last has some of nothing.
        #expect(Self.underWay(lives).count { $0 <= 0 } < 200)
        #expect(try Self.lives(after: .seconds(1), .constant(-5)).lifeUnderWay(1, 2) == .zero)
    }

    @Test func `the age is even in the life under way, and the date is at its end`() throws {
        let lives = try Self.lives(after: .days(1), .uniform(min: 0, max: 43_200))
        var tables = StandardTables()
        let noDelay = try Distribution.zero.preparedDurations(with: &tables)
        var shares: [Double] = []
        for person in 0..<20_000 {
            let past = PastLives(
                lives, draws: RandomStreams(seed: 5, person: UInt64(person))[.warmContentAge], keptJitter: nil,
                nights: nil, systemDelay: noDelay)
            #expect(past.fetched <= .start && past.due >= .start)
            shares.append((.start - past.fetched).inSeconds / (past.due - past.fetched).inSeconds)
        }
        for tenth in 1..<10 {
            let below = Double(shares.count { $0 < Double(tenth) / 10 }) / Double(shares.count)
            #expect(abs(below - Double(tenth) / 10) < 5 * 0.5 / 20_000.0.squareRoot(), "\(tenth): \(below)")
        }
    }

    /// Dates every day of which the last was half an hour before the start, each late by up to an hour: half of them
    /// are still to come within half an hour, and content is as old as the date that came last.
    @Test func `a date that is late as a run starts is still to come`() {
        let day = Duration.days(1)
        let first = Instant.start - .seconds(1_800)
        func last(_ instant: Instant) -> Instant {
            let passed = (instant - first).microseconds
            let days = passed / day.microseconds - (passed % day.microseconds < 0 ? 1 : 0)
            return first + day * days
        }
        var late = 0
        for person in 0..<20_000 {
            let draws = RandomStreams(seed: 7, person: UInt64(person))[.refreshPhase]
            let past = PastDates(
                last: last, next: { last($0) + day },
                delay: { Duration(seconds: 3_600 * RandomStream.uniform($0)) }, draws: { draws.value(at: $0) })
            let (age, wait) = (Instant.start - past.fetched, past.due - .start)
            #expect(age > .zero && wait >= .zero)
            if wait < .seconds(1_800) {
                late += 1
                #expect(age > day - .seconds(1_800) && age < day + .seconds(1_800))
            } else {
                #expect(age <= .seconds(1_800) && wait >= day - .seconds(1_800) && wait <= day + .seconds(1_800))
            }
        }
        // Five standard errors of a half.
        #expect(abs(Double(late) / 20_000 - 0.5) < 5 * 0.5 / 20_000.0.squareRoot(), "\(late)")
    }
}
