import Fleet
import Foundation
import Measures
import SimulatedTime
import Stochastics
import Synchronization

/// A scenario's run: the only place with threads.
///
/// People are handed out in small runs of numbers to threads that each add to measures of their own; the load curve is one for all. Every
/// measure adds, so the result is the same for any number of threads.
public final class ScenarioRun: Sendable {
    public let scenario: Scenario
    private let prepared: PreparedPlan

    /// Prepares the tables of a scenario. A problem names a distribution that cannot be drawn from.
    public init(_ scenario: Scenario) throws(DistributionProblem) {
        self.scenario = scenario
        prepared = try PreparedPlan(scenario.plan)
    }

    /// The hash of the distribution tables, 16 hex digits.
    public var tablesHash: String {
        let digits = String(prepared.tables.fingerprint, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// What the scenario asks of its people and cannot have, as sentences.
    public var shortfalls: [String] { prepared.shortfalls }

    /// How many people a thread takes at a time.
    private static let batch = 64

    /// Simulates all people.
    ///
    /// - Parameters:
    ///   - threads: 1 or more.
    ///   - cancelled: asked between batches, on any thread; once it is true, the run ends without a result.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: nil if the run was cancelled.
    public func run(
        threads: Int, cancelled: @escaping @Sendable () -> Bool = { false },
        progress: (_ peopleDone: Int, _ people: Int) -> Void = { _, _ in }
    ) -> RunResult? {
        precondition(threads >= 1, "\(threads) threads")
        let people = scenario.people
        let load = emptyLoadCurve()
        let handedOut = Counter()
        let done = Counter()
        let running = DispatchSemaphore(value: 0)
        let total = Mutex<RunMeasures?>(nil)
        for _ in 0..<threads {
            let thread = Thread { [prepared] in
                let worker = FleetWorker(prepared, load: load)
                while !cancelled() {
                    let first = handedOut.add(Self.batch)
                    if first >= people { break }
                    let last = min(first + Self.batch, people)
                    for person in first..<last { worker.live(person: person) }
                    _ = done.add(last - first)
                }
                worker.finish()
                total.withLock { sum in
                    if let sum { sum.merge(worker.measures) } else { sum = worker.measures }
                }
                running.signal()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        for _ in 0..<threads {
            while running.wait(timeout: .now() + .milliseconds(200)) == .timedOut { progress(done.value, people) }
        }
        guard done.value == people, let measures = total.withLock({ $0 }) else { return nil }
        progress(people, people)
        return RunResult(scenario: scenario, measures: measures, load: load, tablesHash: tablesHash)
    }

    /// The life of one person as rows, and what the run counts for them.
    public func trace(person: Int) -> (rows: [TraceRow], measures: RunResult) {
        precondition((0..<scenario.people).contains(person), "person \(person) of \(scenario.people)")
        let load = emptyLoadCurve()
        let worker = FleetWorker(prepared, load: load)
        let devices = worker.live(person: person) { NoteKeeper() }
        worker.finish()
        let names = PlaceNames(scenario.plan, prepared)
        var rows: [TraceRow] = []
        for device in devices {
            for note in device.observer.notes {
                rows.append(TraceRow(note, person: person, device: device.device, instances: device.instances, names))
            }
        }
        // The rows of one device are in order already; those of several are interleaved by time, each device's order kept.
        let ordered = rows.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        return (ordered, RunResult(scenario: scenario, measures: worker.measures, load: load, tablesHash: tablesHash))
    }

    /// A worker that tells who people are and what they do, without widgets.
    public func recorder() -> FleetWorker { FleetWorker(prepared, load: emptyLoadCurve()) }

    private func emptyLoadCurve() -> LoadCurve {
        let minute: Int64 = 60_000_000
        let minutes = Int((scenario.reportedSpan.microseconds + minute - 1) / minute)
        return LoadCurve(endpoints: scenario.plan.endpoints.count, regions: scenario.plan.regions.count, minutes: minutes)
    }
}

/// A count that threads share.
private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// Adds and returns the count before.
    func add(_ amount: Int) -> Int { count.add(amount, ordering: .relaxed).oldValue }
    var value: Int { count.load(ordering: .relaxed) }
}
