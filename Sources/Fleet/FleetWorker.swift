import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// Simulates people one after another, in memory of its own that it allocates once. One thread uses it.
///
/// A person's life is a pure function of the plan and their number; the worker only adds it to its measures.
public final class FleetWorker {
    public let measures: RunMeasures
    private let prepared: PreparedPlan
    private let load: LoadBuffer
    /// Counts of the warm-up, which nobody reads.
    private let scratch: RunMeasures
    private let instances: UnsafeMutablePointer<InstanceState>
    private let hours: UnsafeMutablePointer<Int128>
    private let lastWidgetView: UnsafeMutablePointer<Instant>
    private let rhythms: UnsafeMutablePointer<Instant>
    private let mostInstances: Int

    public init(_ prepared: PreparedPlan, load: LoadCurve) {
        self.prepared = prepared
        self.load = LoadBuffer(for: load)
        let layout = MeasureLayout(segments: prepared.plan.segments.count, kinds: prepared.plan.kinds.count)
        measures = RunMeasures(layout: layout)
        scratch = RunMeasures(layout: layout)
        mostInstances = prepared.mostInstances
        instances = .allocate(capacity: mostInstances)
        hours = .allocate(capacity: mostInstances * HourLedger.cellCount)
        lastWidgetView = .allocate(capacity: max(1, prepared.plan.apps.count))
        rhythms = .allocate(capacity: max(1, prepared.plan.kinds.count))
    }

    deinit {
        instances.deallocate()
        hours.deallocate()
        lastWidgetView.deallocate()
        rhythms.deallocate()
    }

    /// Adds what is still on its way to the shared curve; the worker is done.
    public func finish() { load.flush() }

    /// Lives a person's devices and counts them.
    public func live(person: Int) {
        _ = live(person: person, observer: { Unobserved() })
    }

    /// Lives a person's devices under observers, one a device; returns the observers with the devices' identities.
    public func live<Observer: LifeObserver>(person: Int, observer: () -> Observer) -> [ObservedDevice<Observer>] {
        prepared.plan.replay.isEmpty ? liveDrawn(person: person, observer: observer) : liveReplay(person: person, observer: observer)
    }

    private func liveDrawn<Observer: LifeObserver>(person: Int, observer: () -> Observer) -> [ObservedDevice<Observer>] {
        let traits = PersonTraits(number: UInt64(person), prepared)
        let segmentBlock = measures.layout.segmentBlock(traits.segment)
        measures.cells[segmentBlock + SegmentField.people] += 1
        var observed: [ObservedDevice<Observer>] = []
        prepared.segments.withUnsafeBufferPointer { segments in
            let habits = segments.baseAddress! + traits.segment
            let usual = traits.sleepTimes.usualWaking
            var hasDevice = false
            for slot in habits.pointee.devices.indices {
                guard let count = placeInstances(traits, slot: slot, habits) else { continue }
                let device = habits.pointee.devices[slot].plan
                measures.cells[segmentBlock + SegmentField.devices + Int(device.kind.rawValue)] += 1
                let world = DrawnWorld(traits, slot: UInt8(slot), prepared, habits)
                let passcode = RandomStream(seed: prepared.plan.seed, person: traits.number, slot: UInt8(slot), purpose: .passcode).value(at: 0)
                var life = DeviceLife(
                    world: world, observer: observer(), prepared, self, instanceCount: count, segment: traits.segment, zone: traits.zone,
                    usual: usual, weights: .even, hasPasscode: habits.pointee.passcode.holds(passcode), countsPerson: !hasDevice)
                life.live()
                hasDevice = true
                if Observer.isWatching {
                    observed.append(ObservedDevice(device: device.kind.name, instances: placementNames(count, device.placements), observer: life.observer))
                }
            }
        }
        return observed
    }

    /// The instances that the person's device carries; nil if the person does not own such a device.
    private func placeInstances(_ traits: PersonTraits, slot: Int, _ habits: UnsafePointer<PreparedSegment>) -> Int? {
        let seed = prepared.plan.seed
        func draw(_ purpose: Purpose, sub: Int) -> UInt64 {
            RandomStream(seed: seed, person: traits.number, slot: UInt8(slot), purpose: purpose, sub: UInt16(sub)).value(at: 0)
        }
        guard habits.pointee.devices[slot].owned.holds(draw(.deviceOwnership, sub: 0)) else { return nil }
        var count = 0
        let device = habits.pointee.devices[slot]
        for index in device.plan.placements.indices where device.present[index].holds(draw(.instancePresence, sub: index)) {
            let placement = device.plan.placements[index]
            let kind = prepared.kinds[placement.kind]
            var chosenKey: Int64 = 0
            if !device.chosenKeys[index].isEmpty {
                let keys = device.chosenKeys[index]
                chosenKey = keys[Int(RandomStream.index(draw(.instanceChoice, sub: index), below: UInt64(keys.count)))]
            }
            (instances + count).initialize(
                to: InstanceState(
                    placement, index: index, placed: count, segment: traits.segment, chosenKey: chosenKey, mode: traits.mode(ofApp: kind.app),
                    isReduced: traits.hasReducedAccuracy(app: kind.app), installedAt: .start, openingBalance: nil, prepared, self,
                    person: traits.number, slot: UInt8(slot)))
            warmUp(instances + count, traits, shown: habits.pointee, draw(.historyViews, sub: index), age: draw(.warmContentAge, sub: index))
            count += 1
        }
        return count
    }

