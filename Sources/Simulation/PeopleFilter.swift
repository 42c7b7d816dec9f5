/// Some people, and a few others: a filter (Bloom's, of one hash) that forgets nobody.
final class PeopleFilter {
    /// The size, as a power of two of bits: a few hundred people set one bit in ten or twenty.
    private static let bits = 12
    private let words: UnsafeMutableBufferPointer<UInt64>

    init() {
        words = .allocate(capacity: 1 << (Self.bits - 6))
        words.initialize(repeating: 0)
    }

    deinit { words.deallocate() }

    func removeAll() { words.update(repeating: 0) }

    func insert(_ person: UInt32) {
        let (word, bit) = Self.place(of: person)
        words[word] |= bit
    }

    /// - Returns: true for everybody who was inserted, and for the others whose bit is the same.
    func contains(_ person: UInt32) -> Bool {
        let (word, bit) = Self.place(of: person)
        return words[word] & bit != 0
    }

    @inline(__always) private static func place(of person: UInt32) -> (word: Int, bit: UInt64) {
        let hash = (person &* 0x9e37_79b1) >> UInt32(32 - bits)
        return (Int(hash >> 6), 1 << UInt64(hash & 63))
    }
}
