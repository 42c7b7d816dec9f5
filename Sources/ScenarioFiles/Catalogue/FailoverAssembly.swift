import Basics
import People
import RefreshService

/// How devices come from one region to another as a scenario states it.
struct StatedFailover {
    var region = CheckedValue.absent, to = CheckedValue.absent
    /// Whether name resolution turns them, and not the client.
    var isByName = false
    var health = HealthCheck(interval: .zero, threshold: 1)
    var names = NameTurns(turns: [], timeToLive: .zero)
    var back = Return()
    var drain = CheckedValue.absent
    var detour = Duration.zero

    struct Return {
        var after = Duration.zero, span = Duration.zero
        var parts: Int?
    }
}

/// Makes the ways in which devices come from one region to another (S7), and checks how they fit each other.
struct FailoverAssembly {
    private let service: ServiceAssembly
    private let events: [ServiceEvent]
    private let items: [Stated<StatedFailover>]

    private var scenario: ScenarioAssembly { service.scenario }
    private var log: ProblemLog { service.log }

    init(service: ServiceAssembly, events: [ServiceEvent]) {
        (self.service, self.events) = (service, events)
        items = service.stated.failovers.items.filter(\.isMapping).map {
            service.scenario.stated(KeyCatalogue.failover, of: $0, over: StatedFailover())
        }
    }

    /// The names of the regions that receive, as far as there are such: nobody need live there.
    static func receivers(_ service: StatedService) -> [String] {
        if service.pools.items.isEmpty { return [] }
        return service.failovers.items.filter(\.isMapping).map { KeyCatalogue.failover[\.to, of: $0] }
            .filter { $0.isValid && !$0.isAbsent }.map(\.text)
    }

    var failovers: [Failover] {
        items.compactMap { item in
            let (region, to) = (item.region, item.to)
            guard region.isValid, to.isValid, !region.isAbsent, !to.isAbsent else { return nil }
            guard let from = leaving(region) else { return nil }
            guard let index = service.regionIndex(to) else { return nil }
            if index == from {
                scenario.report(to, "another region than the one that fails over", "'\(to.text)' itself")
                return nil
            }
            if items.contains(where: { $0.region.isValid && $0.region.text == to.text }) {
                scenario.report(
                    to, "a region that does not fail over itself: a request takes one step",
                    "'\(to.text)', which has a failover of its own")
                return nil
            }
            return Failover(region: from, to: index, way: way(item, from), detour: item.detour)
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

    private func way(_ item: Stated<StatedFailover>, _ region: Int) -> Failover.Way {
        if item.isByName { return .name(names(item, region)) }
        for key in [
            item[\.health], item[\.names.timeToLive], item[\.names], item[\.back], item[\.drain],
        ]
        where key.isStated && !key.isAbsent && !(key.isList && key.items.isEmpty) {
            scenario.warn(key, "it has no effect by next_address, which no name decides")
        }
        let retries = service.stated[\.tries]
        if retries.isValid && service.fleet.requests.retry.retries == 0 {
            scenario.warn(item[\.isByName], "it has no effect, because retries is 0")
        }
        return .nextAddress
    }

    private func names(_ item: Stated<StatedFailover>, _ region: Int) -> NameTurns {
        let outages = events.filter { $0.effect.lostRegion == region }.map { NameTurn(from: $0.from, to: $0.to) }
        let drains = drains(item.drain)
        if outages.isEmpty && drains.isEmpty {
            scenario.warn(
                item.mapping, "it has no effect, because no outage names its region and it has no drain")
        }
        var turns = drains
        let check = item[\.health]
        if check.isValid {
            // Checks count from the scenario's start.
            let lead = scenario.start - .start
            func moved(_ turn: NameTurn, by time: Duration) -> NameTurn {
                NameTurn(from: turn.from + time, to: turn.to == .never ? .never : turn.to + time)
            }
            let losses = item.health.losses(in: outages.map { moved($0, by: .zero - lead) }, end: scenario.end - lead)
                .map { moved($0, by: lead) }
            if losses.isEmpty && !outages.isEmpty {
                scenario.warn(check, "it has no effect, because no outage lasts until it is noticed")
            }
            turns += losses.map { NameTurn(from: $0.from, to: $0.to == .never ? .never : $0.to + item.back.after) }
        }
        var names = item.names
        (names.turns, names.returnSpan, names.returnParts) = (NameTurn.joined(turns), item.back.span, item.back.parts)
        if names.returnParts != nil, names.returnSpan == .zero {
            scenario.warn(
                KeyCatalogue.failoverReturn[\.parts, of: item[\.back]], "it has no effect, because over is 0s")
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
