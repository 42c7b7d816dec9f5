import Basics
import People
import ScenarioModel
import WidgetPlatform

/// Makes the pushes of servers (B7).
struct PushesAssembly {
    let scenario: ScenarioAssembly

    /// Looks at how the pushes of the server of a kind at a new version fit the kind.
    func check(_ value: CheckedValue, _ kind: WidgetKind) {
        let pushes = value["push_on_version"]
        guard let stated = kind.contentPushes else { return }
        let via = pushes["via"]
        if via.isValid && value["push"].isValid && stated.route == .widgets && !kind.takesPushes {
            let culprit = via.isStated ? via : pushes
            scenario.log.report(
                culprit.origin, via.path, expected: "push: true of the kind, or via: app",
                found: "a push to widgets that take none")
        }
        switch kind.versions.pushTime {
        case .noServer where value["versions"].isValid:
            scenario.log.warn("\(pushes.path): never pushes, because no server makes its versions: they are manual")
        case .knownAhead:
            scenario.log.warn("\(pushes.path): never pushes, because the events of its calendar are known ahead")
        case .noServer, .atOnce: break
        }
    }

    /// A push to the whole fleet.
    func campaign(_ value: CheckedValue, _ kinds: [WidgetKind]) -> PushCampaign {
        var campaign = scenario.read(KeyCatalogue.pushCampaign, of: value, over: PushCampaign())
        let name = value["app"]
        let app = scenario.app(name)
        let arePushesValid = scenario.root["kinds"].items.allSatisfy { $0["push"].isValid }
        if app != nil, arePushesValid, !kinds.contains(where: { $0.app == app && $0.takesPushes }) {
            scenario.report(
                name, "the app of a kind with push: true",
                "\(RawNode.quoted(name.text)), no kind of which takes pushes")
        }
        (campaign.app, campaign.times) = (app ?? 0, times(value["at"]))
        return campaign
    }

    private func times(_ at: CheckedValue) -> PushCampaign.Times {
        guard at.isMapping else {
            let instants = at.items.map(scenario.instant).filter { $0 >= scenario.start }.sorted()
            if at.isValid && !instants.contains(where: { $0 < scenario.end }) {
                scenario.log.warn("\(at.path): none of its instants lies within the run")
            }
            return .listed(instants)
        }
        return .clock(scenario.schedule(at["at"].items.map(\.clock), at, scenario.weekdays(at["days"])))
    }
}

extension ScenarioAssembly {
    func pushCampaigns(of kinds: [WidgetKind]) -> [PushCampaign] {
        root["pushes"].items.map { PushesAssembly(scenario: self).campaign($0, kinds) }
    }

    /// The releases of the system and of apps (D9).
    var releases: [Release] {
        root["os_releases"].items.map { release($0, KeyCatalogue.systemRelease) }
            + root["app_releases"].items.map { value in
                let phases = value["phases"]
                var release = release(value, KeyCatalogue.appRelease)
                release.app = app(value["app"]) ?? 0
                if phases.isValid && zip(release.phases, release.phases.dropFirst()).contains(where: >) {
                    report(phases, "shares in rising order", phases.canonicalText)
                }
                return release
            }
    }

    private func release(_ value: CheckedValue, _ keys: Keys<Release>) -> Release {
        let release = read(keys, of: value, over: Release())
        let at = value["at"]
        if at.isValid && release.at >= end {
            log.warn("\(at.path): it is released at or after the end")
        }
        return release
    }
}
