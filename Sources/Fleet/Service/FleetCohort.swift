import Measures
import People
import RefreshService
import SimulatedTime

/// Some people of a fleet whose requests a refresh service answers (S5): their devices, the requests that they have sent and that have not arrived, and
/// when a device that waits for an answer does something else. One thread uses it.
///
/// A device lives ahead by itself up to its next request, whenever that is, and rests until the service has decided what becomes of it. So a device
/// is touched about once a request.
public final class FleetCohort {
    /// Which people are in a cohort.
    public enum Share: Sendable {
        /// Those whom one of a rank's threads lives.
        case thread(Int, of: Int, in: RankShare)
        case one(person: Int)

        /// Every so many blocks of people, from one of them on: those of all ranks' threads, counted through.
        fileprivate var blocks: (count: Int, at: Int)? {
            guard case .thread(let thread, let threads, let share) = self else { return nil }
            return (share.ranks * threads, share.rank + share.ranks * thread)
        }
    }

    /// When a device wants to be touched though nothing has been decided for it.
    struct Wake: Timed {
        let dueAt: Instant
        let person: UInt32
        let slot: UInt8
        static var byteLimits: [ByteLimit] { [] }
    }

    public var measures: RunMeasures { worker.measures }
    let worker: FleetWorker
    private let outbox = RequestOutbox()
    private let share: Share
    /// How many shares in blocks there are; 0 for one person alone.
    private let blocks: Int
    let slots: Int
    let people: Int
    let devices: any CohortDevices
    let requests = InstantQueue<ServiceRequest>()
    let wakes = InstantQueue<Wake>()
    /// Those that are out of the queue: of the window under way, or of a later one that this cohort saw coming and others of the fleet came before.
    private(set) var dueWakes: [Wake] = []
    /// Those that a window looks at; empty between two windows.
    private var windowWakes: [Wake] = []
    /// Wakes before this instant belong to them: the queue's clock has passed it.
    private var wakesTakenBefore: Instant = .longAgo
    /// Requests that were sent after all that arrive as late had been taken, to be taken next.
    private(set) var lateRequests: [ServiceRequest] = []
    /// Requests that arrive before this instant belong to them.
    private var requestsTakenBefore: Instant = .longAgo
    let standings: StandingTable
    /// How many instances each device has, of a cohort that was read back; empty otherwise.
    var readInstances: [Int] = []
    var prepared: PreparedPlan { worker.prepared }

    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - observing: what observes the devices; nil for a plain run, in which drawn devices rest as differences from one another.
    public convenience init(
        _ prepared: PreparedPlan, load: LoadCurve, people: Int, share: Share, keepsWhole: Bool = false, tap: ArrivalTap? = nil
    ) {
        self.init(prepared, load: load, people: people, share: share, tap: tap) { worker, count, address in
            if !prepared.plan.replay.isEmpty {
                return WakefulDevices<ReplayWorld, Unobserved>(worker, prepared, address: address) { Unobserved() }
            }
            if keepsWhole { return WakefulDevices<DrawnWorld, Unobserved>(worker, prepared, address: address) { Unobserved() } }
            return RestingDevices(worker, prepared, count: count, address: address)
        }
    }

    private init(
        _ prepared: PreparedPlan, load: LoadCurve, people: Int, share: Share, tap: ArrivalTap?,
        devices: (_ worker: FleetWorker, _ count: Int, _ address: @escaping (Int, Int) -> Int) -> any CohortDevices
    ) {
        worker = FleetWorker(prepared, load: load, outbox: outbox, tap: tap)
        self.share = share
        self.people = people
        let slots = prepared.mostDevices
        self.slots = slots
        let count = Self.places(share, people: people) * slots
        standings = StandingTable(count: count)
        let blocks = share.blocks?.count ?? 0
        self.blocks = blocks
        self.devices = devices(worker, count) { person, slot in Self.place(of: person, blocks: blocks) * slots + slot }
    }

