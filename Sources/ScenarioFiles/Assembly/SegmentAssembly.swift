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
            name: value["name"].text, share: share.isAbsent ? 1 : share.number, cityShares: cityShares, sleep: sleep, pickups: pickups,
            movement: movement, environment: environment, apps: apps, devices: value["devices"].items.map(device))
    }

    /// By the index of the city; those that come later have none.
    private var cityShares: [Double] {
        var shares: [Double] = []
        for (city, share) in Self.cities(of: value) {
            let index = scenario.cityIndex(city)
            while shares.count <= index { shares.append(0) }
            shares[index] += share
        }
        return shares
    }

    /// Where the people of a checked population or segment live.
    static func cities(of value: CheckedValue) -> [(city: City, share: Double)] {
        let zones = value["zones"]
        if !zones.isAbsent {
            return zones.fields.flatMap { zone, share in
                CityPreset.shared(share.number, by: CityTable.cities(inZone: ZoneNames.contains(zone) ? zone : "UTC"))
            }
        }
        let cities = value["cities"]
        if cities.isMapping {
            // A name that is wrong is reported where it stands.
            return cities.fields.map { name, share in (CityTable.city(named: name) ?? CityTable.all[0], share.number) }
        }
        return cities.isValid ? (CityPreset(rawValue: cities.text) ?? .us).shares : CityPreset.us.shares
    }

    private var movement: MovementHabits {
        let (commute, outings) = (value["movement"]["commute"], value["movement"]["outings"])
        let (places, trips, travel) = (value["movement"]["places"], value["movement"]["trips"], value["movement"]["travel"])
        let (slowest, fastest) = (trips["slowest"], trips["fastest"])
        if slowest.isValid && fastest.isValid && slowest.metresPerSecond > fastest.metresPerSecond {
            scenario.log.report(
                slowest.origin, slowest.path, expected: "at most the fastest, \(fastest.canonicalText)", found: "'\(slowest.canonicalText)'"
            )
        }
        return MovementHabits(
            commute: .init(
                share: commute["share"].number, departure: scenario.distribution(commute["departure"]),
                departureSpread: commute["departure_sd"].duration.inSeconds, time: scenario.distribution(commute["time"]),
                stay: scenario.distribution(commute["stay"]), readyAfter: commute["ready_after"].duration,
                mostDelay: commute["most_delay"].duration),
            outings: .init(
                perDay: outings["per_day"].number, perCommuteDay: outings["per_commute_day"].number,
                personSigma: outings["person_sigma"].number, daySigma: outings["day_sigma"].number,
                lastBeforeBed: outings["last_before_bed"].duration, onwardShare: outings["onward_share"].number,
                stay: scenario.distribution(outings["stay"])),
            places: .init(
                known: scenario.distribution(places["known"]), explorationRate: places["exploration_rate"].number,
                explorationDecay: places["exploration_decay"].number, returnExponent: places["return_exponent"].number,
                distance: scenario.distribution(places["distance_km"]), personSigma: places["person_sigma"].number),
            trips: .init(
                speed: trips["speed"].metresPerSecond, slowest: slowest.metresPerSecond, fastest: fastest.metresPerSecond,
                timeSigma: trips["time_sigma"].number, slowTime: trips["slow_time"].duration,
                slowShare: trips["slow_share"].number, mostSlow: trips["most_slow"].number),
            travel: .init(
                perYear: travel["per_year"].number, clustering: travel["clustering"].number, stay: scenario.distribution(travel["stay"])))
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
            openingsPerDay: scenario.distribution(value["openings_per_day"]), openingHours: openingHours(value["hours"]),
            foregroundTime: scenario.distribution(value["foreground_time"]),
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
