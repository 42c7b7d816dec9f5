import Statistics

/// The choices of each placement in classes of popularity: those of one class are chosen nearly as often as each other.
///
/// Before a cache a popular symbol fares better than a rare one, at all reloads of the people who have chosen it. So
/// outcomes are counted by class, and people for whom one of a sample stands choose within the class of that one's.
package final class ContentClasses: Sendable {
    /// The most classes of any placement, and the one of fetches.
    package let count: Int
    /// The class of fetches in the background whose answers are read (C6). They have one try (B8) and ask for personal
    /// content, so that their outcomes are none of the reloads' at their endpoint.
    let ofFetches: UInt8
    /// By segment, slot and placement; nil for one that chooses nothing.
    private let placements: [[[PlacementClasses?]]]
    /// The keys of all classes.
    let keys: [Int64]

    private struct PlacementClasses: Sendable {
        let choices: [Choices]
        /// The class of each key.
        let classes: [Int64: UInt8]
    }

    /// The choices of one class: the place of its first key in `keys`, how many they are, and the weights. Without
    /// references, which would be counted at every draw.
    struct Choices: BitwiseCopyable, Sendable {
        let first: Int
        let count: Int
        let weights: DiscreteChoice
    }

    /// From one class to the next popularity falls to a half, and in the last one further.
    private static let most = 10

    package init(_ prepared: PreparedPlan) throws(DistributionProblem) {
        var placements: [[[PlacementClasses?]]] = []
        var keys: [Int64] = []
        for segment in prepared.plan.segments {
            var ofSegment: [[PlacementClasses?]] = []
            for device in segment.devices {
                var ofDevice: [PlacementClasses?] = []
                for placement in device.allPlacements {
                    guard case .chosen(let names, let popularity) = placement.location else {
                        ofDevice.append(nil)
                        continue
                    }
                    ofDevice.append(
                        try Self.classes(
                            names.map(prepared.key(ofChoice:)), popularity.weights(names.count), &keys))
                }
                ofSegment.append(ofDevice)
            }
            placements.append(ofSegment)
        }
        (self.placements, self.keys) = (placements, keys)
        let chosen = placements.joined().joined().reduce(1) { max($0, $1?.choices.count ?? 1) }
        let readsFetches = prepared.plan.segments.indices.contains {
            prepared.fetches(ofSegment: $0).contains(where: \.isRead)
        }
        ofFetches = UInt8(chosen)
        count = readsFetches ? chosen + 1 : chosen
    }

    /// - Parameter all: the keys of the classes are added here.
    private static func classes(
        _ keys: [Int64], _ weights: [Double], _ all: inout [Int64]
    ) throws(DistributionProblem) -> PlacementClasses {
        let largest = weights.reduce(0, max)
        var members: [[Int]] = []
        for (index, weight) in weights.enumerated() where weight > 0 {
            var number = 0
            var bound = largest / 2
            while weight < bound && number < most - 1 { (number, bound) = (number + 1, bound / 2) }
            while members.count <= number { members.append([]) }
            members[number].append(index)
        }
        members.removeAll(where: \.isEmpty)
        var choices: [Choices] = []
        var classes: [Int64: UInt8] = [:]
        for (number, indices) in members.enumerated() {
            let own = try DiscreteChoice(weights: indices.map { weights[$0] }, name: "popularity")
            choices.append(Choices(first: all.count, count: indices.count, weights: own))
            all += indices.map { keys[$0] }
            for index in indices { classes[keys[index]] = UInt8(number) }
        }
        return PlacementClasses(choices: choices, classes: classes)
    }

    /// The class of what an instance is set to; 0 for one that chooses nothing.
    func number(of key: Int64, segment: Int, slot: UInt8, placement: Int) -> UInt8 {
        placements[segment][Int(slot)][placement]?.classes[key] ?? 0
    }

    /// The choices of a class; nil for an instance that chooses nothing.
    func choices(ofClass number: UInt8, segment: Int, slot: UInt8, placement: Int) -> Choices? {
        placements[segment][Int(slot)][placement]?.choices[Int(number)]
    }
}