    /// One person under observation; what their devices' observers hold is in `observed` after the run.
    public convenience init(_ prepared: PreparedPlan, load: LoadCurve, people: Int, observing person: Int) {
        self.init(prepared, load: load, people: people, share: .one(person: person), tap: nil) { worker, _, address in
            if !prepared.plan.replay.isEmpty {
                return WakefulDevices<ReplayWorld, NoteKeeper>(worker, prepared, address: address) { NoteKeeper() }
            }
            return WakefulDevices<DrawnWorld, NoteKeeper>(worker, prepared, address: address) { NoteKeeper() }
        }
    }

    /// The devices of the observed person, with their notes.
    public var observed: [ObservedDevice<NoteKeeper>] {
        guard case .one(let person) = share else { return [] }
        if let recorded = devices as? WakefulDevices<ReplayWorld, NoteKeeper> {
            return recorded.devices.values.map { worker.identified($0.life, replay: person) }
        }
        guard let drawn = devices as? WakefulDevices<DrawnWorld, NoteKeeper> else { return [] }
        let traits = PersonTraits(number: UInt64(person), worker.prepared.population)
        return drawn.devices.sorted { $0.key < $1.key }.map { place, device in
            worker.identified(device.life, DeviceOwner(traits, slot: UInt8(place % slots), worker.prepared.population))
        }
    }

    private static func places(_ share: Share, people: Int) -> Int {
        guard let (count, _) = share.blocks else { return 1 }
        return (people + RankShare.block * count - 1) / (RankShare.block * count) * RankShare.block
    }

    private static func place(of person: Int, blocks count: Int) -> Int {
        count == 0 ? 0 : person / (RankShare.block * count) * RankShare.block + person % RankShare.block
    }

    func address(_ person: Int, _ slot: Int) -> DeviceAddress {
        DeviceAddress(person: person, slot: slot, index: Self.place(of: person, blocks: blocks) * slots + slot)
    }

    /// The most bytes that the states of devices at rest took, and how many devices rested then; nil if they are kept whole.
    public var mostRest: (bytes: Int, devices: Int)? { (devices as? RestingDevices)?.mostRest }
    /// The bytes that they take now, and how many devices rest; nil if they are kept whole.
    package var presentRest: (bytes: Int, devices: Int)? { (devices as? RestingDevices)?.presentRest }
}

extension FleetCohort {
    /// Begins the lives of a person's devices, each up to its first request.
    public func begin(person: Int) {
        devices.begin(person: person) { slot, rest in plan(address(person, slot), rest) }
        sendOut()
    }

    /// The service has decided something for devices of the cohort. Before `windowEnd` nothing else can reach them.
    public func deliver(_ answers: [ServiceAnswer], windowEnd: Instant) {
        // While not all are delivered, the earliest of them bounds what a device knows.
        let known = answers.reduce(windowEnd) { min($0, $1.at) }
        for place in answers.indices {
            expect(answers, after: place, .soon)
            expect(answers, after: place, .next)
            let answer = answers[place]
            let device = address(Int(answer.person), Int(answer.slot))
            // Its life is over already if the answer could not reach it before the end.
            if standings[device.index].isOver { continue }
            plan(device, devices.live(device, answer: answer, windowEnd: known))
        }
        sendOut()
    }

    @inline(__always) private func expect(_ answers: [ServiceAnswer], after place: Int, _ expectation: Expectation) {
        let later = place + expectation.rawValue
        if later >= answers.count { return }
        let index = index(of: answers[later])
        if expectation == .soon { standings.expect(index) }
        devices.expect(index: index, expectation)
    }

    /// When an answer has to be delivered at the latest: the device does something because of it, or by itself, if only since its try would time out.
    public func latestDelivery(of answer: ServiceAnswer) -> Instant {
        let standing = standings[index(of: answer)]
        if standing.isOver { return .never }
        let canComeAtOnce = answer.isError || answer.isNotice || answer.followsNotice
        return min(answer.at + (canComeAtOnce ? .zero : standing.reaction), standing.actsAt)
    }

    /// Asks for the memory that `latestDelivery` of an answer reads.
    public func expectDelivery(of answer: ServiceAnswer) { standings.expect(index(of: answer)) }

