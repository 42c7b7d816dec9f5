import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes one segment of a drawn fleet.
struct SegmentAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    let value: CheckedValue

    var segment: Segment {
        let devices = value["devices"].items.map { DeviceAssembly(segment: self, value: $0).plan }
        AndroidAssembly(scenario: scenario).checkPlatforms(of: value["devices"].items)
        checkTrips(value["movement"]["trips"])
        checkAppearance(value["environment"])
        var habits = scenario.read(
            KeyCatalogue.population, of: value,
            over: SegmentHabits(
                share: value["share"].number, cityShares: cityShares, sleep: sleep,
                pickups: pickups(value["pickups"]), movement: .still, apps: apps))
        habits.controls = ControlAssembly(scenario: scenario, kinds: kinds).habits(of: value["controls"])
        return Segment(
            name: value["name"].text, habits: habits, devices: devices,
            fetches: FetchAssembly(scenario: scenario, kinds: kinds, devices: devices, apps: value["apps"]).fetches)
    }

    /// Whether any of these people can carry a phone.
    var carriesPhones: Bool {
        value["devices"].items.contains { $0["kind"].isValid && $0["kind"].choice() == DeviceKind.phone }
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
        return cities.choice(CityPreset.self).shares
    }

    private func checkTrips(_ trips: CheckedValue) {
        let (slowest, fastest) = (trips["slowest"], trips["fastest"])
        if slowest.isValid && fastest.isValid && slowest.metresPerSecond > fastest.metresPerSecond {
            scenario.report(slowest, "at most the fastest, \(fastest.canonicalText)", "'\(slowest.canonicalText)'")
        }
    }

    // MARK: Apps

    private var apps: [AppHabits] {
        let stated = value["apps"].fields
        for (name, habits) in stated where scenario.appIndex(name) == nil {
            scenario.log.refuse(habits, key: name, expected: "the app of a kind", among: scenario.apps)
        }
        // The reader has given every app of a kind an entry.
        return scenario.apps.map { name in
            let habits =
                stated.first { $0.key == name }?.value
                ?? CheckedValue(
                    content: .invalid, form: .block(KeyCatalogue.app), origin: value.origin, path: value.path)
            return scenario.read(KeyCatalogue.app, of: habits, over: AppHabits())
        }
    }
}
