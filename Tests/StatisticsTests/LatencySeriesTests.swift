import Basics
import Testing

@testable import Statistics

@Suite struct LatencySeriesTests {
    /// For each minute latencies from nothing to an hour; every fifth minute has none.
    private static func minutes(count: Int, seed: UInt64) -> [[Duration]] {
        var seed = seed
        return (0..<count).map { minute in
            (0..<(minute % 5 == 4 ? 0 : 20 + minute)).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let octave = Int64(seed >> 33) % 32
                return Duration(microseconds: (1 << octave) - 1 + Int64(seed >> 8 & 0xffff_ffff) % (1 << octave))
            }
        }
    }

    private static func series(_ minutes: [[Duration]]) -> LatencySeries {
        var series = LatencySeries(minutes: minutes.count)
        var minute = MinuteLatencies()
        for latencies in minutes {
            for latency in latencies { minute.add(latency) }
            series.append(minute)
            minute.clear()
        }
        return series
    }

    private static func bytes(_ series: LatencySeries) -> [UInt8] {
        var bytes: [UInt8] = []
        series.withBytes { bytes += $0 }
        return bytes
    }

    @Test func `every bin holds its own bounds, follows the one before, and is at most a 32nd wide`() {
        var last: Int64 = 0
        for bin in 0..<MinuteLatencies.binCount {
            let (lower, upper) = MinuteLatencies.bounds(of: bin)
            #expect(lower == last && upper > lower, "bin \(bin)")
            #expect(MinuteLatencies.bin(of: Duration(microseconds: lower)) == bin)
            #expect(MinuteLatencies.bin(of: Duration(microseconds: upper - 1)) == bin)
            #expect(bin < 128 ? upper - lower == 1 : (upper - lower) * 32 <= lower, "bin \(bin)")
            last = upper
        }
        #expect(last == 1 << 43)
    }

    @Test(arguments: [1, 2, 15, 40])
    func `the latencies of any span of minutes are those that were added, quantiles within a 32nd`(width: Int) throws {
        let minutes = Self.minutes(count: 40, seed: 7)
        let series = Self.series(minutes)
        for start in stride(from: 0, to: 40, by: width) {
            let span = start..<min(start + width, 40)
            let sorted = span.flatMap { minutes[$0] }.map(\.microseconds).sorted()
            let found = series.distribution(of: span)
            #expect(found.total == Int64(sorted.count) && found.longest.microseconds == sorted.last ?? 0)
            for q in [0.5, 0.95, 0.99, 0.999, 1] {
                guard let value = found.quantile(q) else {
                    #expect(sorted.isEmpty)
                    continue
                }
                let exact = Double(sorted[max(0, Int((q * Double(sorted.count)).rounded(.up)) - 1)])
                #expect(
                    (value * 1e6 - exact).magnitude <= exact / 32,
                    "minutes \(span), q \(q): \(value) against \(exact) µs")
            }
        }
    }

    @Test func `merged series are those of all latencies, in either order, and an empty one adds nothing`() {
        let (first, second) = (Self.minutes(count: 12, seed: 1), Self.minutes(count: 12, seed: 2))
        let all = Self.series(zip(first, second).map { $0 + $1 })
        for (one, other) in [(first, second), (second, first)] {
            var merged = Self.series(one)
            merged.merge(Self.series(other))
            #expect(merged == all && Self.bytes(merged) == Self.bytes(all))
        }
        var merged = LatencySeries(minutes: 12)
        merged.merge(all)
        merged.merge(LatencySeries(minutes: 12))
        #expect(merged == all)
    }

    @Test func `a series and a minute that runs are read as they were written`() throws {
        var minute = MinuteLatencies()
        for latency in Self.minutes(count: 1, seed: 9)[0] { minute.add(latency) }
        var series = Self.series(Self.minutes(count: 6, seed: 3))
        var bytes: [UInt8] = []
        let writer = StateStream { bytes += $0 }
        try series.code(writer)
        try minute.code(writer)
        try writer.finish()
        var taken = 0
        let reader = StateStream(reading: bytes.count) { memory in
            let count = min(memory.count, bytes.count - taken)
            memory.copyBytes(from: bytes[taken..<taken + count])
            taken += count
            return count
        }
        var (readSeries, readMinute) = (LatencySeries(minutes: 6), MinuteLatencies())
        try readSeries.code(reader)
        try readMinute.code(reader)
        try reader.finish()
        #expect(readSeries == series)
        var (one, other) = (LatencySeries(minutes: 1), LatencySeries(minutes: 1))
        one.append(minute)
        other.append(readMinute)
        #expect(one == other)
    }

    @Test func `minutes add up to the whole that they are of, and to no other`() {
        var minutes = Self.minutes(count: 8, seed: 4)
        let last = minutes.removeLast()
        let series = Self.series(minutes)
        func running(_ latencies: [Duration]) -> MinuteLatencies {
            var minute = MinuteLatencies()
            for latency in latencies { minute.add(latency) }
            return minute
        }
        func whole(_ latencies: some Sequence<Duration>) -> LatencyHistogram {
            var histogram = LatencyHistogram()
            for latency in latencies { histogram.add(latency) }
            return histogram
        }
        let all = minutes.flatMap { $0 } + last
        #expect(series.addsUp(to: whole(all), with: running(last)))
        #expect(LatencySeries(minutes: 3).addsUp(to: LatencyHistogram(), with: MinuteLatencies()))
        // One less in the minute that runs, one more of the whole, and one in another bin.
        #expect(!series.addsUp(to: whole(all), with: running(Array(last.dropLast()))))
        #expect(!series.addsUp(to: whole(all + [.milliseconds(3)]), with: running(last)))
        #expect(
            !series.addsUp(to: whole(all.dropLast() + [all[all.count - 1] * 2 + .milliseconds(1)]), with: running(last))
        )
        // In the bin of the longest there is one that is longer still.
        var longest = running(last)
        longest.reach((all.max() ?? .zero).microseconds + 1)
        #expect(!series.addsUp(to: whole(all), with: longest))
    }

    @Test func `a wait of nothing is 0`() throws {
        var minute = MinuteLatencies()
        var histogram = LatencyHistogram()
        for latency in [Duration.zero, .zero, .zero, .milliseconds(5)] {
            minute.add(latency)
            histogram.add(latency)
        }
        var series = LatencySeries(minutes: 1)
        series.append(minute)
        #expect(series.distribution(of: 0..<1).quantile(0.5) == 0 && histogram.quantile(0.5) == 0)
        #expect(LogHistogram.quantile(0.5, of: [3, 0, 1]) == 0)
        #expect(CoarseHistogram.quantile(0.5, of: [0, 0, 1], zeros: 1) == 0)
        #expect(CoarseHistogram.quantile(0.9, of: [0, 0, 1], zeros: 1)! > 16)
    }

    @Test func `coarse bins follow one another, hold their bounds, and are at most an eighth wide from a minute on`() {
        var last: Int64 = 0
        for bin in 0..<CoarseHistogram.binCount {
            let (lower, upper) = CoarseHistogram.bounds(of: bin)
            #expect(lower == last && upper > lower, "bin \(bin)")
            #expect(CoarseHistogram.bin(of: .milliseconds(lower)) == bin)
            #expect(CoarseHistogram.bin(of: Duration(microseconds: upper * 1_000 - 1)) == bin)
            #expect(bin < 8 ? upper - lower == 8_192 : (upper - lower) * 8 <= lower, "bin \(bin)")
            last = upper
        }
        #expect(last == 1 << 32)
        #expect(CoarseHistogram.bin(of: Duration(microseconds: .max)) == CoarseHistogram.binCount - 1)
    }
}
