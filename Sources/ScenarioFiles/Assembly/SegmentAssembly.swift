import Fleet
import SimulatedTime
import Stochastics
import WidgetPlatform

/// Makes one segment of a drawn fleet.
struct SegmentAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    let value: CheckedValue

    var segment: Segment {
        let share = value["share"]
        return Segment(
            name: value["name"].text, share: share.isAbsent ? 1 : share.number, zoneShares: zoneShares, sleep: sleep, pickups: pickups,
            movement: movement, environment: environment, apps: apps, devices: value["devices"].items.map(device))
    }

    private var zoneShares: [Double] {
        var shares: [Double] = []
        for (zone, share) in value["zones"].fields {
            let index = scenario.zoneIndex(zone)
            while shares.count <= index { shares.append(0) }
            shares[index] = share.number
        }
        return shares
    }

    private var movement: MovementHabits {
        let movement = value["movement"]
        return MovementHabits(
            commuterShare: movement["commuters"].number, departure: scenario.distribution(movement["departure"]),
            commuteTime: scenario.distribution(movement["commute_time"]), workStay: scenario.distribution(movement["work_stay"]),
            tripsPerDay: movement["trips_per_day"].number, tripTime: scenario.distribution(movement["trip_time"]),
            tripStay: scenario.distribution(movement["trip_stay"]), speed: movement["speed"].metresPerSecond)
    }

    // MARK: Apps

    private var apps: [AppHabits] {
        let stated = value["apps"].fields
        for (name, habits) in stated where scenario.appIndex(name) == nil {
            scenario.log.report(
                habits.origin, habits.path, expected: "the app of a kind", found: RawNode.quoted(name),
                nearest: Nearest.name(to: name, among: scenario.apps))
        }
        // The reader has given every app of a kind an entry.
        return scenario.apps.map { name in
            habits(stated.first { $0.key == name }?.value ?? CheckedValue(content: .invalid, origin: value.origin, path: value.path))
        }
    }

    private func habits(_ value: CheckedValue) -> AppHabits {
        AppHabits(
            openingsPerDay: scenario.distribution(value["openings_per_day"]), openingHours: openingHours(value["hours"]), foregroundTime: scenario.distribution(value["foreground_time"]),
            navigationShare: value["navigation_share"].number, audioPerDay: value["audio_per_day"].number,
            audioLength: scenario.distribution(value["audio_length"]),
            modeShares: LocationMode.allCases.map { value["location_modes"][$0.name].number },
            reducedAccuracyShare: value["reduced_accuracy"].number)
    }

    private func openingHours(_ value: CheckedValue) -> [Double] {
        guard value.isList else {
            return KeyCatalogue.hourProfiles.first { $0.name == value.text }?.weights ?? Array(repeating: 1, count: 24)
        }
        let weights = value.items.map(\.number)
        if value.isValid && !weights.contains(where: { $0 > 0 }) {
            scenario.log.report(value.origin, value.path, expected: "an hour with a weight above 0", found: "none")
        }
        return weights
    }

    // MARK: Devices

    private func device(_ value: CheckedValue) -> DevicePlan {
        let kind = DeviceKind.allCases.first { "\($0)" == value["kind"].text } ?? .phone
        return DevicePlan(
            kind: kind, share: value["share"].number,
            placements: value["instances"].items.map {
                PlacementAssembly(scenario: scenario, kinds: kinds, device: kind, value: $0).placement
            })
    }
}

/// Makes one instance's placement, in a drawn fleet or on a replayed device.
struct PlacementAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    let device: DeviceKind
    let value: CheckedValue

    var placement: Placement {
        let surface = Surface.allCases.first { $0.name == value["surface"].text } ?? .homeFirst
        let family = WidgetFamily.allCases.first { $0.name == value["family"].text } ?? .systemSmall
        if value["surface"].isValid && value["family"].isValid && !surface.families(on: device).contains(family) {
            let fitting = surface.families(on: device).map(\.name)
            let culprit = value["family"].isStated ? value["family"] : value["surface"]
            scenario.log.report(
                culprit.origin, culprit.path,
                expected: fitting.isEmpty
                    ? "a surface of a \(device)" : "a family that fits \(surface.name) on a \(device): \(Form.alternatives(fitting))",
                found: fitting.isEmpty ? "'\(surface.name)'" : "'\(family.name)'")
        }
        return Placement(
            id: value["id"].text, kind: kind, surface: surface, family: family, location: location,
            share: value["share"].isAbsent ? 1 : value["share"].number,
            addedPerDay: value["added_per_day"].isAbsent ? 0 : value["added_per_day"].number,
            editsPerYear: value["edits_per_year"].isAbsent ? 0 : value["edits_per_year"].number)
    }

    private var kind: Int {
        let name = value["kind"]
        if let index = kinds.firstIndex(where: { $0.id == name.text }) { return index }
        if name.isValid && !kinds.isEmpty {
            let known = kinds.map(\.id)
            scenario.log.report(
                name.origin, name.path, expected: "the id of a kind", found: RawNode.quoted(name.text),
                nearest: Nearest.name(to: name.text, among: known))
        }
        return 0
    }

    private var location: LocationChoice {
        let location = value["location"]
        guard location.isMapping else { return location.isValid && location.text == "current" ? .current : .none }
        let names = chosenNames(location["chosen"])
        return .chosen(names, popularity: popularity(location["popularity"], of: names))
    }

    private func chosenNames(_ chosen: CheckedValue) -> [String] {
        if chosen.isList { return chosen.items.map(\.text) }
        if chosen.isMapping { return chosen.isValid ? (0..<chosen["count"].count).map { "\(chosen["name"].text)-\($0 + 1)" } : [""] }
        return [chosen.isAbsent ? "" : chosen.text]
    }

    /// A replay's instances have no such key: they are set to one choice.
    private func popularity(_ popularity: CheckedValue, of names: [String]) -> ChoicePopularity {
        guard !popularity.isAbsent, popularity.isValid else { return .even }
        guard popularity.isMapping else { return popularity.text == "zipf" ? .zipf(exponent: 1) : .even }
        let (zipf, weights) = (popularity["zipf"], popularity["weights"])
        if !zipf.isAbsent { return .zipf(exponent: zipf.number) }
        let known = Set(names)
        for (name, weight) in weights.fields where !known.contains(name) {
            scenario.log.report(
                weight.origin, weight.path, expected: "one of chosen", found: RawNode.quoted(name),
                nearest: Nearest.name(to: name, among: names))
        }
        let stated = Dictionary(weights.fields.map { ($0.key, $0.value.number) }, uniquingKeysWith: { first, _ in first })
        if let lacking = names.first(where: { stated[$0] == nil }) {
            scenario.log.report(
                weights.origin, weights.path, expected: "a weight for each of chosen", found: "none for \(RawNode.quoted(lacking))")
            return .even
        }
        let values = names.map { stated[$0, default: 0] }
        if !values.contains(where: { $0 > 0 }) {
            scenario.log.report(weights.origin, weights.path, expected: "a weight above 0", found: "none")
            return .even
        }
        return .weights(values)
    }
}
