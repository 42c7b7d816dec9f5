import Measures
import RefreshService
import SimulatedTime

/// Cohorts between two windows, written down and read back.
///
/// What is written is in the order of people and knows no cohorts: it can be read back into any number of them.
extension FleetCohort {
    /// Whether the cohort's devices can be written down: those that are packed while they rest.
    public var canBeKept: Bool { devices is RestingDevices }

    /// Writes down what has come of a fleet since its devices began, or reads it back into new cohorts. Between two windows only; the load curve is
    /// complete then but for what the caller holds.
    ///
    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - cohort: the index of the cohort that a person is in.
    public static func code(_ cohorts: [FleetCohort], people: Int, cohort: (_ person: Int) -> Int, _ stream: StateStream)
        throws(StateProblem)
    {
        precondition(cohorts.allSatisfy { $0.canBeKept && $0.dueWakes.isEmpty }, "cohorts that cannot be written down")
        try codeMeasures(cohorts, stream)
        try codeQueue(stream.isReading ? [] : cohorts.map(\.requests), stream) { (request: ServiceRequest) in
            guard Int(request.person) < people, request.arrival >= .start else { return false }
            cohorts[cohort(Int(request.person))].requests.add(request)
            return true
        }
        try codeQueue(stream.isReading ? [] : cohorts.map(\.wakes), stream) { (wake: Wake) in
            guard Int(wake.person) < people, Int(wake.slot) < cohorts[0].slots, wake.dueAt >= .start else { return false }
            cohorts[cohort(Int(wake.person))].wakes.add(wake)
            return true
        }
        for person in 0..<people {
            let its = cohorts[cohort(person)]
            for slot in 0..<its.slots { try its.code(its.address(person, slot), stream) }
        }
    }

    private static func codeMeasures(_ cohorts: [FleetCohort], _ stream: StateStream) throws(StateProblem) {
        if stream.isReading { return try cohorts[0].measures.code(stream) }
        let all = RunMeasures(layout: cohorts[0].measures.layout)
        for cohort in cohorts { all.merge(cohort.measures) }
        try all.code(stream)
    }

    /// Writes queues list by list, so that nothing large is in memory twice, or hands over every entry that was written.
    ///
    /// - Parameter take: takes an entry; false if it is none of the fleet's.
    private static func codeQueue<Entry: Timed>(_ queues: [InstantQueue<Entry>], _ stream: StateStream, take: (Entry) -> Bool)
        throws(StateProblem)
    {
        var lists = queues.count * InstantQueue<Entry>.lists
        try stream.code(&lists)
        if !stream.isReading {
            for queue in queues { try queue.forEachList { (list) throws(StateProblem) in try stream.code(&list) } }
            return
        }
        while lists > 0 {
            lists -= 1
            var entries: [Entry] = []
            try stream.code(&entries)
            for entry in entries where !take(entry) { throw StateProblem("something is due for a device that nobody has") }
        }
    }

    /// Adds what is still on its way to the shared curve.
    public func flush() { worker.finish() }

    private func code(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) {
        try stream.code(&wakeAt[device.index])
        if wakeAt[device.index] == .never { return }
        guard let resting = devices as? RestingDevices else { preconditionFailure("devices that are not packed are written down") }
        try resting.code(device, stream)
    }
}
