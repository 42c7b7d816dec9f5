import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics

/// The memory that a run takes at its peak. Numbers of bytes that no type tells are measured ones.
extension ScenarioEstimate {
    /// The memory of the process itself: the program, its libraries, and the scenario that it has read.
    package static let processMemory = 43.5 * 1_048_576
    /// The memory of each thread: its stack, the device that it simulates, and its buffers.
    private static let memoryOfThread = 0.5 * 1_048_576

    /// Bytes at the peak on so many threads.
    package func memory(threads: Int) -> Double {
        let shares = hasService ? PartitionTable.count(threads: threads) : threads
        return memory + Double(threads - 1) * Self.memoryOfThread + Double(shares - 1) * memoryOfShare
    }

    /// Bytes of the run alone, where several share a process, with those that it asks for and may never write to:
    /// limits of a process count them.
    package func ownMemory(threads: Int) -> Double { memory(threads: threads) + reservedMemory - Self.processMemory }

    /// Adds what the run takes on one thread.
    mutating func addMemory(of scenario: Scenario, _ sample: FleetSample?) {
        let (plan, minutes) = (scenario.plan, scenario.reportedSpan.begunMinutes)
        let cells = Double(8 * (sample?.cells ?? 0))
        memoryOfShare = 2 * cells
        let sent = requests * min(1, scenario.reportedSpan.inSeconds / (plan.end - plan.begin).inSeconds)
        var bytes = curve(of: scenario, plan.requestClasses, sent: sent, isSparse: scenario.isSmall)
        if !hasService {
            // A minute's pairs of requests of one person, in five widths, with what the forecast of the peak makes of
            // them and of the requests; and the requests of each group of people, beside their counts.
            let pairs = 200 + 4 * Double(min(SampleGroups.count, 1 + scenario.people / 8))
            bytes += (plan.sendNames.isEmpty ? 1 : 2) * Double(minutes) * pairs
            if !scenario.isReplay { bytes += 8 * Double(SampleGroups.count * (sample?.summaryCells ?? 0)) }
        }
        // Peaks of several endpoints together are sought in a sum of their curves, or in a list of tenths with
        // requests; seconds, and all longer windows, are added up from them in half a byte for each tenth.
        let tenths = minutes * LoadCurve.tenthsPerMinute
        if sent > Double(tenths / 64) { bytes += (plan.endpoints.count > 1 ? 4.5 : 0.5) * Double(tenths) }
        bytes += Double(
            LoadCurve.bytes(endpoints: plan.sendNames.count, regions: 1, minutes: minutes, causes: SendCause.count))
        // A device that a limited sender knows has a place, and more while the places are put in order.
        if let sender = plan.pushSender { bytes += 30 * PushClasses(plan, sender).recipients }
        // A zone takes what the system's database keeps of it; recorded events have a size.
        bytes += 20 * 1_024 * Double(plan.zones.count)
        for device in plan.replay { bytes += 96 * Double(device.events.count) }
        if let service = scenario.service {
            bytes += memory(of: service, scenario, sent: sent, ofDevice: sample?.rest?.bytesOfDevice)
        }
        queueMemory = SimulatedService.bytes(ofPendingRequests: requestsWaiting(at: scenario, from: plan.begin))
        memory = Self.processMemory + Self.memoryOfThread + memoryOfShare + cells + bytes + queueMemory
    }

    /// Bytes of a load curve that are written to: of a sparse one the pages that requests fall into. People sleep for a
    /// third of the day, and five of some sixteen causes have nearly all of a minute's requests.
    private mutating func curve(of scenario: Scenario, _ classes: RequestClasses, sent: Double, isSparse: Bool)
        -> Double
    {
        let causes = LoadCurve.causes(with: classes)
        let bins = Double(4 * scenario.plan.endpoints.count * scenario.reportedSpan.begunMinutes)
        let tenths = bins * Double(LoadCurve.tenthsPerMinute)
        let split = bins * Double(scenario.plan.regions.count * causes)
        if !isSparse { return tenths + split }
        let written = [2.0 / 3 * tenths, split * min(1, 5 / Double(causes))].reduce(0) { sum, bytes in
            let pages = max(1, bytes / 4_096)
            return sum + 4_096 * pages * (1 - DeterministicMath.exp(-sent / pages))
        }
        reservedMemory += tenths + split - written
        return written
    }

    /// Bytes of a service's measures, and of the devices that wait for it.
    ///
    /// - Parameter sampled: bytes of the state of a suspended device; nil for what is usual.
    private mutating func memory(
        of service: RefreshPlan, _ scenario: Scenario, sent: Double, ofDevice sampled: Double?
    ) -> Double {
        let (plan, isAlone) = (scenario.plan, service.background.isEmpty)
        // The last blocks of a partition's suspended devices, and what the devices of each segment and slot have in
        // common.
        let sorts = plan.segments.reduce(0) { $0 + max(1, $1.devices.count) }
        memoryOfShare += (1.2 + 0.2 * Double(sorts)) * 1_048_576
        let measures =
            8 * service.pools.count * scenario.reportedSpan.begunMinutes
            * (plan.regions.count * ServiceField.allCases.count + PoolMinute.allCases.count)
        // A device that asks for nothing more until the end of the run does not wait. Beside its state, which lies in
        // pages, it has places in tables, and in queues by how many requests it makes.
        let requestsOfDevice = requests / max(1, devices)
        let states = sampled.map { $0 * devices * 1.01 } ?? 1_400 * devices + 400 * instances
        let waiting = min(1, requestsOfDevice) * (states + 176 * min(1, requestsOfDevice / 8) * devices)
        return Double(measures) + 24 * devices + waiting
            + curve(
                of: scenario, isAlone ? plan.requestClasses : plan.requestClasses.union(.outside), sent: sent,
                isSparse: scenario.isSmall && isAlone)
    }
}

