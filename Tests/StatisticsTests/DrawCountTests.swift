import Statistics
import Testing

@Suite struct DrawCountTests {
    @Test func `a count draws the numbers of its stream one after another`() {
        let key = RandomStream(seed: 9, person: 3, purpose: .appOpening)
        var count = DrawCount()
        let drawn = (0..<40).map { _ in count.next(of: key) }
        #expect(drawn == (0..<40).map { key.value(at: UInt64($0)) })
        #expect(count.position == 40)
        count.move(to: 6)
        #expect(count.next(of: key) == key.value(at: 6))
        #expect(MemoryLayout<DrawCount>.size == 4)
    }

    @Test func `pairs are those of the stream, by blocks`() {
        let key = RandomStream(seed: 9, person: 3, purpose: .appOpening)
        var count = DrawCount()
        for block in 0..<20 {
            let (first, second) = count.nextPair(of: key)
            let pair = key.pair(at: UInt64(block))
            #expect(first == pair.first && second == pair.second)
        }
        #expect(count.position == 40)
    }
}
