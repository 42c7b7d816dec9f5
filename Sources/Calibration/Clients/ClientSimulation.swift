import Basics
import Fleet
import RefreshService
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Synchronization

/// Simulates logs of a scenario under settings of its parameters, and takes their moments.
///
/// A client is a device, and its requests are all that the scenario has it send. A service is left out: the origin
/// answers at once.
struct ClientSimulation: Sendable {
    let text: ScenarioText
    /// Overrides of the scenario itself, and those of the log's span.
    let overrides: [String]
    let moments: ClientMoments
    /// Times of the log are multiples of so many microseconds.
    let resolution: Int64
    let threads: Int

    /// A simulation that is asked for.
    struct Task: Sendable {
        var setting: ClientSetting
        var people: Int
        var seed: UInt64
        /// Whether each client's terms are kept, and each person's views.
        var keepsClients = false
    }

    struct Outcome: Sendable {
        var sums: MomentSums
        /// One a client; empty unless they are kept.
        var terms: [MomentSums] = []
        /// Views a day and instance, of each person who has an instance; empty unless terms are kept.
        var views: [Double] = []
    }

    /// The outcomes of some tasks in their order, whatever the threads.
    ///
    /// - Parameter progress: how many are done, about five times a second.
    /// - Throws: problems of a scenario under a setting, or of threads.
    func run(_ tasks: [Task], progress: (Int) -> Void = { _ in }) throws -> [Outcome] {
        let results = LockedValue([Result<Outcome, any Error>?](repeating: nil, count: tasks.count))
        let next = Atomic(0)
        let done = Atomic(0)
        try ThreadPool.work(max(1, min(threads, tasks.count))) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                if index >= tasks.count { return }
                let result = Result { try outcome(of: tasks[index]) }
                results.withLock { $0[index] = result }
                done.add(1, ordering: .relaxed)
            }
        } waiting: {
            progress(done.load(ordering: .relaxed))
        }
        return try results.withLock { try $0.map { try $0!.get() } }
    }

    private func outcome(of task: Task) throws -> Outcome {
        let scenario = try text.read(overrides: overrides + task.setting.overrides).scenario
        var plan = scenario.plan
        plan.seed = task.seed
        // Requests come before the report, too, in which more is counted than a fit asks for.
        if !task.keepsClients { plan.warmup = max(plan.warmup, plan.end - .start - .hours(1)) }
        let prepared = try PreparedPlan(plan)
        let load = LoadCurve(endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: 0)
        var clients: [UInt8: [Int64]] = [:]
        let (begin, step) = (plan.begin, resolution)
        let tap = ArrivalTap(from: begin, to: plan.end) { arrival in
            let time = (arrival.at - begin).microseconds
            clients[arrival.slot, default: []].append(time / step * step)
        }
        let worker = FleetWorker(prepared, load: load, tap: tap)
        var outcome = Outcome(sums: MomentSums(moments))
        var counted = (views: Int64(0), instances: Int64(0))
        for person in 0..<task.people {
            clients.removeAll(keepingCapacity: true)
            worker.simulate(person: person)
            for slot in clients.keys.sorted() {
                clients[slot]!.sort()
                clients[slot]!.withUnsafeBufferPointer { times in
                    if task.keepsClients {
                        var term = MomentSums(moments)
                        moments.add(times, to: &term)
                        outcome.sums.add(term)
                        outcome.terms.append(term)
                    } else {
                        moments.add(times, to: &outcome.sums)
                    }
                }
            }
            if task.keepsClients {
                let all = Self.views(worker.measures)
                let own = all.instances - counted.instances
                if own > 0 {
                    outcome.views.append(Double(all.views - counted.views) / Double(own) / Double(moments.days))
                }
                counted = all
            }
        }
        worker.finish()
        return outcome
    }

    /// The views and instances of everybody so far.
    private static func views(_ measures: RunMeasures) -> (views: Int64, instances: Int64) {
        let layout = measures.layout
        var (views, instances) = (Int64(0), Int64(0))
        for stratum in layout.strata.indices {
            instances += BlockSum(measures, at: layout.place(ofStratum: stratum))[.instances]
            for mode in CountedMode.allCases {
                for surface in layout.surfaces(ofStratum: stratum) {
                    let place = layout.viewPlace(ofStratum: stratum, mode: mode, surface: surface)
                    views += BlockSum(measures, at: place).sum(.views.all)
                }
            }
        }
        return (views, instances)
    }
}
