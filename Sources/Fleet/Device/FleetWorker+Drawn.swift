import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// People who are drawn: their devices, the instances on them, and how these start warm (D1, T4).
extension FleetWorker {
    @inline(never) func simulateDrawn<World: SimulatedWorld>(
        person: Int, in _: World.Type, observer: () -> World.Observer
    ) -> [ObservedDevice] {
        var observed: [ObservedDevice] = []
        for (owner, isFirst) in countedDevices(ofDrawn: person) {
            let device =
                switch prepared.rules(of: owner) {
                case .widgetKit: run(owner, WidgetKitRules(), in: World.self, observer(), isFirst: isFirst)
                case .android: run(owner, AndroidRules(owner), in: World.self, observer(), isFirst: isFirst)
                case .tiles: run(owner, TileRules(), in: World.self, observer(), isFirst: isFirst)
                }
            if let device { observed.append(device) }
        }
        return observed
    }

    /// Simulates one device; nil if nobody watches.
    @inline(__always) private func run<World: SimulatedWorld, Rules: DevicePlatform>(
        _ owner: DeviceOwner, _ rules: Rules, in _: World.Type, _ observer: World.Observer, isFirst: Bool
    ) -> ObservedDevice? {
        var simulation: DeviceSimulation<World, Rules> = begin(owner, rules, observer: observer, isFirst: isFirst)
        simulation.run()
        return observer.isWatching ? identified(simulation, owner) : nil
    }

    /// Counts a drawn person's devices.
    ///
    /// - Returns: the owner of each, and whether it is the person's first.
    func countedDevices(ofDrawn person: Int) -> [(owner: DeviceOwner, isFirst: Bool)] {
        let traits = PersonTraits(number: UInt64(person), prepared.population)
        var devices: [(owner: DeviceOwner, isFirst: Bool)] = []
        for slot in prepared.population.habits(of: traits).pointee.devices.indices {
            let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
            guard owner.hasDevice else { continue }
            count(owner, isFirst: devices.isEmpty)
            devices.append((owner, devices.isEmpty))
        }
        if devices.isEmpty { countWithoutDevice(traits) }
        return devices
    }

    /// Counts a device, and its person with the first one.
    func count(_ owner: DeviceOwner, isFirst: Bool) {
        let counts = CountBlock(
            measures.cells, at: prepared.layout.place(ofSegment: owner.traits.segment, owner.device.pointee.kind))
        counts[.devices] += 1
        if isFirst { counts[.people] += 1 }
    }

    /// A person who owns no device is one of the fleet all the same.
    func countWithoutDevice(_ traits: PersonTraits) {
        CountBlock(measures.cells, at: prepared.layout.place(ofSegment: traits.segment, .phone))[.people] += 1
    }

    /// A device with its instances in the worker's memory, before its first event.
    func begin<World: SimulatedWorld, Rules: DevicePlatform>(
        _ owner: DeviceOwner, _ rules: Rules, observer: World.Observer, isFirst: Bool
    ) -> DeviceSimulation<World, Rules> {
        let simulation = UnsafeMutablePointer<DeviceSimulation<World, Rules>>.allocate(capacity: 1)
        defer { simulation.deallocate() }
        begin(owner, rules, in: simulation, observer: observer, isFirst: isFirst, isResumed: false)
        return simulation.move()
    }

    /// Begins a device in memory that is not initialised, so that the simulation is not copied.
    ///
    /// - Parameter isResumed: whether its state is about to be read, so that nothing need be drawn for its start.
    func begin<World: SimulatedWorld, Rules: DevicePlatform>(
        _ owner: DeviceOwner, _ rules: Rules, in simulation: UnsafeMutablePointer<DeviceSimulation<World, Rules>>,
        observer: World.Observer, isFirst: Bool, isResumed: Bool
    ) {
        let count = placeInstances(owner, isResumed: isResumed)
        let device = prepared.device(of: owner)
        simulation.initialize(
            to: DeviceSimulation(
                world: World(
                    DrawnWorld(
                        owner, prepared.population, cell: prepared.plan.parameters.contentCell, in: memory.apps,
                        isResumed: isResumed, isSuspendedOften: outbox != nil)),
                observer: observer, rules: rules, prepared, self, instanceCount: count,
                segment: owner.traits.segment, device: device.pointee.plan.kind, stacks: device.pointee.plan.stacks,
                flips: device.pointee.flips, zone: owner.traits.zone,
                usual: owner.traits.sleepTimes.usualWaking,
                weights: prepared.plan.parameters.accrual == .byViews ? owner.viewsByHour : .even,
                streams: owner.streams,
                hasPasscode: owner.hasPasscode, countsPerson: isFirst))
        simulation.pointee.display.hidesLockScreen = owner.hidesLockScreen
        simulation.pointee.display.hidesAlwaysOn = owner.hidesAlwaysOn
        for i in 0..<count where memory.instances[i].surface == .todayView {
            simulation.pointee.person.todayViewGlances = TodayViewGlances(owner)
        }
        simulation.pointee.opened.furtherTile = owner.device.pointee.openings.further
        simulation.pointee.condition.setBackgroundRefresh(owner.hasBackgroundRefresh)
        simulation.pointee.apps.begin(signedIn: owner.signedIn)
    }

