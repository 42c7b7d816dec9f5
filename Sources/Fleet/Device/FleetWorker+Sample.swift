import Basics
import People

/// Parts of simulations, from which the size of a run is estimated.
extension FleetWorker {
    /// Simulates a person's devices from the start for a while only, and counts them: to an instant, or each until
    /// about so many events have happened.
    ///
    /// - Parameter bound: no device has many more events than this.
    /// - Returns: how far the device came that came least far, and the events of all.
    package func simulate(person: Int, until last: Instant, events most: Int64 = .max, atMost bound: Int64)
        -> (until: Instant, events: Int64)
    {
        if !prepared.plan.replay.isEmpty {
            let steps = ReplayWorld.steps(of: prepared.plan.replay[person])
            return steps.withUnsafeBufferPointer { steps in
                func run<Rules: DevicePlatform>(_ rules: Rules) -> (until: Instant, events: Int64) {
                    var simulation = begin(replay: person, rules, steps, observer: NoteKeeper(isWatching: false))
                    return simulation.run(until: last, events: most, atMost: bound)
                }
                return switch prepared.plan.replay[person].rules {
                case .widgetKit: run(WidgetKitRules())
                case .android: run(AndroidRules())
                case .tiles: run(TileRules())
                }
            }
        }
        return countedDevices(ofDrawn: person).reduce((last, 0)) { all, device in
            let (owner, isFirst) = device
            func run<Rules: DevicePlatform>(_ rules: Rules) -> (until: Instant, events: Int64) {
                var simulation: DeviceSimulation<DrawnWorld, _> = begin(
                    owner, rules, observer: Unobserved(), isFirst: isFirst)
                return simulation.run(until: last, events: most, atMost: bound)
            }
            let one =
                switch prepared.rules(of: owner) {
                case .widgetKit: run(WidgetKitRules())
                case .android: run(AndroidRules(owner))
                case .tiles: run(TileRules())
                }
            return (min(all.until, one.until), all.events + one.events)
        }
    }
}

extension PreparedPlan {
    /// The segment of a drawn person.
    package func segment(ofPerson number: Int) -> Int { population.segment(ofPerson: UInt64(number)) }
}
