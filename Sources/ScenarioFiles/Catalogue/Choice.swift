import Basics

/// A word of several that a scenario can choose. The catalogue lists the cases and the assembly switches over them, so
/// that a further case has no place that does not know it.
protocol Choice: NamedCase, CaseIterable, Equatable, Sendable, ScenarioValue {
    /// The value that stands in for a wrong choice, so that checking can continue.
    static var standIn: Self { get }
}

extension Choice {
    static var standIn: Self { allCases.first! }
    static var names: [String] { allCases.map(\.name) }
}

extension Form {
    static func choice(_ type: (some Choice).Type) -> Form { .choice(type.names) }

    /// A mapping with exactly one of the keys that the cases name, each described by its entry.
    static func oneOf<Sort: Choice>(_ sort: Sort.Type, entry: (Sort) -> KeyEntry) -> Form {
        .oneOf(
            sort.allCases.map { each in
                let entry = entry(each)
                precondition(entry.name == each.name, "the entry of \(each.name) is called \(entry.name)")
                return entry
            })
    }
}

extension Form.Variants {
    /// - Parameters:
    ///   - defaultValue: the case of a mapping that states none; nil if it is required.
    ///   - entries: the keys of a case.
    init<Sort: Choice>(
        of sort: Sort.Type, key: String, meaning: String, defaultValue: Sort?, common: [KeyEntry] = [],
        entries: (Sort) -> [KeyEntry]
    ) {
        self.init(
            key: key, meaning: meaning, defaultValue: defaultValue?.name,
            cases: sort.allCases.map { ($0.name, entries($0)) },
            common: common)
    }
}

extension CheckedValue {
    /// The case that is chosen.
    func choice<Value: Choice>(_ type: Value.Type = Value.self) -> Value {
        if case .invalid = content { return Value.standIn }
        let text = text
        guard let chosen = Value.allCases.first(where: { $0.name == text }) else {
            preconditionFailure("\(path) is read as one of \(Value.names), its text is '\(text)'")
        }
        return chosen
    }

    /// The one key of a mapping that has exactly one, and its value; nil if it is wrong.
    func only<Sort: Choice>(_ type: Sort.Type = Sort.self) -> (sort: Sort, value: CheckedValue)? {
        guard let field = fields.first else { return nil }
        guard let sort = Sort.allCases.first(where: { $0.name == field.key }) else {
            preconditionFailure("\(path) is read as one of \(Sort.names), its key is '\(field.key)'")
        }
        return (sort, field.value)
    }
}
