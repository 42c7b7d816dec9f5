import Basics
import Statistics
import Testing

@testable import Reporting

/// The worst minute of a service, where minutes have few requests.
@Suite struct WorstMinuteTests {
    private static func series(_ minutes: [[Int64]]) -> LatencySeries {
        var series = LatencySeries(minutes: minutes.count)
        for latencies in minutes {
            var minute = MinuteLatencies()
            for latency in latencies { minute.add(.milliseconds(latency)) }
            series.append(minute)
        }
        return series
    }

    @Test func `minutes with enough requests count alone`() throws {
        let minutes = [100, 700, 300].map { Array(repeating: Int64($0), count: 500) }
        let worst = try #require(WorstBin.minute.worst(0.99, of: [Self.series(minutes)], minutes: 3))
        #expect(worst > 0.69 && worst <= 0.7)
    }

    @Test func `one slow request in a quiet minute does not make the worst minute`() throws {
        // 20 requests a minute, and one of 10 s in the second: of the 500 in 25 minutes it is the slowest fifth of a
        // percent.
        var minutes = Array(repeating: Array(repeating: Int64(100), count: 20), count: 50)
        minutes[1][0] = 10_000
        let worst = try #require(WorstBin.minute.worst(0.99, of: [Self.series(minutes)], minutes: 50))
        #expect(worst < 0.11)
        // A minute that is slow as a whole is still found.
        minutes[30] = Array(repeating: 10_000, count: 20)
        let slow = try #require(WorstBin.minute.worst(0.99, of: [Self.series(minutes)], minutes: 50))
        #expect(slow > 9)
    }

    @Test func `the last minutes, too few, count with those before`() throws {
        let minutes = [Array(repeating: Int64(100), count: 100), Array(repeating: Int64(900), count: 99)]
        let worst = try #require(WorstBin.minute.worst(0.95, of: [Self.series(minutes)], minutes: 2))
        #expect(worst > 0.87)
        #expect(WorstBin.minute.worst(0.95, of: [LatencySeries(minutes: 3)], minutes: 3) == nil)
    }

    @Test func `shares of few are told together`() {
        var share = WorstShare()
        #expect(share.value == nil)
        for minute in 0..<10 { share.add(minute == 3 ? 1 : 0, of: 1) }
        #expect(share.value == 0.1)
        share.add(45, of: 90)
        #expect(share.value == 0.46)
        share.add(5, of: 5)
        #expect(share.value == 51.0 / 105)
    }
}
