import Basics
import People
import RefreshService
import ScenarioModel
import Statistics
import WidgetPlatform

/// The service and the way to it as a scenario states them.
struct StatedService {
    var requests = RequestPlan(legs: OneWayDelays(out: .zero, back: .zero))
    /// The edges of regions that state nothing of their own.
    var edge = EdgeRegion.besideOrigin
    var failing: [(from: Instant, to: Instant)] = []
    var tries = ByFailure<Int?>(nil)
    var failureAfter = ByFailure<Distribution?>(nil)
    var delays: [Duration] = []
    var backOff = BackOff.listed([])
    var prices = ServicePrices.none
    var objectives: [ServiceObjective] = []
    var window: Duration?
    var pools = CheckedValue.absent, regions = CheckedValue.absent, endpoints = CheckedValue.absent
    var events = CheckedValue.absent, background = CheckedValue.absent, failovers = CheckedValue.absent
}

/// An edge region and an endpoint, as a scenario states them.
struct StatedRegion {
    var id = CheckedValue.absent
    var legs = OneWayDelays(out: .zero, back: .zero)
    var edge = EdgeRegion.besideOrigin
}

struct StatedEndpoint {
    var endpoint = ServiceEndpoint(pool: 0)
    var next: Distribution?
    var countsFromContent = false
    var id = CheckedValue.absent, pool = CheckedValue.absent, pools = CheckedValue.absent
}

/// Makes the service that a fleet's requests meet (S2, S4, S5), and checks how it fits the fleet: names, ranges and
/// ways.
struct ServiceAssembly {
    let scenario: ScenarioAssembly
    let stated: Stated<StatedService>
    let fleet: FleetPlan

    var log: ProblemLog { scenario.log }
    private var pools: [CheckedValue] { stated.pools.items }
    var poolNames: [String] {
        pools.map { KeyCatalogue.pool[\.name, of: $0] }.map { $0.isValid && !$0.isAbsent ? $0.text : "" }
    }
    private var regions: [Stated<StatedRegion>] {
        stated.regions.items.filter(\.isMapping).map {
            scenario.stated(KeyCatalogue.region, of: $0, over: StatedRegion(edge: stated.edge))
        }
    }

    /// The service; nil for a scenario without pools, whose origin answers at once (S6).
    ///
    /// - Parameter people: those of the fleet, or the devices of a replay.
    func plan(people: Int) -> RefreshPlan? {
        let regions = self.regions
        checkRegions(regions)
        guard !pools.isEmpty else {
            if stated.pools.isValid {
                warnOfIdleKeys()
                checkServedKinds(nil)
            }
            return nil
        }
        checkDelays()
        checkDraws(of: people)
        let endpoints = self.endpoints
        var plan = RefreshPlan(
            pools: pools.map { PoolAssembly(service: self, value: $0).pool }, endpoints: endpoints,
            regions: fleet.regions.map { name in
                regions.first { $0.id.isValid && $0.id.text == name }?.edge ?? stated.edge
            }, background: BackgroundAssembly(service: self).background, abandonment: fleet.requests.abandonment,
            prices: stated.prices, objectives: stated.objectives)
        let causes = ReloadCause.allCases.map(\.name)
        plan.names = ServiceNames(
            endpoints: fleet.endpoints, regions: fleet.regions,
            causes: causes + ["background", "background_fetch"] + causes)
        let events = ServiceEventAssembly(service: self, plan: plan, poolValues: pools)
        plan.events = events.events
        for (endpoint, step) in events.paces { plan.endpoints[endpoint].pace?.steps.append(step) }
        checkServedKinds(plan)
        plan.failovers = FailoverAssembly(service: self, events: plan.events).failovers
        warnOfIdleParts(plan)
        return plan
    }

    // MARK: Names

