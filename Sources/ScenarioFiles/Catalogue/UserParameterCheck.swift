import Basics

extension ScenarioAssembly {
    /// Reports what code of a user's own has refused of its parameters, and those that it does not know.
    ///
    /// - Parameter owner: the code in words, `provider 'quote'`.
    func check(_ with: UserParameters, _ fields: [(key: String, value: CheckedValue)], of owner: String) {
        let values = Dictionary(fields, uniquingKeysWith: { first, _ in first })
        for problem in with.problems {
            guard let value = values[problem.key] else { continue }
            report(value, problem.expected, RawNode.quoted(value.text))
        }
        let known = with.known
        for key in with.unknown {
            guard let value = values[key] else { continue }
            log.report(
                value.origin, value.path,
                expected: known.isEmpty
                    ? "nothing: \(owner) takes no parameters"
                    : "a key that \(owner) takes: \(known.joined(separator: ", "))",
                found: RawNode.quoted(key), nearest: Nearest.name(to: key, among: known))
        }
    }
}
