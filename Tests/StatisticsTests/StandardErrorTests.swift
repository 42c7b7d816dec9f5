import Foundation
import Testing

@testable import Statistics

/// Intervals of estimates from their standard errors.
@Suite struct StandardErrorTests {
    private static func sum(_ one: StandardError, _ other: StandardError) throws -> StandardError {
        let sum: StandardError? = one + other
        return try #require(sum)
    }

    @Test func `the error of values is their sample deviation`() throws {
        let error = try #require(StandardError(ofEach: [3, 4, 8, 1, 0, 7, 7, 2]))
        #expect((error.value * error.value - 64.0 / 7).magnitude < 1e-12 && error.degreesOfFreedom == 7)
        let interval = try #require(error.interval(around: 4))
        #expect((interval.high - 4 - 2.364624251592784 * error.value).magnitude < 1e-8)
        #expect(interval.low == 0 && interval.standardError == error.value)
    }

    @Test func `the sum of two errors has the degrees of Welch and Satterthwaite`() throws {
        let (three, four) = (
            try #require(StandardError(3, degreesOfFreedom: 4)), try #require(StandardError(4, degreesOfFreedom: 9))
        )
        let sum = try Self.sum(three, four)
        #expect((sum.value - 5).magnitude < 1e-12)
        #expect((sum.degreesOfFreedom - 625 / (81.0 / 4 + 256.0 / 9)).magnitude < 1e-9)
        // An error without part in the sum has no part in its degrees either.
        let none = try #require(StandardError(0, degreesOfFreedom: 1))
        let same = try Self.sum(none, four)
        #expect(same.value == 4 && same.degreesOfFreedom == 9)
    }

    /// The square of the least of these is 0 as a number, and the sum of the squares of the largest is infinite.
    @Test(arguments: [5e-324, 1e-300, 4.9e-172, 1e-86, 1, 1e150, 1e300])
    func `errors of any size have an interval`(size: Double) throws {
        let values = [1.0, 2, 3, 4].map { $0 * size }
        let error = try #require(StandardError(ofEach: values))
        #expect((error.value / size - (5.0 / 3).squareRoot()).magnitude < (size < 1e-300 ? 1 : 1e-12))
        let sum = try Self.sum(error, error)
        #expect(sum.degreesOfFreedom >= 1 && sum.degreesOfFreedom.isFinite)
        let interval = try #require(sum.interval(around: values[1]))
        #expect(interval.low == 0 && interval.high > values[2])
    }

    @Test func `the logarithm of a ratio has its relative error`() throws {
        let error = try #require(StandardError(0.5, degreesOfFreedom: 9))
        let reach = 2.2621571627409915 * 0.5
        let interval = try #require(error.interval(around: 2, isRatio: true))
        #expect((interval.high / (2 * exp(reach / 2)) - 1).magnitude < 1e-9)
        #expect((interval.low * exp(reach / 2) / 2 - 1).magnitude < 1e-9)
        // It lies above the symmetric one, and is that of a value that is none.
        #expect(try interval.high > #require(error.interval(around: 2)).high)
        #expect(error.interval(around: 0, isRatio: true) == error.interval(around: 0))
        for value in [5e-324, 1e-300, 1e-3] {
            let ends = error.interval(around: value, isRatio: true)
            #expect(ends.map { $0.low >= 0 && $0.high.isFinite } ?? true)
        }
    }

    @Test func `values that are alike have no error, and an interval of one point`() throws {
        for values in [[0.0, 0], [1, 1, 1], [0.1, 0.1, 0.1, 0.1], [5e-324, 5e-324], [1e308, 1e308, 1e308]] {
            let error = try #require(StandardError(ofEach: values))
            let both = try Self.sum(error, error)
            let interval = try #require(both.interval(around: values[0]))
            #expect(error.value == 0 && interval.low == values[0] && interval.high == values[0], "\(values)")
        }
        // The rounding of their parts is no error.
        let rounded = try #require(StandardError(ofEach: [0.1 + 0.2, 0.3, 0.3]))
        #expect(rounded.interval(around: 0.3)?.standardError == 0)
    }

    @Test func `what tells no error has none`() {
        #expect(StandardError(ofEach: []) == nil && StandardError(ofEach: [3]) == nil)
        #expect(StandardError(ofEach: [1, .nan]) == nil && StandardError(ofEach: [1, .infinity]) == nil)
        #expect(StandardError(.nan, degreesOfFreedom: 3) == nil && StandardError(-1, degreesOfFreedom: 3) == nil)
        #expect(StandardError(1, degreesOfFreedom: .nan) == nil && StandardError(1, degreesOfFreedom: 0.9) == nil)
        let large = StandardError(1.5e308, degreesOfFreedom: 1)
        #expect(large.flatMap { $0 + $0 } == nil && large?.interval(around: 1) == nil)
        #expect(StandardError(1, degreesOfFreedom: .infinity)?.degreesOfFreedom == 1_000_000)
    }

    @Test func `an interval ends where the figure can, and holds its value`() throws {
        let error = try #require(StandardError(0.2, degreesOfFreedom: 31))
        let share = try #require(error.interval(around: 0.9, within: 0...1))
        #expect(share.high == 1 && share.low > 0.4)
        let wider = try #require(error.interval(around: 0.9, within: 0...1, margin: 0.1))
        #expect((share.low - wider.low - 0.1).magnitude < 1e-12)
        // A figure just beyond its bound by rounding stays in its interval.
        #expect(error.interval(around: 1 + 1e-15, within: 0...1)?.high == 1 + 1e-15)
    }

    @Test func `a share of nothing and one of all have the rule of three`() throws {
        let none = try #require(EstimatedInterval(ofShareOf: false, trials: 200))
        #expect(none.low == 0 && (none.high - 0.0184444).magnitude < 1e-7)
        let all = try #require(EstimatedInterval(ofShareOf: true, trials: 200))
        #expect(all.high == 1 && (1 - all.low - none.high).magnitude < 1e-12 && all.value == 1)
        #expect(EstimatedInterval(ofShareOf: true, trials: 2)?.low == 0)
        for trials in [0, -1, .nan] { #expect(EstimatedInterval(ofShareOf: true, trials: trials) == nil) }
    }
}
