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
