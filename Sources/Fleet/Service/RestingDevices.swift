import Measures
import People
import RefreshService
import SimulatedTime
import Stochastics

/// Drawn devices that are packed while they rest: a few hundred bytes each (S5).
final class RestingDevices: CohortDevices {
    private let worker: FleetWorker
    private let prepared: PreparedPlan
    private let address: (Int, Int) -> Int
    private let store: RestStore
    private let memory: StateMemory
    /// Room for the life of the device that is touched.
    private let life: UnsafeMutablePointer<DeviceLife<DrawnWorld, Unobserved>>

    /// - Parameters:
    ///   - count: how many places the cohort's tables have.
    ///   - address: the place of a person's device in them.
    init(_ worker: FleetWorker, _ prepared: PreparedPlan, count: Int, address: @escaping (_ person: Int, _ slot: Int) -> Int) {
        self.worker = worker
        self.prepared = prepared
        self.address = address
        store = RestStore(count: count)
        memory = StateMemory(for: prepared)
        life = .allocate(capacity: 1)
    }

    deinit { life.deallocate() }

    /// The most bytes that the states of devices at rest took, and how many devices rested then.
    var mostRest: (bytes: Int, devices: Int) { store.most }

    func begin(person: Int, isOver: (_ slot: Int, _ rest: Rest?) -> Void) {
        let traits = PersonTraits(number: UInt64(person), prepared.population)
        var hasDevice = false
        for slot in prepared.population.habits(of: traits).pointee.devices.indices {
            let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
            guard owner.hasDevice else { continue }
            worker.count(owner, isFirst: !hasDevice)
            var life = worker.begin(owner, observer: Unobserved(), isFirst: !hasDevice)
            hasDevice = true
            life.begin()
            let rest = life.liveToRest()
            if rest != nil { keep(&life, at: address(person, slot)) }
            isOver(slot, rest)
        }
        if !hasDevice { worker.countWithoutDevice(traits) }
    }

    func live(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Rest? {
        let state = store.state(of: device.index)
        let header = state.loadUnaligned(as: Int64.self)
        let owner = DeviceOwner(PersonTraits(number: UInt64(device.person), prepared.population), slot: UInt8(device.slot), prepared.population)
        worker.begin(owner, in: life, observer: Unobserved(), isFirst: header & 1 != 0, isResumed: true)
        defer { life.deinitialize(count: 1) }
        var reader = StateReader(near: Instant(microseconds: header >> 1), (state + 8).assumingMemoryBound(to: UInt8.self))
        life.pointee.code(&reader)
        let rest = life.pointee.liveOn(after: answer, windowEnd: windowEnd)
        if rest != nil { keep(&life.pointee, at: device.index) } else { store.forget(device.index) }
        return rest
    }

    /// Writes down the state of a device at rest, or reads it back.
    func code(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) { try store.code(device.index, stream) }

    /// Looks at a state that was read back: whether it is one that its device can have come to.
    ///
    /// - Returns: when the device does something next by itself, and how many instances it has.
    func check(_ device: DeviceAddress) throws(StateProblem) -> (nextAt: Instant, instances: Int) {
        let bytes = store.bytes(of: device.index)
        guard bytes.count > 12 else { throw StateProblem("a device at rest without a state") }
        let header = bytes.loadUnaligned(as: Int64.self)
        let now = Instant(microseconds: header >> 1)
        let end = prepared.plan.end
        let traits = PersonTraits(number: UInt64(device.person), prepared.population)
        guard prepared.population.habits(of: traits).pointee.devices.indices.contains(device.slot) else { throw StateProblem("a device that nobody has") }
        let owner = DeviceOwner(traits, slot: UInt8(device.slot), prepared.population)
        guard owner.hasDevice, now >= .start, now < end else { throw StateProblem("a device that nobody has, or outside of the run") }
        worker.begin(owner, in: life, observer: Unobserved(), isFirst: header & 1 != 0, isResumed: true)
        defer { life.deinitialize(count: 1) }
        var reader = CheckedStateReader(near: now, UnsafeRawBufferPointer(rebasing: bytes[8...]))
        life.pointee.code(&reader)
        reader.finish()
        if let problem = reader.problem { throw StateProblem("person \(device.person), device \(device.slot): \(problem)") }
        return (life.pointee.nextAt, life.pointee.instanceCount)
    }

    /// Puts a device to rest: its instant, whether it counts its person, and its state.
    private func keep(_ life: inout DeviceLife<DrawnWorld, Unobserved>, at index: Int) {
        var writer = StateWriter(near: life.now, into: memory)
        life.code(&writer)
        store.keep(writer.finish(header: life.now.microseconds << 1 | (life.person.countsPerson ? 1 : 0)), of: index)
    }
}

extension StateMemory {
    // Bounds of what is coded of a device, of one instance with all its pending instants, and of each kind or campaign.
    private static let numbersOfDevice = 1_024
    private static let numbersOfInstance = 192
    private static let flagsOfDevice = 512
    private static let flagsOfInstance = 24

    /// Room for the state of any device of the plan.
    convenience init(for plan: PreparedPlan) {
        let shared = plan.kinds.count + plan.campaigns.count
        self.init(
            most: Self.numbersOfDevice + Self.numbersOfInstance * plan.mostInstances + 16 * shared,
            mostFlags: Self.flagsOfDevice + Self.flagsOfInstance * plan.mostInstances + shared)
    }
}
