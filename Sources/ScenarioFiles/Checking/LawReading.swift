import SimulatedTime
import Stochastics

/// Reads a law: a constant, or a mapping whose keys tell the family.
struct LawReading {
    let check: FormCheck
    let subject: LawSubject
    let path: String

    func law(_ node: RawNode, _ form: Form) -> Law? {
        switch node.content {
        case .scalar:
            guard !node.isNothing, let value = value(node, path) else {
                if node.isNothing { check.refuse(node, path, form.words) }
                return nil
            }
            return Law(subject: subject, shape: .constant(value))
        case .list:
            check.refuse(node, path, form.words)
            return nil
        case .mapping(let fields): return family(node, fields)
        }
    }

    private func family(_ node: RawNode, _ fields: [RawField]) -> Law? {
        let parameters = fields.filter { $0.key != "minimum" && $0.key != "clip" }
        let known = Array(Set(Law.families.flatMap(\.keys)).union(["minimum", "clip"])).sorted()
        var hasUnknown = false
        for field in parameters where !known.contains(field.key) {
            check.log.report(
                field.origin, joined(path, field.key), expected: "a parameter of a law", found: RawNode.quoted(field.key),
                nearest: Nearest.name(to: field.key, among: known))
            hasUnknown = true
        }
        if hasUnknown { return nil }
        let names = Set(parameters.map(\.key))
        guard let family = Law.families.first(where: { Set($0.keys) == names }) else {
            let families = Form.alternatives(Law.families.map { "{\($0.keys.joined(separator: ", "))}" })
            check.refuse(
                node, path, "the parameters of a law: \(families)",
                found: names.isEmpty ? "none" : "{\(parameters.map(\.key).joined(separator: ", "))}")
            return nil
        }
        var values: [String: Law.Quantity] = [:]
        for field in fields where field.key != "clip" { values[field.key] = parameter(field) }
        let clip = node["clip"].map { self.clip($0) }
        guard values.count == family.keys.count + (node["minimum"] == nil ? 0 : 1), clip == nil || clip! != nil else { return nil }
        guard isOrdered(node, values, family.keys) else { return nil }
        let law = Law(subject: subject, shape: shape(family.keys, values), minimum: values["minimum"], clip: clip ?? nil)
        do {
            _ = try law.distribution()
        } catch {
            check.refuse(node, path, "\(error.name) to be \(error.expected)", found: error.found)
            return nil
        }
        return law
    }

    /// Whether what must be above nothing is, and the greater of two is not the smaller one.
    private func isOrdered(_ node: RawNode, _ values: [String: Law.Quantity], _ keys: [String]) -> Bool {
        // A normal law may have any mean.
        let positive = keys == ["mean", "sd"] || subject == .clock ? [] : ["median", "mean"]
        for key in positive where keys.contains(key) && values[key]?.value == 0 {
            check.log.report(
                node[key]?.origin ?? node.origin, joined(path, key), expected: "more than nothing", found: "'\(values[key]?.text ?? "")'")
            return false
        }
        for (low, high) in [("min", "max"), ("median", "p95")] {
            guard let least = values[low], let most = values[high], most.value < least.value else { continue }
            check.log.report(
                node[high]?.origin ?? node.origin, joined(path, high), expected: "at least \(low), \(least.text)", found: "'\(most.text)'")
            return false
        }
        return true
    }

    private func shape(_ keys: [String], _ values: [String: Law.Quantity]) -> Law.Shape {
        func at(_ key: String) -> Law.Quantity {
            guard let value = values[key] else { preconditionFailure("a law without \(key)") }
            return value
        }
        switch keys {
        case ["median", "p95"]: return .lognormalP95(median: at("median"), p95: at("p95"))
        case ["median", "sigma"]: return .lognormalSigma(median: at("median"), sigma: at("sigma"))
        case ["mean", "sd"]: return .normal(mean: at("mean"), deviation: at("sd"))
        case ["min", "max"]: return .uniform(min: at("min"), max: at("max"))
        case ["shape", "mean"]: return .gamma(shape: at("shape"), mean: at("mean"))
        case ["mean", "scale", "degrees"]: return .studentT(mean: at("mean"), scale: at("scale"), degrees: at("degrees"))
        case ["mean"]: return .exponential(mean: at("mean"))
        default: preconditionFailure("no family of \(keys)")
        }
    }

    private func parameter(_ field: RawField) -> Law.Quantity? {
        let keyPath = joined(path, field.key)
        switch field.key {
        case "sigma", "shape", "degrees": return number(field.value, keyPath)
        case "sd", "scale": return subject == .count ? number(field.value, keyPath) : duration(field.value, keyPath)
        case "minimum" where subject == .clock: return duration(field.value, keyPath)
        default: return value(field.value, keyPath)
        }
    }

    /// A value of the law's own kind.
    private func value(_ node: RawNode, _ path: String) -> Law.Quantity? {
        switch subject {
        case .duration: return duration(node, path)
        case .count: return number(node, path)
        case .clock:
            guard case .scalar(let text, let isPlain) = node.content, !node.isNothing else {
                check.refuse(node, path, Form.clock.words)
                return nil
            }
            return check.clock(node, text, isPlain, .clock, path).map {
                Law.Quantity(value: Double($0.microseconds) / 1e6, text: "\"\(CalendarText.text($0))\"")
            }
        }
    }

    private func duration(_ node: RawNode, _ path: String) -> Law.Quantity? {
        guard case .duration(let value)? = check.scalar(node, .duration(), path) else { return nil }
        return Law.Quantity(value: value.inSeconds, text: TimeText.duration(value))
    }

    private func number(_ node: RawNode, _ path: String) -> Law.Quantity? {
        guard case .number(let value)? = check.scalar(node, .number(0...100_000), path) else { return nil }
        return Law.Quantity(value: value, text: DecimalText.text(value))
    }

    private func clip(_ node: RawNode) -> [Law.Quantity]? {
        let keyPath = joined(path, "clip")
        guard case .list(let ends) = node.content, ends.count == 2 else {
            check.refuse(node, keyPath, "the two ends [least, most]")
            return nil
        }
        let values = ends.enumerated().compactMap { value($1, joined(keyPath, "\($0)")) }
        guard values.count == 2 else { return nil }
        guard values[0].value <= values[1].value else {
            check.refuse(node, keyPath, "[least, most] in this order", found: "[\(values[0].text), \(values[1].text)]")
            return nil
        }
        return values
    }
}
