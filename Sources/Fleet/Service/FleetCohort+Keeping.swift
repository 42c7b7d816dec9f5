import Measures
import RefreshService
import SimulatedTime

/// Cohorts between two windows, written down and read back.
///
/// The written state is in the order of people and knows no cohorts: it can be read back into any number of them.
extension FleetCohort {
    /// Whether the cohort's devices can be written down: those that rest as differences from one another.
    public var canBeKept: Bool { devices is RestingDevices }

    /// Writes down what has come of a fleet since its devices began, or reads it back into new cohorts. Between two windows only; the load curve is
    /// complete then but for what the caller holds.
    ///
    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - cohort: the index of the cohort that a person is in.
    ///   - from: no request arrives before.
    ///   - border: no device acts by itself before.
    public static func code(_ cohorts: [FleetCohort], people: Int, cohort: (_ person: Int) -> Int, requestsFrom from: Instant, wakesFrom border: Instant, _ stream: StateStream)
        throws(StateProblem)
    {
        precondition(cohorts.allSatisfy { $0.canBeKept && $0.dueWakes.isEmpty }, "cohorts that cannot be written down")
        try codeMeasures(cohorts, stream)
        try codeQueue(stream.isReading ? [] : cohorts.map(\.requests), stream) { (request: ServiceRequest) in
            guard Int(request.person) < people, Int(request.slot) < cohorts[0].slots, request.arrival >= from, request.arrival <= .start + .longest else { return false }
            cohorts[cohort(Int(request.person))].requests.add(request)
            return true
        }
        try codeQueue(stream.isReading ? [] : cohorts.map(\.wakes), stream) { (wake: Wake) in
            guard Int(wake.person) < people, Int(wake.slot) < cohorts[0].slots, wake.dueAt >= border, wake.dueAt <= .start + .longest else { return false }
            cohorts[cohort(Int(wake.person))].wakes.add(wake)
            return true
        }
        for person in 0..<people {
            let its = cohorts[cohort(person)]
            for slot in 0..<its.slots { try its.code(its.address(person, slot), stream) }
        }
        if stream.isReading { for cohort in cohorts { try cohort.checkQueues() } }
    }

    /// Whether an answer is for a device that rests and an instance that it has.
    public func canTake(_ answer: ServiceAnswer) -> Bool {
        answer.instance != ServiceRequest.noInstance && hasInstance(person: Int(answer.person), slot: Int(answer.slot), answer.instance)
    }

    /// Whether somebody's device has an instance of a number, or the number of none.
    public func hasInstance(person: Int, slot: Int, _ instance: UInt16) -> Bool {
        guard person < people, slot < slots else { return false }
        let index = address(person, slot).index
        // A device whose life is over takes no answer.
        return instance == ServiceRequest.noInstance || standings[index].isOver || !readInstances.isEmpty && Int(instance) < readInstances[index]
    }

    /// Looks at what is due after all has been read: for devices that there are, at instants that they know of.
    private func checkQueues() throws(StateProblem) {
        let plan = prepared.plan
        var isRight = true
        requests.forEach { request in
            let isKnown =
                hasInstance(person: Int(request.person), slot: Int(request.slot), request.instance) && Int(request.endpoint) < plan.endpoints.count
                && Int(request.region) < plan.regions.count && Int(request.cause) < LoadCurve.causes(withFetches: plan.hasFetches) && request.attempt > 0
            if !isKnown { isRight = false }
        }
        if !isRight { throw StateProblem("a request of no instance, or to no endpoint") }
        var woken: Set<Int> = []
        wakes.forEach { wake in
            let index = address(Int(wake.person), Int(wake.slot)).index
            if standings[index].wakeAt == wake.dueAt { woken.insert(index) }
        }
        for index in 0..<standings.count where standings[index].actsAt != .never && !woken.contains(index) {
            throw StateProblem("a device that wants to be touched, and never is")
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
        try stream.require((0...1 << 20).contains(lists), "\(lists) lists of what is due")
        while lists > 0 {
            lists -= 1
            var entries: [Entry] = []
            try stream.code(&entries, limits: Entry.byteLimits)
            for entry in entries where !take(entry) { throw StateProblem("something is due for a device that nobody has") }
        }
    }

    /// Adds what is still on its way to the shared curve.
    public func flush() { worker.finish() }

    private func code(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) {
        // How soon it reacts is not written down: it may at once.
        var wakeAt = standings[device.index].wakeAt
        try stream.code(&wakeAt)
        if stream.isReading { standings[device.index] = Standing(wakeAt: wakeAt) }
        if wakeAt == .never { return }
        guard let resting = devices as? RestingDevices else { preconditionFailure("devices that are kept whole are written down") }
        if !stream.isReading { return try resting.write(device, stream) }
        let (nextAt, instances) = try resting.read(device, stream)
        guard wakeAt == (nextAt < prepared.plan.end ? nextAt : .longAgo) else {
            throw StateProblem("a device that wants to be touched at another instant than its clocks say")
        }
        if readInstances.isEmpty { readInstances = Array(repeating: 0, count: standings.count) }
        readInstances[device.index] = instances
    }
}
