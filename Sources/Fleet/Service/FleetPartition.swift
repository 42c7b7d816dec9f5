import Basics
import DeviceStorage
import People
import RefreshService
import Statistics

/// Some people of a fleet whose requests a refresh service answers (S5): their devices, and what is known of those that
/// are suspended.
///
/// A device runs ahead by itself up to its next request, and on to the earliest instant at which an answer could come.
/// Then it is suspended until the service has decided something for it: it is resumed about once a request.
///
/// One thread at a time simulates its devices. Meanwhile another may ask for pending-device records, hold answers and
/// note arrivals: it looks at no device that is in the round of answers being delivered (`AnswerRounds`).
public final class FleetPartition {
    /// Which people are in a partition.
    public enum Share: Sendable {
        /// Those whom one of a rank's threads simulates: everybody of its blocks, or the local people of the rank's
        /// regions.
        case thread(Int, of: Int, in: RankShare, localPeople: LocalPeople? = nil)
        case one(person: Int)
    }

    public var measures: RunMeasures { worker.measures }
    let worker: FleetWorker
    /// For the people's Live Activities; nil for none.
    private let activities: ActivityWorker?
    private let outbox = RequestOutbox()
    private let share: Share
    /// How many shares in blocks there are; 0 for one person alone.
    private let blocks: Int
    /// Nil if everybody of the blocks is in the partition.
    private let localPeople: LocalPeople?
    package let slots: Int
    let people: Int
    let devices: any PartitionDevices
    /// Wakes of devices that no request tells of when it arrives, to be collected.
    private var ownWakes: [DeviceWakeUp] = []
    let pendingDevices: PendingDeviceTable
    private let mostReaction: Duration
    /// Whether people of other partitions are on other ranks.
    private let isOfSeveralRanks: Bool
    /// Devices that wait for a decision about a request that has arrived and react sooner than others, with how soon;
    /// only those of a run on several ranks.
    private var quickReactions: [Int: Duration] = [:]
    /// The Live Activities of the observed person, with their notes.
    private var observedActivities: [ObservedDevice] = []
    /// How many instances each device has, of a partition that was read back; empty otherwise.
    var readInstances: [Int] = []
    var prepared: PreparedPlan { worker.prepared }

    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - share: one person's devices are under observation, and `observed` has what their observers hold after the
    ///     run.
    ///   - keepsWhole: whether drawn devices are kept whole, and not as differences from one another.
    ///   - tap: sees the requests of these devices; nil if nobody asks.
    public init(
        _ prepared: PreparedPlan, load: LoadCurve, people: Int, share: Share, keepsWhole: Bool = false,
        tap: ArrivalTap? = nil
    ) {
        let (blocks, isObserved): (Int, Bool)
        switch share {
        case .thread(_, let threads, let rank, let its):
            (blocks, localPeople, isOfSeveralRanks, isObserved) = (rank.ranks * threads, its, rank.ranks > 1, false)
        case .one: (blocks, localPeople, isOfSeveralRanks, isObserved) = (0, nil, false, true)
        }
        let (worker, slots) = (
            FleetWorker(prepared, load: load, outbox: outbox, tap: tap, looksAhead: isOfSeveralRanks),
            prepared.mostDevices
        )
        (self.worker, self.slots, self.share, self.blocks, self.people) = (worker, slots, share, blocks, people)
        activities = ActivityWorker(beside: worker)
        mostReaction = prepared.mostReaction
        let count = Self.places(share, people: people) * slots
        pendingDevices = PendingDeviceTable(count: count)
        let address: (Int, Int) -> Int = { [localPeople] person, slot in
            Self.place(of: person, blocks: blocks, localPeople) * slots + slot
        }
        devices =
            if !prepared.plan.replay.isEmpty {
                DevicesInMemory(recordedBy: worker, address: address, observer: NoteKeeper(isWatching: isObserved))
            } else if isObserved {
                DevicesInMemory(drawnBy: worker, in: ObservedWorld.self, address: address) { NoteKeeper() }
            } else if keepsWhole {
                DevicesInMemory(drawnBy: worker, in: DrawnWorld.self, address: address) { Unobserved() }
            } else {
                SuspendedDevices(worker, prepared, count: count, address: address)
            }
    }

