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
    let segments: [PreparedSegment]
    let segmentChoice: DiscreteChoice
    let dispatchDelay: PreparedDistribution
    let latencyOut, latencyBack: PreparedDistribution
    private let choices: ChoiceKeys
    private var memory: PlanMemory = []

    public init(_ plan: FleetPlan) throws(DistributionProblem) {
        self.plan = plan
        var tables = StandardTables()
        dispatchDelay = try plan.parameters.dispatchDelay.prepared(with: &tables)
        latencyOut = try plan.service.latencyOut.prepared(with: &tables)
        latencyBack = try plan.service.latencyBack.prepared(with: &tables)
        var memory: PlanMemory = []
        var prepared: [PreparedKind] = []
        for (index, kind) in plan.kinds.enumerated() {
            prepared.append(try PreparedKind(kind, index: index, plan: plan, &memory, &tables))
        }
        self.memory = memory
        kinds = .allocate(capacity: prepared.count)
        _ = kinds.initialize(from: prepared)
        zones = .allocate(capacity: plan.zones.count)
        _ = zones.initialize(from: plan.zones)
        let preparedCities = try PreparedCity.all(of: plan)
        cities = .allocate(capacity: preparedCities.count)
        _ = cities.initialize(from: preparedCities)
        choices = ChoiceKeys(of: plan)
        var segments: [PreparedSegment] = []
        if plan.replay.isEmpty {
            var solved: [(habits: PickupHabits, waking: Double, prepared: PreparedPickups)] = []
            for segment in plan.segments { segments.append(try PreparedSegment(segment, plan, choices: choices, &solved, &tables)) }
        }
        self.segments = segments
        segmentChoice = try DiscreteChoice(weights: plan.segments.map(\.share), name: "segments.share")
        self.tables = tables
    }

    deinit {
        kinds.deinitialize().deallocate()
        zones.deinitialize().deallocate()
        cities.deinitialize().deallocate()
        for block in memory { block.deallocate() }
    }

    /// The key of the content of a chosen place or symbol.
    public func key(ofChoice name: String) -> Int64 { choices.key(of: name) }

    /// The name of a chosen place or symbol; nil if the key is not that of one.
    public func choice(ofKey key: Int64) -> String? { choices.name(ofKey: key) }

    /// What segments ask of their pickups and cannot have, as sentences: no gaps, levels and sessions have such totals together.
    public var shortfalls: [String] {
        zip(plan.segments, segments).flatMap { segment, prepared in
            prepared.pickups.shortfalls(of: segment.pickups).map { "segment \(segment.name): \($0)" }
        }
    }

    /// The most instances that a device of the plan can carry.
    public var mostInstances: Int {
        let drawn = plan.segments.flatMap(\.devices).map(\.placements.count)
        return max(1, (drawn + plan.replay.map(\.instances.count)).max() ?? 1)
    }
}

/// A widget kind with its distributions prepared.
struct PreparedKind {
    let app, endpoint: Int
    let shape: TimelineShape
    let validFor: Duration?
    let policy: ReloadPolicy
    let jitter: PreparedDistribution?
    let reloadOnOpen: WidgetKind.ReloadOnOpen
    let sessionRhythm: Duration?
    let takesPushes, isSensitive, needsSignIn, isProtected: Bool
    let withoutFix: WidgetKind.WithoutFix
    let requestsPerReload: Int
    let actionTime: Duration
    let fixTime: PreparedDistribution
    let fixFailure: Bernoulli
    let source: ContentSource
    let forecast: ForecastError?

