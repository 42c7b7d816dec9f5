import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// An app's bundle of widgets, and one of its rows, as the scenario states them.
struct StatedBundle {
    var plan = BundlePlan()
    var popularity = StatedPopularity.even
    var widgets: [Stated<StatedWidget>] = []
}

struct StatedWidget {
    var kind = 0
    /// One surface, or a list.
    var surfaces = CheckedValue.absent
    var families = CheckedValue.absent
    var location = LocationChoice.none
    var editsPerYear = 0.0
}

/// Makes an app's bundle of widgets (R5): every kind in each of its sizes on each of its surfaces.
struct BundleAssembly {
    let scenario: ScenarioAssembly
    let device: DeviceKind
    let bundle: Stated<StatedBundle>

    private var kinds: [WidgetKind] { scenario.kinds }
    private var rows: [Stated<StatedWidget>] { bundle.widgets }

    /// - Parameter names: those that the device's widgets have so far.
    func plan(names: inout Set<String>) -> BundlePlan {
        checkApp()
        checkCount()
        checkControls()
        var plan = bundle.plan
        let weights = bundle.popularity.popularity(
            of: rows.map { $0[\.kind].text }, noun: "the bundle's kinds", scenario
        ).weights(rows.count)
        for (row, weight) in zip(rows, weights) {
            let places = places(of: row)
            for (surface, family) in places {
                var placement = Placement()
                placement.id = name(row, surface, family, among: places, &names)
                (placement.kind, placement.surface, placement.family) = (row.kind, surface, family)
                (placement.location, placement.share, placement.editsPerYear) = (row.location, 0, row.editsPerYear)
                plan.widgets.append(BundlePlan.Widget(placement: placement, weight: weight / Double(places.count)))
            }
        }
        return plan
    }

    /// The bundle, the kind and the size, and the surface if the size stands on several.
    private func name(
        _ row: Stated<StatedWidget>, _ surface: Surface, _ family: WidgetFamily,
        among places: [(surface: Surface, family: WidgetFamily)], _ names: inout Set<String>
    ) -> String {
        var name = "\(bundle.plan.id)-\(row[\.kind].text)-\(family.name)"
        if places.filter({ $0.family == family }).count > 1 { name += "-\(surface.name)" }
        var free = name
        var number = 2
        while !names.insert(free).inserted {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    /// The sizes of a row on the surfaces that they fit. All of both must be of use.
    private func places(of row: Stated<StatedWidget>) -> [(surface: Surface, family: WidgetFamily)] {
        let (surfaceValues, familyValues) = (row.surfaces.itemsOrSelf, row.families.items)
        guard row.surfaces.isValid, row.families.isValid else { return [] }
        let surfaces = Surface.allCases.filter { surface in surfaceValues.contains { $0.choice() == surface } }
        let families = familyValues.map { $0.choice(WidgetFamily.self) }
        for (noun, values) in [("surface", surfaceValues), ("family", familyValues)] {
            for (index, value) in values.enumerated() where values[..<index].contains(where: { $0.text == value.text })
            {
                scenario.report(value, "each \(noun) once", "'\(value.text)' again")
            }
        }
        for value in surfaceValues {
            let surface = value.choice(Surface.self)
            let fitting = surface.families(on: device)
            if fitting.isEmpty {
                scenario.report(value, Surface.words(on: device), "'\(surface.name)'")
            } else if !families.contains(where: fitting.contains) {
                scenario.report(
                    row.families,
                    "a family that fits \(surface.name) on a \(device): \(Form.alternatives(fitting.map(\.name)))",
                    row.families.canonicalText)
            }
        }
        let usable = surfaces.filter { !$0.families(on: device).isEmpty }
        for (family, value) in zip(families, familyValues) where !usable.isEmpty {
            if usable.contains(where: { $0.families(on: device).contains(family) }) { continue }
            scenario.report(
                value, "a family that fits \(Form.alternatives(usable.map(\.name))) on a \(device)", "'\(family.name)'")
        }
        return surfaces.flatMap { surface in
            families.filter { surface.families(on: device).contains($0) }.map { (surface, $0) }
        }
    }

    /// One app ships a bundle.
    private func checkApp() {
        let known = rows.map { $0[\.kind] }.compactMap { row in
            kinds.first { row.isValid && $0.id == row.text }.map { (row, $0.app) }
        }
        guard let first = known.first else { return }
        for (row, app) in known where app != first.1 {
            scenario.report(
                row, "a kind of \(scenario.apps[first.1]), the app of the bundle's first",
                "a kind of \(scenario.apps[app])")
        }
    }

    /// The gallery of widgets has no controls.
    private func checkControls() {
        for kind in rows.map({ $0[\.kind] }) where kind.isValid {
            guard kinds.contains(where: { $0.id == kind.text && $0.control != nil }) else { continue }
            scenario.report(kind, "a widget: a control stands among the instances", kind.text)
        }
    }

    /// No device carries more than there is room for.
    private func checkCount() {
        let count = bundle[\.plan.instances]
        guard count.isValid else { return }
        let most =
            switch (count.statedDistribution.clip, count.statedDistribution.shape) {
            case (let clip?, _): clip[1].value
            case (nil, .constant(let constant)): constant.value
            case (nil, .family(.uniform, let values)): values[1].value
            case (nil, .family), (nil, .quantiles): 0.0
            }
        if most > Double(DevicePlan.mostOfBundle) {
            scenario.report(
                count, "at most \(DevicePlan.mostOfBundle) instances of a bundle", FigureText.shortest(most))
        }
    }
}

// MARK: Popularity

/// A list to choose from, and how often each of it is taken, as the scenario states them (R5).
struct StatedChoice {
    var names: [String] = []
    var popularity = StatedPopularity.even
}

enum StatedPopularity: Sendable {
    case even
    case zipf(Double)
    /// A mapping from the names.
    case weights(CheckedValue)

    /// - Parameter noun: that of the names, for sentences.
    func popularity(of names: [String], noun: String, _ scenario: ScenarioAssembly) -> ChoicePopularity {
        switch self {
        case .even: return .even
        case .zipf(let power): return .zipf(exponent: power)
        case .weights(let weights):
            guard weights.isValid else { return .even }
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
}