    /// A run starts warm (T4): the instance has been viewed for as many days as the window looks back, and shows content of a drawn age.
    ///
    /// Assumption: the history is the person's expected views a day, each day the same but for its rounding.
    private func warmUp(_ instance: UnsafeMutablePointer<InstanceState>, _ traits: PersonTraits, shown habits: PreparedSegment, _ rounding: UInt64, age: UInt64) {
        let unlocks = traits.unlocksPerDay
        let views: Double
        switch instance.pointee.surface {
        case .lockScreen: views = unlocks * (1 + habits.glancesPerUnlock)
        case let surface: views = unlocks * habits.shownShare[Int(surface.rawValue)]
        }
        let days = max(prepared.plan.parameters.allowance.windowDays, prepared.plan.parameters.allowance.learningDays)
        for day in 0..<days {
            let dither = RandomStream.uniform(rounding &+ UInt64(day) &* 0x9e37_79b9_7f4a_7c15)
            instance.pointee.history.complete(views: Int64(views + dither))
        }
        let rule = prepared.plan.parameters.allowance
        let allowance = max(1, Double(rule.allowance(after: instance.pointee.history)) / Double(AllowanceRule.token))
        let kind = prepared.kinds[instance.pointee.kind]
        let waking = traits.sleepTimes.usualWaking.workday.length.inSeconds
        // How long a timeline lives: at least what the budget takes for one reload, or what its policy asks for; one that is never replaced
        // by itself is given a day.
        var interval = waking / allowance
        switch kind.policy {
        case .after(let asked): interval = max(interval, asked.inSeconds)
        case .atEnd: if case .series(let count, let spacing) = kind.shape { interval = max(interval, (spacing * Int64(count - 1)).inSeconds) }
        case .aligned: break
        case .never: interval = max(interval, 86_400)
        }
        instance.pointee.initialFetched = Instant.start - Journey.duration(interval * RandomStream.uniform(age))
        instance.pointee.initialPlace =
            instance.pointee.followsPerson ? DrawnWorld.place(traits.home, zone: traits.zone, cell: prepared.plan.parameters.contentCell) : 0
    }

    private func placementNames(_ count: Int, _ placements: [Placement]) -> [String] { (0..<count).map { placements[instances[$0].placement].id } }

    private func liveReplay<Observer: LifeObserver>(person: Int, observer: () -> Observer) -> [ObservedDevice<Observer>] {
        let device = prepared.plan.replay[person]
        let segmentBlock = measures.layout.segmentBlock(0)
        measures.cells[segmentBlock + SegmentField.people] += 1
        measures.cells[segmentBlock + SegmentField.devices + Int(device.kind.rawValue)] += 1
        for (index, recorded) in device.instances.enumerated() {
            let placement = recorded.placement
            var chosenKey: Int64 = 0
            if case .chosen(let names) = placement.location { chosenKey = prepared.key(ofChoice: names[0]) }
            (instances + index).initialize(
                to: InstanceState(
                    placement, index: index, placed: index, segment: 0, chosenKey: chosenKey, mode: recorded.mode, isReduced: !device.preciseLocation,
                    installedAt: recorded.installedAt, openingBalance: recorded.openingBalance, prepared, self, person: UInt64(person), slot: 0))
            for views in recorded.history { instances[index].history.complete(views: Int64(views)) }
            if let initial = recorded.initial {
                instances[index].initialFetched = initial.fetched
                instances[index].initialPlace = instances[index].followsPerson ? (initial.place ?? device.place).key : 0
            }
        }
        let steps = ReplayWorld.steps(of: device)
        return steps.withUnsafeBufferPointer { steps in
            var life = DeviceLife(
                world: ReplayWorld(device, steps: steps), observer: observer(), prepared, self, instanceCount: device.instances.count, segment: 0,
                zone: device.zone, usual: device.usualWaking, weights: prepared.plan.parameters.accrual == .byViews ? device.viewsByHour : .even,
                hasPasscode: device.hasPasscode, countsPerson: true)
            life.signedIn = device.signedIn.reduce(0) { $0 | 1 << UInt16($1) }
            life.hidesLockScreen = device.hidesLockScreen
            life.hasBackgroundRefresh = device.backgroundRefresh
            life.fixFailing = device.fixFailing
            life.live()
            return Observer.isWatching
                ? [ObservedDevice(device: device.id, instances: device.instances.map(\.placement.id), observer: life.observer)] : []
        }
    }

