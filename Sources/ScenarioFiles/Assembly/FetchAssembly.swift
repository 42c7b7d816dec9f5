import Basics
import ScenarioModel

/// Makes the background fetches of a segment's apps (B8).
struct FetchAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    let devices: [DevicePlan]
    /// The block `apps`.
    let apps: CheckedValue

    /// In the order of the apps.
    var fetches: [BackgroundFetch] {
        scenario.apps.indices.compactMap { app in
            guard let habits = apps.fields.first(where: { $0.key == scenario.apps[app] })?.value else { return nil }
            let fetch = habits["background_fetch"]
            return fetch.isMapping ? self.fetch(fetch, ofApp: app) : nil
        }
    }

    private func fetch(_ value: CheckedValue, ofApp app: Int) -> BackgroundFetch {
        let every = value["every"]
        warnOfIdle(value, ofApp: app)
        var fetch = scenario.read(KeyCatalogue.backgroundFetch, of: value, over: BackgroundFetch())
        fetch.app = app
        fetch.spread =
            every.isValid
            ? scenario.distribution(value["spread"], meanFrom: .zero, to: every.duration)
            : scenario.distribution(value["spread"])
        fetch.endpoint = endpoint(value["endpoint"], ofApp: app)
        return fetch
    }

    private func endpoint(_ name: CheckedValue, ofApp app: Int) -> Int {
        if name.isValid && !name.isAbsent { return scenario.endpointIndex(name.text) }
        return kinds.first { $0.app == app }?.endpoint ?? 0
    }

    private func warnOfIdle(_ value: CheckedValue, ofApp app: Int) {
        if value["by"].isValid && value["by"].choice() == FetchTiming.use && value["aligned"].isStated {
            scenario.log.warn("\(value["aligned"].path): it has no effect by use")
        }
        if !devices.flatMap(\.allPlacements).contains(where: {
            kinds.indices.contains($0.kind) && kinds[$0.kind].app == app
        }) {
            scenario.log.warn(
                "\(value.path): it has no effect, because no device has a widget of \(scenario.apps[app])")
        }
    }
}