    /// The index of a pool by a name that may be absent.
    ///
    /// - Parameter defaultValue: the pool for an absent name.
    func poolIndex(_ name: CheckedValue, otherwise defaultValue: Int) -> Int {
        (stated.pools.isValid ? index(of: name, among: poolNames, "the id of a pool") : nil) ?? defaultValue
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

    private func checkRegions(_ regions: [Stated<StatedRegion>]) {
        for region in regions {
            let problems = log.problems.count
            if region.id.isValid && regionIndex(region.id) == nil && log.problems.count == problems {
                scenario.warn(region.mapping, "it has no effect, because no request comes from there")
            }
            if !pools.isEmpty { continue }
            for key in [region[\.edge.originOut], region[\.edge.originBack], region[\.edge.capacity]]
            where !key.isAbsent {
                scenario.warn(key, "it has no effect, because there are no pools")
            }
        }
    }

    // MARK: Ways

    /// The least delay that a service can have: the windows in which it advances are no longer (S5).
    private static let leastDelay = Duration.milliseconds(1)

    private var legs: [CheckedValue] {
        ([[stated[\.requests.legs.out], stated[\.requests.legs.back]]]
            + regions.map { [$0[\.legs.out], $0[\.legs.back]] }).joined().filter { !$0.isAbsent }
    }

    /// No draw of a leg takes less than this.
    private func least(of leg: CheckedValue) -> Duration {
        Duration(seconds: scenario.distribution(leg).leastDraw)
    }

    private func checkDelays() {
        for leg in legs where leg.isValid && least(of: leg) < Self.leastDelay {
            log.report(
                leg.isStated ? leg.origin : stated.pools.origin, leg.path,
                expected:
                    "with pools a delay of at least 1ms, stated as minimum: {median: 50ms, p95: 250ms, minimum: 20ms}",
                found: "\(leg.canonicalText), which can take \(TimeText.duration(least(of: leg)))")
        }
    }

    /// The length of the windows, if one is stated (S5).
    var window: Duration? {
        let value = stated[\.window]
        guard let window = stated.window, value.isValid, !pools.isEmpty else { return nil }
        if let shortest = legs.filter(\.isValid).map(least).min(), shortest >= Self.leastDelay, window > shortest {
            scenario.report(
                value, "at most the least delay of latency_out and latency_back, \(TimeText.duration(shortest))",
                "'\(TimeText.duration(window))'")
        }
        return window
    }

    /// Draws of the service are looked up by person and device in one word.
    private func checkDraws(of people: Int) {
        let slots = max(1, fleet.segments.map(\.devices.count).max() ?? 1)
        let (product, isTooLarge) = people.multipliedReportingOverflow(by: slots)
        if isTooLarge || product > Int(UInt32.max) {
            scenario.report(
                scenario.root.people, "with pools at most \(UInt32.max) people times devices of a segment",
                "\(people) times \(slots)")
        }
    }

    // MARK: Endpoints

    private var endpoints: [ServiceEndpoint] {
        var endpoints = Array(repeating: ServiceEndpoint(pool: 0), count: fleet.endpoints.count)
        for item in stated.endpoints.items where item.isMapping {
            let own = scenario.stated(KeyCatalogue.endpoint, of: item, over: StatedEndpoint())
            let pool = poolIndex(own.pool, otherwise: 0)
            guard let index = endpointIndex(own.id) else { continue }
            endpoints[index] = own.endpoint
            endpoints[index].pace = own.next.map {
                ServedPace($0, countsFromContent: own.countsFromContent, isOfObject: own.endpoint.cache != nil)
            }
            checkVersions(own, index)
            (endpoints[index].pool, endpoints[index].regionalPools) = (pool, regionalPools(own.pools))
            if own.endpoint.cache != nil && fleet.kinds.allSatisfy({ $0.endpoint != index || $0.isPersonal }) {
                scenario.warn(
                    own[\.endpoint.cache], "it has no effect, because all its content is the users' own")
            }
        }
        return endpoints
    }

    /// The edges of an endpoint know the versions of one kind's content (S10).
    private func checkVersions(_ own: Stated<StatedEndpoint>, _ index: Int) {
        guard let rule = own.endpoint.notModified, rule.share == nil, own.endpoint.cache != nil else { return }
        let kinds = fleet.kinds.filter { $0.endpoint == index && !$0.isPersonal && !$0.readsApp }
        if kinds.count > 1 {
            scenario.report(
                own[\.endpoint.notModified],
                "a share, or one kind at an endpoint with a cache, since each kind has versions of its own",
                "\(kinds.count) kinds: \(kinds.map(\.id).joined(separator: ", "))")
        }
    }

    /// A kind whose policy is what is served needs answers that state it, and they a kind (S11).
    private func checkServedKinds(_ plan: RefreshPlan?) {
        for (kind, value) in zip(fleet.kinds, scenario.root.kinds.items) where kind.dates.policy == .served {
            if plan?.endpoints[kind.endpoint].pace != nil { continue }
            scenario.report(
                value["policy"]["after"],
                plan == nil
                    ? "a service with pools beside after: served"
                    : "next_after of service.endpoints.\(fleet.endpoints[kind.endpoint]) beside after: served", "none")
        }
        for (index, endpoint) in (plan?.endpoints ?? []).enumerated()
        where endpoint.pace != nil && !fleet.kinds.contains(where: { $0.endpoint == index && $0.policy == .served }) {
            log.warn(
                "service.endpoints.\(fleet.endpoints[index]).next_after: it has no effect, because no kind's policy is {after: served}"
            )
        }
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
            let part = stated.mapping[key]
            if part.isAbsent || (part.isList && part.items.isEmpty) { continue }
            log.warn("\(part.path): it has no effect, because there are no pools")
        }
    }

