import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes an app's bundle of widgets (R5): every kind in each of its sizes on each of its surfaces.
struct BundleAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    let device: DeviceKind
    let value: CheckedValue

    private var rows: [CheckedValue] { value["widgets"].items }

    /// - Parameter names: those that the device's widgets have so far.
    func plan(names: inout Set<String>) -> BundlePlan {
        checkApp()
        checkCount()
        ControlAssembly(scenario: scenario, kinds: kinds).checkBundle(rows)
        var bundle = scenario.read(KeyCatalogue.bundle, of: value, over: BundlePlan())
        for (row, weight) in zip(rows, weights) {
            let places = places(of: row)
            for (surface, family) in places {
                let assembly = PlacementAssembly(scenario: scenario, kinds: kinds, device: device, value: row)
                var placement = Placement()
                placement.id = name(row, surface, family, among: places, &names)
                (placement.kind, placement.surface, placement.family) = (assembly.kind, surface, family)
                (placement.location, placement.share) = (assembly.location, 0)
                placement.editsPerYear = row["edits_per_year"].number
                bundle.widgets.append(BundlePlan.Widget(placement: placement, weight: weight / Double(places.count)))
            }
        }
        return bundle
    }

    /// The bundle, the kind and the size, and the surface if the size stands on several.
    private func name(
        _ row: CheckedValue, _ surface: Surface, _ family: WidgetFamily,
        among places: [(surface: Surface, family: WidgetFamily)],
        _ names: inout Set<String>
    ) -> String {
        var name = "\(value["id"].text)-\(row["kind"].text)-\(family.name)"
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
    private func places(of row: CheckedValue) -> [(surface: Surface, family: WidgetFamily)] {
        let (placed, sizes) = (row["surfaces"], row["families"])
        let (surfaceValues, familyValues) = (placed.isList ? placed.items : [placed], sizes.items)
        let surfaces = Surface.allCases.filter { surface in
            surfaceValues.contains { $0.isValid && $0.choice() == surface }
        }
        let families = familyValues.filter(\.isValid).map { $0.choice(WidgetFamily.self) }
        guard placed.isValid, sizes.isValid else { return [] }
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
                scenario.report(value, PlacementAssembly.surfaceWords(device), "'\(surface.name)'")
            } else if !families.contains(where: fitting.contains) {
                scenario.report(
                    sizes,
                    "a family that fits \(surface.name) on a \(device): \(Form.alternatives(fitting.map(\.name)))",
                    sizes.canonicalText)
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
        let known = rows.map { $0["kind"] }.compactMap { row in
            kinds.first { row.isValid && $0.id == row.text }.map { (row, $0.app) }
        }
        guard let first = known.first else { return }
        for (row, app) in known where app != first.1 {
            scenario.report(
                row, "a kind of \(scenario.apps[first.1]), the app of the bundle's first",
                "a kind of \(scenario.apps[app])")
        }
    }

    /// No device carries more than there is room for.
    private func checkCount() {
        let count = value["count"]
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

    /// One a row.
    private var weights: [Double] {
        let names = rows.map { $0["kind"].text }
        let popularity = PopularityAssembly(scenario: scenario, names: names, noun: "the bundle's kinds").popularity(
            value["popularity"])
        switch popularity {
        case .even: return names.map { _ in 1 }
        case .zipf(let exponent): return names.indices.map { DeterministicMath.pow(Double($0 + 1), -exponent) }
        case .weights(let weights): return weights
        }
    }
}
