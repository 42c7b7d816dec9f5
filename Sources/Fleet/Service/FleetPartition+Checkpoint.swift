import Basics
import DeviceStorage
import RefreshService
import Statistics

/// Partitions between two windows, written down and read back.
///
/// The written state is in the order of people and knows no partitions: it can be read back into any number of them.
extension FleetPartition {
    /// Whether the partition's devices can be written down: those that are suspended as differences from one another.
    public var canBeKept: Bool { devices is SuspendedDevices }

    /// Writes down what has come of a fleet since its devices began, or reads it back into new partitions. Between two
    /// windows only; the load curve is complete then but for what the caller holds.
    ///
    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - part: whose devices are written, or were: the blocks of people, and who of them.
    ///   - partition: the index of the partition that a person is in; nil for a person of another rank, whose devices
    ///     are passed over.
    ///   - countsMeasures: whether measures that are read are added here; otherwise they are passed over.
    ///   - sent: requests on their way to the edge.
    ///   - arrived: requests that are out of their queues, and that the service has not taken.
    ///   - from: no request arrives before.
    ///   - boundary: no device acts by itself before.
    package static func code(
        _ partitions: [FleetPartition], people: Int, part: (blocks: RankShare, owns: (_ person: Int) -> Bool),
        partition: (_ person: Int) -> Int?,
        countsMeasures: Bool,
        _ sent: NetworkQueue, arrived: [ServiceRequest], requestsFrom from: Instant, wakesFrom boundary: Instant,
        _ stream: StateStream
    ) throws(StateProblem) {
        precondition(partitions.allSatisfy(\.canBeKept), "partitions that cannot be written down")
        try codeMeasures(partitions, isCounted: countsMeasures, stream)
        try codeQueue(sent, arrived, stream) { request in
            Int(request.person) < people && part.owns(Int(request.person))
                && Int(request.slot) < partitions[0].slots
                && request.arrival >= from
                && request.arrival <= .start + .longest
        } isOwn: {
            partition(Int($0.person)) != nil
        }
        for range in part.blocks.blocks(of: people, thread: 0, of: 1) {
            for person in range where part.owns(person) {
                if let place = partition(person) {
                    for slot in 0..<partitions[place].slots {
                        try partitions[place].code(
                            partitions[place].address(person, slot), wakesFrom: boundary, stream)
                    }
                } else {
                    for _ in 0..<partitions[0].slots { try pass(stream) }
                }
            }
        }
    }

    /// Looks at what was read, once all parts are: at requests on their way, of devices that there are.
    package static func check(_ partitions: [FleetPartition], partition: (_ person: Int) -> Int?, _ sent: NetworkQueue)
        throws(StateProblem)
    {
        let plan = partitions[0].prepared.plan
        var isRight = true
        sent.forEach { request in
            let person = Int(request.person)
            let isKnown =
                (partition(person).map {
                    partitions[$0].hasInstance(person: person, slot: Int(request.slot), request.instance)
                } ?? false)
                && Int(request.endpoint) < plan.endpoints.count
                && Int(request.region) < plan.regions.count
                && Int(request.cause) < LoadCurve.causes(with: plan.requestClasses) && request.attempt > 0
            if !isKnown { isRight = false }
        }
        if !isRight { throw StateProblem("a request of no instance, or to no endpoint") }
    }

    /// Whether an answer is for a suspended device and an instance that it has.
    public func canTake(_ answer: ServiceAnswer) -> Bool {
        answer.instance != ServiceRequest.noInstance
            && hasInstance(person: Int(answer.person), slot: Int(answer.slot), answer.instance)
    }

    /// Whether somebody's device has an instance of a number, or it is that of a fetch or of none.
    public func hasInstance(person: Int, slot: Int, _ instance: UInt16) -> Bool {
        guard person < people, slot < slots else { return false }
        let index = address(person, slot).index
        // A device whose simulation is over takes no answer.
        if instance == ServiceRequest.noInstance || pendingDevices[index].isOver { return true }
        if let fetch = ServiceRequest.fetch(ofInstance: instance) { return fetch < worker.prepared.plan.apps.count }
        return !readInstances.isEmpty && Int(instance) < readInstances[index]
    }

    private static func codeMeasures(_ partitions: [FleetPartition], isCounted: Bool, _ stream: StateStream)
        throws(StateProblem)
    {
        if stream.isReading {
            return try (isCounted ? partitions[0].measures : RunMeasures(layout: partitions[0].measures.layout)).code(
                stream)
        }
        let all = RunMeasures(layout: partitions[0].measures.layout)
        for partition in partitions { all.merge(partition.measures) }
        try all.code(stream)
    }

    /// Writes requests list by list, so that nothing large is in memory twice, or reads those that were written.
    ///
    /// - Parameters:
    ///   - others: requests that are in no queue.
    ///   - isPossible: whether a request is one of the fleet's.
    ///   - isOwn: whether it is of somebody here, and not of another rank.
    private static func codeQueue(
        _ queue: NetworkQueue, _ others: [ServiceRequest], _ stream: StateStream,
        where isPossible: (ServiceRequest) -> Bool,
        isOwn: (ServiceRequest) -> Bool
    ) throws(StateProblem) {
        var lists = NetworkQueue.lists + 1
        try stream.code(&lists)
        if !stream.isReading {
            var others = others
            try stream.code(&others)
            return try queue.forEachList { (list) throws(StateProblem) in try stream.code(&list) }
        }
        try stream.require((0...1 << 20).contains(lists), "\(lists) lists of what is due")
        while lists > 0 {
            lists -= 1
            var entries: [ServiceRequest] = []
            try stream.code(&entries, limits: ServiceRequest.byteLimits)
            for entry in entries {
                if !isPossible(entry) { throw StateProblem("something is due for a device that nobody has") }
                if isOwn(entry) { queue.add(entry) }
            }
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

    private func code(_ device: DeviceAddress, wakesFrom boundary: Instant, _ stream: StateStream)
        throws(StateProblem)
    {
        // How soon it reacts is not written down: it may at once.
        var wakeAt = pendingDevices[device.index].wakeAt
        try stream.code(&wakeAt)
        if stream.isReading {
            pendingDevices[device.index] = PendingDevice(wakeAt: wakeAt)
            try queueWake(of: device, notBefore: boundary)
        }
        if wakeAt == .never { return }
        guard let resting = devices as? SuspendedDevices else {
            preconditionFailure("devices that are kept whole are written down")
        }
        if !stream.isReading { return try resting.write(device, stream) }
        let (nextAt, instances) = try resting.read(device, stream)
        guard wakeAt == (nextAt < prepared.plan.end ? nextAt : .longAgo) else {
            throw StateProblem("a device that has to be resumed at another instant than its clocks say")
        }
        if readInstances.isEmpty { readInstances = Array(repeating: 0, count: pendingDevices.count) }
        readInstances[device.index] = instances
    }
}
