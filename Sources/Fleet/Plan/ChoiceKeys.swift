import ScenarioModel
import Statistics

/// The keys of the content of chosen places and symbols (L7): a choice's index, in order of all names, under a bit that
/// no place has.
struct ChoiceKeys {
    private static let bit: Int64 = 1 << 60
    private let names: [String]
    private let keys: [String: Int64]

    init(of plan: FleetPlan) {
        let placements =
            plan.segments.flatMap(\.devices).flatMap(\.allPlacements)
            + plan.replay.flatMap(\.instances).map(\.placement)
        var names: Set<String> = []
        for placement in placements { if case .chosen(let chosen, _) = placement.location { names.formUnion(chosen) } }
        self.names = names.sorted()
        keys = Dictionary(uniqueKeysWithValues: self.names.enumerated().map { ($1, Self.bit | Int64($0)) })
    }

    func key(of name: String) -> Int64 {
        guard let key = keys[name] else { preconditionFailure("nobody can choose \(name)") }
        return key
    }

    func name(ofKey key: Int64) -> String? { key >= Self.bit ? names[Int(key - Self.bit)] : nil }
}

/// The choices that an instance can be set to, and how often each is chosen (R5).
struct PreparedChoice {
    private let keys: [Int64]
    /// Nil if all are as likely.
    private let weighted: DiscreteChoice?

    init(_ names: [String], _ popularity: ChoicePopularity, _ choices: ChoiceKeys) throws(DistributionProblem) {
        keys = names.map(choices.key)
        if case .even = popularity {
            weighted = nil
        } else {
            weighted = try DiscreteChoice(weights: popularity.weights(names.count), name: "popularity")
        }
    }

    var count: Int { keys.count }

    /// The key that a number chooses.
    func key(_ u: UInt64) -> Int64 {
        keys[weighted.map { $0.index(u) } ?? Int(RandomStream.index(u, below: UInt64(keys.count)))]
    }
}
