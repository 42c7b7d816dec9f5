/// The numbers of one pickup, from one block: 44 bits for the gap after it and as many for the length of its session,
/// 40 for its kind.
struct PickupNumbers {
    let gap, length, kind: UInt64

    @inline(__always) init(_ block: (first: UInt64, second: UInt64)) {
        // In the middle of the numbers that begin with these bits.
        let middle: UInt64 = 1 << 19
        gap = (block.first & ~0xF_FFFF) | middle
        length = (block.first << 44) | ((block.second >> 40) << 20) | middle
        kind = (block.second << 24) | (1 << 23)
    }
}
