/// A study as a scenario states it.
struct StatedStudy {
    var name: String?
    var design = "grid"
    /// By the axis's name, with the value; nil for a wrong one.
    var axes: [(name: String, value: CheckedValue, axis: StatedAxis?)] = []
    var unknowns: [(name: String, value: CheckedValue, axis: StatedAxis?)] = []
    var conditions: [String] = []
    var replications = 1
    var seedsPerRun = false
    var zip = CheckedValue.absent, scenarios = CheckedValue.absent, baseline = CheckedValue.absent
}

struct StatedAxis {
    /// Absent for the axis's name.
    var key = CheckedValue.absent
    var values = StudyBlock.Axis.Values.listed([])
}

/// Makes the study's block from values that are right one by one: looks at how they fit together.
///
/// The effect of the block's keys on the scenario is checked when a point is read: an override of an unknown key is a
/// problem there. The meaning of expressions and conditions is checked in `Studies`.
struct StudyAssembly {
    let log: ProblemLog
    let study: StatedStudy

    func block() -> StudyBlock {
        let axes = study.axes.compactMap { axis($0.name, $0.value, $0.axis) }
        checkKeys(of: axes)
        let unknowns = study.unknowns.compactMap { axis($0.name, $0.value, $0.axis) }
        checkKeys(of: unknowns)
        let variants = study.scenarios.fields.map { variant($0.key, $0.value) }
        return StudyBlock(
            name: study.name, design: study.design, axes: axes.map(\.axis), unknowns: unknowns.map(\.axis),
            zip: groups(of: axes.map(\.axis.name), unknowns.map(\.axis.name)),
            conditions: study.conditions, replications: study.replications, seedsPerRun: study.seedsPerRun,
            variants: variants, baseline: baseline(among: variants.map(\.name)))
    }

    // MARK: Axes

    private typealias PlacedAxis = (axis: StudyBlock.Axis, key: CheckedValue)

    private func axis(_ name: String, _ value: CheckedValue, _ stated: StatedAxis?) -> PlacedAxis? {
        guard let stated else { return nil }
        let key =
            stated.key.isAbsent
            ? CheckedValue(content: .text(name), form: .keyPath, origin: value.origin, path: value.path) : stated.key
        guard KeyPathText.parts(of: key.text[...]) != nil else {
            log.report(key, expected: Form.keyPath.words, found: RawNode.quoted(key.text))
            return nil
        }
        return (StudyBlock.Axis(name: name, key: key.text, values: stated.values), key)
    }

    /// No axis undoes what another one sets, and none varies the study.
    private func checkKeys(of axes: [PlacedAxis]) {
        for (index, (axis, key)) in axes.enumerated() {
            checkIsNoStudy(axis.key, key)
            for (earlier, _) in axes[..<index] {
                if earlier.key == axis.key {
                    log.report(
                        key, expected: "another key for each axis",
                        found: "'\(axis.key)', which '\(earlier.name)' varies")
                } else if KeyPathText.leads(axis.key, to: earlier.key) {
                    log.report(
                        key, expected: "an axis before those of keys inside its own",
                        found: "'\(axis.key)' after '\(earlier.key)'")
                }
            }
        }
    }

    private func checkIsNoStudy(_ key: String, _ place: CheckedValue) {
        if key == "study" || KeyPathText.leads("study", to: key) {
            log.report(place, expected: "a key of the scenario itself", found: RawNode.quoted(key))
        }
    }

    /// Groups in lockstep, each of axes or of unknowns.
    private func groups(of axes: [String], _ unknowns: [String]) -> [[String]] {
        var seen: Set<String> = []
        return study.zip.items.map { group in
            let isOfUnknowns = group.items.first.map { $0.isValid && !axes.contains($0.text) } ?? false
            return group.items.map { item in
                guard item.isValid else { return "" }
                let stated = isOfUnknowns ? study.unknowns : study.axes
                if !stated.contains(where: { $0.name == item.text }) {
                    let names = isOfUnknowns && unknowns.contains(group.items[0].text) ? unknowns : axes
                    log.refuse(
                        item, expected: names == axes ? "the name of an axis" : "the name of an unknown", among: names)
                } else if !seen.insert(item.text).inserted {
                    log.report(item, expected: "each axis once in 'zip'", found: "'\(item.text)' again")
                }
                return item.text
            }
        }
    }

    // MARK: Scenarios

    private func variant(_ name: String, _ value: CheckedValue) -> StudyBlock.Variant {
        let fields = value.fields
        for (index, (key, place)) in fields.enumerated() {
            checkIsNoStudy(key, place)
            for (earlier, _) in fields[..<index] where KeyPathText.leads(key, to: earlier) {
                log.report(place, expected: "a key before those inside it", found: "'\(key)' after '\(earlier)'")
            }
        }
        return StudyBlock.Variant(name: name, overrides: fields.map { "\($0.key)=\($0.value.node.flowText)" })
    }

    private func baseline(among names: [String]) -> String? {
        let stated = study.baseline
        guard !stated.isAbsent && stated.isValid else { return names.first }
        if !names.contains(stated.text) {
            log.refuse(
                stated,
                expected: names.isEmpty
                    ? "scenarios, of which one is the baseline" : "one of the scenarios: \(Form.alternatives(names))",
                among: names)
        }
        return stated.text
    }
}
