import Basics
import People
import RefreshService

/// Makes the ways in which devices come from one region to another (S7), and checks how they fit each other.
struct FailoverAssembly {
    let service: ServiceAssembly
    let events: [ServiceEvent]

    private var scenario: ScenarioAssembly { service.scenario }
    private var log: ProblemLog { service.log }
    private var items: [CheckedValue] { service.value["failover"].items.filter(\.isMapping) }

    /// The names of the regions that receive, as far as there are such: nobody need live there.
    static func receivers(_ service: CheckedValue) -> [String] {
        guard KeyCatalogue.hasPools(service) else { return [] }
        return service["failover"].items.filter(\.isMapping).map { $0["to"] }.filter { $0.isValid && !$0.isAbsent }
            .map(\.text)
    }

    var failovers: [Failover] {
        items.compactMap { item in
            let (region, to) = (item["region"], item["to"])
            guard region.isValid, to.isValid, !region.isAbsent, !to.isAbsent else { return nil }
            guard let from = leaving(region) else { return nil }
            guard let index = service.regionIndex(to) else { return nil }
            if index == from {
                scenario.report(to, "another region than the one that fails over", "'\(to.text)' itself")
                return nil
            }
            if items.contains(where: { $0["region"].isValid && $0["region"].text == to.text }) {
                scenario.report(
                    to, "a region that does not fail over itself: a request takes one step",
                    "'\(to.text)', which has a failover of its own")
                return nil
            }
            return Failover(region: from, to: index, way: way(item, from), detour: item["detour"].duration)
        }
    }

    /// The region whose devices leave it; nil after a problem. Somebody must live there.
    private func leaving(_ name: CheckedValue) -> Int? {
        guard let index = service.regionIndex(name) else {
            if scenario.isReplay || CityTable.regions.contains(name.text) {
                let lived = service.fleet.regions.enumerated().filter { service.fleet.peopleByRegion[$0.offset] > 0 }
                scenario.report(
                    name,
                    "a region in which people of the fleet live: "
                        + Form.alternatives(lived.map(\.element)), "'\(name.text)', from which no request comes")
            }
            return nil
        }
        return index
    }

    // MARK: The way

    private func way(_ item: CheckedValue, _ region: Int) -> Failover.Way {
        switch item["by"].choice(FailoverWay.self) {
        case .nextAddress:
            warnOfIdleKeys(item)
            return .nextAddress
        case .name: return .name(names(item, region))
        }
    }

    private func warnOfIdleKeys(_ item: CheckedValue) {
        for key in ["health_check", "ttl", "ignores_ttl", "return", "drain"]
        where item[key].isStated && !item[key].isAbsent && !(item[key].isList && item[key].items.isEmpty) {
            log.warn("\(item[key].path): it has no effect by next_address, which no name decides")
        }
        let retries = service.value["retries"]
        if retries.isValid && retries.limit == 0 {
            log.warn("\(item["by"].path): it has no effect, because retries is 0")
        }
    }

    private func names(_ item: CheckedValue, _ region: Int) -> NameTurns {
        let (check, back) = (item["health_check"], item["return"])
        let outages = events.filter { $0.effect.lostRegion == region }.map { NameTurn(from: $0.from, to: $0.to) }
        let drains = drains(item["drain"])
        if outages.isEmpty && drains.isEmpty {
            log.warn("\(item.path): it has no effect, because no outage names its region and it has no drain")
        }
        var turns = drains
        if check.isMapping && check["every"].isValid && check["threshold"].isValid {
            let health = scenario.read(
                KeyCatalogue.healthCheck, of: check, over: HealthCheck(interval: .zero, threshold: 1))
            let after = back.isMapping ? back["after"].duration : .zero
            // Checks count from the scenario's start.
            let lead = scenario.start - .start
            func moved(_ turn: NameTurn, by time: Duration) -> NameTurn {
                NameTurn(from: turn.from + time, to: turn.to == .never ? .never : turn.to + time)
            }
            let losses = health.losses(in: outages.map { moved($0, by: .zero - lead) }, end: scenario.end - lead).map {
                moved($0, by: lead)
            }
            if losses.isEmpty && !outages.isEmpty {
                log.warn("\(check.path): it has no effect, because no outage lasts until it is noticed")
            }
            turns += losses.map { NameTurn(from: $0.from, to: $0.to == .never ? .never : $0.to + after) }
        }
        let names = scenario.read(
            KeyCatalogue.failover, of: item, over: NameTurns(turns: NameTurn.joined(turns), timeToLive: .zero))
        if names.returnParts != nil, names.returnSpan == .zero {
            log.warn("\(back["parts"].path): it has no effect, because over is 0s")
        }
        return names
    }

    /// The planned spans; those that lie outside the run have no effect.
    private func drains(_ value: CheckedValue) -> [NameTurn] {
        guard value.isValid, !value.isAbsent else { return [] }
        return scenario.spans(value).compactMap { span in
            guard span.from < span.to else { return nil }
            if span.to <= scenario.start || span.from >= scenario.end {
                log.warn("\(value.path): a span outside the run has no effect")
                return nil
            }
            return NameTurn(from: max(scenario.start, span.from), to: span.to)
        }
    }
}
