import ScenarioModel
import WidgetPlatform

/// Makes one instance's placement, in a drawn fleet or on a replayed device.
struct PlacementAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    let device: DeviceKind
    let value: CheckedValue
    /// The device's stacks; nil if they are wrong.
    var stacks: [CheckedValue]? = []

    /// The placement with what follows from other keys than its own.
    func completed(_ read: Placement) -> Placement {
        let (surface, family) = (read.surface, read.family)
        let (placed, size) = (value["surface"], value["family"])
        if placed.isValid && size.isValid && !surface.families(on: device).contains(family) {
            let fitting = surface.families(on: device).map(\.name)
            scenario.report(
                size.isStated ? size : placed,
                fitting.isEmpty
                    ? Self.surfaceWords(device)
                    : "a family that fits \(surface.name) on a \(device): \(Form.alternatives(fitting))",
                fitting.isEmpty ? "'\(surface.name)'" : "'\(family.name)'")
        }
        var placement = read
        (placement.kind, placement.location, placement.stack) = (kind, location, stack)
        ControlAssembly(scenario: scenario, kinds: kinds).check(value, placement)
        if placement.location == .current, kinds.indices.contains(placement.kind), kinds[placement.kind].readsApp {
            scenario.report(
                value["location"],
                "none or a choice beside content: app of \(kinds[placement.kind].id), whose provider asks for no location",
                "'current'")
        }
        return placement
    }

    /// The surfaces expected on a kind of device, in words.
    static func surfaceWords(_ device: DeviceKind) -> String {
        let names = Surface.allCases.filter { !$0.families(on: device).isEmpty }.map(\.name)
        return "a surface of a \(device): \(Form.alternatives(names))"
    }

    private var stack: Int? {
        let name = value["stack"]
        guard let stacks, !name.isAbsent, name.isValid else { return nil }
        let ids = stacks.map { $0["id"] }
        if let index = ids.firstIndex(where: { $0.isValid && $0.text == name.text }) { return index }
        scenario.log.refuse(
            name, expected: "the id of a stack of the device", among: ids.filter(\.isValid).map(\.text))
        return nil
    }

    var kind: Int {
        kinds.isEmpty ? 0 : scenario.index(of: value["kind"], among: kinds.map(\.id), "the id of a kind") ?? 0
    }

    var location: LocationChoice {
        let location = value["location"]
        guard location.isMapping else {
            switch location.choice(PlainLocation.self) {
            case .nothing: return .none
            case .current: return .current
            }
        }
        let names = chosenNames(location["chosen"])
        // A recorded instance is set to one choice.
        let popularity =
            scenario.isReplay
            ? .even
            : PopularityAssembly(scenario: scenario, names: names, noun: "chosen").popularity(location["popularity"])
        return .chosen(names, popularity: popularity)
    }

    private func chosenNames(_ chosen: CheckedValue) -> [String] {
        if chosen.isList { return chosen.items.map(\.text) }
        if chosen.isMapping {
            return chosen.isValid ? (0..<chosen["count"].count).map { "\(chosen["name"].text)-\($0 + 1)" } : [""]
        }
        return [chosen.isAbsent ? "" : chosen.text]
    }
}
