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
    ///   - part: whose devices are written, or were.
    ///   - cohort: the index of the cohort that a person is in; nil for a person of another rank, whose devices are passed over.
    ///   - countsMeasures: whether measures that are read are added here; otherwise they are passed over.
    ///   - arrived: requests that are out of their queues, and that the service has not taken.
    ///   - from: no request arrives before.
    ///   - border: no device acts by itself before.
    public static func code(
        _ cohorts: [FleetCohort], people: Int, part: RankShare, cohort: (_ person: Int) -> Int?, countsMeasures: Bool, arrived: [ServiceRequest],
        requestsFrom from: Instant, wakesFrom border: Instant, _ stream: StateStream
    ) throws(StateProblem) {
        precondition(cohorts.allSatisfy(\.canBeKept), "cohorts that cannot be written down")
        try codeMeasures(cohorts, isCounted: countsMeasures, stream)
        let sent = cohorts.flatMap(\.lateRequests) + arrived
        try codeQueue(stream.isReading ? [] : cohorts.map(\.requests), sent, stream) { (request: ServiceRequest) in
            guard Int(request.person) < people, part.holds(Int(request.person)), Int(request.slot) < cohorts[0].slots, request.arrival >= from,
                request.arrival <= .start + .longest
            else { return false }
            if let place = cohort(Int(request.person)) { cohorts[place].requests.add(request) }
            return true
        }
        try codeQueue(stream.isReading ? [] : cohorts.map(\.wakes), cohorts.flatMap(\.dueWakes), stream) { (wake: Wake) in
            guard Int(wake.person) < people, part.holds(Int(wake.person)), Int(wake.slot) < cohorts[0].slots, wake.dueAt >= border,
                wake.dueAt <= .start + .longest
            else { return false }
            if let place = cohort(Int(wake.person)) { cohorts[place].wakes.add(wake) }
            return true
        }
        for range in part.blocks(of: people, thread: 0, of: 1) {
            for person in range {
                if let place = cohort(person) {
                    for slot in 0..<cohorts[place].slots { try cohorts[place].code(cohorts[place].address(person, slot), stream) }
                } else {
                    for _ in 0..<cohorts[0].slots { try pass(stream) }
                }
            }
        }
    }

    /// Looks at what was read, once all parts are: at what is due, for devices that there are, at instants that they know of.
    public static func check(_ cohorts: [FleetCohort]) throws(StateProblem) { for cohort in cohorts { try cohort.checkQueues() } }

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

    private static func codeMeasures(_ cohorts: [FleetCohort], isCounted: Bool, _ stream: StateStream) throws(StateProblem) {
        if stream.isReading { return try (isCounted ? cohorts[0].measures : RunMeasures(layout: cohorts[0].measures.layout)).code(stream) }
        let all = RunMeasures(layout: cohorts[0].measures.layout)
        for cohort in cohorts { all.merge(cohort.measures) }
        try all.code(stream)
    }

    /// Writes queues list by list, so that nothing large is in memory twice, or hands over every entry that was written.
    ///
    /// - Parameters:
    ///   - others: entries that are in no queue.
    ///   - take: takes an entry; false if it is none of the fleet's.
    private static func codeQueue<Entry: Timed>(_ queues: [InstantQueue<Entry>], _ others: [Entry], _ stream: StateStream, take: (Entry) -> Bool)
        throws(StateProblem)
    {
        var lists = queues.count * InstantQueue<Entry>.lists + 1
        try stream.code(&lists)
        if !stream.isReading {
            var others = others
            try stream.code(&others)
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

    /// Passes over a device of another rank.
    private static func pass(_ stream: StateStream) throws(StateProblem) {
        var wakeAt = Instant.never
        try stream.code(&wakeAt)
        if wakeAt == .never { return }
        var count: UInt32 = 0
        try stream.code(&count)
        try stream.skip(Int(count))
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
