import ScenarioModel
import Statistics

/// The choices of each placement in classes of popularity: those of one class are chosen nearly as often as each other.
///
/// Before a cache a popular symbol fares better than a rare one, at all reloads of the people who have chosen it. So
/// outcomes are counted by class, and people for whom one of a sample stands choose within the class of that one's.
package final class ContentClasses: Sendable {
    /// The most classes of any placement.
    package let count: Int
    /// By segment, slot and placement; nil for one that chooses nothing.
    private let placements: [[[PlacementClasses?]]]

    private struct PlacementClasses: Sendable {
        /// The keys of each class, the weights among them, and the class of each key.
        let keys: [[Int64]]
        let weights: [DiscreteChoice]
        let classes: [Int64: UInt8]
    }

    /// From one class to the next popularity falls to a half, and in the last one further.
    private static let most = 10

    package init(_ prepared: PreparedPlan) throws(DistributionProblem) {
        var placements: [[[PlacementClasses?]]] = []
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
                        try Self.classes(names.map(prepared.key(ofChoice:)), popularity.weights(names.count)))
                }
                ofSegment.append(ofDevice)
            }
            placements.append(ofSegment)
        }
        self.placements = placements
        count = placements.joined().joined().reduce(1) { max($0, $1?.keys.count ?? 1) }
    }

    private static func classes(_ keys: [Int64], _ weights: [Double]) throws(DistributionProblem) -> PlacementClasses {
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
        var choices: [DiscreteChoice] = []
        var classes: [Int64: UInt8] = [:]
        for (number, indices) in members.enumerated() {
            choices.append(try DiscreteChoice(weights: indices.map { weights[$0] }, name: "popularity"))
            for index in indices { classes[keys[index]] = UInt8(number) }
        }
        return PlacementClasses(keys: members.map { $0.map { keys[$0] } }, weights: choices, classes: classes)
    }

    /// The class of what an instance is set to; 0 for one that chooses nothing.
    func number(of key: Int64, segment: Int, slot: UInt8, placement: Int) -> UInt8 {
        placements[segment][Int(slot)][placement]?.classes[key] ?? 0
    }

    /// Another choice of a class.
    func key(ofClass number: UInt8, segment: Int, slot: UInt8, placement: Int, _ u: UInt64) -> Int64 {
        guard let own = placements[segment][Int(slot)][placement] else { return 0 }
        return own.keys[Int(number)][own.weights[Int(number)].index(u)]
    }
}
