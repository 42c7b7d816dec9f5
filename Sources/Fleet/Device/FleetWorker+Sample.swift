import Basics
import People

/// Parts of simulations, from which the size of a run is estimated.
extension FleetWorker {
    /// Simulates a person's devices from the start for a while only, and counts them: to an instant, or each until
    /// about so many events have happened.
    ///
    /// - Returns: how far the device came that came least far.
    package func simulate(person: Int, until last: Instant, events most: Int64 = .max) -> Instant {
        var least = last
        if !prepared.plan.replay.isEmpty {
            let steps = ReplayWorld.steps(of: prepared.plan.replay[person])
            let unobserved = NoteKeeper(isWatching: false)
            steps.withUnsafeBufferPointer { steps in
                switch prepared.plan.replay[person].rules {
                case .widgetKit:
                    var simulation = begin(replay: person, WidgetKitRules(), steps, observer: unobserved)
                    least = simulation.run(until: last, events: most)
                case .android:
                    var simulation = begin(replay: person, AndroidRules(), steps, observer: unobserved)
                    least = simulation.run(until: last, events: most)
                case .tiles:
                    var simulation = begin(replay: person, TileRules(), steps, observer: unobserved)
                    least = simulation.run(until: last, events: most)
                }
            }
            return least
        }
        for (owner, isFirst) in countedDevices(ofDrawn: person) {
            switch prepared.rules(of: owner) {
            case .widgetKit:
                var simulation: DeviceSimulation<DrawnWorld, _> = begin(
                    owner, WidgetKitRules(), observer: Unobserved(), isFirst: isFirst)
                least = min(least, simulation.run(until: last, events: most))
            case .android:
                var simulation: DeviceSimulation<DrawnWorld, _> = begin(
                    owner, AndroidRules(owner), observer: Unobserved(), isFirst: isFirst)
                least = min(least, simulation.run(until: last, events: most))
            case .tiles:
                var simulation: DeviceSimulation<DrawnWorld, _> = begin(
                    owner, TileRules(), observer: Unobserved(), isFirst: isFirst)
                least = min(least, simulation.run(until: last, events: most))
            }
        }
        return least
    }
}

extension PreparedPlan {
    /// The segment of a drawn person.
    package func segment(ofPerson number: Int) -> Int { population.segment(ofPerson: UInt64(number)) }
}
