import Statistics

/// The devices that a sender sends to, by groups: in each in the order of their places, which are random (O3).
///
/// It needs 8 bytes a device and group.
struct Recipients: Sendable {
    /// Where the places of each group begin, and the end of all.
    private let firsts: [Int]
    private let places: [UInt64]

    /// - Parameter groups: the places of each group's devices, in any order.
    init(_ groups: [[UInt64]]) {
        var (firsts, places): ([Int], [UInt64]) = ([0], [])
        places.reserveCapacity(groups.reduce(0) { $0 + $1.count })
        for group in groups {
            places += group.sorted()
            firsts.append(places.count)
        }
        (self.firsts, self.places) = (firsts, places)
    }

    func count(_ group: Int) -> Int { firsts[group + 1] - firsts[group] }

    /// The number of devices of a group that a push reaches.
    func count(_ group: Int, _ reach: Reach) -> Int {
        guard let width = reach.share.width else { return count(group) }
        if width == 0 { return 0 }
        let (first, end) = (rank(reach.start, group), rank(reach.start &+ width, group))
        return reach.start &+ width > reach.start ? end - first : count(group) - first + end
    }

    /// The number of devices of a group with smaller places.
    func rank(_ place: UInt64, _ group: Int) -> Int {
        var (low, high) = (firsts[group], firsts[group + 1])
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low - firsts[group]
    }

    /// A device's number, from 0 on, among those of a group that a push reaches; it is one of them.
    func rank(_ place: UInt64, _ group: Int, _ reach: Reach) -> Int {
        let rank = rank(place, group) - rank(reach.start, group)
        return rank < 0 ? rank + count(group) : rank
    }

    func contains(_ place: UInt64, _ group: Int) -> Bool {
        let index = firsts[group] + rank(place, group)
        return index < firsts[group + 1] && places[index] == place
    }
}

/// The part of the devices that a push reaches: a share of them, from a place on.
struct Reach {
    let start: UInt64
    let share: Bernoulli

    func holds(_ place: UInt64) -> Bool { share.holds(place &- start) }
}
