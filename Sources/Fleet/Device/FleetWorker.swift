import Basics
import People
import RefreshService
import Statistics

/// Simulates people one after another, in memory of its own that it allocates once. One thread uses it.
///
/// A person's life is a pure function of the plan and their number; the worker only adds it to its measures.
public final class FleetWorker {
    public let measures: RunMeasures
    let prepared: PreparedPlan
    let load: LoadBuffer
    /// Counts of the warm-up, which nobody reads.
    let scratch: RunMeasures
    /// Where the device that is simulated now has its state.
    var memory: DeviceMemory
    /// Where requests go; nil if no service answers them.
    let outbox: RequestOutbox?
    /// Whether suspended devices tell when they may send something next: others wait for them.
    var looksAhead: Bool
    /// Sees the requests as they are counted; nil if nobody asks.
    let tap: ArrivalTap?
    /// Collects the reloads of a sample; nil for none.
    let sampler: ReloadSampler?

    public convenience init(_ prepared: PreparedPlan, load: LoadCurve, tap: ArrivalTap? = nil) {
        self.init(prepared, load: load, outbox: nil, tap: tap, looksAhead: false)
    }

    package convenience init(_ prepared: PreparedPlan, load: LoadCurve, sampler: ReloadSampler) {
        self.init(prepared, load: load, outbox: nil, tap: nil, sampler: sampler, looksAhead: false)
    }

    init(
        _ prepared: PreparedPlan, load: LoadCurve, outbox: RequestOutbox?, tap: ArrivalTap?,
        sampler: ReloadSampler? = nil, looksAhead: Bool
    ) {
        self.prepared = prepared
        self.load = LoadBuffer(for: load)
        let layout = prepared.layout
        measures = RunMeasures(layout: layout)
        scratch = RunMeasures(layout: layout)
        memory = DeviceMemory(for: prepared)
        self.outbox = outbox
        self.tap = tap
        self.sampler = sampler
        self.looksAhead = looksAhead
    }

    /// Adds what is still on its way to the shared curve; the worker is done.
    public func finish() { load.flush() }

    /// Simulates a person's devices and counts them.
    public func simulate(person: Int) {
        if prepared.plan.replay.isEmpty {
            _ = simulateDrawn(person: person, in: DrawnWorld.self) { Unobserved() }
        } else {
            _ = simulateReplay(person: person, observer: NoteKeeper(isWatching: false))
        }
        load.endPerson(group: SampleGroups.group(of: person))
    }

    /// Simulates a person's devices under observers, one a device; returns what these noted.
    public func observe(person: Int) -> [ObservedDevice] {
        defer { load.endPerson(group: SampleGroups.group(of: person)) }
        return prepared.plan.replay.isEmpty
            ? simulateDrawn(person: person, in: ObservedWorld.self) { NoteKeeper() }
            : simulateReplay(person: person, observer: NoteKeeper())
    }
}

/// The people of a drawn fleet, whatever their devices carry.
extension FleetWorker {
    /// The drawn traits of a person.
    public func profile(person: Int) -> PersonProfile { prepared.population.profile(person: person) }

    /// A person's record from the start of the run to its end, on their first device, in order of time.
    public func record(person: Int, _ note: (HabitEvent) -> Void) {
        prepared.population.record(person: person, cell: prepared.plan.parameters.contentCell, note)
    }
}

/// A device that was observed, and what its observer noted.
public struct ObservedDevice {
    public let device: String
    /// The instances' names, by their index in the notes.
    public let instances: [String]
    public let notes: [TraceRecord]
}
