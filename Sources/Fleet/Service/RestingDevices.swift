import Measures
import People
import RefreshService
import SimulatedTime
import Stochastics

/// Drawn devices that are kept while they rest as their differences from one another (S5).
///
/// A device is put together in one place in memory, lives there up to its next request, and is written down again. Word for word it is what it was, so
/// nothing of it is drawn or found again.
final class RestingDevices: CohortDevices {
    private typealias Life = DeviceLife<DrawnWorld, Unobserved>

    private let worker: FleetWorker
    private let prepared: PreparedPlan
    private let address: (Int, Int) -> Int
    private let store: RestStore
    /// Where the device lives that is touched: its life, and behind it what the worker keeps of a device.
    private let memory: DeviceMemory
    private let life: UnsafeMutablePointer<Life>
    private let image: UnsafeMutablePointer<UInt64>
    private var templates: UnsafeMutablePointer<RestTemplate>
    private var templateCount = 0
    private var templateRoom = 16
    /// The template of a sort of device, by its number of instances, slot and segment; −1 if there has been none.
    private var sorts: [Int32]
    private let slots, segments: Int
    /// The number of the template that the memory stands for; −1 for none.
    private var current = -1
    /// A life that holds what all of them refer to.
    private var holder: UnsafeMutablePointer<Life>?
    /// Room for a state that is written to a file.
    private lazy var stateMemory = StateMemory(for: prepared)

    /// - Parameters:
    ///   - count: how many places the cohort's tables have.
    ///   - address: the place of a person's device in them.
    init(_ worker: FleetWorker, _ prepared: PreparedPlan, count: Int, address: @escaping (_ person: Int, _ slot: Int) -> Int) {
        // A state that is copied word by word must own nothing but what every device shares.
        precondition(_isPOD(DrawnWorld.self) && _isPOD(InstanceState.self), "a device's state that is not plain memory")
        self.worker = worker
        self.prepared = prepared
        self.address = address
        store = RestStore(count: count)
        templates = .allocate(capacity: templateRoom)
        memory = DeviceMemory(for: prepared, head: MemoryLayout<Life>.stride)
        worker.memory = memory
        life = memory.bytes.bindMemory(to: Life.self, capacity: 1)
        image = memory.bytes.assumingMemoryBound(to: UInt64.self)
        (slots, segments) = (max(1, prepared.mostDevices), prepared.population.segments.count)
        sorts = Array(repeating: -1, count: segments * slots * (prepared.mostInstances + 1))
        precondition(memory.words(instances: prepared.mostInstances) < RestTemplate.wordLimit, "a device too large to be written down")
    }

    deinit {
        for number in 0..<templateCount { templates[number].deallocate() }
        templates.deallocate()
        guard let holder else { return }
        holder.deinitialize(count: 1)
        holder.deallocate()
    }

    /// The most bytes that the states of devices at rest took, and how many devices rested then.
    var mostRest: (bytes: Int, devices: Int) { store.most }

    func begin(person: Int, isOver: (_ slot: Int, _ rest: Rest?) -> Void) {
        let traits = PersonTraits(number: UInt64(person), prepared.population)
        var hasDevice = false
        for slot in prepared.population.habits(of: traits).pointee.devices.indices {
            let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
            guard owner.hasDevice else { continue }
            worker.count(owner, isFirst: !hasDevice)
            make(owner, isFirst: !hasDevice, isResumed: false)
            hasDevice = true
            life.pointee.begin()
            let rest = life.pointee.liveToRest()
            keepFirst(owner, at: address(person, slot), rests: rest != nil)
            isOver(slot, rest)
        }
        if !hasDevice { worker.countWithoutDevice(traits) }
    }

