import Basics
import RefreshService
import ScenarioModel
import Statistics
import WidgetPlatform

/// How large a run will be, before it: to plan by and to refuse what cannot be run, not a result.
///
/// The fleet's figures are those of a sample of it, simulated by the engine (`FleetSample`). Left out are the waits and
/// errors of a service but for its outages, and with them most further tries.
package struct ScenarioEstimate: Sendable {
    package let people, devices, deviceDays: Double
    package let hasService: Bool
    /// Pickups, locks, views, sleep, trips, app openings, reloads and answers; those of a run before a service in one
    /// of its rounds.
    package private(set) var events = 0.0
    package private(set) var reloads = 0.0, requests = 0.0
    private(set) var instances = 0.0
    /// First tries of requests by kind, and requests of background fetches by endpoint.
    private(set) var firstTries, fetchRequests: [Double]
    /// Whether more is done than the sample of the fleet could be followed in: all figures are the least.
    package let isLeast: Bool
    /// Bytes that the process takes at its peak on one thread, and the part of them for requests that wait at the end
    /// for pools that cannot keep up.
    package internal(set) var memory = 0.0, queueMemory = 0.0
    /// Bytes of the load curves of a small fleet that no request writes to.
    var reservedMemory = 0.0
    /// Bytes that each share of the people takes: those whom a thread simulates, or of a run with a service one of its
    /// partitions.
    var memoryOfShare = 0.0
    /// Requests that are served for people who stand for others, in all rounds, and in the computations for the ranges,
    /// which several threads share; 0 of other runs. The rounds are how often those people are simulated.
    private(set) var requestsOfRounds = 0.0, requestsOfRanges = 0.0, rounds = 1.0
    /// Bins of a tenth of a second that are read for the report: those of each endpoint, and of all together, at the
    /// edge and the origin.
    let bins: Double
    /// Core time of an event of the sample, nanoseconds on this machine; nil without a sample.
    let sampleNanosecondsOfEvent: Double?

    package static let mostEvents = 1e13

    /// - Parameter needsMemory: without it the memory of suspended devices is a usual one, and not measured.
    package init(_ whole: Scenario, needsMemory: Bool = true) {
        var scenario = whole
        let represented = scenario.peopleBeforeService
        // The people are simulated without the service.
        if represented != nil { scenario.service = nil }
        let plan = scenario.plan
        people = Double(scenario.people)
        hasService = scenario.service != nil
        let counts = Self.devices(plan, people: people)
        devices = DeviceKind.allCases.reduce(0) { $0 + counts[$1, default: 0] }
        deviceDays = devices * ((plan.end - .start).inSeconds / 86_400)
        let endpoints = plan.endpoints.count
        let curves = (endpoints + (endpoints > 1 ? 1 : 0)) * (hasService ? 2 : 1)
        bins = scenario.reportedSpan.inSeconds * 10 * Double(curves)
        firstTries = Array(repeating: 0, count: plan.kinds.count)
        fetchRequests = Array(repeating: 0, count: endpoints)
        // A distribution that cannot be drawn from is a problem of the run itself, which says so: the estimate is then
        // without a sample.
        let served = represented == nil ? nil : whole.service?.upscaledBegin(of: plan)
        let sample = try? FleetSample(scenario, servedFrom: served, measuresSnapshots: needsMemory)
        isLeast = sample?.isBounded ?? false
        sampleNanosecondsOfEvent = sample.map {
            $0.nanoseconds / max(1, $0.events * $0.simulated.inSeconds / $0.span.inSeconds)
        }
        if let sample { add(sample, plan) }
        addMemory(of: scenario, sample)
        if let represented { addUpscaling(of: whole, to: represented, share: sample?.servedShare ?? 1) }
    }

    /// Adds what the devices of all people do, by what those of a sample did.
    private mutating func add(_ sample: FleetSample, _ plan: FleetPlan) {
        let seen = (plan.end - plan.begin).inSeconds / sample.span.inSeconds
        // Events take time before the stated start, too.
        let past = (plan.end - .start).inSeconds / (plan.end - plan.begin).inSeconds
        for group in sample.groups {
            let count = Self.devices(plan, people: people, of: group.segment)[group.device, default: 0]
            let factor = seen * count / group.devices
            instances += group.instances * count / group.devices
            events += factor * past * group.events
            reloads += factor * group.reloads
            requests += factor * group.requests
            for kind in firstTries.indices { firstTries[kind] += factor * group.firstTries[kind] }
            for endpoint in fetchRequests.indices { fetchRequests[endpoint] += factor * group.fetchRequests[endpoint] }
        }
    }

    /// The devices to expect of a segment, or of all, by their kind; recorded ones are there.
    private static func devices(_ plan: FleetPlan, people: Double, of segment: Int? = nil) -> [DeviceKind: Double] {
        var counts: [DeviceKind: Double] = [:]
        for device in plan.replay { counts[device.kind, default: 0] += 1 }
        if !plan.replay.isEmpty { return counts }
        for (index, its) in plan.segments.enumerated() where index == segment ?? index {
            for device in its.devices {
                counts[device.kind, default: 0] += people * its.habits.share * device.habits.share
            }
        }
        return counts
    }

    /// Adds what a service takes before the people for whom those of the scenario stand: it is computed once a round,
    /// and for the ranges six times with the same load, on each thread once at a time. Further rounds are known
    /// beforehand only of a service that is out (measured: 4 to 13), or asked for so much more than it can serve that
    /// they come to no end.
    ///
    /// - Parameter share: of the fleet's requests, those that come once the service has begun.
    private mutating func addUpscaling(of scenario: Scenario, to represented: Int, share: Double) {
        let (plan, sampled) = (scenario.plan, requests)
        let scale = Double(represented) / max(1, people)
        let served = share * requests * scale
        for kind in firstTries.indices { firstTries[kind] *= scale }
        for endpoint in fetchRequests.indices { fetchRequests[endpoint] *= scale }
        instances *= scale
        let waiting = requestsWaiting(at: scenario, from: scenario.service?.upscaledBegin(of: plan) ?? plan.begin)
        let isOut = scenario.service?.events.contains(where: \.effect.isOutage) ?? false
        rounds = waiting > 0.05 * served ? Double(SampledServiceRun.mostRounds) : isOut ? 8 : 1
        // Requests that wait have been tried again and again, and none of them is answered in time.
        requests = served + waiting
        requestsOfRounds = requests * rounds
        let ranges = scenario.report.hasRanges && represented > scenario.people ? Double(HalfSamples.count) : 0
        requestsOfRanges = requests * ranges
        queueMemory = SimulatedService.bytes(ofPendingRequests: waiting)
        // Several threads compute the ranges at one time, each with queues of its own.
        memoryOfShare += ranges > 0 ? queueMemory : 0
        let curve = LoadCurve.bytes(
            endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: scenario.reportedSpan.begunMinutes,
            causes: LoadCurve.causes(with: plan.requestClasses))
        // Two threads have the requests under way in the busiest seconds of a herd. The sample's reloads stand as
        // threads have collected them, and in their order, with what is known of the copies of each.
        memory += Double(curve) * 2 * (1 + ranges) + 12 * served + 300 * sampled + queueMemory
    }

    /// The mean of a distribution, within what its draws are clipped to.
    package static func mean(_ distribution: Distribution) -> Double {
        do {
            return try distribution.meanWithinClip()
        } catch {
            preconditionFailure("a distribution of a checked scenario: \(error)")
        }
    }
}

