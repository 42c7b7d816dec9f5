import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// The prepared placements of a device that people may carry.
struct PreparedDevice {
    let plan: DevicePlan
    /// All ways in which an instance can stand on it.
    let placements: [Placement]
    /// The chances that those placed one by one are present.
    let present: [Bernoulli]
    /// The choice of each placement; nil if it chooses nothing.
    let choices: [PreparedChoice?]
    let bundles: [PreparedBundle]
    let flips: [StackFlips?]
    /// How the views of its stacks spread over their widgets.
    let stackViews: StackViews

    init(_ device: DevicePlan, choices: ChoiceKeys, stackViews: StackViews, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        self.stackViews = stackViews
        plan = device
        placements = device.allPlacements
        var present: [Bernoulli] = []
        for placement in device.placements { present.append(try Bernoulli(probability: placement.share)) }
        self.present = present
        var prepared: [PreparedChoice?] = []
        for placement in placements {
            if case .chosen(let names, let popularity) = placement.location {
                prepared.append(try PreparedChoice(names, popularity, choices))
            } else {
                prepared.append(nil)
            }
        }
        self.choices = prepared
        var bundles: [PreparedBundle] = []
        var first = device.placements.count
        for bundle in device.bundles {
            bundles.append(try PreparedBundle(bundle, firstPlacement: first, &tables))
            first += bundle.widgets.count
        }
        self.bundles = bundles
        var flips: [StackFlips?] = []
        for stack in device.stacks { flips.append(try StackFlips(share: stack.flipShare, tables.exponential)) }
        self.flips = flips
    }

    /// The key that a placement is set to by a draw; 0 if it chooses nothing.
    func chosenKey(placement: Int, _ u: UInt64) -> Int64 {
        choices[placement].map { $0.key(u) } ?? 0
    }

    /// How many things a placement can be set to.
    func choiceCount(placement: Int) -> Int { choices[placement].map(\.count) ?? 0 }

    /// The most instances that one such device can carry.
    var mostInstances: Int { plan.placements.count + plan.bundles.count * DevicePlan.mostOfBundle }
}

/// An app's bundle, prepared.
struct PreparedBundle {
    let carried: Bernoulli
    let instances: PreparedDistribution
    let widget: DiscreteChoice
    /// The index of its first placement among the device's.
    let firstPlacement: Int

    init(_ bundle: BundlePlan, firstPlacement: Int, _ tables: inout StandardTables) throws(DistributionProblem) {
        carried = try Bernoulli(probability: bundle.share)
        instances = try bundle.instances.prepared(with: &tables)
        widget = try DiscreteChoice(weights: bundle.widgets.map(\.weight), name: "widgets")
        self.firstPlacement = firstPlacement
    }

    /// How many instances a device that carries any has.
    func count(_ u: UInt64) -> Int {
        let drawn = instances.draw(u)
        return Int(min(max(drawn, 1), Double(DevicePlan.mostOfBundle)) + 0.5)
    }
}

extension PreparedPlan {
    /// Finds the instances that a person's device carries in the run: the placement of each, its number, when it is
    /// installed, and whether it has been there before the run.
    @inline(__always) func eachInstance(
        of owner: DeviceOwner,
        _ take: (_ placement: Int, _ number: Int, _ installedAt: Instant, _ isPresent: Bool) -> Void
    ) {
        let device = device(of: owner)
        for index in device.pointee.plan.placements.indices {
            if device.pointee.placements[index].isFromPhone && !owner.carries(.phone) { continue }
            let isPresent = device.pointee.present[index].holds(presenceNumber(owner, placement: index))
            let rate = Placement.rate(ofShare: device.pointee.placements[index].addedPerDay)
            let installedAt =
                isPresent
                ? Instant.start
                : RandomArrivals(perDay: rate, tables.exponential).next(
                    after: plan.begin, owner.streams.number(.instanceAddition, sub: index))
            if installedAt < plan.end { take(index, index, installedAt, isPresent) }
        }
        for (index, bundle) in device.pointee.bundles.enumerated()
        where bundle.carried.holds(owner.streams.number(.bundlePresence, sub: index)) {
            // Numbers that no other instance of the device has.
            let first = DevicePlan.mostOfBundle * (index + 1)
            for member in 0..<bundle.count(owner.streams.number(.bundleCount, sub: index)) {
                let widget = bundle.widget.index(owner.streams.number(.bundleWidget, sub: first + member))
                take(bundle.firstPlacement + widget, first + member, .start, true)
            }
        }
    }

