import Basics
import People
import RefreshService
import ScenarioModel
import Statistics

/// Makes the service that a fleet's requests meet (S2, S4, S5), and checks how it fits the fleet: names, ranges and
/// ways.
struct ServiceAssembly {
    let scenario: ScenarioAssembly
    /// The block `service`.
    let value: CheckedValue
    let fleet: FleetPlan

    var log: ProblemLog { scenario.log }
    private var pools: [CheckedValue] { value["pools"].items }
    var poolNames: [String] { pools.map { $0["id"] }.map { $0.isValid && !$0.isAbsent ? $0.text : "" } }
    /// Whether every pool has a name that can be looked up.
    private var knowsPools: Bool { value["pools"].isValid }

    /// The service; nil for a scenario without pools, whose origin answers at once (S6).
    ///
    /// - Parameter people: those of the fleet, or the devices of a replay.
    func plan(people: Int) -> RefreshPlan? {
        checkRegions()
        guard !pools.isEmpty else {
            if value["pools"].isValid { warnOfIdleKeys() }
            return nil
        }
        checkDelays()
        checkDraws(of: people)
        let endpoints = self.endpoints
        let edge = scenario.read(KeyCatalogue.edge, of: value, over: .besideOrigin)
        var plan = RefreshPlan(
            pools: pools.map { PoolAssembly(service: self, value: $0).pool }, endpoints: endpoints,
            regions: fleet.regions.map { name in
                let own = value["regions"].items.first { $0.isMapping && $0["id"].isValid && $0["id"].text == name }
                return own.map { scenario.read(KeyCatalogue.regionEdge, of: $0, over: edge) } ?? edge
            }, background: BackgroundAssembly(service: self).background,
            abandonment: fleet.requests.abandonment,
            prices: scenario.read(KeyCatalogue.prices, of: value["prices"], over: .none),
            objectives: value["objectives"].items.filter(\.isValid).map {
                scenario.read(KeyCatalogue.objective, of: $0, over: ServiceObjective(name: "", share: 0.5))
            })
        plan.events = ServiceEventAssembly(service: self, plan: plan, poolValues: pools).events
        plan.failovers = FailoverAssembly(service: self, events: plan.events).failovers
        warnOfIdleParts(plan)
        return plan
    }

    // MARK: Names

    /// The index of a pool by a name that may be absent.
    ///
    /// - Parameter defaultValue: the pool for an absent name.
    func poolIndex(_ name: CheckedValue, otherwise defaultValue: Int) -> Int {
        (knowsPools ? index(of: name, among: poolNames, "the id of a pool") : nil) ?? defaultValue
    }

    /// The index of an endpoint of the kinds; nil after a problem.
    func endpointIndex(_ name: CheckedValue) -> Int? {
        index(of: name, among: fleet.endpoints, "the endpoint of a kind")
    }

    /// The index of a region that requests come from; nil for another one, and after a problem.
    func regionIndex(_ name: CheckedValue) -> Int? {
        guard name.isValid, !name.isAbsent else { return nil }
        if let index = fleet.regions.firstIndex(of: name.text) { return index }
        let known = scenario.isReplay ? fleet.regions : CityTable.regions
        _ = index(of: name, among: known, "an edge region")
        return nil
    }

    private func index(of name: CheckedValue, among known: [String], _ expected: String) -> Int? {
        // Among a few names, all of them are the best hint.
        let all = known.count <= 4 ? ": " + Form.alternatives(known) : " such as \(known[0])"
        return scenario.index(of: name, among: known, expected + all)
    }

    private func checkRegions() {
        for region in value["regions"].items where region.isMapping {
            let name = region["id"]
            let problems = log.problems.count
            if name.isValid && regionIndex(name) == nil && log.problems.count == problems {
                log.warn("\(region.path): it has no effect, because no request comes from there")
            }
            if KeyCatalogue.hasPools(value) { continue }
            for key in KeyCatalogue.regionEdge.form.entries.map(\.name) where !region[key].isAbsent {
                log.warn("\(region[key].path): it has no effect, because there are no pools")
            }
        }
    }

    // MARK: Ways

    /// The least delay that a service can have: the windows in which it advances are no longer (S5).
    private static let leastDelay = Duration.milliseconds(1)

    private var legs: [CheckedValue] {
        (([value] + value["regions"].items).filter(\.isMapping)).flatMap { [$0["latency_out"], $0["latency_back"]] }
            .filter { !$0.isAbsent }
    }

    /// No draw of a leg takes less than this.
    private func least(of leg: CheckedValue) -> Duration {
        Duration(seconds: scenario.distribution(leg).leastDraw)
    }

