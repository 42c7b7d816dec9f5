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
    private var value: CheckedValue { service.value }

    /// The spans `failing` first, then the listed events in the scenario's order.
    var events: [ServiceEvent] {
        let failing = outages
        let names = Set(failing.map(\.name))
        let listed = value["events"].items.flatMap { item -> [ServiceEvent] in
            guard item.isMapping, let (kind, event) = item.only(ServiceEventKind.self), event.isMapping else {
                return []
            }
            let name = event["name"]
            if name.isValid && names.contains(name.text) {
                scenario.report(name, "another name", "'\(name.text)', that of a span of failing")
            }
            return self.events(kind, event)
        }
        return failing + listed
    }

    /// The spans in which every request fails: those that lie in the run, one under way at its start from there on.
    private var outages: [ServiceEvent] {
        let isSilent = value["failure"].choice() == RequestPlan.Failure.timeout
        return scenario.spans(value["failing"]).enumerated().compactMap { index, span in
            guard span.to > scenario.start, span.from < scenario.end, span.from < span.to else { return nil }
            return ServiceEvent(
                name: "failing-\(index + 1)", .outage(pool: nil, isSilent: isSilent),
                from: max(scenario.start, span.from),
                to: span.to)
        }
    }

    /// One event; of a region that has several pools to itself, one for each of them.
    private func events(_ kind: ServiceEventKind, _ event: CheckedValue) -> [ServiceEvent] {
        guard kind == .outage || kind == .brownOut, !event["region"].isAbsent else {
            return self.event(kind, event).map { [$0] } ?? []
        }
        let region = event["region"]
        if !event["pool"].isAbsent {
            scenario.report(region, "only one of pool and region", "both")
            return []
        }
        let problems = log.problems.count
        guard let index = service.regionIndex(region) else {
            if region.isValid && log.problems.count == problems {
                log.warn("\(region.path): it has no effect, because no request comes from there")
            }
            return []
        }
        guard let (from, to) = span(of: event) else { return [] }
        let pools = plan.ownPools(ofRegion: index)
        if kind == .outage {
            let effect = ServiceEvent.Effect.regionOutage(region: index, pools: pools, isSilent: isSilent(event))
            return [ServiceEvent(name: event["name"].text, effect, from: from, to: to)]
        }
        if pools.isEmpty {
            scenario.report(
                region, "a region with a pool to itself: state it in `pools` of an endpoint, or name a pool",
                "'\(region.text)', all of whose pools serve others too")
        }
        return pools.map { brownOut(event, $0, from, to) }
    }

    private func isSilent(_ event: CheckedValue) -> Bool { event["answer"].choice() == OutageAnswer.silence }

    private func event(_ kind: ServiceEventKind, _ event: CheckedValue) -> ServiceEvent? {
        let name = event["name"].text
        switch kind {
        case .outage:
            let named = event["pool"]
            let pool = named.isAbsent ? nil : service.poolIndex(named, otherwise: 0)
            guard let (from, to) = span(of: event) else { return nil }
            return ServiceEvent(name: name, .outage(pool: pool, isSilent: isSilent(event)), from: from, to: to)
        case .brownOut:
            let pool = onePool(of: event)
            guard let (from, to) = span(of: event) else { return nil }
            return brownOut(event, pool, from, to)
        case .deploy:
            let pool = onePool(of: event)
            guard let from = begin(of: event) else { return nil }
            let (share, step) = (event["share"].number, event["step"].duration)
            return ServiceEvent(
                name: name, .deploy(pool: pool, share: share, step: step), from: from,
                to: from + Self.length(of: parts(event, pool), step))
        case .purge:
            let (endpoint, region) = (event["endpoint"], event["region"])
            let indices = (service.endpointIndex(endpoint), service.regionIndex(region))
            guard let at = begin(of: event) else { return nil }
            // Nobody's edge forgets nothing.
            if indices.1 == nil && !region.isAbsent {
                log.warn("\(region.path): it has no effect, because no request comes from there")
                return nil
            }
            return ServiceEvent(name: name, .purge(endpoint: indices.0, region: indices.1), from: at, to: at)
        }
    }

    // MARK: Pools

    /// The pool of an event that concerns one: the only one unless it is named.
    private func onePool(of event: CheckedValue) -> Int {
        let pool = event["pool"]
        if pool.isAbsent && poolValues.count > 1 {
            log.report(
                event.origin, pool.path,
                expected: "the id of one of several pools: \(Form.alternatives(service.poolNames))",
                found: "nothing")
        }
        return service.poolIndex(pool, otherwise: 0)
    }

    private func isUnlimited(_ pool: Int) -> Bool {
        let servers = poolValues[pool]["servers"]
        return poolValues[pool].isMapping && servers.isValid && servers.limit == nil
    }

    private func brownOut(_ event: CheckedValue, _ pool: Int, _ from: Instant, _ to: Instant) -> ServiceEvent {
        let (capacity, slowdown) = (event["capacity"], event["slowdown"])
        if capacity.isValid && capacity.number < 1 && isUnlimited(pool) && slowdown.isValid {
            scenario.report(
                capacity, "a pool with a number of servers beside a capacity below 1", "servers: \(Form.unlimited)")
        }
        if capacity.isValid && slowdown.isValid && capacity.number == 1 && slowdown.number == 1 {
            log.warn("\(event.path): it has no effect with capacity 1 and slowdown 1")
        }
        return ServiceEvent(
            name: event["name"].text,
            .brownOut(pool: pool, capacity: capacity.number, slowdown: slowdown.number), from: from, to: to)
    }

    /// So many steps, or the longest length if that is shorter.
    private static func length(of parts: Int, _ step: Duration) -> Duration {
        let (length, isTooLong) = step.microseconds.multipliedReportingOverflow(by: Int64(parts))
        return isTooLong ? .longest : min(.longest, Duration(microseconds: length))
    }

    /// How many parts a deploy has, by the servers at the start of the run; with an autoscaler as many as any number of
    /// servers can need.
    private func parts(_ event: CheckedValue, _ pool: Int) -> Int {
        if isUnlimited(pool) {
            scenario.report(event, "a pool with a number of servers to deploy to", "servers: \(Form.unlimited)")
        }
        let share = event["share"]
        guard poolValues[pool]["servers"].isValid, let servers = plan.pools[pool].servers, share.isValid else {
            return 1
        }
        if !poolValues[pool]["autoscaling"].isAbsent {
            return Int(cutting: min((1 / share.number - 1e-9).rounded(.up), Double(KeyCatalogue.mostServers)))
        }
        // 0.07 of 100 is 7, whatever the doubles say.
        let part = max(1, Int((share.number * Double(servers) - 1e-9).rounded(.up)))
        return (servers + part - 1) / part
    }

    // MARK: Times

    /// When an event begins; nil after a problem.
    private func begin(of event: CheckedValue) -> Instant? {
        let at = event["at"]
        guard at.isValid, !at.isAbsent else { return nil }
        return isInRun(scenario.instant(at), at) ? scenario.instant(at) : nil
    }

    /// When an event begins and is over; nil after a problem. It may outlast the run.
    private func span(of event: CheckedValue) -> (from: Instant, to: Instant)? {
        let span = event["span"]
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