    init(_ kind: WidgetKind, index: Int, plan: FleetPlan, _ memory: inout PlanMemory, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        app = kind.app
        endpoint = kind.endpoint
        shape = kind.shape
        validFor = kind.validFor
        policy = kind.policy
        if let law = kind.jitter { jitter = try law.prepared(with: &tables) } else { jitter = nil }
        reloadOnOpen = kind.reloadOnOpen
        sessionRhythm = kind.sessionRhythm
        takesPushes = kind.takesPushes
        isSensitive = kind.isSensitive
        needsSignIn = kind.needsSignIn
        isProtected = kind.isProtected
        withoutFix = kind.withoutFix
        requestsPerReload = kind.requestsPerReload
        actionTime = kind.actionTime
        fixTime = try kind.fixTime.prepared(with: &tables)
        fixFailure = try Bernoulli(probability: kind.fixFailure)
        source = try ContentSource(kind.versions, index: index, plan: plan, keeping: &memory, &tables)
        forecast = kind.forecast.map(ForecastError.init)
    }
}

/// A segment with its distributions prepared.
struct PreparedSegment {
    let cities: DiscreteChoice
    let sleep: PreparedSleep
    let pickups: PreparedPickups
    let environment: PreparedEnvironment
    /// The probability that a session shows a surface, by `Surface.rawValue`.
    let shownShare: [Double]
    let exponential: PreparedDistribution
    let movement: PreparedMovement
    let apps: [PreparedApp]
    let devices: [PreparedDevice]

    /// - Parameter solved: pickup habits that other segments have too; solving them takes tens of milliseconds.
    init(
        _ segment: Segment, _ plan: FleetPlan, choices: ChoiceKeys,
        _ solved: inout [(habits: PickupHabits, waking: Double, prepared: PreparedPickups)], _ tables: inout StandardTables
    ) throws(DistributionProblem) {
        cities = try DiscreteChoice(weights: segment.cityShares, name: "cities")
        sleep = try PreparedSleep(segment.sleep, &tables)
        exponential = try Distribution(.exponential(mean: 1)).prepared(with: &tables)
        let waking = sleep.typicalWaking
        if let known = solved.first(where: { $0.habits == segment.pickups && $0.waking == waking }) {
            pickups = known.prepared
        } else {
            pickups = try PreparedPickups(segment.pickups, typicalWaking: waking, &tables)
            solved.append((segment.pickups, waking, pickups))
        }
        environment = try PreparedEnvironment(segment.environment, &tables)
        shownShare = segment.pickups.surfaceShown
        movement = try PreparedMovement(segment.movement, &tables)
        var apps: [PreparedApp] = []
        for app in segment.apps { apps.append(try PreparedApp(app, &tables)) }
        self.apps = apps
        var devices: [PreparedDevice] = []
        for device in segment.devices { devices.append(try PreparedDevice(device, choices: choices)) }
        self.devices = devices
    }

    /// When something that comes at a rate a day first comes after an instant; `never` if that is after any run.
    func arrival(after instant: Instant, ratePerDay: Double, _ u: UInt64) -> Instant {
        guard ratePerDay > 0 else { return .never }
        let days = exponential.draw(u) / ratePerDay
        return days < 3_660 ? instant + Duration(microseconds: Int64(days * 8.64e10)) : .never
    }
}

/// A device that people may carry, prepared.
struct PreparedDevice {
    let plan: DevicePlan
    let owned: Bernoulli
    let present: [Bernoulli]
    /// What each placement can be set to; nil if it chooses nothing.
    let choices: [PreparedChoice?]

    init(_ device: DevicePlan, choices: ChoiceKeys) throws(DistributionProblem) {
        plan = device
        owned = try Bernoulli(probability: device.share)
        var present: [Bernoulli] = []
        var prepared: [PreparedChoice?] = []
        for placement in device.placements {
            present.append(try Bernoulli(probability: placement.share))
            if case .chosen(let names, let popularity) = placement.location {
                prepared.append(try PreparedChoice(names, popularity, choices))
            } else {
                prepared.append(nil)
            }
        }
        self.present = present
        self.choices = prepared
    }

    /// The key that a placement is set to by a draw; 0 if it chooses nothing.
    func chosenKey(placement: Int, _ u: UInt64) -> Int64 {
        choices[placement].map { $0.key(u) } ?? 0
    }

    /// How many things a placement can be set to.
    func choiceCount(placement: Int) -> Int { choices[placement].map(\.count) ?? 0 }
}