    fileprivate var memory: (UnsafeMutablePointer<InstanceState>, UnsafeMutablePointer<Int128>, UnsafeMutablePointer<Instant>, UnsafeMutablePointer<Instant>) {
        (instances, hours, lastWidgetView, rhythms)
    }
    fileprivate var scratchCells: UnsafeMutablePointer<Int64> { scratch.cells }
    fileprivate var buffer: LoadBuffer { load }
}

/// A device that was observed, and what its observer holds.
public struct ObservedDevice<Observer: LifeObserver> {
    public let device: String
    /// The instances' names, by their index in the notes.
    public let instances: [String]
    public let observer: Observer
}

extension DeviceLife {
    /// A device at the start of the run, its instances placed in the worker's memory.
    fileprivate init(
        world: World, observer: Observer, _ prepared: PreparedPlan, _ worker: FleetWorker, instanceCount: Int, segment: Int, zone: Int,
        usual: UsualWaking, weights: HourWeights, hasPasscode: Bool, countsPerson: Bool
    ) {
        let plan = prepared.plan
        self.world = world
        self.observer = observer
        self.prepared = prepared
        parameters = plan.parameters
        kinds = prepared.kinds.baseAddress!
        (instances, _, lastWidgetView, rhythms) = worker.memory
        self.instanceCount = instanceCount
        cells = worker.scratchCells
        reportedCells = worker.measures.cells
        load = worker.buffer
        timeout = plan.service.timeout
        hasFailures = !plan.service.failing.isEmpty
        segmentBlock = worker.measures.layout.segmentBlock(segment)
        reportFrom = Instant.start + plan.warmup
        end = plan.end
        borderAt = Instant.start + plan.warmup
        self.hasPasscode = hasPasscode
        hidesLockScreen = false
        fixFailing = []
        isAsleep = world.startsAsleep
        hasBackgroundRefresh = true
        signedIn = .max
        self.zone = zone
        let place = world.point(at: .start)
        changes = (SignificantChanges(at: place, precise: true), SignificantChanges(at: place, precise: false))
        self.countsPerson = countsPerson
        var (hasReduced, hasFull) = (false, false)
        for i in 0..<instanceCount where instances[i].followsPerson {
            if instances[i].isReduced { hasReduced = true } else { hasFull = true }
        }
        (self.hasReduced, self.hasFull) = (hasReduced, hasFull)
        usualWaking = usual
        hourWeights = weights
        calendar = AccrualCalendar(usual: usual, weights: weights, at: .start, in: prepared.zones[zone])
        for app in 0..<max(1, plan.apps.count) { lastWidgetView[app] = .longAgo }
        for kind in 0..<max(1, plan.kinds.count) { rhythms[kind] = .never }
    }
}

extension InstanceState {
    /// An instance before the system knows it.
    fileprivate init(
        _ placement: Placement, index: Int, placed: Int, segment: Int, chosenKey: Int64, mode: LocationMode, isReduced: Bool, installedAt: Instant,
        openingBalance: Int64?, _ prepared: PreparedPlan, _ worker: FleetWorker, person: UInt64, slot: UInt8
    ) {
        let seed = prepared.plan.seed
        func stream(_ purpose: Purpose) -> RandomStream { RandomStream(seed: seed, person: person, slot: slot, purpose: purpose, sub: UInt16(index)) }
        let layout = worker.measures.layout
        self.placement = index
        kind = placement.kind
        app = prepared.kinds[placement.kind].app
        surface = placement.surface
        followsPerson = placement.location == .current
        self.chosenKey = chosenKey
        self.mode = mode
        self.isReduced = isReduced
        self.installedAt = installedAt
        self.openingBalance = openingBalance
        kindBlock = layout.kindBlock(segment, placement.kind)
        viewBlock = layout.viewBlock(
            segment, placement.kind, mode: followsPerson ? Int(mode.rawValue) : MeasureLayout.noMode, surface: Int(placement.surface.rawValue))
        account = BudgetAccount(at: installedAt, allowance: 0, cap: 0, openingBalance: 0, partsPerMicrotoken: 2)
        hours = HourLedger(cells: worker.memory.1 + placed * HourLedger.cellCount)
        history = ViewHistory(window: prepared.plan.parameters.allowance.windowDays)
        dispatchDelays = stream(.dispatchDelay)
        outLegs = stream(.networkOut)
        backLegs = stream(.networkBack)
        jitters = stream(.policyJitter)
        fixTimes = stream(.locationFix)
        fixFailures = stream(.locationFailure)
    }
}
