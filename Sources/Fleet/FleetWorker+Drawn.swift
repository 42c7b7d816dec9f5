import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// People who are drawn: their devices, the instances on them, and how these start warm (D1, T4).
extension FleetWorker {
    func liveDrawn<Observer: LifeObserver>(person: Int, observer: () -> Observer) -> [ObservedDevice<Observer>] {
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
                let passcode = RandomStream(seed: prepared.plan.seed, person: traits.number, slot: UInt8(slot), purpose: .passcode).value(
                    at: 0)
                var life = DeviceLife(
                    world: world, observer: observer(), prepared, self, instanceCount: count, segment: traits.segment, zone: traits.zone,
                    usual: usual, weights: .even, person: traits.number, slot: UInt8(slot),
                    hasPasscode: habits.pointee.pickups.passcode.holds(passcode), countsPerson: !hasDevice)
                life.live()
                hasDevice = true
                if Observer.isWatching {
                    observed.append(
                        ObservedDevice(
                            device: device.kind.name, instances: placementNames(count, device.placements), observer: life.observer))
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
        for index in device.plan.placements.indices {
            let placement = device.plan.placements[index]
            let isPresent = device.present[index].holds(draw(.instancePresence, sub: index))
            let installedAt =
                isPresent
                ? Instant.start
                : habits.pointee.arrival(
                    after: .start, ratePerDay: Placement.rate(ofShare: placement.addedPerDay), draw(.instanceAddition, sub: index))
            guard installedAt < prepared.plan.end else { continue }
            let kind = prepared.kinds[placement.kind]
            let chosenKey = device.chosenKey(placement: index, draw(.instanceChoice, sub: index))
            (instances + count).initialize(
                to: InstanceState(
                    placement, index: index, placed: count, segment: traits.segment, chosenKey: chosenKey,
                    mode: traits.mode(ofApp: kind.app),
                    isReduced: traits.hasReducedAccuracy(app: kind.app), installedAt: installedAt, openingBalance: nil, prepared, self,
                    person: traits.number, slot: UInt8(slot)))
            if isPresent {
                warmUp(
                    instances + count, traits, shown: habits.pointee, draw(.historyViews, sub: index),
                    age: draw(.warmContentAge, sub: index))
            }
            if device.choiceCount(placement: index) > 1 {
                instances[count].editAt = habits.pointee.arrival(
                    after: installedAt, ratePerDay: placement.editsPerYear / 365.25, draw(.configurationEdit, sub: index))
            }
            count += 1
        }
        return count
    }

    /// A run starts warm (T4): the instance has been viewed for as many days as the window looks back, and shows content of a drawn age.
    ///
    /// Assumption: the history is the person's expected views a day, each day the same but for its rounding.
    private func warmUp(
        _ instance: UnsafeMutablePointer<InstanceState>, _ traits: PersonTraits, shown habits: PreparedSegment, _ rounding: UInt64,
        age: UInt64
    ) {
        let unlocks = traits.unlocksPerDay
        let views: Double
        switch instance.pointee.surface {
        case .lockScreen: views = unlocks * (1 + habits.pickups.glancesPerUnlock)
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
        case .atEnd:
            if case .series(let count, let spacing) = kind.shape { interval = max(interval, (spacing * Int64(count - 1)).inSeconds) }
        case .aligned: break
        case .never: interval = max(interval, 86_400)
        }
        instance.pointee.initialFetched = Instant.start - Journey.duration(interval * RandomStream.uniform(age))
        instance.pointee.initialPlace =
            instance.pointee.followsPerson
            ? DrawnWorld.place(traits.home, cell: prepared.plan.parameters.contentCell) : 0
    }

    private func placementNames(_ count: Int, _ placements: [Placement]) -> [String] {
        (0..<count).map { placements[instances[$0].placement].id }
    }
}
