import Statistics
import Testing

@testable import Fleet

@Suite struct RunMeasuresTests {
    static let layout = MeasureLayout(segments: 2, strata: MeasureLayoutTests.layouts[2].strata)

    /// Measures with counts drawn from a seed, a few of them large.
    static func measures(_ seed: UInt64) -> RunMeasures {
        let measures = RunMeasures(layout: layout)
        var value = seed
        for i in 0..<layout.count {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            measures.cells[i] = Int64(value >> (i % 7 == 0 ? 4 : 40))
        }
        return measures
    }

    static func merged(_ parts: [RunMeasures]) -> [Int64] {
        let sum = RunMeasures(layout: layout)
        for part in parts { sum.merge(part) }
        return sum.counts
    }

    @Test func `measures begin at none`() {
        #expect(RunMeasures(layout: Self.layout).counts.allSatisfy { $0 == 0 })
    }

    @Test func `merging commutes and associates`() {
        let parts = [Self.measures(1), Self.measures(2), Self.measures(3)]
        let inOrder = Self.merged(parts)
        #expect(inOrder == Self.merged(parts.reversed()))
        #expect(inOrder == Self.merged([parts[1], parts[0], parts[2]]))
        // (a + b) + c against a + (b + c).
        let (left, right) = (Self.measures(1), Self.measures(2))
        left.merge(Self.measures(2))
        left.merge(Self.measures(3))
        right.merge(Self.measures(3))
        let whole = Self.measures(1)
        whole.merge(right)
        #expect(inOrder == left.counts)
        #expect(inOrder == whole.counts)
    }

    @Test func `what is counted at a place is read there, also after merging`() {
        let (a, b) = (RunMeasures(layout: Self.layout), RunMeasures(layout: Self.layout))
        let place = Self.layout.place(ofSegment: 1, .tablet)
        for measures in [a, b] {
            let counts = CountBlock(measures.cells, at: place)
            for _ in 0..<3 { counts.add(.max, to: .sessionTime) }
            counts[.sessions] += 2
        }
        a.merge(b)
        let sum = BlockSum(a, at: place)
        #expect(sum.wide(.sessionTime) == Int128(Int64.max) * 6 && sum[.sessions] == 4)
        #expect(BlockSum(a, at: Self.layout.place(ofSegment: 1, .phone)).isZero)
    }

    @Test func `the pools of a line are apart, and together are their sum`() {
        let measures = RunMeasures(layout: Self.layout)
        let line = Self.layout.place(ofStratum: 1)
        for (pool, tokens) in [(BudgetPool.own, Int64(3)), (.pushed, 5)] {
            CountBlock(measures.cells, at: ReloadCounts.place(of: pool, in: line))[.spent[7]] += tokens
        }
        let reloads = BlockSum(measures, at: line)
        #expect(reloads.pool(.own).sum(.spent) == 3 && reloads.pool(.pushed)[.spent[7]] == 5)
        #expect(reloads.allPools[.spent[7]] == 8)
    }

    @Test func `the fingerprint changes with every single count, and with nothing else`() {
        let measures = RunMeasures(layout: MeasureLayout(segments: 1, strata: MeasureLayoutTests.layouts[1].strata))
        let load = LoadCurve(endpoints: 1, regions: 1, minutes: 2)
        let empty = measures.fingerprint(with: load)
        #expect(empty.count == 16 && empty.allSatisfy(\.isHexDigit))
        var seen: Set<String> = [empty]
        for cell in stride(from: 0, to: measures.layout.count, by: 37) {
            measures.cells[cell] += 1
            #expect(seen.insert(measures.fingerprint(with: load)).inserted, "cell \(cell)")
            measures.cells[cell] -= 1
        }
        measures.cells[measures.layout.count - 1] = 1 << 62
        #expect(seen.insert(measures.fingerprint(with: load)).inserted)
        measures.cells[measures.layout.count - 1] = 0
        #expect(measures.fingerprint(with: load) == empty)
        // Requests that differ in nothing but their cause, or their tenth of a second.
        for (cause, tenth) in [(0, 0), (13, 0), (0, 1), (0, 1_199)] {
            let other = LoadCurve(endpoints: 1, regions: 1, minutes: 2)
            let buffer = LoadBuffer(for: other)
            buffer.count(endpoint: 0, region: 0, cause: cause, tenth: tenth)
            buffer.flush()
            #expect(seen.insert(measures.fingerprint(with: other)).inserted, "cause \(cause), tenth \(tenth)")
        }
    }

    @Test func `the fingerprint of equal runs is equal`() {
        let load = LoadCurve(endpoints: 1, regions: 2, minutes: 3)
        #expect(
            Self.measures(7).fingerprint(with: load)
                == Self.measures(7).fingerprint(with: LoadCurve(endpoints: 1, regions: 2, minutes: 3)))
        #expect(Self.measures(7).fingerprint(with: load) != Self.measures(8).fingerprint(with: load))
    }
}
