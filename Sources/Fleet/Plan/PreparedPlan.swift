import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// A fleet plan ready for the loop: every distribution with its table, every share as a threshold, every list in memory that the loop can read
/// without a reference count.
///
/// One is made before a run and read by all threads; nothing of it changes.
public final class PreparedPlan: @unchecked Sendable {
    // Safety: all of it is written in `init` and only read afterwards.
    public let plan: FleetPlan
    public let tables: StandardTables

    let kinds: UnsafeMutableBufferPointer<PreparedKind>
    let zones: UnsafeMutableBufferPointer<ZoneTable>
    let cities: UnsafeMutableBufferPointer<PreparedCity>
    let segments: UnsafeMutableBufferPointer<PreparedSegment>
    let segmentChoice: DiscreteChoice
    let dispatchDelay: DurationDistribution
    /// By region.
    let legs: UnsafeMutableBufferPointer<PreparedLegs>
    private let choices: ChoiceKeys
    let campaigns: UnsafeMutableBufferPointer<PreparedCampaign>
    let releases: [PreparedRelease]
    /// Where the counts of the plan's people stand.
    public let layout: MeasureLayout
    private var memory: PlanMemory = []

    public init(_ plan: FleetPlan) throws(DistributionProblem) {
        self.plan = plan
        var tables = StandardTables()
        dispatchDelay = try plan.parameters.dispatchDelay.preparedDurations(with: &tables)
        let regionalLegs = try plan.regions.map { region throws(DistributionProblem) in
            try PreparedLegs(plan.requests.regionalLegs[region] ?? plan.requests.legs, &tables)
        }
        legs = .allocate(capacity: regionalLegs.count)
        _ = legs.initialize(from: regionalLegs)
        var memory: PlanMemory = []
        var prepared: [PreparedKind] = []
        for (index, kind) in plan.kinds.enumerated() {
            prepared.append(try PreparedKind(kind, index: index, plan: plan, &memory, &tables))
        }
        var campaigns: [PreparedCampaign] = []
        for campaign in plan.pushCampaigns { campaigns.append(try PreparedCampaign(campaign, keeping: &memory, &tables)) }
        self.campaigns = .allocate(capacity: campaigns.count)
        _ = self.campaigns.initialize(from: campaigns)
        self.memory = memory
        kinds = .allocate(capacity: prepared.count)
        _ = kinds.initialize(from: prepared)
        zones = .allocate(capacity: plan.zones.count)
        _ = zones.initialize(from: plan.zones)
        let preparedCities = try PreparedCity.all(of: plan)
        cities = .allocate(capacity: preparedCities.count)
        _ = cities.initialize(from: preparedCities)
        choices = ChoiceKeys(of: plan)
        layout = MeasureLayout(of: plan)
        releases = try plan.releases.map { release throws(DistributionProblem) in try PreparedRelease(release, &tables) }
        var segments: [PreparedSegment] = []
        if plan.replay.isEmpty {
            var solved: [PreparedSegment.SolvedPickups] = []
            for segment in plan.segments { segments.append(try PreparedSegment(segment, plan, choices: choices, &solved, &tables)) }
        }
        self.segments = .allocate(capacity: segments.count)
        _ = self.segments.initialize(from: segments)
        segmentChoice = try DiscreteChoice(weights: plan.segments.map(\.share), name: "segments.share")
        self.tables = tables
    }

    deinit {
        kinds.deinitialize().deallocate()
        zones.deinitialize().deallocate()
        cities.deinitialize().deallocate()
        for segment in segments {
            segment.devices.deinitialize().deallocate()
            segment.apps.deinitialize().deallocate()
        }
        segments.deinitialize().deallocate()
        campaigns.deinitialize().deallocate()
        legs.deinitialize().deallocate()
        for block in memory { block.deallocate() }
    }

    /// The habits of a person's segment.
    func habits(of traits: PersonTraits) -> UnsafePointer<PreparedSegment> { UnsafePointer(segments.baseAddress! + traits.segment) }

    /// One of the devices that people of a person's segment may carry.
    func device(of traits: PersonTraits, slot: UInt8) -> UnsafePointer<PreparedDevice> {
        UnsafePointer(segments[traits.segment].devices.baseAddress! + Int(slot))
    }

    /// The key of the content of a chosen place or symbol.
    public func key(ofChoice name: String) -> Int64 { choices.key(of: name) }

    /// The name of a chosen place or symbol; nil if the key is not that of one.
    public func choice(ofKey key: Int64) -> String? { choices.name(ofKey: key) }

    /// What segments ask of their pickups and cannot have, as sentences: no gaps, levels and sessions have such totals together.
    public var shortfalls: [String] {
        zip(plan.segments, segments).flatMap { segment, prepared in
            prepared.pickups.shortfalls(of: segment.pickups).map { "segment \(segment.name): \($0)" }
                + zip(segment.devices, prepared.devices).flatMap { device, preparedDevice in
                    (device.pickups.map(preparedDevice.pickups.shortfalls) ?? []).map {
                        "segment \(segment.name), \(device.kind.name): \($0)"
                    }
                }
        }
    }

    /// The least time that any request or answer is on its way between device and edge: no draw of a leg is shorter.
    public var leastLeg: Duration { legs.map(\.least).min() ?? .zero }

    /// The most devices that a person of the plan can carry.
    var mostDevices: Int { max(1, segments.map(\.devices.count).max() ?? 1) }

    /// The most instances that a device of the plan can carry.
    public var mostInstances: Int {
        let drawn = segments.flatMap(\.devices).map(\.mostInstances)
        return max(1, (drawn + plan.replay.map(\.instances.count)).max() ?? 1)
    }
}
