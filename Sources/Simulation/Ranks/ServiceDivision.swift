import Fleet
import RefreshService

/// How the ranks of a run divide a service and its people.
///
/// Parts of a service that never affect each other are dealt to groups of ranks. A group serves the requests of its
/// parts' regions and simulates the people who live there; its ranks divide these people in blocks and each serve all
/// of the group's requests. Most groups are one rank, which meets nobody. A service in one part is everybody's: one
/// group of all ranks.
struct ServiceDivision {
    /// Some ranks that follow one another, with the numbers of their parts in ascending order.
    struct Group: Equatable {
        var ranks: Range<Int>
        let parts: [Int]
    }

    let parts: [ServicePart]
    /// The share of people in the regions of each part.
    private let weights: [Double]
    /// In the order of their ranks.
    let groups: [Group]

    /// Several ranks share a part only if it would keep one much longer than the others: each serves all of its
    /// requests, and two take two thirds of the time of one, as measured (docs/cluster.md).
    private static func time(_ weight: Double, ranks: Int) -> Double {
        ranks == 1 ? weight : weight * (2 / Double(ranks) + 1) / 3
    }

    /// - Parameter weights: of the parts, in any unit.
    init(_ parts: [ServicePart], weights: [Double], ranks: Int) {
        precondition(
            !parts.isEmpty && weights.count == parts.count && ranks >= 1, "\(parts.count) parts, \(ranks) ranks")
        (self.parts, self.weights) = (parts, weights)
        let order = parts.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }
        var best: (time: Double, groups: [(ranks: Int, parts: [Int])])?
        for heavy in 0...min(parts.count, ranks) {
            guard let dealt = Self.deal(order, weights, ranks: ranks, heavy: heavy) else { continue }
            if dealt.time < best?.time ?? .infinity { best = dealt }
        }
        guard let best else { preconditionFailure("\(parts.count) parts that \(ranks) ranks cannot divide") }
        var next = 0
        groups = best.groups.sorted { $0.parts[0] < $1.parts[0] }.map { count, parts in
            defer { next += count }
            return Group(ranks: next..<next + count, parts: parts)
        }
    }

    /// The heaviest parts get ranks of their own, one or several each; the others go to single ranks, the longest
    /// first, each to the one that has least.
    ///
    /// - Returns: nil if ranks are left over, or if there are too few.
    private static func deal(_ order: [Int], _ weights: [Double], ranks: Int, heavy: Int) -> (
        time: Double, groups: [(ranks: Int, parts: [Int])]
    )? {
        let light = order[heavy...]
        if heavy + (light.isEmpty ? 0 : 1) > ranks { return nil }
        var counts = Array(repeating: 1, count: heavy)
        var bins = light.isEmpty ? [] : pack(light, weights, into: 1)
        for _ in heavy + bins.count..<ranks {
            let slowest = counts.indices.max {
                time(weights[order[$0]], ranks: counts[$0]) < time(weights[order[$1]], ranks: counts[$1])
            }
            let heaviest = slowest.map { time(weights[order[$0]], ranks: counts[$0]) } ?? -1
            if bins.count < light.count, load(of: bins, weights) >= heaviest {
                bins = pack(light, weights, into: bins.count + 1)
            } else if let slowest {
                counts[slowest] += 1
            } else {
                return nil
            }
        }
        let times = counts.indices.map { time(weights[order[$0]], ranks: counts[$0]) } + [load(of: bins, weights)]
        return (
            times.max() ?? 0, counts.indices.map { (counts[$0], [order[$0]]) } + bins.map { (1, $0.sorted()) }
        )
    }

    private static func pack(_ parts: ArraySlice<Int>, _ weights: [Double], into count: Int) -> [[Int]] {
        var bins: [(weight: Double, parts: [Int])] = Array(repeating: (0, []), count: count)
        for part in parts {
            // Among equal ones the one with fewer parts: none stays empty.
            let least = bins.indices.min {
                (bins[$0].weight, bins[$0].parts.count) < (bins[$1].weight, bins[$1].parts.count)
            }
            bins[least ?? 0].weight += weights[part]
            bins[least ?? 0].parts.append(part)
        }
        return bins.map(\.parts)
    }

    private static func load(of bins: [[Int]], _ weights: [Double]) -> Double {
        bins.map { $0.reduce(0) { $0 + weights[$1] } }.max() ?? 0
    }

    /// The same service divided by another number of ranks.
    func among(ranks: Int) -> ServiceDivision { ServiceDivision(parts, weights: weights, ranks: ranks) }

    /// Whether ranks serve different parts.
    var isDivided: Bool { groups.count > 1 }

    /// The number of a rank's group.
    func group(of rank: Int) -> Int {
        guard let group = groups.firstIndex(where: { $0.ranks.contains(rank) }) else {
            preconditionFailure("rank \(rank) of \(groups)")
        }
        return group
    }

    /// The parts whose state and measures a rank hands over: those of its group, if it is the group's first.
    func partsLed(by rank: Int) -> [Int] {
        let group = groups[group(of: rank)]
        return group.ranks.lowerBound == rank ? group.parts : []
    }

    /// A rank's share of the service and of the people.
    func place(of rank: Int) -> Place {
        let group = groups[group(of: rank)]
        var regions: [Bool]?
        if isDivided {
            let count = 1 + (parts.flatMap(\.regions).max() ?? 0)
            let own = Set(group.parts.flatMap { parts[$0].regions })
            regions = (0..<count).map(own.contains)
        }
        return Place(
            share: RankShare(rank: rank - group.ranks.lowerBound, of: group.ranks.count), parts: group.parts,
            regions: regions)
    }

    /// A rank's share: its blocks of people, and which of them.
    struct Place {
        /// The rank among those of its group.
        let share: RankShare
        let parts: [Int]
        /// Whether people who live in a region are the group's; nil if all are.
        let regions: [Bool]?

        /// - Parameter region: that a person lives in; asked only of a divided service.
        func owns(_ person: Int, region: (Int) -> Int) -> Bool {
            share.owns(person) && regions.map { $0[region(person)] } ?? true
        }
    }
}
