import Basics
import Foundation
import ScenarioModel
import TestSupport
import Testing

@testable import Fleet

/// Rules: C4.
@Suite struct ForecastErrorTests {
    static func error(_ atOneHour: Double, _ exponent: Double, lead: Duration) -> Int64 {
        ForecastError(ForecastAccuracy(errorAtOneHour: atOneHour, exponent: exponent, unit: "°C")).millionths(
            lead: lead)
    }

    @Test func `the error at one hour is what it is said to be, whatever the exponent`() {
        for exponent in [0, 0.3, 0.5, 1, 3] {
            for error in [0.001, 1.2, 7, 1_000_000] {
                #expect(Self.error(error, exponent, lead: .hours(1)) == Int64(error * 1e6))
            }
        }
    }

    @Test func `the error grows as the lead time to the power`() {
        #expect(Self.error(1.2, 0.5, lead: .hours(4)) == 2_400_000)
        #expect(Self.error(1.2, 0.5, lead: .minutes(15)) == 600_000)
        #expect(Self.error(2, 1, lead: .minutes(90)) == 3_000_000)
        #expect(Self.error(2, 2, lead: .hours(3)) == 18_000_000)
        #expect(Self.error(2, 0, lead: .days(9)) == 2_000_000)
        var numbers = TestNumbers(seed: 4)
        for _ in 0..<2_000 {
            let lead = Duration(microseconds: numbers.below(Duration.days(30).microseconds))
            let expected = 1.3e6 * pow(Double(lead.microseconds) / 3.6e9, 0.7)
            #expect((Double(Self.error(1.3, 0.7, lead: lead)) - expected).magnitude <= 0.5 + 1e-9 * expected)
        }
    }

    @Test func `no lead time is no error, and a huge one has a bound`() {
        #expect(Self.error(1, 1, lead: .zero) == 0)
        #expect(Self.error(1_000_000, 3, lead: .days(40_000)) == 1_000_000_000_000_000_000)
    }
}
