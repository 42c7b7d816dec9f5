import ScenarioModel

/// Makes how often each of some names is taken (R5).
struct PopularityAssembly {
    let scenario: ScenarioAssembly
    let names: [String]
    /// The names' noun, for sentences.
    let noun: String

    func popularity(_ popularity: CheckedValue) -> ChoicePopularity {
        guard popularity.isValid else { return .even }
        guard popularity.isMapping, let (parameter, value) = popularity.only(PopularityParameter.self) else {
            switch popularity.choice(PlainPopularity.self) {
            case .even: return .even
            case .zipf: return .zipf(exponent: 1)
            }
        }
        switch parameter {
        case .zipf: return .zipf(exponent: value.number)
        case .weights: return weighted(value)
        }
    }

    private func weighted(_ weights: CheckedValue) -> ChoicePopularity {
        let known = Set(names)
        for (name, weight) in weights.fields where !known.contains(name) {
            scenario.log.refuse(weight, key: name, expected: "one of \(noun)", among: names)
        }
        let stated = Dictionary(
            weights.fields.map { ($0.key, $0.value.number) }, uniquingKeysWith: { first, _ in first })
        if let lacking = names.first(where: { stated[$0] == nil }) {
            scenario.report(weights, "a weight for each of \(noun)", "none for \(RawNode.quoted(lacking))")
            return .even
        }
        let values = names.map { stated[$0, default: 0] }
        if !values.contains(where: { $0 > 0 }) {
            scenario.report(weights, "a weight above 0", "none")
            return .even
        }
        return .weights(values)
    }
}
