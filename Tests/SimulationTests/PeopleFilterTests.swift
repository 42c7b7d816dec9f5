import Testing

@testable import Simulation

@Suite struct PeopleFilterTests {
    @Test func `everybody who was inserted is found, and few others`() {
        let filter = PeopleFilter()
        #expect(!(0..<5_000).contains { filter.contains($0) })
        // Blocks of neighbours, as those of a rank.
        let people: [UInt32] = (UInt32(0)..<200).map { $0 / 4 * 640 + $0 % 4 }
        for person in people { filter.insert(person) }
        #expect(people.allSatisfy(filter.contains))
        let others = (40_000..<50_000).count { filter.contains($0) }
        // 200 of 4,096 bits.
        #expect((300..<700).contains(others), "\(others) of 10,000")
        filter.removeAll()
        #expect(!(0..<5_000).contains { filter.contains($0) })
    }
}
