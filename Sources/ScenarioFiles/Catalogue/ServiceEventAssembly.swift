import Basics
import RefreshService
import ScenarioModel

/// Makes what happens to the service at times of the scenario's choice (S4).
struct ServiceEventAssembly {
    let service: ServiceAssembly
    /// Without its events.
    let plan: RefreshPlan
    let poolValues: [CheckedValue]

    private var scenario: ScenarioAssembly { service.scenario }
    private var log: ProblemLog { service.log }

    /// The spans `failing` first, then the listed events in the scenario's order.
    var events: [ServiceEvent] {
        let failing = outages
        let names = Set(failing.map(\.name))
        let listed = service.stated.events.items.flatMap { item -> [ServiceEvent] in
            switch KeyCatalogue.event.make(item, scenario) {
            case nil: return []
            case .outage(let event):
                check(event[\.name], names)
                return outage(event)
            case .brownOut(let event):
                check(event[\.name], names)
                return brownOuts(event)
            case .machineLoss(let event):
                check(event[\.name], names)
                return machineLoss(event)
            case .deploy(let event):
                check(event[\.name], names)
                return deploy(event)
            case .purge(let event):
                check(event[\.name], names)
                return purge(event)
            // It changes answers, and nothing in the service.
            case .pace: return []
            }
        }
        return failing + listed
    }

    /// The changes of the time to the next reload that endpoints state (S11), in the order of their beginnings.
    var paces: [(endpoint: Int, step: ServedPace.Step)] {
        service.stated.events.items.compactMap { item -> (endpoint: Int, step: ServedPace.Step)? in
            guard case .pace(let event)? = KeyCatalogue.event.make(item, scenario),
                let endpoint = service.endpointIndex(event.endpoint), let at = begin(event.at)
            else { return nil }
            if plan.endpoints[endpoint].pace == nil {
                scenario.report(
                    event.endpoint, "an endpoint with next_after", "'\(service.fleet.endpoints[endpoint])' without it")
            }
            return (endpoint, ServedPace.Step(from: at, time: event.time))
        }.sorted { $0.step.from < $1.step.from }
    }

    /// No event has the name of one that follows from `failing`.
    private func check(_ name: CheckedValue, _ taken: Set<String>) {
        if name.isValid && taken.contains(name.text) {
            scenario.report(name, "another name", "'\(name.text)', that of a span of failing")
        }
    }

    /// The spans in which every request fails: those that lie in the run, one under way at its start from there on.
    private var outages: [ServiceEvent] {
        let isSilent = service.stated.requests.failure == .timeout
        return service.stated.failing.enumerated().compactMap { index, span in
            guard span.to > scenario.start, span.from < scenario.end, span.from < span.to else { return nil }
            return ServiceEvent(
                name: "failing-\(index + 1)", .outage(pool: nil, isSilent: isSilent),
                from: max(scenario.start, span.from),
                to: span.to)
        }
    }

    // MARK: Events, none after a problem

    private func outage(_ event: Stated<StatedServiceEvent.Outage>) -> [ServiceEvent] {
        let effect: ServiceEvent.Effect
        if event.region.isAbsent {
            let pool = event.pool.isAbsent ? nil : service.poolIndex(event.pool, otherwise: 0)
            effect = .outage(pool: pool, isSilent: event.isSilent)
        } else {
            guard let region = region(event.region, beside: event.pool) else { return [] }
            effect = .regionOutage(region: region, pools: plan.ownPools(ofRegion: region), isSilent: event.isSilent)
        }
        guard let (from, to) = span(event.span) else { return [] }
        return [ServiceEvent(name: event.name, effect, from: from, to: to)]
    }

    /// One event; of a region that has several pools to itself, one for each of them.
    private func brownOuts(_ event: Stated<StatedServiceEvent.BrownOut>) -> [ServiceEvent] {
        let pools: [Int]
        if event.region.isAbsent {
            pools = [onePool(event.pool, of: event.mapping)]
        } else {
            guard let region = region(event.region, beside: event.pool) else { return [] }
            pools = plan.ownPools(ofRegion: region)
        }
        guard let (from, to) = span(event.span) else { return [] }
        if pools.isEmpty {
            scenario.report(
                event.region, "a region with a pool to itself: state it in `pools` of an endpoint, or name a pool",
                "'\(event.region.text)', all of whose pools serve others too")
        }
        let capacity = event[\.capacity]
        return pools.map { pool in
            // A server of a user's own hears of it, and decides.
            let isCounted = plan.pools[pool].server == nil
            if capacity.isValid && event.capacity < 1 && isCounted && isUnlimited(pool) && event[\.slowdown].isValid {
                scenario.report(
                    capacity, "a pool with a number of servers beside a capacity below 1", "servers: \(Form.unlimited)")
            }
            return ServiceEvent(
                name: event.name, .brownOut(pool: pool, capacity: event.capacity, slowdown: event.slowdown),
                from: from, to: to)
        }
    }

