import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics

/// The memory that a run takes at its peak.
extension ScenarioEstimate {
    /// The memory of the process itself: the program, its libraries, and the scenario that it has read.
    package static let processMemory = 43.5 * 1_048_576
    /// The memory of each thread: its stack, the device that it simulates, and its buffers.
    static let memoryOfThread = 0.5 * 1_048_576
    /// The last blocks of a partition's suspended devices, and what the devices of each segment and slot have in
    /// common.
    static func memoryOfShare(of scenario: Scenario) -> Double {
        if scenario.service == nil { return 0 }
        let sorts = scenario.plan.segments.reduce(0) { $0 + max(1, $1.devices.count) }
        return (1.2 + 0.2 * Double(sorts)) * 1_048_576
    }
    /// One recorded event; one zone, with what the system's database keeps of it.
    private static let memoryOfEvent = 96.0
    private static let memoryOfZone = 20.0 * 1_024
    /// A device that a limited sender knows: its place, and more while the places are put in order.
    private static let memoryOfRecipient = 30.0

    // The memory of a device whose requests a service answers, where no sample says it, with each of its instances;
    // what the pages of such states are larger than the states; beside a device in tables, and in queues by how many
    // requests it makes.
    private static let memoryOfRestingDevice = 1_400.0
    private static let memoryOfRestingInstance = 400.0
    private static let slackOfPages = 1.01
    private static let memoryBesideDevice = 24.0
    private static let memoryInQueues = 176.0
    private static let requestsForWholeQueues = 8.0

    /// Bins of a tenth of a second that are read for the report: those of each endpoint, and of all together, at the
    /// edge and the origin.
    static func bins(of scenario: Scenario) -> Double {
        let endpoints = scenario.plan.endpoints.count
        let tenths = scenario.reportedSpan.inSeconds * 10
        return tenths * Double((endpoints + (endpoints > 1 ? 1 : 0)) * (scenario.service == nil ? 1 : 2))
    }

    /// A minute's pairs of requests of one person, in five widths, with what the forecast of the peak makes of them and
    /// of the requests; and the requests of each group of people.
    private static let memoryOfPairs = 200.0
    private static func memoryOfGroups(people: Int) -> Double { 4 * Double(min(SampleGroups.count, 1 + people / 8)) }

    /// As many causes have nearly all of a minute's requests, of some sixteen.
    private static let usualCauses = 5.0

    /// The part of a day in which most requests are sent: people sleep for the rest.
    private static let wakingShare = 2.0 / 3

    /// The bytes of a sparse curve's pages that so many requests, anywhere in them, write to.
    private static func written(of bytes: Double, requests: Double) -> Double {
        let pages = max(1, bytes / 4_096)
        return 4_096 * pages * (1 - DeterministicMath.exp(-requests / pages))
    }