    /// The devices of the observed person, with their notes.
    public var observed: [ObservedDevice] { observedDevices + observedActivities }

    private var observedDevices: [ObservedDevice] {
        guard case .one = share, let devices = devices as? DevicesInMemory else { return [] }
        return devices.devices.sorted { $0.key < $1.key }.map(\.value.observed)
    }

    private static func places(_ share: Share, people: Int) -> Int {
        guard case .thread(let thread, let threads, let rank, let localPeople) = share else { return 1 }
        if let localPeople { return max(1, localPeople.count(ofPartition: thread)) }
        let blocks = rank.ranks * threads
        return (people + RankShare.block * blocks - 1) / (RankShare.block * blocks) * RankShare.block
    }

    @inline(__always)
    private static func place(of person: Int, blocks count: Int, _ localPeople: LocalPeople?) -> Int {
        if let localPeople { return localPeople.place(of: person) }
        if count == 0 { return 0 }
        return Int(RankShare.deal(person, to: count).turn) * RankShare.block + person % RankShare.block
    }

    func address(_ person: Int, _ slot: Int) -> DeviceAddress {
        DeviceAddress(person: person, slot: slot, index: index(person, slot))
    }

    @inline(__always)
    private func index(_ person: Int, _ slot: Int) -> Int {
        Self.place(of: person, blocks: blocks, localPeople) * slots + slot
    }

    /// The most bytes that the states of suspended devices took, and how many devices were suspended then; nil if they
    /// are kept whole.
    public var largestSnapshots: (bytes: Int, devices: Int)? { (devices as? SuspendedDevices)?.store.most }
    /// The bytes that they take now, and how many devices are suspended; nil if they are kept whole.
    package var presentSnapshots: (bytes: Int, devices: Int)? { (devices as? SuspendedDevices)?.store.present }
}

// MARK: Devices

extension FleetPartition {
    /// Begins the simulation of a person's devices, each up to its first suspension.
    public func begin(person: Int) {
        devices.begin(person: person) { slot, suspension in plan(address(person, slot), suspension) }
        // They depend on nobody, so they are over at once.
        guard let activities else { return }
        if case .one = share {
            observedActivities = activities.observe(person: person)
        } else {
            activities.simulate(person: person)
        }
    }

    /// The service has decided something for devices of the partition: all that it has decided for any of them. Before
    /// `windowEnd` nothing else can reach them.
    public func deliver(_ answers: [ServiceAnswer], windowEnd: Instant) {
        // While not all are delivered, the earliest of them bounds what a device knows.
        let known = answers.reduce(windowEnd) { min($0, $1.at) }
        for place in answers.indices {
            expect(answers, after: place, .soon)
            expect(answers, after: place, .next)
            let answer = answers[place]
            let device = address(Int(answer.person), Int(answer.slot))
            // Its simulation is over already if the answer could not reach it before the end.
            if pendingDevices[device.index].isOver { continue }
            plan(device, devices.resume(device, answer: answer, windowEnd: known))
        }
    }

    @inline(__always) private func expect(_ answers: [ServiceAnswer], after place: Int, _ expectation: Expectation) {
        let later = place + expectation.rawValue
        if later >= answers.count { return }
        let index = index(of: answers[later])
        if expectation == .soon { pendingDevices.expect(index) }
        devices.expect(index: index, expectation)
    }

    /// Resumes devices that do something of their own before `windowEnd` though an answer is missing.
    package func resume(_ wakes: [DeviceWakeUp], windowEnd: Instant) {
        for wake in wakes {
            let device = address(Int(wake.person), Int(wake.slot))
            guard pendingDevices[device.index].wakeAt == wake.dueAt else { continue }
            plan(device, devices.resume(device, answer: nil, windowEnd: windowEnd))
        }
    }

