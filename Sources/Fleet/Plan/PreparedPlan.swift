import Basics
import DeviceStorage
import People
import RefreshService
import ScenarioModel
import Statistics

/// A fleet plan ready for the loop: every distribution with its table, every share as a threshold, every list in memory
/// that the loop can read without a reference count.
///
/// One is made before a run and read by all threads; nothing of it changes.
public final class PreparedPlan: @unchecked Sendable {
    // Safety: all of it is written in `init` and only read afterwards.
    public let plan: FleetPlan
    public let tables: StandardTables
    /// The plan's, where the loop reads them in place.
    let parameters: UnsafeMutablePointer<PlatformParameters>

    /// The people of a drawn fleet, and the zones of any.
    package let population: PreparedPopulation
    let kinds: UnsafeMutableBufferPointer<PreparedKind>
    let zones: UnsafeMutableBufferPointer<ZoneTable>
    /// The prepared devices of each segment, one after another, and where each segment's begin.
    private let devices: UnsafeMutableBufferPointer<PreparedDevice>
    private let firstDevice: [Int]
    let dispatchDelay, freeDelay, interactionDelay, environmentSpread: DurationDistribution
    /// Whether the system reloads a rarely viewed widget at a view (F5).
    let rareReload: Bernoulli
    /// Apps that silent pushes can come for, bit by index (B7).
    let takesSilentPushes: UInt16
    let patience: Patience
    let retryDelays: RetryDelays
    /// By endpoint; nil where answers state no time to the next reload (S11).
    let paces: [PreparedPace?]
    /// By endpoint, whether its requests say what their client has (S10).
    private let conditionalEndpoints: [Bool]
    private let hasConditionalEndpoints: Bool
    /// By region.
    let legs: UnsafeMutableBufferPointer<PreparedDelays>
    /// By region; nil for those that have none.
    let failovers: UnsafeMutableBufferPointer<PreparedFailover?>
    /// Whether devices of any region come to another one (S7).
    let hasFailovers: Bool
    private let choices: ChoiceKeys
    let campaigns: UnsafeMutableBufferPointer<PreparedCampaign>
    let liveKinds: [PreparedLiveKind]
    /// When the server sends; nil for at once.
    private(set) var sender: PreparedSender?
    /// The background fetches of each segment's apps, one segment after another, and where each segment's begin.
    private let fetches: UnsafeMutableBufferPointer<PreparedFetch>
    private let firstFetch: [Int]
    /// Where the counts of the plan's people stand.
    public let layout: MeasureLayout
    /// For the plan's devices with Android; nil if no device runs it.
    let android: UnsafeMutablePointer<PreparedAndroid>?
    var hasAndroid: Bool { android != nil }
    private var memory: PlanMemory = []
    /// The words that providers of a user's own have of an instance; 0 if no kind has one.
    let providerWords: Int
    /// Those of them before what a provider remembers.
    static let providerHead = 4

