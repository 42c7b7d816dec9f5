import Basics
import People
import ScenarioModel
import WidgetPlatform

/// A population or a segment as the scenario states it.
struct StatedSegment {
    var name = "everyone"
    var habits = SegmentHabits(
        share: 1, cityShares: [], sleep: SleepHabits(), pickups: PickupHabits(), movement: .still, apps: [])
    var sleep = StatedSleep()
    /// Where the people live.
    var cities: [(city: City, share: Double)] = []
    var controls = CheckedValue.absent, apps = CheckedValue.absent, devices = CheckedValue.absent
}

/// How people use an app, as the scenario states it.
struct StatedApp {
    var habits = AppHabits()
    /// Its own fetching in the background (B8); nil for none.
    var fetch: StatedFetch?
}

struct StatedFetch {
    var fetch = BackgroundFetch()
    /// The endpoint that it names.
    var endpoint: Int?
}

/// Makes one segment of a drawn fleet.
struct SegmentAssembly {
    let scenario: ScenarioAssembly
    let stated: Stated<StatedSegment>

    private var kinds: [WidgetKind] { scenario.kinds }

    var segment: Segment {
        let statedDevices = stated.devices.items.map {
            scenario.stated(KeyCatalogue.device, of: $0, over: StatedDevice())
        }
        let carriesPhones = statedDevices.contains { $0[\.habits.kind].isValid && $0.habits.kind == .phone }
        let devices = statedDevices.map {
            DeviceAssembly(scenario: scenario, device: $0, besidePhones: carriesPhones).plan
        }
        AndroidAssembly(scenario: scenario).checkPlatforms(of: statedDevices.map(\.keys))
        let apps = self.apps
        var habits = stated.habits
        (habits.cityShares, habits.sleep, habits.apps) = (cityShares, stated.sleep.habits, apps.map(\.value.habits))
        habits.controls = controls
        let fetches = apps.enumerated().compactMap { app, stated in
            stated.fetch.map { fetch($0, stated[\.fetch], ofApp: app, devices) }
        }
        return Segment(name: stated.name, habits: habits, devices: devices, fetches: fetches)
    }

    /// By the index of the city; those that come later have none.
    private var cityShares: [Double] {
        var shares: [Double] = []
        for (city, share) in stated.cities {
            let index = scenario.cityIndex(city)
            while shares.count <= index { shares.append(0) }
            shares[index] += share
        }
        return shares
    }

    /// Without a control nobody's way to one is drawn (V10).
    private var controls: ControlHabits {
        guard stated.controls.isMapping else { return .never }
        guard kinds.contains(where: { $0.control != nil }) else {
            scenario.log.warn("\(stated.controls.path): it has no effect, because no kind is a control")
            return .never
        }
        return scenario.read(KeyCatalogue.controls, of: stated.controls, over: .never)
    }

    // MARK: Apps

    private var apps: [Stated<StatedApp>] {
        let listed = stated.apps.fields
        for (name, habits) in listed where !scenario.apps.contains(name) {
            scenario.log.refuse(habits, key: name, expected: "the app of a kind", among: scenario.apps)
        }
        // The reader has given every app of a kind an entry.
        return scenario.apps.map { name in
            let habits =
                listed.first { $0.key == name }?.value
                ?? CheckedValue(
                    content: .invalid, form: .block(KeyCatalogue.app), origin: stated.mapping.origin,
                    path: stated.mapping.path)
            return scenario.stated(KeyCatalogue.app, of: habits, over: StatedApp())
        }
    }

    private func fetch(_ stated: StatedFetch, _ value: CheckedValue, ofApp app: Int, _ devices: [DevicePlan])
        -> BackgroundFetch
    {
        if !devices.flatMap(\.allPlacements).contains(where: {
            kinds.indices.contains($0.kind) && kinds[$0.kind].app == app
        }) {
            scenario.log.warn(
                "\(value.path): it has no effect, because no device has a widget of \(scenario.apps[app])")
        }
        var fetch = stated.fetch
        let aligned = KeyCatalogue.backgroundFetch[\.fetch.isAligned, of: value]
        if fetch.followsUse && aligned.isStated { scenario.warn(aligned, "it has no effect by use") }
        fetch.app = app
        fetch.endpoint = stated.endpoint ?? kinds.first { $0.app == app }?.endpoint ?? 0
        return fetch
    }
}