    /// Brings all devices of one of several ranks to the end of a window, and plans when each does something next, and
    /// not when it may send something: so its state stands for itself, as that of one process does.
    ///
    /// - Parameter windowEnd: before which nothing else can reach them.
    package func advanceAll(to windowEnd: Instant) {
        guard isOfSeveralRanks else { return }
        worker.looksAhead = false
        defer { worker.looksAhead = true }
        forEachRunning { device in plan(device, devices.resume(device, answer: nil, windowEnd: windowEnd)) }
    }

    /// The run is over: devices that wait for an answer run to the end without it.
    public func finish(end: Instant) {
        forEachRunning { device in
            let suspension = devices.resume(device, answer: nil, windowEnd: end)
            precondition(suspension == nil, "a device that outlives the run")
            pendingDevices[device.index] = .over
        }
        // Their last requests arrive after the end.
        outbox.takeAll { _ in }
        ownWakes.removeAll()
        worker.finish()
    }

    private func forEachRunning(_ body: (DeviceAddress) -> Void) {
        for person in 0..<people where owns(person) {
            for slot in 0..<slots {
                let device = address(person, slot)
                if !pendingDevices[device.index].isOver { body(device) }
            }
        }
    }

    private func owns(_ person: Int) -> Bool {
        switch share {
        case .thread(let thread, let threads, let share, let localPeople):
            share.thread(of: person, among: threads) == thread && localPeople?.contains(person) ?? true
        case .one(let one): person == one
        }
    }

    /// A device is suspended: notes when it has to be resumed.
    private func plan(_ device: DeviceAddress, _ suspension: Suspension?) {
        if isOfSeveralRanks { notePlan(device, suspension) }
        guard let suspension else {
            pendingDevices[device.index] = .over
            return
        }
        let acts = suspension.nextAt < worker.prepared.plan.end
        pendingDevices[device.index] = PendingDevice(
            wakeAt: acts ? suspension.nextAt : .longAgo, reaction: suspension.reaction)
        // The request that it waits for tells of it when it arrives, which is earlier.
        if !acts || suspension.isToldByRequest { return }
        ownWakes.append(DeviceWakeUp(dueAt: suspension.nextAt, person: UInt32(device.person), slot: UInt8(device.slot)))
    }

    /// A device that was read back has to be resumed, or does not: what it waits for may have arrived already.
    func queueWake(of device: DeviceAddress, notBefore boundary: Instant) throws(StateProblem) {
        let at = pendingDevices[device.index].actsAt
        if at == .never { return }
        guard at >= boundary, at <= .start + .longest else {
            throw StateProblem("a device that has to be resumed out of the run's time")
        }
        ownWakes.append(DeviceWakeUp(dueAt: at, person: UInt32(device.person), slot: UInt8(device.slot)))
    }

    /// Hands over what devices have sent since the last time.
    func takeSent(_ body: (ServiceRequest) -> Void) { outbox.takeAll(body) }

    /// Hands over the wakes that no request tells of.
    func takeWakeUps(_ body: (DeviceWakeUp) -> Void) {
        if ownWakes.isEmpty { return }
        ownWakes.forEach(body)
        ownWakes.removeAll(keepingCapacity: true)
    }
}

// MARK: Reactions that bound a batch of ranks

extension FleetPartition {
    /// How soon devices react is not known of those that were read back: all may at once that wait for an answer.
    package func expectQuickReactions() {
        for index in 0..<pendingDevices.count where !pendingDevices[index].isOver { quickReactions[index] = .zero }
    }

    /// A request is on its way, and tells of its device when it arrives.
    package func noteOnItsWay(_ request: ServiceRequest) {
        if !quickReactions.isEmpty { quickReactions[index(Int(request.person), Int(request.slot))] = nil }
    }

    private func notePlan(_ device: DeviceAddress, _ suspension: Suspension?) {
        if !quickReactions.isEmpty { quickReactions[device.index] = nil }
        guard let suspension, suspension.awaitsOlder, suspension.reaction < mostReaction else { return }
        quickReactions[device.index] = suspension.reaction
    }

    /// How soon a device can act because of a decision about a request that has arrived; nil if none acts sooner than
    /// others.
    package var quickReaction: Duration? { quickReactions.isEmpty ? nil : quickReactions.values.min() }

