import Basics
import Testing

@testable import Statistics

@Suite struct LatencyHistogramTests {
    /// Latencies from a microsecond to a day, evenly on the logarithm.
    private static func latencies(count: Int, seed: UInt64) -> [Duration] {
        var seed = seed
        return (0..<count).map { _ in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let octave = Int64(seed >> 33) % 36
            return Duration(microseconds: (1 << octave) + Int64(seed >> 8 & 0xffff_ffff) % (1 << octave))
        }
    }

    @Test func `every bin holds its own bounds, follows the one before, and is at most a 128th wide`() {
        var last: Int64 = 0
        for bin in 0..<LatencyHistogram.binCount {
            let (lower, upper) = LatencyHistogram.bounds(of: bin)
            #expect(lower == last && upper > lower, "bin \(bin)")
            #expect(LatencyHistogram.bin(of: Duration(microseconds: lower)) == bin)
            #expect(LatencyHistogram.bin(of: Duration(microseconds: upper - 1)) == bin)
            #expect(bin < 128 ? upper - lower == 1 : (upper - lower) * 128 <= lower, "bin \(bin)")
            last = upper
        }
        #expect(last == 1 << 43)
        #expect(LatencyHistogram.bin(of: Duration(microseconds: .max)) == LatencyHistogram.binCount - 1)
    }

    @Test func `a quantile is within a 128th of the one in the sorted list`() throws {
        let list = Self.latencies(count: 5_000, seed: 20_260_101)
        var histogram = LatencyHistogram()
        for latency in list { histogram.add(latency) }
        let sorted = list.map(\.microseconds).sorted()
        for q in [0.0001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
            let found = try #require(histogram.quantile(q)) * 1e6
            let exact = Double(sorted[max(0, Int((q * Double(list.count)).rounded(.up)) - 1)])
            #expect((found - exact).magnitude <= max(1, exact / 128), "q \(q): \(found) against \(exact)")
        }
        #expect(histogram.quantile(1) == Double(sorted[sorted.count - 1]) / 1e6)
        #expect(histogram.largest.microseconds == sorted[sorted.count - 1])
        #expect(histogram.mean == Double(sorted.reduce(Int128(0)) { $0 + Int128($1) }) / 5_000 / 1e6)
    }

    @Test func `merged histograms are those of all latencies, in either order`() {
        let (first, second) = (Self.latencies(count: 700, seed: 1), Self.latencies(count: 900, seed: 2))
        var (all, one, other) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for latency in first {
            all.add(latency)
            one.add(latency)
        }
        for latency in second {
            all.add(latency)
            other.add(latency)
        }
        var merged = one
        merged.merge(other)
        other.merge(one)
        #expect(merged == all && other == all)
    }

    @Test func `no latencies have no quantile and no mean`() {
        #expect(LatencyHistogram().quantile(0.5) == nil)
        #expect(LatencyHistogram().mean == nil)
    }
}