    /// Bytes of a run beside the program and its threads, without the measures of its fleet: those that it writes to,
    /// and those of sparse load curves that it does not.
    ///
    /// - Parameters:
    ///   - instances: on all devices together.
    ///   - requests: from the stated start on.
    ///   - resting: bytes of the state of a suspended device; nil for what is usual.
    static func memory(
        of scenario: Scenario, devices: Double, instances: Double, requests: Double, ofRestingDevice resting: Double?
    ) -> (written: Double, reserved: Double) {
        let plan = scenario.plan
        let minutes = scenario.reportedSpan.begunMinutes
        let sent = requests * min(1, scenario.reportedSpan.inSeconds / (plan.end - plan.begin).inSeconds)
        var reserved = 0.0
        func curve(_ causes: Int, isSparse: Bool) -> Double {
            let bins = Double(4 * plan.endpoints.count * minutes)
            let (tenths, split) = (bins * Double(LoadCurve.tenthsPerMinute), bins * Double(plan.regions.count * causes))
            let all = tenths + split
            // Most requests have one of a few causes.
            let usual = split * min(1, usualCauses / Double(causes))
            let sparse = written(of: wakingShare * tenths, requests: sent) + written(of: usual, requests: sent)
            let writes = isSparse ? sparse : all
            reserved += all - writes
            return writes
        }
        var bytes = curve(LoadCurve.causes(with: plan.requestClasses), isSparse: scenario.isSmall)
        if scenario.service == nil {
            let curves = plan.sendNames.isEmpty ? 1.0 : 2
            bytes += curves * Double(minutes) * (memoryOfPairs + memoryOfGroups(people: scenario.people))
        }
        // Peaks of several endpoints together are sought in a sum of their curves, or in a list of tenths with
        // requests; seconds, and all longer windows, are added up from them in half a byte for each tenth.
        let tenths = minutes * LoadCurve.tenthsPerMinute
        if sent > Double(tenths / 64) { bytes += (plan.endpoints.count > 1 ? 4.5 : 0.5) * Double(tenths) }
        bytes += Double(
            LoadCurve.bytes(
                endpoints: plan.sendNames.count, regions: 1, minutes: minutes, causes: SendCause.count))
        if let sender = plan.pushSender { bytes += memoryOfRecipient * PushClasses(plan, sender).recipients }
        bytes += memoryOfZone * Double(plan.zones.count)
        for device in plan.replay { bytes += memoryOfEvent * Double(device.events.count) }
        guard let service = scenario.service else { return (bytes, reserved) }
        let isAlone = service.background.isEmpty
        bytes += curve(
            LoadCurve.causes(with: isAlone ? plan.requestClasses : plan.requestClasses.union(.outside)),
            isSparse: scenario.isSmall && isAlone)
        let flows = service.pools.count * plan.regions.count * minutes * ServiceField.allCases.count
        let poolMinutes = service.pools.count * minutes * PoolMinute.allCases.count
        bytes += Double(8 * (flows + poolMinutes))
        // A device that asks for nothing more until the end of the run does not wait.
        let requestsOfDevice = requests / max(1, devices)
        let waiting = min(1, requestsOfDevice)
        let inQueues = memoryInQueues * min(1, requestsOfDevice / requestsForWholeQueues)
        let states =
            resting.map { $0 * devices * slackOfPages } ?? memoryOfRestingDevice * devices + memoryOfRestingInstance
            * instances
        bytes += devices * (memoryBesideDevice + waiting * inQueues) + waiting * states
        return (bytes, reserved)
    }

    /// Bytes at the peak on so many threads.
    package func memory(threads: Int) -> Double {
        let shares = hasService ? PartitionTable.count(threads: threads) : threads
        return memory + Double(threads - 1) * Self.memoryOfThread + Double(shares - 1) * memoryOfShare
    }

    /// Bytes of the run alone, where several share a process, with those that it asks for and may never write to:
    /// limits of a process count them.
    package func ownMemory(threads: Int) -> Double { memory(threads: threads) + reservedMemory - Self.processMemory }
}

/// Queues that grow to the end of a run, because a pool cannot serve what it is asked.
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
        let tries = Self.attempts(scenario.plan.requests.retry) * returns(of: scenario)
        var waiting = 0.0
        for (number, (pool, load)) in zip(service.pools, poolLoads(of: scenario)).enumerated() {
            guard let capacity = Self.capacity(of: pool), pool.queueLimit == nil, !pool.dropsTimedOutWork else {
                continue
            }
            let offered = Self.admitted(load.perSecond * tries, by: pool)
            if offered <= capacity { continue }
            let isOverloaded = Self.admitted(load.perSecond, by: pool) > capacity
            let failures = service.events.filter { $0.effect.concerns(pool: number) }.map(\.from)
            guard let from = isOverloaded ? begin : failures.min() else { continue }
            waiting += (offered - capacity) * max(0, (scenario.plan.end - max(from, begin)).inSeconds)
        }
        return waiting
    }

    /// How many times as often widgets ask of which every reload fails: where no gate is closed, the policy after a
    /// failure decides it and not the one of their content.
    private func returns(of scenario: Scenario) -> Double {
        let plan = scenario.plan
        let all = firstTries.reduce(0, +)
        guard plan.parameters.gatesOpen, all > 0 else { return 1 }
        let usual = instances * (plan.end - plan.begin).inSeconds / all
        let attempts = Int(Self.attempts(plan.requests.retry))
        let delays = RetryDelays(plan.requests.retry.backOff)
        var (failing, delay) = (Self.mean(plan.requests.failureAfter.failed), Duration.zero)
        for retry in 0..<attempts {
            if retry > 0 { delay = delays.delay(before: retry, after: delay, 0.5) }
            failing += delay.inSeconds + Self.mean(plan.requests.timeout)
        }
        return max(1, usual / failing)
    }

    /// The requests a second that the servers of a pool can serve, with all that its autoscaler may add; nil without a
    /// limit, and for a server of a user's own.
    private static func capacity(of pool: OriginPool) -> Double? {
        guard let servers = pool.servers, pool.server == nil else { return nil }
        let time = mean(pool.serviceTime)
        return time > 0 ? Double(max(servers, pool.autoscaling?.most ?? servers)) / time : nil
    }

    /// The requests a second that a pool's rate limit lets through.
    private static func admitted(_ load: Double, by pool: OriginPool) -> Double {
        pool.rateLimit.map { min(load, Double($0.rate) / 1e6) } ?? load
    }

    /// How often clients try a request when every try fails, in the long run.
    private static func attempts(_ retry: RetryPolicy) -> Double {
        // Without an end the delays are at their cap soon, and few more tries fall in a bad hour.
        let most = Double(min(20, retry.retries))
        return 1 + (retry.budget.map { min(most, Double($0.perFirstTry) / Double(RetryBudget.retry)) } ?? most)
    }
}