    /// When the device of a request that is on its way may send at the earliest: by itself, or because of an answer, if
    /// it reacts sooner to that than others.
    package func nextAction(after request: ServiceRequest) -> Instant {
        let pendingDevice = pendingDevices[index(Int(request.person), Int(request.slot))]
        if pendingDevice.isOver { return .never }
        let answer = request.arrival + Duration(microseconds: Int64(request.back))
        return min(
            pendingDevice.actsAt, pendingDevice.reaction < mostReaction ? answer + pendingDevice.reaction : .never)
    }
}

// MARK: What is known of devices

/// Rounds of answers: those of one are held until they are delivered together, and the next ones are held meanwhile.
package struct AnswerRounds {
    /// Answers are held in this one; from 1 on.
    package private(set) var holding: UInt32 = 1
    /// Those of this one are being delivered, if any are: nobody but their own thread looks at their devices.
    private var delivering: UInt32 = 0

    package init() {}

    package mutating func beginDelivery() { (delivering, holding) = (holding, holding + 1) }
    package mutating func endDelivery() { delivering = 0 }

    fileprivate var isDelivering: Bool { delivering != 0 }
    fileprivate func isHeld(_ round: UInt32) -> Bool { round == holding || isDelivering && round == delivering }
}

extension FleetPartition {
    /// Holds an answer.
    ///
    /// - Returns: when it has to be delivered at the latest; nil if the device may be in the round that is being
    ///   delivered, after which `latestDelivery` says it.
    package func hold(_ answer: ServiceAnswer, _ rounds: AnswerRounds) -> Instant? {
        let index = index(of: answer)
        let heldIn = pendingDevices.heldIn(index)
        pendingDevices.hold(index, in: rounds.holding)
        // An answer that is held since the delivery began hides whether one of the device was among those.
        return rounds.isDelivering && rounds.isHeld(heldIn) ? nil : latestDelivery(of: answer)
    }

    /// When an answer has to be delivered at the latest: the device does something because of it, or by itself, if only
    /// since its try would time out; on several ranks, where it may send something.
    package func latestDelivery(of answer: ServiceAnswer) -> Instant {
        let pendingDevice = pendingDevices[index(of: answer)]
        if pendingDevice.isOver { return .never }
        let canComeAtOnce = answer.isError || answer.isNotice || answer.followsNotice
        return min(answer.at + (canComeAtOnce ? .zero : pendingDevice.reaction), pendingDevice.actsAt)
    }

    /// No answer for the device of this one is held any more: all of them are delivered next.
    package func release(_ answer: ServiceAnswer) { pendingDevices.hold(index(of: answer), in: 0) }

    /// The memory is asked for that an arrival or a decision reads.
    package func prefetchPendingDevice(person: Int, slot: Int) { pendingDevices.expect(index(person, slot)) }

    /// A request arrives: says when its device has to be resumed, if nothing is decided for it before; nil if it does
    /// not, or if an answer for it is held: then it is planned again before that, and says so itself.
    package func noteArrival(of request: ServiceRequest, _ rounds: AnswerRounds) -> DeviceWakeUp? {
        let index = index(Int(request.person), Int(request.slot))
        if isOfSeveralRanks {
            let own = pendingDevices[index]
            if !own.isOver && own.reaction < mostReaction { quickReactions[index] = own.reaction }
        }
        if rounds.isHeld(pendingDevices.heldIn(index)) { return nil }
        let at = pendingDevices[index].actsAt
        return at == .never ? nil : DeviceWakeUp(dueAt: at, person: request.person, slot: request.slot)
    }

    /// Whether a device still waits for a decision and has to be resumed at an instant that it has told of.
    package func isDue(_ wake: DeviceWakeUp, _ rounds: AnswerRounds) -> Bool {
        let index = index(Int(wake.person), Int(wake.slot))
        return !rounds.isHeld(pendingDevices.heldIn(index)) && pendingDevices[index].wakeAt == wake.dueAt
    }

    private func index(of answer: ServiceAnswer) -> Int { index(Int(answer.person), Int(answer.slot)) }
}
