import Basics
import Statistics

/// Reads a distribution: a constant, or a mapping whose keys tell the family.
struct DistributionReading {
    let check: FormCheck
    let subject: DistributionSubject
    let path: String

    func distribution(_ node: RawNode, _ form: Form) -> StatedDistribution? {
        switch node.content {
        case .scalar:
            guard !node.isNothing, let value = value(node, path) else {
                if node.isNothing { check.refuse(node, path, form.words) }
                return nil
            }
            return StatedDistribution(subject: subject, shape: .constant(value))
        case .list:
            check.refuse(node, path, form.words)
            return nil
        case .mapping(let fields): return family(node, fields)
        }
    }

    private func family(_ node: RawNode, _ fields: [RawField]) -> StatedDistribution? {
        var parameters: [(parameter: DistributionParameter, field: RawField)] = []
        for field in fields {
            if let parameter = DistributionParameter(rawValue: field.key) {
                parameters.append((parameter, field))
            } else {
                let known = DistributionParameter.allCases.map(\.rawValue).sorted()
                check.log.report(
                    field.origin, joined(path, field.key), expected: "a parameter of a distribution",
                    found: RawNode.quoted(field.key),
                    nearest: Nearest.name(to: field.key, among: known))
            }
        }
        if parameters.count < fields.count { return nil }
        let own = parameters.filter { !$0.parameter.isCommon }
        guard let family = DistributionFamily.allCases.first(where: { Set($0.parameters) == Set(own.map(\.parameter)) })
        else {
            let families = Form.alternatives(
                DistributionFamily.allCases.map { "{\($0.parameters.map(\.rawValue).joined(separator: ", "))}" })
            check.refuse(
                node, path, "the parameters of a distribution: \(families)",
                found: own.isEmpty ? "none" : "{\(own.map(\.field.key).joined(separator: ", "))}")
            return nil
        }
        var values: [DistributionParameter: StatedDistribution.Quantity] = [:]
        var clip: [StatedDistribution.Quantity]?
        var quantiles: [StatedDistribution.Quantile]?
        var isRight = true
        for (parameter, field) in parameters {
            let keyPath = joined(path, field.key)
            switch parameter.meaning {
            case .value: values[parameter] = value(field.value, keyPath)
            case .spread:
                values[parameter] = subject == .count ? number(field.value, keyPath) : duration(field.value, keyPath)
            case .number: values[parameter] = number(field.value, keyPath)
            case .offset:
                values[parameter] = subject == .clock ? duration(field.value, keyPath) : value(field.value, keyPath)
            case .curve:
                quantiles = self.quantiles(field.value, keyPath)
                isRight = isRight && quantiles != nil
                continue
            case .file:
                quantiles = SampleFile(check: check, subject: subject, path: keyPath).quantiles(field.value)
                isRight = isRight && quantiles != nil
                continue
            case .range:
                clip = self.clip(field.value, keyPath)
                isRight = isRight && clip != nil
                continue
            }
            isRight = isRight && values[parameter] != nil
        }
        guard isRight, isOrdered(node, values, family) else { return nil }
        let shape = quantiles.map { StatedDistribution.Shape.quantiles($0) }
        let distribution = StatedDistribution(
            subject: subject, shape: shape ?? .family(family, family.parameters.map { values[$0]! }),
            minimum: values[.minimum], clip: clip)
        do {
            let mean = try distribution.distribution().meanWithinClip()
            if subject == .count && !(mean <= Self.mostOnAverage) {
                check.refuse(
                    node, path, "a distribution with a mean of at most \(FigureText.grouped(Int(Self.mostOnAverage)))",
                    found: mean < .infinity
                        ? "a mean of about \(FigureText.rounded(mean))" : "a mean beyond all numbers")
                return nil
            }
        } catch {
            check.refuse(node, path, "\(error.name) to be \(error.expected)", found: error.found)
            return nil
        }
        return distribution
    }

    /// Nobody does anything so often on average; the sums of a heavier tail would take for ever.
    private static let mostOnAverage = 1_000_000.0