/// The time that a run takes, by that of its logical events.
extension ScenarioEstimate {
    /// Core time of an event on a usual machine, nanoseconds.
    private static let nanosecondsOfEvent = 75.0

    /// Seconds of core time on a usual machine.
    package var coreSeconds: Double { seconds(threads: 1, nanosecondsOfEvent: Self.nanosecondsOfEvent) }

    /// Seconds on this machine, by the time that the sample took: for people, since two estimates of one scenario
    /// differ in it.
    package func seconds(threads: Int) -> Double {
        seconds(threads: threads, nanosecondsOfEvent: sampleNanosecondsOfEvent ?? Self.nanosecondsOfEvent)
    }

    /// Simulations are shared among threads; one alone serves a round of many people, and makes the report. A request
    /// that a service answers takes as long as 25 events more, one of people for whom others stand 7.5 in all. Reading
    /// the scenario, its sample, tables and files take a tenth of a second.
    func seconds(threads: Int, nanosecondsOfEvent: Double) -> Double {
        let simulated = events * rounds + (hasService ? requests * 25 : 0) + requestsOfRanges * 7.5
        let alone = requestsOfRounds * 7.5 + bins * 0.12
        return nanosecondsOfEvent / 1e9 * (simulated / Double(threads) + alone) + 0.1
    }
}
