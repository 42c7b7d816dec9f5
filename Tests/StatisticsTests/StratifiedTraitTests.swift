import Testing

@testable import Statistics

/// Traits that are spread evenly over people.
@Suite struct StratifiedTraitTests {
    private static func numbers(_ trait: StratifiedTrait, _ people: Int, seed: UInt64) -> [Double] {
        (0..<people).map {
            Double(
                RandomStreams(seed: seed, person: UInt64($0)).number(.segment, evenly: trait) >> 11) * 0x1p-53
        }
    }

    @Test("Of any number of people a share holds within three of them", arguments: StratifiedTrait.allCases)
    func shares(trait: StratifiedTrait) {
        for people in [100, 1_000, 4_321] {
            let numbers = Self.numbers(trait, people, seed: 7)
            for share in [0.1, 0.35, 0.85] {
                let count = numbers.count { $0 < share }
                #expect(abs(Double(count) - share * Double(people)) <= 3, "\(trait) \(people) \(share): \(count)")
            }
        }
    }

    /// A quarter of the people have both of two halves: chance would be off by 1.4 % of them.
    @Test("Of two traits together it holds within 1 % of a thousand people")
    func pairs() {
        for a in StratifiedTrait.allCases {
            for b in StratifiedTrait.allCases where a.rawValue < b.rawValue {
                let both = zip(Self.numbers(a, 1_000, seed: 3), Self.numbers(b, 1_000, seed: 3)).count {
                    $0 < 0.5 && $1 < 0.5
                }
                #expect(abs(both - 250) <= 10, "\(a) and \(b): \(both)")
            }
        }
    }

    @Test("Over seeds a person's number is uniform, and without evenness it is the stream's")
    func uniform() {
        let numbers = (1...2_000).map { Self.numbers(.unlocks, 3, seed: $0)[2] }
        #expect(abs(numbers.reduce(0, +) / 2_000 - 0.5) < 0.03)
        #expect(abs(numbers.reduce(0) { $0 + $1 * $1 } / 2_000 - 1.0 / 3) < 0.03)
        let streams = RandomStreams(seed: 5, person: 9)
        #expect(streams.number(.city, evenly: nil) == streams.number(.city))
        #expect(StratifiedTrait.instance(2) == .thirdInstance && StratifiedTrait.instance(3) == nil)
    }
}
