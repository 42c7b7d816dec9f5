import Basics
import Statistics

/// People who are recorded: one device each (D10).
extension FleetWorker {
    func simulateReplay(person: Int, observer: NoteKeeper) -> [ObservedDevice] {
        let steps = ReplayWorld.steps(of: prepared.plan.replay[person])
        return steps.withUnsafeBufferPointer { steps in
            switch prepared.plan.replay[person].rules {
            case .widgetKit: run(replay: person, WidgetKitRules(), steps, observer)
            case .android: run(replay: person, AndroidRules(), steps, observer)
            case .tiles: run(replay: person, TileRules(), steps, observer)
            }
        }
    }

    private func run<Rules: DevicePlatform>(
        replay person: Int, _ rules: Rules, _ steps: UnsafeBufferPointer<ReplayWorld.Step>, _ observer: NoteKeeper
    ) -> [ObservedDevice] {
        var simulation = begin(replay: person, rules, steps, observer: observer)
        simulation.run()
        return observer.isWatching ? [identified(simulation, replay: person)] : []
    }

    /// A recorded device with its instances in the worker's memory, before its first event; counted.
    ///
    /// - Parameter steps: kept by the caller for the life of the device.
    func begin<Rules: DevicePlatform>(
        replay person: Int, _ rules: Rules, _ steps: UnsafeBufferPointer<ReplayWorld.Step>, observer: NoteKeeper
    ) -> DeviceSimulation<ObservedWorld, Rules> {
        let device = prepared.plan.replay[person]
        let streams = RandomStreams(seed: prepared.plan.seed, person: UInt64(person), slot: 0)
        let counts = CountBlock(measures.cells, at: prepared.layout.place(ofSegment: 0, device.kind))
        counts[.people] += 1
        counts[.devices] += 1
        for (index, recorded) in device.instances.enumerated() {
            let placement = recorded.placement
            var chosenKey: Int64 = 0
            if case .chosen(let names, _) = placement.location { chosenKey = prepared.key(ofChoice: names[0]) }
            (memory.instances + index).initialize(
                to: InstanceState(
                    placement, index: index, number: index, segment: 0, device: device.kind,
                    isAccented: device.isAccented, chosenKey: chosenKey, mode: recorded.mode,
                    isReduced: !device.preciseLocation,
                    installedAt: recorded.installedAt, opening: recorded.openingBalance.map { .tokens($0) } ?? .half,
                    prepared))
            for views in recorded.history { memory.instances[index].history.complete(views: Int64(views)) }
            if let initial = recorded.initial {
                memory.instances[index].initialFetched = initial.fetched
                memory.instances[index].initialPlace =
                    memory.instances[index].followsPerson ? (initial.place ?? device.place).key : chosenKey
            }
        }
        var simulation = DeviceSimulation(
            world: ObservedWorld(ReplayWorld(device, steps: steps)), observer: observer, rules: rules, prepared, self,
            instanceCount: device.instances.count,
            segment: 0, device: device.kind, stacks: device.stacks, zone: device.zone,
            usual: device.usualWaking,
            weights: prepared.plan.parameters.accrual == .byViews ? device.viewsByHour : .even,
            streams: streams, hasPasscode: device.hasPasscode, countsPerson: true)
        simulation.apps.begin(signedIn: device.signedIn.reduce(0) { $0 | 1 << UInt16($1) })
        simulation.display.hidesLockScreen = device.hidesLockScreen
        simulation.display.hidesAlwaysOn = device.hidesAlwaysOn
        simulation.condition.setBackgroundRefresh(device.backgroundRefresh)
        return simulation
    }

    func identified<Rules>(_ simulation: DeviceSimulation<ObservedWorld, Rules>, replay person: Int) -> ObservedDevice {
        let device = prepared.plan.replay[person]
        return ObservedDevice(
            device: device.id, instances: device.instances.map(\.placement.id), notes: simulation.observer.notes)
    }
}