    /// Whether what must be above nothing is, and the greater of two is not the smaller one.
    private func isOrdered(
        _ node: RawNode, _ values: [DistributionParameter: StatedDistribution.Quantity], _ family: DistributionFamily
    ) -> Bool {
        func report(_ parameter: DistributionParameter, _ expected: String) {
            let key = parameter.rawValue
            check.log.report(
                node[key]?.origin ?? node.origin, joined(path, key), expected: expected,
                found: "'\(values[parameter]?.text ?? "")'")
        }
        // A normal distribution may have any mean.
        let positive: [DistributionParameter] = family == .normal || subject == .clock ? [] : [.median, .mean]
        for parameter in positive where values[parameter]?.value == 0 {
            report(parameter, "more than nothing")
            return false
        }
        for (low, high) in [(DistributionParameter.min, DistributionParameter.max), (.median, .p95)] {
            guard let least = values[low], let most = values[high], most.value < least.value else { continue }
            report(high, "at least \(low), \(least.text)")
            return false
        }
        return true
    }

    /// Values by the probability of less than them.
    private func quantiles(_ node: RawNode, _ path: String) -> [StatedDistribution.Quantile]? {
        let words = "at least two probabilities with rising values above 0, such as {0.5: 80ms, 0.95: 200ms, 0.99: 1s}"
        guard case .mapping(let fields) = node.content else {
            check.refuse(node, path, words)
            return nil
        }
        var quantiles: [StatedDistribution.Quantile] = []
        for field in fields {
            let keyPath = joined(path, field.key)
            guard let probability = Double(field.key), (0...1).contains(probability), field.key.first != "+" else {
                check.log.report(
                    field.origin, keyPath, expected: "a probability from 0 to 1, such as 0.95",
                    found: RawNode.quoted(field.key))
                return nil
            }
            guard let value = value(field.value, keyPath) else { return nil }
            quantiles.append(StatedDistribution.Quantile(probability: probability, value: value))
        }
        quantiles.sort { $0.probability < $1.probability }
        let pairs = zip(quantiles, quantiles.dropFirst())
        if let fall = pairs.first(where: { $0.probability == $1.probability || $1.value.value < $0.value.value }) {
            let at = FigureText.shortest(fall.1.probability)
            check.refuse(
                node, path, "values that do not fall, of another probability each",
                found: "'\(fall.1.value.text)' at \(at)")
            return nil
        }
        guard quantiles.filter({ $0.probability > 0 && $0.probability < 1 }).count > 1, quantiles[0].value.value > 0
        else {
            check.refuse(node, path, words, found: fields.isEmpty ? "an empty mapping" : node.flowText)
            return nil
        }
        return quantiles
    }

    /// A value of the distribution's own kind.
    private func value(_ node: RawNode, _ path: String) -> StatedDistribution.Quantity? {
        switch subject {
        case .duration: return duration(node, path)
        case .count: return number(node, path)
        case .clock:
            guard case .scalar(let text, let isPlain) = node.content, !node.isNothing else {
                check.refuse(node, path, Form.clock.words)
                return nil
            }
            return check.clock(node, text, isPlain, .clock, path).map {
                StatedDistribution.Quantity(value: Double($0.microseconds) / 1e6, text: "\"\(CalendarText.text($0))\"")
            }
        }
    }

    private func duration(_ node: RawNode, _ path: String) -> StatedDistribution.Quantity? {
        guard case .duration(let value)? = check.scalar(node, .duration(), path) else { return nil }
        return StatedDistribution.Quantity(value: value.inSeconds, text: TimeText.duration(value))
    }

    private func number(_ node: RawNode, _ path: String) -> StatedDistribution.Quantity? {
        guard case .number(let value)? = check.scalar(node, .number(0...100_000), path) else { return nil }
        return StatedDistribution.Quantity(value: value, text: FigureText.shortest(value))
    }

    private func clip(_ node: RawNode, _ keyPath: String) -> [StatedDistribution.Quantity]? {
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