    func identified<World, Rules>(_ simulation: DeviceSimulation<World, Rules>, _ owner: DeviceOwner) -> ObservedDevice
    {
        ObservedDevice(
            device: name(ofDevice: Int(owner.slot), owner.habits),
            instances: names(simulation, prepared.device(of: owner).pointee), notes: simulation.observer.notes)
    }

    /// Places the instances that the person's device carries in the worker's memory; returns how many.
    private func placeInstances(_ owner: DeviceOwner, isResumed: Bool) -> Int {
        var count = 0
        prepared.eachInstance(of: owner) { placement, number, installedAt, isPresent in
            place(
                owner, placement: placement, number: number, at: count, installedAt: installedAt,
                isWarm: isPresent && !isResumed)
            count += 1
        }
        return count
    }

    /// Places one instance; a warm one has been there before the run.
    private func place(
        _ owner: DeviceOwner, placement index: Int, number: Int, at place: Int, installedAt: Instant, isWarm: Bool
    ) {
        let device = prepared.device(of: owner)
        let placement = device.pointee.placements[index]
        let kind = prepared.kinds.baseAddress! + placement.kind
        let instance = memory.instances + place
        instance.initialize(
            to: InstanceState(
                placement, index: index, number: number, segment: owner.traits.segment,
                device: device.pointee.plan.kind,
                isAccented: owner.isAccented,
                chosenKey: device.pointee.chosenKey(
                    placement: index, owner.streams.number(.instanceChoice, sub: number)),
                mode: owner.traits.mode(ofApp: kind.pointee.app),
                isReduced: owner.traits.hasReducedAccuracy(app: kind.pointee.app),
                installedAt: installedAt, opening: .half, prepared))
        if isWarm {
            instance.pointee.startsUnmet =
                kind.pointee.needsSignIn && owner.signedIn & (1 << UInt16(kind.pointee.app)) == 0
            // All instances of a provider on Android were refreshed together.
            let isAndroid = device.pointee.plan.platform == .android
            warmUp(
                instance, owner, owner.streams.number(.historyViews, sub: number),
                age: isAndroid
                    ? owner.streams.number(.refreshPhase, sub: placement.kind)
                    : owner.streams.number(.warmContentAge, sub: number),
                refresh: isAndroid ? prepared.android?.pointee.refreshes[placement.kind] : nil)
        }
        if device.pointee.choiceCount(placement: index) > 1 {
            instance.pointee.editAt = RandomArrivals(perYear: placement.editsPerYear, prepared.tables.exponential).next(
                after: installedAt, owner.streams.number(.configurationEdit, sub: number))
        }
    }

    /// The kind of a device; a segment's second one of a kind is told apart by its number.
    private func name(ofDevice slot: Int, _ habits: UnsafePointer<PreparedSegment>) -> String {
        let kind = habits.pointee.devices[slot].kind
        let before = habits.pointee.devices[..<slot].count { $0.kind == kind }
        return before == 0 ? kind.name : "\(kind.name)-\(before + 1)"
    }

    /// The names of a device's instances; those of a bundle are told apart by their number.
    private func names<World, Rules>(_ simulation: DeviceSimulation<World, Rules>, _ device: PreparedDevice) -> [String]
    {
        (0..<simulation.instanceCount).map { i in
            let (placement, number) = (simulation.instances[i].placement, simulation.instances[i].number)
            let name = device.placements[placement].id
            return placement < device.plan.placements.count ? name : "\(name)-\(number % DevicePlan.mostOfBundle + 1)"
        }
    }
}

extension DeviceOwner {
    /// The weights of the local hours in which the device's instances are usually viewed (B4): even over the usual
    /// waking hours of a workday but for the first sixteenth, whose rate is another. Outside these hours nothing
    /// accrues anyway.
    var viewsByHour: HourWeights {
        let window = traits.sleepTimes.usualWaking.workday
        let first = window.length.microseconds / 16
        let excess = device.pointee.firstSixteenthRate - 1
        let hour: Int64 = 3_600_000_000
        return HourWeights(
            (0..<24).map { index in
                var overlap: Int64 = 0
                // The first sixteenth can reach over midnight.
                for day in [0, ClockTime.microsecondsPerDay] {
                    let from = max(Int64(index) * hour + day, window.from.microseconds)
                    overlap += max(0, min(Int64(index + 1) * hour + day, window.from.microseconds + first) - from)
                }
                return max(1, Int(Self.weightOfHour * (1 + excess * Double(overlap) / Double(hour)) + 0.5))
            })
    }

    /// The weight of an hour with nothing special; small, so that the parts of a token stay small numbers too.
    private static var weightOfHour: Double { 20 }
}
