import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// Simulates people one after another, in memory of its own that it allocates once. One thread uses it.
///
/// A person's life is a pure function of the plan and their number; the worker only adds it to its measures.
public final class FleetWorker {
    public let measures: RunMeasures
    let prepared: PreparedPlan
    let load: LoadBuffer
    /// Counts of the warm-up, which nobody reads.
    let scratch: RunMeasures
    let instances: UnsafeMutablePointer<InstanceState>
    let briefs: UnsafeMutablePointer<InstanceBrief>
    /// Room for the indices of the instances with something to do at an instant.
    let active: UnsafeMutablePointer<Int>
    let hours: UnsafeMutablePointer<Int128>
    let lastWidgetView: UnsafeMutablePointer<Instant>
    let kindStates: UnsafeMutablePointer<KindState>
    let stacks: UnsafeMutablePointer<StackState>
    let campaigns: UnsafeMutablePointer<CampaignState>

    public init(_ prepared: PreparedPlan, load: LoadCurve) {
        self.prepared = prepared
        self.load = LoadBuffer(for: load)
        let layout = prepared.layout
        measures = RunMeasures(layout: layout)
        scratch = RunMeasures(layout: layout)
        let mostInstances = prepared.mostInstances
        instances = .allocate(capacity: mostInstances)
        briefs = .allocate(capacity: mostInstances)
        active = .allocate(capacity: mostInstances)
        // Each instance has room for two accounts: its own, and one for pushed reloads.
        hours = .allocate(capacity: 2 * mostInstances * HourLedger.cellCount)
        lastWidgetView = .allocate(capacity: max(1, prepared.plan.apps.count))
        kindStates = .allocate(capacity: max(1, prepared.plan.kinds.count))
        stacks = .allocate(capacity: StackPlan.most)
        campaigns = .allocate(capacity: PushCampaign.most)
    }

    deinit {
        instances.deallocate()
        briefs.deallocate()
        active.deallocate()
        hours.deallocate()
        lastWidgetView.deallocate()
        kindStates.deallocate()
        stacks.deallocate()
        campaigns.deallocate()
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
}

/// A device that was observed, and what its observer holds.
public struct ObservedDevice<Observer: LifeObserver> {
    public let device: String
    /// The instances' names, by their index in the notes.
    public let instances: [String]
    public let observer: Observer
}
