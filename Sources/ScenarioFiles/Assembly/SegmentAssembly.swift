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
        var habits = SegmentHabits(
            share: value["share"].number, cityShares: cityShares, sleep: sleep, pickups: pickups(value["pickups"]),
            movement: movement,
            environment: environment, privacy: privacy, power: power, offline: offline, apps: apps)
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

    private var movement: MovementHabits {
        let (commute, outings) = (value["movement"]["commute"], value["movement"]["outings"])
        let (places, trips, travel) = (
            value["movement"]["places"], value["movement"]["trips"], value["movement"]["travel"]
        )
        let (slowest, fastest) = (trips["slowest"], trips["fastest"])
        if slowest.isValid && fastest.isValid && slowest.metresPerSecond > fastest.metresPerSecond {
            scenario.log.report(
                slowest, expected: "at most the fastest, \(fastest.canonicalText)", found: "'\(slowest.canonicalText)'")
        }
        return MovementHabits(
            commute: .init(
                share: commute["share"].number, departure: scenario.distribution(commute["departure"]),
                departureSpread: commute["departure_sd"].duration.inSeconds,
                time: scenario.distribution(commute["time"]),
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
                speed: trips["speed"].metresPerSecond, slowest: slowest.metresPerSecond,
                fastest: fastest.metresPerSecond,
                timeSigma: trips["time_sigma"].number, slowTime: trips["slow_time"].duration,
                slowShare: trips["slow_share"].number, mostSlow: trips["most_slow"].number),
            travel: .init(
                perYear: travel["per_year"].number, clustering: travel["clustering"].number,
                stay: scenario.distribution(travel["stay"])))
    }

    // MARK: Apps

    private var apps: [AppHabits] {
        let stated = value["apps"].fields
        for (name, habits) in stated where scenario.appIndex(name) == nil {
            scenario.log.refuse(habits, key: name, expected: "the app of a kind", among: scenario.apps)
        }
        // The reader has given every app of a kind an entry.
        return scenario.apps.map { name in
            habits(
                stated.first { $0.key == name }?.value
                    ?? CheckedValue(
                        content: .invalid, form: .block(KeyCatalogue.app), origin: value.origin, path: value.path))
        }
    }

    private func habits(_ value: CheckedValue) -> AppHabits {
        AppHabits(
            openingsPerDay: scenario.distribution(value["openings_per_day"]),
            openingHours: hourWeights(value["hours"]),
            foregroundTime: scenario.distribution(value["foreground_time"]),
            navigationShare: value["navigation_share"].number, audioPerDay: value["audio_per_day"].number,
            audioLength: scenario.distribution(value["audio_length"]),
            modeShares: LocationMode.allCases.map { value["location_modes"][$0.name].number },
            reducedAccuracyShare: value["reduced_accuracy"].number, signedInShare: value["signed_in"].number,
            modeChangesPerYear: value["location_changes_per_year"].number)
    }

    /// The weights of the hours 0 to 23, or those of a profile.
    func hourWeights(_ value: CheckedValue) -> [Double] {
        guard value.isList else {
            return value.choice(HourProfile.self).weights
        }
        let weights = value.items.map(\.number)
        if value.isValid && !weights.contains(where: { $0 > 0 }) {
            scenario.log.report(value, expected: "an hour with a weight above 0", found: "none")
        }
        return weights
    }
}
