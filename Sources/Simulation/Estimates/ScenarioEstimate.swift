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
    package var people: Double
    package var devices: Double
    package var deviceDays: Double
    /// Pickups, locks, views, sleep, trips, app openings, reloads and answers.
    package var events: Double
    package var reloads: Double
    package var requests: Double
    /// Bytes that the process takes at its peak on one thread: itself, the load curve with four bytes for each 0.1 s of
    /// the reported span and endpoint and for each minute, region and cause, what the report needs besides, a replay's
    /// events, and with a service its own measures and every device.
    package var memory: Double
    /// The part of `memory` that requests take which wait at the end for pools that cannot keep up.
    package private(set) var queueMemory = 0.0
    /// Bytes of the load curves of a small fleet that no request writes to.
    private(set) var reservedMemory = 0.0
    /// Bytes that each share of the people takes: those whom a thread simulates, or of a run with a service one of its
    /// partitions.
    private(set) var memoryOfShare: Double
    /// Whether more is done than the sample of the fleet could be followed in: all figures are the least.
    package private(set) var isLeast = false
    /// The instances on all devices.
    private(set) var instances = 0.0
    /// First tries of requests by kind.
    private(set) var firstTries: [Double]
    /// Requests of background fetches by endpoint.
    private(set) var fetchRequests: [Double]
    package private(set) var hasService: Bool
    /// Bins of a tenth of a second that the report reads.
    let bins: Double
    /// Requests that are served for people who stand for others, in all rounds, and in the computations for the ranges,
    /// which several threads share; 0 of other runs.
    private(set) var requestsOfRounds = 0.0, requestsOfRanges = 0.0
    /// How often those people are simulated.
    private(set) var rounds = 1.0
    /// Core time of an event of the sample, nanoseconds on this machine; nil without a sample.
    private(set) var sampleNanosecondsOfEvent: Double?

    package static let mostEvents = 1e13

    /// - Parameter needsMemory: without it the memory of suspended devices is a usual one, and not measured.
    package init(_ scenario: Scenario, needsMemory: Bool = true) {
        let represented = scenario.peopleBeforeService
        let whole = scenario
        var scenario = scenario
        // The people are simulated without the service.
        if represented != nil { scenario.service = nil }
        let plan = scenario.plan
        let days = (plan.end - .start).inSeconds / 86_400
        people = Double(scenario.people)
        (devices, deviceDays, events, reloads, requests, memory, memoryOfShare) = (0, 0, 0, 0, 0, 0, 0)
        firstTries = Array(repeating: 0, count: plan.kinds.count)
        fetchRequests = Array(repeating: 0, count: plan.endpoints.count)
        hasService = scenario.service != nil
        let counts = Self.devices(plan, people: people, nil)
        devices = DeviceKind.allCases.reduce(0) { $0 + counts[$1, default: 0] }
        deviceDays = devices * days
        bins = Self.bins(of: scenario)
        // A distribution that cannot be drawn from is a problem of the run itself, which says so: the estimate is then
        // without a sample.
        let served = represented == nil ? nil : whole.service?.upscaledBegin(of: plan)
        let sample = try? FleetSample(scenario, servedFrom: served, measuresSnapshots: needsMemory)
        if let sample { add(sample, of: scenario) }
        isLeast = sample?.isBounded ?? false
        sampleNanosecondsOfEvent = sample.map {
            $0.nanoseconds / max(1, $0.events * $0.simulated.inSeconds / $0.span.inSeconds)
        }
        memoryOfShare = Self.memoryOfShare(of: scenario) + Double(16 * (sample?.cells ?? 0))
        let own = Self.memory(
            of: scenario, devices: devices, instances: instances, requests: requests,
            ofRestingDevice: sample?.rest?.bytesOfDevice)
        reservedMemory = own.reserved
        memory =
            Self.processMemory + Self.memoryOfThread + memoryOfShare + Double(8 * (sample?.cells ?? 0))
            + own.written
            + (hasService || scenario.isReplay ? 0 : 8.0 * Double(SampleGroups.count * (sample?.summaryCells ?? 0)))
        queueMemory = SimulatedService.bytes(ofPendingRequests: requestsWaiting(at: scenario, from: plan.begin))
        memory += queueMemory
        if let represented { addUpscaling(of: whole, to: represented, share: sample?.servedShare ?? 1) }
    }

    /// Rounds of a sample before a service that is out at times, and of its halves (measured: 4 to 13).
    private static let roundsOfFailures = 8.0

    /// Rounds of a sample before a service that cannot keep up: it comes to no end (`SampledServiceRun.mostRounds`).
    private static let roundsOfOverload = Double(SampledServiceRun.mostRounds)

    /// Adds what a service takes before the people for whom those of the scenario stand: it is computed once a round,
    /// and for the ranges six times with the same load, on each thread once at a time. Further rounds are known
    /// beforehand only of a service that is out, or asked for more than it can serve.
    ///
    /// - Parameter share: of the fleet's requests, those that come once the service has begun.
    private mutating func addUpscaling(of scenario: Scenario, to represented: Int, share: Double) {
        let plan = scenario.plan
        let scale = Double(represented) / max(1, people)
        let sampled = requests
        let served = share * requests * scale
        for kind in firstTries.indices { firstTries[kind] *= scale }
        for endpoint in fetchRequests.indices { fetchRequests[endpoint] *= scale }
        instances *= scale
        let hasRanges = scenario.report.hasRanges && represented > scenario.people
        let isOut = scenario.service?.events.contains(where: \.effect.isOutage) ?? false
        let waiting = requestsWaiting(at: scenario, from: scenario.service?.upscaledBegin(of: plan) ?? plan.begin)
        // Requests that wait have been tried again and again, and none of them is answered in time.
        requests = served + waiting
        rounds = waiting > served * Self.overload ? Self.roundsOfOverload : isOut ? Self.roundsOfFailures : 1
        requestsOfRounds = requests * rounds
        let replicates = hasRanges ? Double(HalfSamples.count) : 0
        requestsOfRanges = requests * replicates
        let minutes = scenario.reportedSpan.begunMinutes
        let curve = LoadCurve.bytes(
            endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: minutes,
            causes: LoadCurve.causes(with: plan.requestClasses))
        queueMemory = SimulatedService.bytes(ofPendingRequests: waiting)
        // Several threads compute the ranges at one time, each with queues of its own.
        memoryOfShare += hasRanges ? queueMemory : 0
        memory +=
            Double(curve) * 2 * (1 + replicates) + Self.memoryOfServed * served + Self.memoryOfSampled * sampled
            + queueMemory
    }

    /// The part of the requests that must wait at the end for a service to be one that does not recover.
    private static let overload = 0.05
    /// Bytes for a request of the sample: its reloads as threads have collected them, and in their order, with what is
    /// known of the copies of each.
    private static let memoryOfSampled = 300.0

    /// Bytes for a request of all that are served: those under way in the busiest seconds of a herd, on two threads.
    private static let memoryOfServed = 12.0

    // MARK: Parts

    /// Adds what the devices of all people do, by what those of a sample did.
    private mutating func add(_ sample: FleetSample, of scenario: Scenario) {
        let seen = (scenario.plan.end - scenario.plan.begin).inSeconds / sample.span.inSeconds
        // Events take time before the stated start, too.
        let past =
            (scenario.plan.end - .start).inSeconds / (scenario.plan.end - scenario.plan.begin).inSeconds
        for group in sample.groups {
            let count = Self.devices(scenario.plan, people: people, group.segment)[group.device, default: 0]
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
    private static func devices(_ plan: FleetPlan, people: Double, _ segment: Int?) -> [DeviceKind: Double] {
        var counts: [DeviceKind: Double] = [:]
        for device in plan.replay { counts[device.kind, default: 0] += 1 }
        if !plan.replay.isEmpty { return counts }
        for (index, its) in plan.segments.enumerated() where segment.map({ $0 == index }) ?? true {
            for device in its.devices {
                counts[device.kind, default: 0] += people * its.habits.share * device.habits.share
            }
        }
        return counts
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
