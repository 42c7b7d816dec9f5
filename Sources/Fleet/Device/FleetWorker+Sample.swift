import Basics
import People

/// Parts of simulations, from which the size of a run is estimated.
extension FleetWorker {
    /// Simulates a person's devices from the start for a while only, and counts them: to an instant, or each until
    /// about so many events have happened.
    ///
    /// - Returns: how far the device came that came least far.
    package func simulate(person: Int, until last: Instant, events most: Int64 = .max) -> Instant {
        if !prepared.plan.replay.isEmpty {
            let steps = ReplayWorld.steps(of: prepared.plan.replay[person])
            return steps.withUnsafeBufferPointer { steps in
                func run<Rules: DevicePlatform>(_ rules: Rules) -> Instant {
                    var simulation = begin(replay: person, rules, steps, observer: NoteKeeper(isWatching: false))
                    return simulation.run(until: last, events: most)
                }
                return switch prepared.plan.replay[person].rules {
                case .widgetKit: run(WidgetKitRules())
                case .android: run(AndroidRules())
                case .tiles: run(TileRules())
                }
            }
        }
        return countedDevices(ofDrawn: person).reduce(last) { least, device in
            let (owner, isFirst) = device
            func run<Rules: DevicePlatform>(_ rules: Rules) -> Instant {
                var simulation: DeviceSimulation<DrawnWorld, _> = begin(
                    owner, rules, observer: Unobserved(), isFirst: isFirst)
                return simulation.run(until: last, events: most)
            }
            return switch prepared.rules(of: owner) {
            case .widgetKit: min(least, run(WidgetKitRules()))
            case .android: min(least, run(AndroidRules(owner)))
            case .tiles: min(least, run(TileRules()))
            }
        }
    }
}

extension PreparedPlan {
    /// The segment of a drawn person.
    package func segment(ofPerson number: Int) -> Int { population.segment(ofPerson: UInt64(number)) }
}