    private func machineLoss(_ event: Stated<StatedServiceEvent.MachineLoss>) -> [ServiceEvent] {
        let pool = onePool(event.pool, of: event.mapping)
        guard let (from, to) = span(event.span) else { return [] }
        guard let machine = plan.pools[pool].machine else {
            scenario.report(
                event.pool.isAbsent ? event.mapping : event.pool, "a pool with machine", "'\(plan.pools[pool].name)' without")
            return []
        }
        return [
            ServiceEvent(
                name: event.name, .machineLoss(pool: pool, servers: event.machines * machine.slots), from: from, to: to)
        ]
    }

    private func deploy(_ event: Stated<StatedServiceEvent.Deploy>) -> [ServiceEvent] {
        let pool = onePool(event.pool, of: event.mapping)
        guard let from = begin(event.at) else { return [] }
        return [
            ServiceEvent(
                name: event.name, .deploy(pool: pool, share: event.share, step: event.step), from: from,
                to: from + Self.length(of: parts(event, pool), event.step))
        ]
    }

    private func purge(_ event: Stated<StatedServiceEvent.Purge>) -> [ServiceEvent] {
        let (endpoint, region) = (service.endpointIndex(event.endpoint), service.regionIndex(event.region))
        guard let at = begin(event.at) else { return [] }
        // Nobody's edge forgets nothing.
        if region == nil && !event.region.isAbsent {
            scenario.warn(event.region, "it has no effect, because no request comes from there")
            return []
        }
        return [ServiceEvent(name: event.name, .purge(endpoint: endpoint, region: region), from: at, to: at)]
    }

    /// The region that an event names in place of a pool; nil after a problem, and if no request comes from there.
    private func region(_ region: CheckedValue, beside pool: CheckedValue) -> Int? {
        if !pool.isAbsent {
            scenario.report(region, "only one of pool and region", "both")
            return nil
        }
        let problems = log.problems.count
        if let index = service.regionIndex(region) { return index }
        if region.isValid && log.problems.count == problems {
            scenario.warn(region, "it has no effect, because no request comes from there")
        }
        return nil
    }

    // MARK: Pools

    /// The pool of an event that concerns one: the only one unless it is named.
    private func onePool(_ pool: CheckedValue, of event: CheckedValue) -> Int {
        if pool.isAbsent && poolValues.count > 1 {
            log.report(
                event.origin, pool.path,
                expected: "the id of one of several pools: \(Form.alternatives(service.poolNames))",
                found: "nothing")
        }
        return service.poolIndex(pool, otherwise: 0)
    }

    private func isUnlimited(_ pool: Int) -> Bool {
        if plan.pools[pool].server != nil { return plan.pools[pool].servers == nil }
        let servers = KeyCatalogue.pool[\.servers, of: poolValues[pool]]
        return poolValues[pool].isMapping && servers.isValid && !servers.isAbsent && servers.limit == nil
    }

    /// So many steps, or the longest length if that is shorter.
    private static func length(of parts: Int, _ step: Duration) -> Duration {
        let (length, isTooLong) = step.microseconds.multipliedReportingOverflow(by: Int64(parts))
        return isTooLong ? .longest : min(.longest, Duration(microseconds: length))
    }

    /// How many parts a deploy has, by the servers at the start of the run; with an autoscaler as many as any number of
    /// servers can need.
    private func parts(_ event: Stated<StatedServiceEvent.Deploy>, _ pool: Int) -> Int {
        if isUnlimited(pool) {
            scenario.report(
                event.mapping, "a pool with a number of servers to deploy to",
                plan.pools[pool].server.map { "the server '\($0.name)', which counts none" }
                    ?? "servers: \(Form.unlimited)")
        }
        let keys = KeyCatalogue.pool
        guard keys[\.servers, of: poolValues[pool]].isValid, let servers = plan.pools[pool].servers,
            event[\.share].isValid
        else { return 1 }
        if !keys[\.autoscaling, of: poolValues[pool]].isAbsent {
            return Int(cutting: min((1 / event.share - 1e-9).rounded(.up), Double(KeyCatalogue.mostServers)))
        }
        let part = max(1, ServiceEvent.Effect.part(event.share, of: servers, in: plan.pools[pool].machine))
        return (servers + part - 1) / part
    }

    // MARK: Times

    /// When an event begins; nil after a problem.
    private func begin(_ at: CheckedValue) -> Instant? {
        guard at.isValid, !at.isAbsent else { return nil }
        return isInRun(scenario.instant(at), at) ? scenario.instant(at) : nil
    }

    /// When an event begins and is over; nil after a problem. It may outlast the run.
    private func span(_ span: CheckedValue) -> (from: Instant, to: Instant)? {
        guard span.isValid, span.items.count == 2 else { return nil }
        let (from, to) = (scenario.instant(span.items[0]), scenario.instant(span.items[1]))
        guard from < to else {
            scenario.report(span, "a span that ends after it begins", span.canonicalText)
            return nil
        }
        return isInRun(from, span.items[0]) ? (from, to) : nil
    }

    private func isInRun(_ instant: Instant, _ value: CheckedValue) -> Bool {
        if scenario.start <= instant && instant < scenario.end { return true }
        scenario.report(
            value,
            "an event that begins within the run, from 0s to before \(TimeText.duration(scenario.end - scenario.start)) after start",
            value.canonicalText)
        return false
    }
}
