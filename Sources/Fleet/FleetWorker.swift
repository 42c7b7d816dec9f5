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
    let hours: UnsafeMutablePointer<Int128>
    let lastWidgetView: UnsafeMutablePointer<Instant>
    let rhythms: UnsafeMutablePointer<Instant>

    public init(_ prepared: PreparedPlan, load: LoadCurve) {
        self.prepared = prepared
        self.load = LoadBuffer(for: load)
        let layout = MeasureLayout(
            segments: prepared.plan.segments.count, kinds: prepared.plan.kinds.count,
            hasForecasts: prepared.plan.kinds.contains { $0.forecast != nil })
        measures = RunMeasures(layout: layout)
        scratch = RunMeasures(layout: layout)
        let mostInstances = prepared.mostInstances
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
}

/// A device that was observed, and what its observer holds.
public struct ObservedDevice<Observer: LifeObserver> {
    public let device: String
    /// The instances' names, by their index in the notes.
    public let instances: [String]
    public let observer: Observer
}