    private func checkDelays() {
        for leg in legs where leg.isValid && least(of: leg) < Self.leastDelay {
            log.report(
                leg.isStated ? leg.origin : value["pools"].origin, leg.path,
                expected:
                    "with pools a delay of at least 1ms, stated as minimum: {median: 50ms, p95: 250ms, minimum: 20ms}",
                found: "\(leg.canonicalText), which can take \(TimeText.duration(least(of: leg)))")
        }
    }

    /// The length of the windows, if one is stated (S5).
    var window: Duration? {
        let window = value["window"]
        guard !window.isAbsent, window.isValid, !pools.isEmpty else { return nil }
        if let shortest = legs.filter(\.isValid).map(least).min(), shortest >= Self.leastDelay,
            window.duration > shortest
        {
            scenario.report(
                window, "at most the least delay of latency_out and latency_back, \(TimeText.duration(shortest))",
                "'\(TimeText.duration(window.duration))'")
        }
        return window.duration
    }

    /// Draws of the service are looked up by person and device in one word.
    private func checkDraws(of people: Int) {
        let slots = max(1, fleet.segments.map(\.devices.count).max() ?? 1)
        let (product, isTooLarge) = people.multipliedReportingOverflow(by: slots)
        if isTooLarge || product > Int(UInt32.max) {
            let count = root["people"]
            scenario.report(
                count, "with pools at most \(UInt32.max) people times devices of a segment", "\(people) times \(slots)")
        }
    }

    private var root: CheckedValue { scenario.root }

    // MARK: Endpoints

    private var endpoints: [ServiceEndpoint] {
        var endpoints = Array(repeating: ServiceEndpoint(pool: 0), count: fleet.endpoints.count)
        for item in value["endpoints"].items where item.isMapping {
            let pool = poolIndex(item["pool"], otherwise: 0)
            guard let index = endpointIndex(item["id"]) else { continue }
            endpoints[index] = scenario.read(
                KeyCatalogue.endpoint, of: item,
                over: ServiceEndpoint(pool: pool, regionalPools: regionalPools(item["pools"])))
            let kinds = fleet.kinds.filter { $0.endpoint == index }
            if endpoints[index].cache != nil && kinds.allSatisfy(\.isPersonal) {
                log.warn("\(item["cache"].path): it has no effect, because all its content is the users' own")
            }
        }
        return endpoints
    }

    /// The pools of an endpoint's regions that have another one, by the region's index.
    private func regionalPools(_ value: CheckedValue) -> [Int: Int] {
        guard value.isValid, !value.isAbsent else { return [:] }
        var pools: [Int: Int] = [:]
        for (region, pool) in value.fields {
            let index = poolIndex(pool, otherwise: 0)
            if let region = fleet.regions.firstIndex(of: region) {
                pools[region] = index
            } else if scenario.isReplay || !CityTable.regions.contains(region) {
                refuseKey(region, of: pool)
            } else {
                log.warn("\(pool.path): it has no effect, because no request comes from there")
            }
        }
        return pools
    }

    private func refuseKey(_ region: String, of value: CheckedValue) {
        let known = scenario.isReplay ? fleet.regions : CityTable.regions
        // A replay without devices has no regions, and a problem of its own.
        guard let first = known.first else { return }
        log.refuse(value, key: region, expected: "an edge region such as \(first)", among: known)
    }

    // MARK: What does nothing

    private func warnOfIdleKeys() {
        for key in KeyCatalogue.keysBehindClients + ["failover", "window"] {
            let part = value[key]
            if part.isAbsent || (part.isList && part.items.isEmpty) { continue }
            log.warn("\(part.path): it has no effect, because there are no pools")
        }
    }

    private func warnOfIdleParts(_ plan: RefreshPlan) {
        guard value["endpoints"].isValid else { return }
        if plan.regions.contains(where: { $0.capacity != nil }) && plan.endpoints.allSatisfy({ $0.cache == nil }) {
            log.warn("service.edge_capacity: it has no effect, because no endpoint has a cache")
        }
        for (index, pool) in plan.pools.enumerated()
        where !plan.regions.indices.contains(where: { plan.pools(ofRegion: $0).contains(index) }) {
            log.warn("service.pools.\(pool.name): no endpoint goes to it")
        }
        let (heeds, retries) = (value["retry_after"], value["retries"])
        guard retries.isValid, retries.limit != 0, heeds.isValid, !heeds.isAbsent else { return }
        let telling = plan.pools.filter { $0.retryAfter != nil }.map(\.name)
        switch heeds.choice(RetryAfterUse.self) {
        case .heeded:
            if telling.isEmpty { log.warn("\(heeds.path): it has no effect, because no pool has a retry_after") }
        case .ignored:
            if let name = telling.first {
                log.warn("service.pools.\(name).retry_after: it has no effect, because clients ignore it")
            }
        }
    }
}
