import Testing

@testable import People

@Suite struct PickupNumbersTests {
    @Test func `each bit of a block belongs to one number of the pickup`() {
        let block: (first: UInt64, second: UInt64) = (0x0123_4567_89AB_CDEF, 0x0F1E_2D3C_4B5A_6978)
        let whole = PickupNumbers(block)
        var bits = (gap: 0, length: 0, kind: 0)
        for bit in 0..<128 as Range<UInt64> {
            let flipped = PickupNumbers(
                bit < 64 ? (block.first ^ 1 << bit, block.second) : (block.first, block.second ^ 1 << (bit - 64)))
            let changed = (flipped.gap != whole.gap, flipped.length != whole.length, flipped.kind != whole.kind)
            #expect([changed.0, changed.1, changed.2].count { $0 } == 1, "bit \(bit)")
            bits.gap += changed.0 ? 1 : 0
            bits.length += changed.1 ? 1 : 0
            bits.kind += changed.2 ? 1 : 0
        }
        #expect(bits == (44, 44, 40))
    }

    /// Each is the middle of the numbers that begin with its bits, so the mean of uniform draws has no bias.
    @Test func `the least and the greatest block lie as far from their ends`() {
        let (least, greatest) = (PickupNumbers((0, 0)), PickupNumbers((.max, .max)))
        #expect(least.gap == 1 << 19 && greatest.gap == ~0 - (1 << 19) + 1)
        #expect(least.length == 1 << 19 && greatest.length == ~0 - (1 << 19) + 1)
        #expect(least.kind == 1 << 23 && greatest.kind == ~0 - (1 << 23) + 1)
    }
}