    private func index(of answer: ServiceAnswer) -> Int { address(Int(answer.person), Int(answer.slot)).index }

    /// Touches the devices that do something of their own before `windowEnd` though an answer is missing.
    public func wake(windowEnd: Instant) {
        wakes.take(before: windowEnd) { dueWakes.append($0) }
        if dueWakes.isEmpty { return }
        wakesTakenBefore = max(wakesTakenBefore, windowEnd)
        // Devices that come to rest now may add to the list: those that are due after the window, before what is out of the queue already.
        swap(&dueWakes, &windowWakes)
        for wake in windowWakes {
            let device = address(Int(wake.person), Int(wake.slot))
            guard standings[device.index].wakeAt == wake.dueAt else { continue }
            if wake.dueAt < windowEnd {
                plan(device, devices.live(device, answer: nil, windowEnd: windowEnd))
            } else {
                dueWakes.append(wake)
            }
        }
        windowWakes.removeAll(keepingCapacity: true)
        sendOut()
    }

    /// When the next request arrives.
    public var nextRequestAt: Instant { lateRequests.reduce(requests.nextAt) { min($0, $1.arrival) } }

    /// When a device may want to be touched next.
    public var nextWakeAt: Instant { dueWakes.reduce(wakes.nextAt) { min($0, $1.dueAt) } }

    /// Whether any device wants to be touched at the next of these instants, which is then past. Most have had their answer before they would do
    /// something else: nobody need open a window for them.
    public func findWakes() -> Bool {
        let next = nextWakeAt
        dueWakes.removeAll { !isValid($0) }
        wakes.take(before: next + Duration(microseconds: 1)) { if isValid($0) { dueWakes.append($0) } }
        wakesTakenBefore = max(wakesTakenBefore, next + Duration(microseconds: 1))
        return dueWakes.contains { $0.dueAt == next }
    }

    private func isValid(_ wake: Wake) -> Bool { standings[address(Int(wake.person), Int(wake.slot)).index].wakeAt == wake.dueAt }

    /// Takes the requests that arrive before an instant, in any order. Devices may send others that arrive before it; those come with the next that are taken.
    public func takeRequests(before limit: Instant, into list: inout [ServiceRequest]) {
        if !lateRequests.isEmpty {
            list += lateRequests.lazy.filter { $0.arrival < limit }
            lateRequests.removeAll { $0.arrival < limit }
        }
        requests.take(before: limit) { list.append($0) }
        requestsTakenBefore = max(requestsTakenBefore, limit)
    }

    /// The run is over: devices that wait for an answer live to the end without it.
    public func finish(end: Instant) {
        for person in 0..<people where holds(person) {
            for slot in 0..<slots {
                let device = address(person, slot)
                if standings[device.index].isOver { continue }
                let rest = devices.live(device, answer: nil, windowEnd: end)
                precondition(rest == nil, "a device that outlives the run")
                standings[device.index] = .over
            }
        }
        // Their last requests arrive after the end.
        outbox.takeAll { _ in }
        worker.finish()
    }

    private func holds(_ person: Int) -> Bool {
        switch share {
        case .thread(let thread, let threads, let share): share.thread(of: person, among: threads) == thread
        case .one(let one): person == one
        }
    }

    /// A device rests: notes when it wants to be touched.
    private func plan(_ device: DeviceAddress, _ rest: Rest?) {
        guard let rest else {
            standings[device.index] = .over
            return
        }
        let acts = rest.nextAt < worker.prepared.plan.end
        standings[device.index] = Standing(wakeAt: acts ? rest.nextAt : .longAgo, reaction: rest.reaction)
        if !acts { return }
        let wake = Wake(dueAt: rest.nextAt, person: UInt32(device.person), slot: UInt8(device.slot))
        if wake.dueAt < wakesTakenBefore { dueWakes.append(wake) } else { wakes.add(wake) }
    }

    private func sendOut() {
        outbox.takeAll { request in
            if request.arrival < requestsTakenBefore { lateRequests.append(request) } else { requests.add(request) }
        }
    }
}
