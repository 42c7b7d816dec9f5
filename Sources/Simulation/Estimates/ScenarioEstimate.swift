import Fleet
import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// How large a run will be, from its scenario alone: upper estimates to plan by and to refuse what cannot be run, not results.
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
        hasService = scenario.service != nil
        let minutes = Int(scenario.reportedSpan.microseconds / 60_000_000) + 1
        memory = Double(LoadCurve.bytes(endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: minutes))
        for segment in plan.segments where plan.replay.isEmpty { add(segment, of: people * segment.habits.share, days: days, plan) }
        for device in plan.replay {
            devices += 1
            events += Double(device.events.count)
            memory += Self.bytesPerEvent * Double(device.events.count)
            for instance in device.instances {
                // A recorded event makes one reload at most.
                addReloads(
                    Self.background(plan, instance.placement.kind, on: instance.placement.surface, days: days) * days
                        + Double(device.events.count) + 1,
                    of: instance.placement.kind, plan)
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

    private mutating func add(_ segment: Segment, of people: Double, days: Double, _ plan: FleetPlan) {
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
            for (placement, share) in placed {
                let kind = plan.kinds[placement.kind]
                let views = use.views(on: placement.surface)
                let habits = segment.habits.apps[kind.app]
                let callers = Self.callers(of: placement.kind, plan)
                var free = callers.contains { $0.reloadOnOpen != .never } ? Self.mean(habits.openingsPerDay) : 0
                if placement.location == .current { free += min(views, 6 * trips) }
                for rhythm in callers.compactMap(\.sessionRhythm) {
                    let inSession =
                        habits.audioPerDay * Self.mean(habits.audioLength) + habits.navigationShare * trips
                        * Self.mean(movement.commute.time)
                    free += inSession / max(1, rhythm.inSeconds)
                }
                free += min(views, Double(plan.parameters.rarelyViewed) / 1e6)
                let interactions = kind.interactionShare * views
                let perDay = Self.background(plan, placement.kind, on: placement.surface, days: days) + free + interactions
                let instances = count * share
                // A use of a button is one event, the return of its action another.
                events += instances * days * (views + 2 * interactions)
                addReloads(instances * (days * perDay + 1), of: placement.kind, plan)
            }
        }
    }

    private mutating func addReloads(_ count: Double, of kind: Int, _ plan: FleetPlan) {
        let first = count * Double(plan.kinds[kind].requestsPerReload)
        let tries = first * Double(1 + plan.requests.retry.retries)
        firstTries[kind] += first
        reloads += count
        requests += tries
        // Due, granted, run and placed; each try goes out and comes back.
        events += 4 * count + 2 * tries
    }

    /// The mean of a law, within what its draws are clipped to.
    package static func mean(_ law: Distribution) -> Double {
        do {
            let mean = try law.mean()
            return law.range.map { min(max(mean, $0.lowerBound), $0.upperBound) } ?? mean
        } catch {
            preconditionFailure("a law of a checked scenario: \(error)")
        }
    }
}