    /// The random number that decides whether a person has an instance.
    private func presenceNumber(_ owner: DeviceOwner, placement index: Int) -> UInt64 {
        let isEven = population.plan.hasStratifiedTraits && owner.slot == 0
        let trait = isEven ? StratifiedTrait.instance(index) : nil
        return owner.streams.number(.instancePresence, sub: index, evenly: trait)
    }
}

/// The parameters and kinds of a plan for Android, prepared; all else of them is the plan's, read in place.
@dynamicMemberLookup
struct PreparedAndroid {
    private let plan: AndroidParameters
    let alarmDelay, jobDelay, jobTime: DurationDistribution
    let lowered, killer, restricted, exactAlarms: Bernoulli
    let updates: RandomArrivals
    /// By kind.
    let refreshes: [AndroidRefresh]
    /// By kind: the time from the end of a periodic job to its next (T4); nil for kinds without one.
    let jobLives: [TimelineLives?]
    /// By app: whether the messages of all of its kinds are collapsible that take any (N10).
    let areCollapsible: [Bool]
    /// By app: whether the push service stores them for a device without a connection (D8).
    let areStored: [Bool]
    /// Where the refreshes of each kind are counted, by segment, kind and kind of device; −1 where none can be.
    private let quotaOffsets: [Int]
    private let kinds: Int
    /// Where the requests that arrive in the first minute of the report are counted.
    let minutesAt: Int

    init(_ parameters: AndroidParameters, _ plan: FleetPlan, _ layout: MeasureLayout, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        self.plan = parameters
        alarmDelay = try parameters.alarmDelay.preparedDurations(with: &tables)
        jobDelay = try parameters.jobDelay.preparedDurations(with: &tables)
        jobTime = try parameters.jobTime.preparedDurations(with: &tables)
        lowered = try Bernoulli(probability: parameters.loweredShare)
        killer = try Bernoulli(probability: parameters.killerShare)
        restricted = try Bernoulli(probability: parameters.restrictedShare)
        exactAlarms = try Bernoulli(probability: parameters.exactAlarmShare)
        updates = RandomArrivals(
            meanGap: parameters.updateEvery?.inSeconds ?? .infinity, tables.exponential)
        refreshes = plan.kinds.map { $0.android ?? AndroidRefresh(period: .none) }
        var lives: [TimelineLives?] = []
        for refresh in refreshes {
            guard case .work(let every, _) = refresh.period else {
                lives.append(nil)
                continue
            }
            lives.append(try TimelineLives(after: every, jitter: jobDelay))
        }
        jobLives = lives
        func messages(_ holds: (AndroidRefresh.Messages) -> Bool) -> [Bool] {
            plan.apps.indices.map { app in
                plan.kinds.allSatisfy {
                    $0.app != app || !($0.takesPushes || $0.contentPushes != nil)
                        || holds($0.android?.messages ?? .init())
                }
            }
        }
        areCollapsible = messages(\.areCollapsible)
        areStored = messages(\.areStored)
        kinds = plan.kinds.count
        var offsets = Array(repeating: -1, count: max(1, plan.segments.count) * kinds * DeviceKind.count)
        for (place, stratum) in layout.androidStrata.enumerated() {
            let stratum = layout.strata[stratum]
            offsets[(stratum.segment * kinds + stratum.kind) * DeviceKind.count + stratum.device.ordinal] =
                layout.quotaPlace(ofAndroidStratum: place).offset
        }
        quotaOffsets = offsets
        minutesAt = layout.minutePlace(0).offset
    }

    subscript<Value>(dynamicMember path: KeyPath<AndroidParameters, Value>) -> Value {
        @inline(__always) get { plan[keyPath: path] }
    }

    /// Whether the messages to an app pass its bucket: those that replace one another and may wait (N10).
    func areThrottled(ofApp app: Int) -> Bool { areCollapsible[app] && areStored[app] }

    /// Where the refreshes of a kind are counted.
    func quotas(ofSegment segment: Int, kind: Int, _ device: DeviceKind) -> BlockPlace<QuotaCounts> {
        BlockPlace(offset: quotaOffsets[(segment * kinds + kind) * DeviceKind.count + device.ordinal])
    }
}