    func live(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Rest? {
        let template = wake(device)
        let rest = life.pointee.liveOn(after: answer, windowEnd: windowEnd)
        if rest != nil {
            keep(device.index, by: template, ofPerson: UInt64(device.person))
        } else {
            store.forget(device.index)
            current = -1
        }
        return rest
    }

    func expect(index: Int, _ expectation: Expectation) { store.expect(index, expectation) }

    /// Puts a device together that rests; the life owns nothing then.
    private func wake(_ device: DeviceAddress) -> Int {
        let record = store.state(of: device.index).assumingMemoryBound(to: UInt64.self)
        let number = RestTemplate.number(of: record)
        if number != current {
            templates[number].prepare(image)
            current = number
        }
        templates[number].read(record, ofPerson: UInt64(device.person), into: image)
        return number
    }

    private func keep(_ index: Int, by template: Int, ofPerson person: UInt64) {
        let store = store
        templates[template].write(image, ofPerson: person) { bytes in
            store.room(forBytes: bytes, of: index).assumingMemoryBound(to: UInt64.self)
        }
    }

    /// Makes a device in the life's place, which is free: `keepFirst` follows.
    private func make(_ owner: DeviceOwner, isFirst: Bool, isResumed: Bool) {
        current = -1
        worker.begin(owner, in: life, observer: Unobserved(), isFirst: isFirst, isResumed: isResumed)
        if holder != nil { return }
        holder = .allocate(capacity: 1)
        holder!.initialize(to: life.pointee)
    }

    /// Puts a device to rest that was made.
    private func keepFirst(_ owner: DeviceOwner, at index: Int, rests: Bool) {
        defer { life.deinitialize(count: 1) }
        if rests { keep(index, by: template(of: owner), ofPerson: owner.traits.number) }
    }

    /// The number of the template of the sort of device that lives now.
    private func template(of owner: DeviceOwner) -> Int {
        let instances = life.pointee.instanceCount
        let sort = (instances * slots + Int(owner.slot)) * segments + owner.traits.segment
        if sorts[sort] < 0 {
            precondition(templateCount < RestTemplate.numberLimit, "more sorts of devices than can be told apart")
            sorts[sort] = Int32(templateCount)
            addTemplate(RestTemplate(number: templateCount, image, count: memory.words(instances: instances), ofPerson: owner.traits.number))
        }
        return Int(sorts[sort])
    }

    private func addTemplate(_ template: RestTemplate) {
        if templateCount == templateRoom {
            let larger = UnsafeMutablePointer<RestTemplate>.allocate(capacity: 2 * templateRoom)
            larger.moveInitialize(from: templates, count: templateCount)
            templates.deallocate()
            (templates, templateRoom) = (larger, 2 * templateRoom)
        }
        (templates + templateCount).initialize(to: template)
        templateCount += 1
    }

    /// Writes down the state of a device at rest.
    func write(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) {
        precondition(store.holds(device.index), "device \(device.index) does not rest")
        _ = wake(device)
        // Writing leaves the life as it is once it has been read: not the one that rests.
        defer { current = -1 }
        var writer = StateWriter(near: life.pointee.now, into: stateMemory)
        life.pointee.code(&writer)
        let state = writer.finish(header: life.pointee.now.microseconds << 1 | (life.pointee.person.countsPerson ? 1 : 0))
        var count = UInt32(state.count)
        try stream.code(&count)
        try stream.code(bytes: UnsafeMutableRawBufferPointer(mutating: state))
    }

    /// Reads the state of a device back that has none yet: one that its device can have come to.
    ///
    /// - Returns: when the device does something next by itself, and how many instances it has.
    func read(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) -> (nextAt: Instant, instances: Int) {
        precondition(!store.holds(device.index), "device \(device.index) rests twice")
        var count: UInt32 = 0
        try stream.code(&count)
        guard count > 12, Int(count) <= stateMemory.mostBytes else { throw StateProblem("a device at rest in \(count) bytes") }
        let bytes = UnsafeMutableRawBufferPointer(start: stateMemory.bytes, count: Int(count))
        try stream.code(bytes: bytes)
        let header = bytes.loadUnaligned(as: Int64.self)
        let now = Instant(microseconds: header >> 1)
        let traits = PersonTraits(number: UInt64(device.person), prepared.population)
        guard prepared.population.habits(of: traits).pointee.devices.indices.contains(device.slot) else { throw StateProblem("a device that nobody has") }
        let owner = DeviceOwner(traits, slot: UInt8(device.slot), prepared.population)
        guard owner.hasDevice, now >= .start, now < prepared.plan.end else { throw StateProblem("a device that nobody has, or outside of the run") }
        make(owner, isFirst: header & 1 != 0, isResumed: true)
        var reader = CheckedStateReader(near: now, UnsafeRawBufferPointer(rebasing: bytes[8...]))
        life.pointee.code(&reader)
        reader.finish()
        if let problem = reader.problem {
            life.deinitialize(count: 1)
            throw StateProblem("person \(device.person), device \(device.slot): \(problem)")
        }
        let found = (life.pointee.nextAt, life.pointee.instanceCount)
        keepFirst(owner, at: device.index, rests: true)
        return found
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
