import Fleet
import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// How large a run will be, from its scenario alone: to plan by and to refuse what cannot be run, not a result.
///
/// Reloads and requests of a drawn fleet are those of typical people, who live through the run by the rules (`TypicalInstance`). Left out are what people
/// and widgets do to each other: coalescing, which changes few counts, the connection, errors and waits of a service but for its outages, and with them
/// most further tries, public holidays, and whatever is rare in people. What recorded devices ask for is estimated from above.
package struct ScenarioEstimate: Hashable, Sendable {
    package var people: Double
    package var devices: Double
    package var deviceDays: Double
    /// Pickups, locks, views, sleep, trips, app openings, reloads and answers.
    package var events: Double
    package var reloads: Double
    package var requests: Double
    /// Bytes of the measures, and of a replay's events: the load curve has four bytes for each 0.1 s of the reported span and endpoint, and for each minute, region and cause.
    ///
    /// A service adds its own measures, and what devices keep while it answers.
    package var memory: Double
    /// First tries of requests by kind.
    private(set) var firstTries: [Double]
    /// Requests of background fetches by endpoint.
    private(set) var fetchRequests: [Double]
    package private(set) var hasService: Bool

    package static let mostMemory = 4.0 * 1024 * 1024 * 1024
    package static let mostEvents = 1e13
    /// Bytes of one recorded event.
    private static let bytesPerEvent = 96.0

    package init(_ scenario: Scenario) {
        let plan = scenario.plan
        let days = (plan.end - .start).inSeconds / 86_400
        people = Double(scenario.people)
        (devices, deviceDays, events, reloads, requests, memory) = (0, 0, 0, 0, 0, 0)
        firstTries = Array(repeating: 0, count: plan.kinds.count)
        fetchRequests = Array(repeating: 0, count: plan.endpoints.count)
        hasService = scenario.service != nil
        let minutes = Int(scenario.reportedSpan.microseconds / 60_000_000) + 1
        memory = Double(
            LoadCurve.bytes(
                endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: minutes,
                causes: LoadCurve.causes(withFetches: plan.hasFetches)))
        for segment in plan.segments where plan.replay.isEmpty { add(segment, of: people * segment.habits.share, days: days, scenario) }
        for device in plan.replay {
            devices += 1
            events += Double(device.events.count)
            memory += Self.bytesPerEvent * Double(device.events.count)
            for instance in device.instances {
                // A recorded event makes one reload at most.
                let most =
                    Self.atMost(plan, instance.placement.kind, on: instance.placement.surface, days: days) * days
                    + Double(device.events.count) + 1
                addReloads(most, tries: most * Double(1 + plan.requests.retry.retries), of: instance.placement.kind, plan)
            }
        }
        deviceDays = devices * days
        if let service = scenario.service {
            memory += Self.serviceMemory(service, devices: devices, regions: plan.regions.count, minutes: minutes)
        }
    }

    /// Core time of a logical event, nanoseconds.
    private static let timePerEvent = 60.0
    /// Core time that a request takes beyond its events when a service answers it, nanoseconds.
    private static let timePerServedRequest = 4_000.0

    /// Seconds of core time, about.
    package var coreSeconds: Double { (events * Self.timePerEvent + (hasService ? requests * Self.timePerServedRequest : 0)) / 1e9 }

    // MARK: Parts

    private mutating func add(_ segment: Segment, of people: Double, days: Double, _ scenario: Scenario) {
        let plan = scenario.plan
        let openings = segment.habits.apps.reduce(0) { $0 + Self.mean($1.openingsPerDay) + $1.audioPerDay }
        let movement = segment.habits.movement
        // Ways out and back, and on from one stay to the next.
        let stays = movement.outings.perDay + movement.commute.share
        let trips =
            stays * (2 + movement.outings.onwardShare / max(0.01, 1 - movement.outings.onwardShare)) + 2 * movement.travel.perYear / 365
        let episodes = segment.habits.power.lowPower.perDay + segment.habits.offline.perDay
        for device in segment.devices {
            let count = people * device.habits.share
            devices += count
            let use = ExpectedUse(of: device, in: segment)
            // A pickup and its lock, sleep and wake-up, an opening and its end, a trip's start, reports and end; an episode and its end; a watch that
            // comes off and goes on for its charge and for the night.
            let worn = device.kind == .watch ? 4.0 : 0
            events += count * days * (2 * use.pickups + 2 + 2 * openings + 8 * trips + use.looks + use.standbyLooks + 2 * episodes + worn)
            var placed = device.placements.map { ($0, $0.share) }
            for bundle in device.bundles {
                let instances = bundle.share * min(max(Self.mean(bundle.instances), 1), Double(DevicePlan.mostOfBundle))
                let weights = bundle.widgets.reduce(0) { $0 + $1.weight }
                placed += bundle.widgets.map { ($0.placement, instances * $0.weight / weights) }
            }
            for fetch in segment.fetches { addFetches(fetch, to: placed, devices: count, days: days, plan) }
            for (placement, share) in placed {
                let kind = plan.kinds[placement.kind]
                let views = use.views(on: placement.surface)
                // Those that are added in the run are there for a part of it, and fetch a first timeline.
                let rate = placement.addedPerDay < 1 ? -DeterministicMath.log(1 - placement.addedPerDay) : .infinity
                let added = (1 - share) * (1 - DeterministicMath.exp(-min(700, rate * days)))
                let present = share + (rate > 0 ? (1 - share) - added / max(1e-9, rate * days) : 0)
                let signedIn = kind.needsSignIn ? segment.habits.apps[kind.app].signedInShare : 1
                let instances = count * present * signedIn
                // A use of a button is one event, the return of its action another.
                events += count * present * days * (views + 2 * kind.interactionShare * views)
                let each = Self.perInstance(placement, on: device, in: segment, scenario, trips: trips)
                addReloads(instances * each.reloads + count * added, tries: instances * each.tries + count * added, of: placement.kind, plan)
            }
        }
    }

    private mutating func addReloads(_ count: Double, tries: Double, of kind: Int, _ plan: FleetPlan) {
        let each = Double(plan.kinds[kind].requestsPerReload)
        firstTries[kind] += count * each
        reloads += count
        requests += tries * each
        // Due, granted, run and placed; each try goes out and comes back.
        events += 4 * count + 2 * tries * each
    }

    /// Those of one app on some devices: on those that have a widget of it.
    private mutating func addFetches(
        _ fetch: BackgroundFetch, to placed: [(placement: Placement, share: Double)], devices: Double, days: Double, _ plan: FleetPlan
    ) {
        let without = placed.reduce(1.0) { plan.kinds[$1.placement.kind].app == fetch.app ? $0 * max(0, 1 - $1.share) : $0 }
        let count = devices * (1 - without) * fetch.share * days * 86_400 / fetch.every.inSeconds
        fetchRequests[fetch.endpoint] += count * Double(fetch.requests)
        requests += count * Double(fetch.requests)
        events += count * Double(1 + fetch.requests)
    }

    /// The mean of a law, within what its draws are clipped to.
    package static func mean(_ law: Distribution) -> Double {
        do {
            return try law.meanWithinClip()
        } catch {
            preconditionFailure("a law of a checked scenario: \(error)")
        }
    }
}