    private func warnOfIdleParts(_ plan: RefreshPlan) {
        guard stated.endpoints.isValid else { return }
        if plan.regions.contains(where: { $0.capacity != nil }) && plan.endpoints.allSatisfy({ $0.cache == nil }) {
            log.warn("service.edge_capacity: it has no effect, because no endpoint has a cache")
        }
        for (index, pool) in plan.pools.enumerated()
        where !plan.regions.indices.contains(where: { plan.pools(ofRegion: $0).contains(index) }) {
            log.warn("service.pools.\(pool.name): no endpoint goes to it")
        }
        let (heeds, retries) = (
            stated[\.requests.retry.heedsRetryAfter], stated[\.tries]
        )
        guard retries.isValid, retries.mostTries != 0, heeds.isValid, !heeds.isAbsent else { return }
        let telling = plan.pools.filter { $0.retryAfter != nil }.map(\.name)
        if stated.requests.retry.heedsRetryAfter {
            if telling.isEmpty { scenario.warn(heeds, "it has no effect, because no pool has a retry_after") }
        } else if let name = telling.first {
            log.warn("service.pools.\(name).retry_after: it has no effect, because clients ignore it")
        }
    }
}

/// Makes what devices know of their requests: the legs, the time-out, and what follows a failure (S1, S3, S6).
struct RequestAssembly {
    let scenario: ScenarioAssembly
    let service: Stated<StatedService>

    var plan: RequestPlan {
        var plan = service.requests
        plan.regionalDelays = regionalDelays(over: plan.legs)
        // With pools they are outages of the service, which would otherwise fail a request twice.
        plan.failing = hasPools ? [] : service.failing
        plan.retries = service.tries.map { $0 ?? 0 }
        plan.failureAfter = service.failureAfter.map { $0 ?? Distribution(.constant(900)) }
        let ofKinds = scenario.kinds.flatMap { $0.retries.all.compactMap { $0 } }
        plan.retry.retries = (plan.retries.all + ofKinds).max() ?? 0
        plan.retry.backOff = backOff(retries: plan.retry.retries)
        checkEffects()
        return plan
    }

    private var hasPools: Bool { !service.pools.items.isEmpty }

    /// The legs of regions that state one.
    private func regionalDelays(over legs: OneWayDelays) -> [String: OneWayDelays] {
        var regional: [String: OneWayDelays] = [:]
        for region in service.regions.items where region.isMapping {
            let own = scenario.read(KeyCatalogue.region, of: region, over: StatedRegion(legs: legs))
            if own.legs != legs { regional[own.id.text] = own.legs }
        }
        return regional
    }

    // MARK: Further tries

    /// - Parameter retries: the most of any kind after any failure.
    private func backOff(retries: Int) -> BackOff {
        let (delays, formula, stated) = (service[\.delays], service[\.backOff], service[\.tries])
        // A resolved scenario without retries has an empty list, beside which a `back_off` may stand that no kind uses, or
        // those that try again.
        let isIdle = service.delays.isEmpty && stated.isValid && stated.mostTries == 0
        if service.isValid && !delays.isAbsent && !formula.isAbsent && !isIdle {
            scenario.report(formula, "only one of retry_delays and back_off", "both")
        } else if !isIdle, !delays.isAbsent, delays.isValid && stated.isValid && service.delays.count != retries {
            let culprit = delays.isStated ? delays : stated
            scenario.log.report(
                culprit.origin, delays.path,
                expected: (retries == RetryPolicy.unlimited ? nil : retries).map {
                    "as many delays as retries, \($0)"
                        + (stated.isStated
                            ? "" : " where it is not stated (retries: \(service.delays.count) beside them)")
                } ?? "back_off with retries: unlimited",
                found: "\(service.delays.count)")
        }
        if formula.isMapping && service.delays.isEmpty { return service.backOff }
        // Where kinds alone try again, nothing states how.
        return service.delays.isEmpty && retries > 0 ? .usual : .listed(service.delays)
    }

    /// Reports settings that have no effect.
    private func checkEffects() {
        let abandon = service[\.requests.abandonment]
        let without = "it has no effect, because there are no pools"
        if !abandon.isAbsent && abandon.isStated && !hasPools { scenario.warn(abandon, without) }
        guard service[\.tries].isValid else { return }
        let ofKinds = scenario.kinds.contains { $0.retries.all.contains { ($0 ?? 0) > 0 } }
        let (budget, heeds) = (service[\.requests.retry.budget], service[\.requests.retry.heedsRetryAfter])
        for key in [service[\.backOff], budget, heeds] where key.isStated && !key.isAbsent {
            if service[\.tries].mostTries == 0 && !ofKinds {
                scenario.warn(key, "it has no effect, because retries is 0")
            } else if key.path == heeds.path && !hasPools {
                scenario.warn(key, without)
            }
        }
    }
}
