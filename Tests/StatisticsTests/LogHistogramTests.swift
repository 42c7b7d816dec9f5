import Basics
import Statistics
import Testing

@Suite struct LogHistogramTests {
    @Test func `the bins follow one another without a gap, to 2^36 ms`() {
        var last: Int64 = 0
        for bin in 0..<LogHistogram.binCount {
            let (lower, upper) = LogHistogram.bounds(of: bin)
            #expect(lower == last && upper > lower, "bin \(bin)")
            last = upper
        }
        #expect(last == 1 << 36)
    }

    @Test func `every bin holds its own bounds, and is at most a sixteenth wide from 16 ms on`() {
        for bin in 0..<LogHistogram.binCount {
            let (lower, upper) = LogHistogram.bounds(of: bin)
            #expect(LogHistogram.bin(of: .milliseconds(lower)) == bin)
            #expect(LogHistogram.bin(of: Duration(microseconds: upper * 1_000 - 1)) == bin)
            #expect(bin < 16 ? upper - lower == 1 : (upper - lower) * 16 <= lower, "bin \(bin)")
        }
    }

    @Test func `a longer duration is never in an earlier bin`() {
        var last = 0
        var microseconds: Int64 = 0
        while microseconds < 1 << 47 {
            let bin = LogHistogram.bin(of: Duration(microseconds: microseconds))
            #expect(bin >= last && bin < LogHistogram.binCount)
            last = bin
            microseconds += 1 + microseconds / 77
        }
        #expect(last == LogHistogram.binCount - 1)
        #expect(LogHistogram.bin(of: Duration(microseconds: .max)) == LogHistogram.binCount - 1)
    }

    @Test func `a quantile is within a bin of the one in the sorted list`() throws {
        // Durations from a tenth of a second to years, evenly on the logarithm.
        var seed: UInt64 = 20_260_101
        var list: [Int64] = []
        var counts = Array(repeating: 0 as Int64, count: LogHistogram.binCount)
        for _ in 0..<5_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let octave = Int64(seed >> 60)
            let microseconds = (100_000 << octave) + Int64(seed >> 8 & 0xffff_ffff) % (100_000 << octave)
            list.append(microseconds)
            counts[LogHistogram.bin(of: Duration(microseconds: microseconds))] += 1
        }
        list.sort()
        for q in [0.0001, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.9999, 1] {
            let found = try #require(LogHistogram.quantile(q, of: counts))
            let exact = Double(list[max(0, Int((q * Double(list.count)).rounded(.up)) - 1)]) / 1e6
            #expect((found - exact).magnitude <= exact / 16, "q \(q): \(found) against \(exact)")
        }
    }

    @Test func `no counts have no quantile, and one bin's lie inside it`() throws {
        var counts = Array(repeating: 0 as Int64, count: LogHistogram.binCount)
        #expect(LogHistogram.quantile(0.5, of: counts) == nil)
        counts[200] = 3
        let (lower, upper) = LogHistogram.bounds(of: 200)
        var last = 0.0
        for q in stride(from: 0.0, through: 1.0, by: 0.125) {
            let found = try #require(LogHistogram.quantile(q, of: counts))
            #expect(found >= last && (Double(lower) / 1e3...Double(upper) / 1e3).contains(found))
            last = found
        }
    }
}