    public init(_ plan: FleetPlan) throws(DistributionProblem) {
        self.plan = plan
        parameters = .allocate(capacity: 1)
        parameters.initialize(to: plan.parameters)
        var tables = StandardTables()
        dispatchDelay = try plan.parameters.dispatchDelay.preparedDurations(with: &tables)
        freeDelay = try plan.parameters.freeDelay.preparedDurations(with: &tables)
        interactionDelay = try plan.parameters.interactionDelay.preparedDurations(with: &tables)
        rareReload = try Bernoulli(probability: plan.parameters.rareReloadShare)
        takesSilentPushes = plan.kinds.reduce(plan.replay.isEmpty ? 0 : .max) { apps, kind in
            kind.contentPushes?.route == .app ? apps | 1 << UInt16(kind.app) : apps
        }
        environmentSpread = try plan.parameters.environmentSpread.preparedDurations(with: &tables)
        patience = try Patience(plan.requests.timeout, &tables)
        retryDelays = RetryDelays(plan.requests.retry.backOff)
        var paces: [PreparedPace?] = []
        for endpoint in plan.endpoints.indices {
            paces.append(try PreparedPace(plan.requests.paces[endpoint], endpoint: endpoint, &tables))
        }
        self.paces = paces
        hasConditionalEndpoints = !plan.requests.conditionalEndpoints.isEmpty
        conditionalEndpoints = plan.endpoints.indices.map(plan.requests.conditionalEndpoints.contains)
        let regionalDelays = try plan.regions.map { region throws(DistributionProblem) in
            try PreparedDelays(plan.requests.regionalDelays[region] ?? plan.requests.legs, &tables)
        }
        legs = .allocate(capacity: regionalDelays.count)
        _ = legs.initialize(from: regionalDelays)
        var memory: PlanMemory = []
        failovers = .allocate(capacity: plan.regions.count)
        failovers.initialize(repeating: nil)
        hasFailovers = !plan.requests.failovers.isEmpty
        for failover in plan.requests.failovers {
            failovers[failover.region] = try PreparedFailover(failover, keeping: &memory)
        }
        var prepared: [PreparedKind] = []
        for (index, kind) in plan.kinds.enumerated() {
            prepared.append(try PreparedKind(kind, index: index, plan: plan, &memory, &tables))
        }
        var campaigns: [PreparedCampaign] = []
        for campaign in plan.pushCampaigns {
            campaigns.append(try PreparedCampaign(campaign, keeping: &memory, &tables))
        }
        self.campaigns = .allocate(capacity: campaigns.count)
        _ = self.campaigns.initialize(from: campaigns)
        var fetches: [PreparedFetch] = []
        var firstFetch: [Int] = []
        for segment in plan.segments {
            firstFetch.append(fetches.count)
            for fetch in segment.fetches {
                let isRead = plan.kinds.contains { $0.app == fetch.app && $0.readsApp }
                fetches.append(try PreparedFetch(fetch, isRead: isRead, &tables))
            }
        }
        self.firstFetch = firstFetch + [fetches.count]
        self.fetches = .allocate(capacity: fetches.count)
        _ = self.fetches.initialize(from: fetches)
        self.memory = memory
        kinds = .allocate(capacity: prepared.count)
        _ = kinds.initialize(from: prepared)
        let memories = prepared.compactMap { $0.provider?.takeUnretainedValue().memorySize }
        providerWords = memories.max().map { Self.providerHead + ($0 + 7) / 8 } ?? 0
        choices = ChoiceKeys(of: plan)
        // Each thread makes its own; here it is seen that it can.
        liveKinds = try PreparedActivities(plan, &tables)?.kinds ?? []
        layout = MeasureLayout(of: plan)
        for (place, kind) in plan.kinds.indices.filter({ plan.kinds[$0].transfer != nil }).enumerated() {
            kinds[kind].transfer?.counts = layout.place(ofTransferKind: place)
        }
        if let parameters = plan.android {
            let prepared = try PreparedAndroid(parameters, plan, layout, &tables)
            android = .allocate(capacity: 1)
            android?.initialize(to: prepared)
        } else {
            android = nil
        }
        population = try PreparedPopulation(plan.population, &tables)
        zones = population.zones
        var devices: [PreparedDevice] = []
        var firstDevice: [Int] = []
        for (index, segment) in plan.segments.enumerated() where plan.replay.isEmpty {
            firstDevice.append(devices.count)
            for device in segment.devices {
                let stackViews = try StackViews(device, ofSegment: index, kinds: kinds, plan: plan, population)
                devices.append(try PreparedDevice(device, choices: choices, stackViews: stackViews, &tables))
            }
        }
        self.firstDevice = firstDevice
        self.devices = .allocate(capacity: devices.count)
        _ = self.devices.initialize(from: devices)
        self.tables = tables
        sender = plan.pushSender.map { PreparedSender(PushClasses(plan, $0), self) }
    }

    deinit {
        parameters.deinitialize(count: 1)
        parameters.deallocate()
        android?.deinitialize(count: 1)
        android?.deallocate()
        kinds.deinitialize().deallocate()
        devices.deinitialize().deallocate()
        campaigns.deinitialize().deallocate()
        fetches.deinitialize().deallocate()
        legs.deinitialize().deallocate()
        failovers.deinitialize().deallocate()
        for block in memory { block.deallocate() }
    }

    /// Whether requests to an endpoint say what their client has of the content (S10).
    @inline(__always) func isConditional(endpoint: Int) -> Bool {
        hasConditionalEndpoints && conditionalEndpoints[endpoint]
    }

    /// When versions end, for the edges of a service: those of the kind whose shared content an endpoint has.
    public var versionEnds: VersionEnds {
        let first = plan.endpoints.indices.map { endpoint in
            plan.kinds.firstIndex { $0.endpoint == endpoint && !$0.isPersonal && !$0.readsApp }
        }
        return { endpoint, key, madeAt in
            guard let kind = first[endpoint] else { return .start }
            let source = self.kinds[kind].source
            return source.end(of: source.position(key: key, madeAt: madeAt))
        }
    }

    /// The index of the region of a person's own city.
    package func homeRegion(ofPerson person: Int) -> Int { population.homeRegion(ofPerson: UInt64(person)) }

    /// Whether requests of one device can come to several regions: it is taken on travels, or its places are recorded.
    package var areRegionsJoined: Bool { population.hasTravel || !plan.replay.isEmpty }

    /// The prepared placements of a person's device.
    func device(of owner: DeviceOwner) -> UnsafePointer<PreparedDevice> {
        device(ofSegment: owner.traits.segment, slot: owner.slot)
    }

    /// The rules that hold on a person's device.
    func rules(of owner: DeviceOwner) -> DeviceRules { device(of: owner).pointee.plan.rules }

    /// The prepared placements of one of the devices that people of a segment may carry.
    func device(ofSegment segment: Int, slot: UInt8) -> UnsafePointer<PreparedDevice> {
        UnsafePointer(devices.baseAddress! + firstDevice[segment] + Int(slot))
    }

