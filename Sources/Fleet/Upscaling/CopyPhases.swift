import Statistics

/// The phases of the people for whom those of a sample stand, in ascending order for each of these, as parts of 2³².
struct CopyPhases {
    private let parts: [UInt32]
    private let sampled, people: Int

    init(sampled: Int, people: Int, seed: UInt64) {
        (self.sampled, self.people) = (sampled, people)
        var parts: [UInt32] = []
        parts.reserveCapacity(people)
        for person in 0..<sampled {
            let draws = RandomStream(seed: seed, person: UInt64(person), purpose: .copyPhase)
            var passed = 0.0
            for left in stride(from: Self.count(of: person, sampled, people), to: 0, by: -1) {
                // The smallest of k even draws in (0, 1) is 1 − u^(1/k).
                let u = RandomStream.uniform(draws.value(at: UInt64(left)))
                passed += (1 - passed) * (1 - DeterministicMath.exp(DeterministicMath.log(u) / Double(left)))
                parts.append(UInt32(cutting: passed * 0x1p32))
            }
        }
        self.parts = parts
    }

    /// Those of the people for whom one of the sample stands.
    subscript(person: Int) -> OfPerson {
        // The first people of the sample stand for one more.
        let first = person * (people / sampled) + min(person, people % sampled)
        return OfPerson(parts: parts, first: first, count: Self.count(of: person, sampled, people))
    }

    private static func count(of person: Int, _ sampled: Int, _ people: Int) -> Int {
        (people - person + sampled - 1) / sampled
    }

    struct OfPerson {
        fileprivate let parts: [UInt32]
        fileprivate let first: Int
        let count: Int

        subscript(place: Int) -> UInt32 { parts[first + place] }

        /// The place of the first phase of at least so much; 0 if there is none.
        func firstPlace(from part: UInt64) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if UInt64(self[middle]) < part { low = middle + 1 } else { high = middle }
            }
            return low == count ? 0 : low
        }
    }
}