/// Whether the pools of a service can serve what they are asked for.
extension ScenarioEstimate {
    /// The requests that wait at the end for the pools of a service that cannot keep up.
    ///
    /// A pool is foreseen to fail where its mean load is more than it can serve, from the start on; or from its first
    /// outage, brown-out or deploy on, where its load would be more if every request were tried as often as clients
    /// try. That holds a pool down only if it serves requests whose clients have given up; one that drops them or has a
    /// limit of its queue, and load that exceeds the servers for some hours of a day, are left out.
    ///
    /// - Parameter begin: of the service.
    func requestsWaiting(at scenario: Scenario, from begin: Instant) -> Double {
        guard let service = scenario.service else { return 0 }
        let tries = Self.attempts(scenario.plan.requests.retry) * returns(of: scenario.plan)
        var waiting = 0.0
        for (number, (pool, load)) in zip(service.pools, poolLoads(of: scenario)).enumerated() {
            guard let capacity = Self.capacity(of: pool), pool.queueLimit == nil, !pool.dropsTimedOutWork else {
                continue
            }
            func excess(_ load: Double) -> Double {
                (pool.rateLimit.map { min(load, $0.perSecond) } ?? load) - capacity
            }
            let failures = service.events.filter { $0.effect.concerns(pool: number) }.map(\.from)
            guard excess(load.perSecond * tries) > 0,
                let from = excess(load.perSecond) > 0 ? begin : failures.min()
            else { continue }
            waiting += excess(load.perSecond * tries) * max(0, (scenario.plan.end - max(from, begin)).inSeconds)
        }
        return waiting
    }

    /// How many times as often widgets ask of which every reload fails: where no gate is closed, the policy after a
    /// failure decides it and not the one of their content.
    private func returns(of plan: FleetPlan) -> Double {
        let all = firstTries.reduce(0, +)
        guard plan.parameters.gatesOpen, all > 0 else { return 1 }
        let usual = instances * (plan.end - plan.begin).inSeconds / all
        let delays = RetryDelays(plan.requests.retry.backOff)
        var (failing, delay) = (Self.mean(plan.requests.failureAfter.failed), Duration.zero)
        for retry in 0..<Int(Self.attempts(plan.requests.retry)) {
            if retry > 0 { delay = delays.delay(before: retry, after: delay, 0.5) }
            failing += delay.inSeconds + Self.mean(plan.requests.timeout)
        }
        return max(1, usual / failing)
    }

    /// How often clients try a request when every try fails, in the long run.
    private static func attempts(_ retry: RetryPolicy) -> Double {
        // Without an end the delays are at their cap soon, and few more tries fall in a bad hour.
        let most = Double(min(20, retry.retries))
        return 1 + (retry.budget.map { min(most, Double($0.perFirstTry) / Double(RetryBudget.retry)) } ?? most)
    }

    /// The requests a second that the servers of a pool can serve, with all that its autoscaler may add; nil without a
    /// limit, and for a server of a user's own, of which nobody knows.
    package static func capacity(of pool: OriginPool) -> Double? {
        guard let servers = pool.mostServers, pool.server == nil else { return nil }
        let time = mean(pool.serviceTime)
        return time > 0 ? Double(servers) / time : nil
    }

    /// The mean load of each pool of the service by the estimate of first tries and background fetches, requests a
    /// second, and whether edges may answer others besides.
    ///
    /// Answers that edges may keep are left out of the load, so it is not too high for a pool behind a cache; bursts,
    /// retries, events and failovers are left out too. Traffic from outside the fleet is included.
    package func poolLoads(of scenario: Scenario) -> [(perSecond: Double, isKept: Bool)] {
        guard let service = scenario.service else { return [] }
        let (plan, people) = (scenario.plan, scenario.plan.peopleByRegion)
        let seconds = (plan.end - plan.begin).inSeconds
        var loads = Array(repeating: (perSecond: 0.0, isKept: false), count: service.pools.count)
        func add(_ rate: Double, to endpoint: Int, by weights: [Double], isKept: Bool) {
            let total = max(weights.reduce(0, +), .leastNormalMagnitude)
            for (region, weight) in weights.enumerated() where weight > 0 {
                let pool = service.pool(endpoint: endpoint, region: region)
                if isKept { loads[pool].isKept = true } else { loads[pool].perSecond += rate * weight / total }
            }
        }
        func keeps(_ endpoint: Int) -> Bool { service.endpoints[endpoint].cache != nil }
        for (kind, tries) in zip(plan.kinds, firstTries) {
            add(tries / seconds, to: kind.endpoint, by: people, isKept: keeps(kind.endpoint) && !kind.isPersonal)
        }
        for other in service.background {
            let rate = other.meanRate(from: plan.begin, until: plan.end)
            add(rate, to: other.endpoint, by: other.regionWeights, isKept: keeps(other.endpoint))
        }
        for (endpoint, count) in fetchRequests.enumerated() {
            add(count / seconds, to: endpoint, by: people, isKept: false)
        }
        return loads
    }
}
