import Statistics
import Testing

@Suite struct WideSumTests {
    @Test func `a sum beyond 64 bits is exact`() {
        let cells = UnsafeMutablePointer<Int64>.allocate(capacity: 2)
        defer { cells.deallocate() }
        cells.initialize(repeating: 0, count: 2)
        var expected: Int128 = 0
        var value: UInt64 = 1
        for step in 0..<3_000 {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let addend = [Int64.max, Int64(value >> 1), Int64(value >> 44), 0, 1][step % 5]
            WideSum.add(addend, to: cells)
            expected += Int128(addend)
            #expect(WideSum.value(cells[0], cells[1]) == expected)
        }
        #expect(expected > Int128(Int64.max) * 100)
    }
}