/// Whether the pools of a service can serve their mean load at all.
extension ScenarioEstimate {
    /// The mean load of each pool of the service by the estimate of first tries and background fetches, requests a
    /// second, and whether edges may answer others besides.
    ///
    /// Answers that edges may keep are left out of the load, so it is not too high for a pool behind a cache; bursts,
    /// retries, events and failovers are left out too. Traffic from outside the fleet is included.
    package func poolLoads(of scenario: Scenario) -> [(perSecond: Double, isKept: Bool)] {
        guard let service = scenario.service else { return [] }
        let seconds = (scenario.plan.end - scenario.plan.begin).inSeconds
        var loads = Array(repeating: 0.0, count: service.pools.count)
        var isKept = Array(repeating: false, count: service.pools.count)
        func add(_ rate: Double, to endpoint: Int, by weights: [Double], isKept kept: Bool) {
            let total = max(weights.reduce(0, +), .leastNormalMagnitude)
            for (region, weight) in weights.enumerated() where weight > 0 {
                let pool = service.pool(endpoint: endpoint, region: region)
                if kept { isKept[pool] = true } else { loads[pool] += rate * weight / total }
            }
        }
        let people = scenario.plan.peopleByRegion
        for (index, kind) in scenario.plan.kinds.enumerated() {
            let keeps = service.endpoints[kind.endpoint].cache != nil && !kind.isPersonal
            add(firstTries[index] / seconds, to: kind.endpoint, by: people, isKept: keeps)
        }
        for background in service.background {
            add(
                background.meanRate(from: scenario.plan.begin, until: scenario.plan.end), to: background.endpoint,
                by: background.regionWeights,
                isKept: service.endpoints[background.endpoint].cache != nil)
        }
        for (endpoint, count) in fetchRequests.enumerated() {
            add(count / seconds, to: endpoint, by: people, isKept: false)
        }
        return zip(loads, isKept).map { ($0, $1) }
    }
}

/// The time that a run takes.
extension ScenarioEstimate {
    /// Core time of a logical event on a usual machine, nanoseconds. A sample measures it on this machine, for this
    /// scenario.
    private static let nanosecondsOfEvent = 75.0
    /// The time of a request beyond its events when a service answers it, and of a bin of a tenth of a second in a
    /// report, in events.
    private static let eventsOfServedRequest = 25.0
    private static let eventsOfBin = 0.12
    /// The time of a request of people for whom others stand, without a device, likewise.
    private static let eventsOfUpscaledRequest = 7.5
    /// Reading the scenario, its sample, tables and files.
    private static let secondsBeside = 0.1

    /// Seconds of core time on a usual machine.
    package var coreSeconds: Double { seconds(threads: 1, nanosecondsOfEvent: Self.nanosecondsOfEvent) }

    /// Seconds on this machine, by the time that the sample took: for people, since two estimates of one scenario
    /// differ in it.
    package func seconds(threads: Int) -> Double {
        seconds(threads: threads, nanosecondsOfEvent: sampleNanosecondsOfEvent ?? Self.nanosecondsOfEvent)
    }

    /// Simulations are shared among threads; one alone serves a round of many people, and makes the report.
    func seconds(threads: Int, nanosecondsOfEvent: Double) -> Double {
        let simulated =
            events * rounds + (hasService ? requests * Self.eventsOfServedRequest : 0)
            + requestsOfRanges * Self.eventsOfUpscaledRequest
        let alone = requestsOfRounds * Self.eventsOfUpscaledRequest + bins * Self.eventsOfBin
        return nanosecondsOfEvent / 1e9 * (simulated / Double(threads) + alone) + Self.secondsBeside
    }
}