    /// The background fetches of a segment's apps.
    func fetches(ofSegment segment: Int) -> UnsafeBufferPointer<PreparedFetch> {
        UnsafeBufferPointer(rebasing: fetches[firstFetch[segment]..<firstFetch[segment + 1]])
    }

    /// The key of the content of a chosen place or symbol.
    public func key(ofChoice name: String) -> Int64 { choices.key(of: name) }

    /// The name of a chosen place or symbol; nil if the key is not that of one.
    public func choice(ofKey key: Int64) -> String? { choices.name(ofKey: key) }

    /// Sentences about pickups that segments ask for and cannot have: no gaps, levels and sessions have such totals
    /// together.
    public var shortfalls: [String] {
        population.plan.segments.indices.flatMap { index in
            let segment = plan.segments[index]
            return population.shortfalls(ofSegment: index).map { device, sentence in
                "segment \(segment.name)\(device.map { ", \(segment.devices[$0].kind.name)" } ?? ""): \(sentence)"
            }
        }
    }

    /// The least time that any request or answer is on its way between device and edge: no draw of a leg is shorter.
    public var leastLeg: Duration { legs.map(\.least).min() ?? .zero }

    /// The longest time for which any kind asks after an answer before it asks again, in whole seconds: as long as is
    /// remembered of a suspended device.
    package var mostReaction: Duration {
        kinds.reduce(.zero) { max($0, PendingDevice(wakeAt: .longAgo, reaction: $1.leastReaction).reaction) }
    }

    /// The most devices that a person of the plan can carry.
    var mostDevices: Int { population.mostDevices }

    /// The most instances that a device of the plan can carry.
    public var mostInstances: Int {
        let drawn = devices.map(\.mostInstances)
        return max(1, (drawn + plan.replay.map(\.instances.count)).max() ?? 1)
    }

    /// The most stacks that a device of the plan has.
    var mostStacks: Int { (devices.map(\.plan.stacks.count) + plan.replay.map(\.stacks.count)).max() ?? 0 }
}

/// How the devices of one region come to another one, ready for the loop (S7).
struct PreparedFailover {
    /// The region where they go.
    let to: Int
    let detour: Duration
    private let usesNextAddress: Bool
    /// The beginning and the end of each turn, one after another.
    private let turns: UnsafeMutableBufferPointer<Int64>
    private let timeToLive, ignoredFor, returnSpan: Duration
    private let ignores: Bernoulli
    /// 0 for a return that is spread evenly.
    private let returnParts: UInt64

    init(_ failover: Failover, keeping memory: inout PlanMemory) throws(DistributionProblem) {
        (to, detour) = (failover.to, failover.detour)
        var names = NameTurns(turns: [], timeToLive: .zero)
        switch failover.way {
        case .nextAddress: usesNextAddress = true
        case .name(let turns): (usesNextAddress, names) = (false, turns)
        }
        turns = .allocate(capacity: 2 * names.turns.count)
        _ = turns.initialize(from: names.turns.flatMap { [$0.from.microseconds, $0.to.microseconds] })
        memory.append(turns)
        (timeToLive, ignoredFor, returnSpan) = (names.timeToLive, names.ignoredFor, names.returnSpan)
        ignores = try Bernoulli(probability: names.ignoringShare)
        returnParts = UInt64(names.returnParts ?? 0)
    }

    /// Whether the other region serves what a device sends now.
    ///
    /// - Parameters:
    ///   - attempt: the number of the try, from 1 on.
    ///   - draws: the device's numbers for this failover.
    func isAway(at now: Instant, attempt: Int, _ draws: RandomStream) -> Bool {
        if usesNextAddress { return attempt & 1 == 0 }
        if turns.isEmpty || now.microseconds < turns[0] { return false }
        let kept = ignores.holds(draws.value(at: 0)) ? ignoredFor : timeToLive
        for turn in stride(from: 0, to: turns.count, by: 2) {
            let (from, to) = (Instant(microseconds: turns[turn]), Instant(microseconds: turns[turn + 1]))
            if from > now { break }
            let index = UInt64(turn / 2 * 3)
            let left = from + Self.part(of: kept, draws.value(at: index + 1))
            if now < left { continue }
            if now < to { return true }
            let back = to + delayOfReturn(draws.value(at: index + 2))
            // A resolver that has asked again too late to hear of the other region never leaves.
            if left < back && now < back + Self.part(of: kept, draws.value(at: index + 3)) { return true }
        }
        return false
    }

    /// How long after the return begins a device is let return.
    private func delayOfReturn(_ u: UInt64) -> Duration {
        if returnParts < 2 { return Self.part(of: returnSpan, u) }
        let part = returnParts.multipliedFullWidth(by: u).high
        return Duration(microseconds: returnSpan.microseconds * Int64(part) / Int64(returnParts - 1))
    }

    /// An even draw from nothing to a length.
    private static func part(of length: Duration, _ u: UInt64) -> Duration {
        Duration(microseconds: Int64(length.microseconds.magnitude.multipliedFullWidth(by: u).high))
    }
}
