import Basics
import DeviceStorage
import People
import RefreshService
import ScenarioModel
import Statistics

/// Drawn devices that are kept while they are suspended as their differences from one another (S5).
///
/// A device is put together in the memory that all of its sort share, runs there to its next suspension, and is
/// written down again. All its fields are what they were, so nothing of it is drawn again; its clocks are found again.
final class SuspendedDevices: PartitionDevices {
    private typealias Simulation<Rules: DevicePlatform> = DeviceSimulation<DrawnWorld, Rules>

    private let worker: FleetWorker
    private let prepared: PreparedPlan
    private let address: (Int, Int) -> Int
    let store: SnapshotStore
    /// Where a device is made: its life, and behind it what the worker keeps of a device.
    private let memory: DeviceMemory
    /// The bytes of a device's life, on whatever platform of the plan.
    private let head: Int
    private var sorts: [Sort] = []
    /// The number of a sort of device, by its number of instances, slot and segment; −1 if there has been none.
    private var numbers: [Int32]
    private let slots, segments: Int
    /// A device simulation under each set of rules that owns what all of them refer to.
    private var holders: [DeviceRules: Any] = [:]
    /// Room for a state that is written to a file.
    private lazy var stateMemory = StateMemory(for: prepared)

    /// Devices of one sort: what they have in common, and where the one is simulated that is resumed.
    private struct Sort {
        var template: SnapshotTemplate
        let memory: DeviceMemory
        let rules: DeviceRules
        let image: UnsafeMutableBufferPointer<UInt64>
        /// Whether the memory is that of a device that was read or written, so that only what differs need be set for
        /// another one.
        var isPrepared = true

        /// Puts a suspended device together; the simulation owns nothing then.
        mutating func read(_ record: UnsafePointer<UInt64>, ofPerson person: UInt64) {
            if !isPrepared { template.prepare(image) }
            isPrepared = true
            template.read(record, ofPerson: person, into: image)
        }
    }

    /// - Parameters:
    ///   - count: how many places the partition's tables have.
    ///   - address: the place of a person's device in them.
    init(
        _ worker: FleetWorker, _ prepared: PreparedPlan, count: Int,
        address: @escaping (_ person: Int, _ slot: Int) -> Int
    ) {
        // A state that is copied word by word must own nothing but what every device shares.
        precondition(_isPOD(DrawnWorld.self) && _isPOD(InstanceState.self), "a device's state that is not plain memory")
        let ownHead = MemoryLayout<Simulation<WidgetKitRules>>.stride
        let otherHead = max(MemoryLayout<Simulation<AndroidRules>>.stride, MemoryLayout<Simulation<TileRules>>.stride)
        head = prepared.hasAndroid ? max(ownHead, otherHead) : ownHead
        self.worker = worker
        self.prepared = prepared
        self.address = address
        store = SnapshotStore(count: count)
        memory = DeviceMemory(for: prepared, head: head)
        worker.memory = memory
        (slots, segments) = (max(1, prepared.mostDevices), prepared.population.segments.count)
        numbers = Array(repeating: -1, count: segments * slots * (prepared.mostInstances + 1))
        precondition(
            memory.words(instances: prepared.mostInstances) < SnapshotTemplate.wordLimit,
            "a device too large to be written down")
    }

    deinit {
        for sort in sorts { sort.template.deallocate() }
    }

    func begin(person: Int, suspended: (_ slot: Int, _ suspension: Suspension?) -> Void) {
        for (owner, isFirst) in worker.countedDevices(ofDrawn: person) {
            let slot = Int(owner.slot)
            let suspension =
                switch prepared.rules(of: owner) {
                case .widgetKit: begin(owner, WidgetKitRules(), at: address(person, slot), isFirst: isFirst)
                case .android: begin(owner, AndroidRules(owner), at: address(person, slot), isFirst: isFirst)
                case .tiles: begin(owner, TileRules(), at: address(person, slot), isFirst: isFirst)
                }
            suspended(slot, suspension)
        }
    }

    private func begin<Rules: DevicePlatform>(_ owner: DeviceOwner, _ rules: Rules, at index: Int, isFirst: Bool)
        -> Suspension?
    {
        let simulation = make(owner, rules, isFirst: isFirst, isResumed: false)
        simulation.pointee.begin()
        let suspension = simulation.pointee.runUntilSuspended(looksAhead: worker.looksAhead)
        keepFirst(owner, simulation, at: index, isSuspended: suspension != nil)
        return suspension
    }

    func resume(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Suspension? {
        let number = wake(device)
        let bytes = sorts[number].memory.bytes
        let suspension =
            switch sorts[number].rules {
            case .widgetKit: advance(life(in: bytes, WidgetKitRules.self), after: answer, windowEnd: windowEnd)
            case .android: advance(life(in: bytes, AndroidRules.self), after: answer, windowEnd: windowEnd)
            case .tiles: advance(life(in: bytes, TileRules.self), after: answer, windowEnd: windowEnd)
            }
        if suspension != nil {
            keep(device.index, as: number, ofPerson: UInt64(device.person))
        } else {
            store.forget(device.index)
            sorts[number].isPrepared = false
        }
        return suspension
    }

    @inline(__always) private func advance<Rules: DevicePlatform>(
        _ simulation: UnsafeMutablePointer<Simulation<Rules>>, after answer: ServiceAnswer?, windowEnd: Instant
    ) -> Suspension? {
        simulation.pointee.advance(after: answer, windowEnd: windowEnd, looksAhead: worker.looksAhead)
    }

    func expect(index: Int, _ expectation: Expectation) { store.expect(index, expectation) }

    /// Puts a suspended device together; returns the number of its sort.
    private func wake(_ device: DeviceAddress) -> Int {
        let record = store.state(of: device.index).assumingMemoryBound(to: UInt64.self)
        let number = SnapshotTemplate.number(of: record)
        sorts[number].read(record, ofPerson: UInt64(device.person))
        return number
    }

    private func keep(_ index: Int, as number: Int, ofPerson person: UInt64) {
        let image = UnsafeBufferPointer(sorts[number].image)
        let bytes = sorts[number].template.measure(image, ofPerson: person)
        sorts[number].template.write(image, to: store.room(forBytes: bytes, of: index))
    }

    /// The life of a device that was made or put together at the beginning of memory.
    @inline(__always) private func life<Rules: DevicePlatform>(in bytes: UnsafeMutableRawPointer, _ rules: Rules.Type)
        -> UnsafeMutablePointer<Simulation<Rules>>
    {
        bytes.assumingMemoryBound(to: Simulation<Rules>.self)
    }

    /// Makes a device in the life's place, which is free: `keepFirst` follows.
    private func make<Rules: DevicePlatform>(_ owner: DeviceOwner, _ rules: Rules, isFirst: Bool, isResumed: Bool)
        -> UnsafeMutablePointer<Simulation<Rules>>
    {
        let simulation = life(in: memory.bytes, Rules.self)
        worker.begin(owner, rules, in: simulation, observer: Unobserved(), isFirst: isFirst, isResumed: isResumed)
        let rules = prepared.rules(of: owner)
        if holders[rules] == nil { holders[rules] = simulation.pointee }
        return simulation
    }

    /// Suspends a device that was made.
    private func keepFirst<Rules: DevicePlatform>(
        _ owner: DeviceOwner, _ simulation: UnsafeMutablePointer<Simulation<Rules>>, at index: Int, isSuspended: Bool
    ) {
        defer { simulation.deinitialize(count: 1) }
        if !isSuspended { return }
        let number = self.number(of: owner, simulation)
        move(simulation, to: sorts[number].memory, words: sorts[number].image.count)
        keep(index, as: number, ofPerson: owner.traits.number)
    }

    /// Copies the device that was made, word by word, to other memory, where it can continue.
    private func move<Rules: DevicePlatform>(
        _ simulation: UnsafeMutablePointer<Simulation<Rules>>, to other: DeviceMemory, words: Int
    ) {
        other.bytes.copyMemory(from: memory.bytes, byteCount: 8 * words)
        life(in: other.bytes, Rules.self).pointee.adopt(other)
    }

    /// The number of the sort of the device that was made.
    private func number<Rules: DevicePlatform>(
        of owner: DeviceOwner, _ simulation: UnsafeMutablePointer<Simulation<Rules>>
    ) -> Int {
        let instances = simulation.pointee.instanceCount
        let sort = (instances * slots + Int(owner.slot)) * segments + owner.traits.segment
        if numbers[sort] < 0 {
            precondition(sorts.count < SnapshotTemplate.numberLimit, "more sorts of devices than can be told apart")
            numbers[sort] = Int32(sorts.count)
            addClass(simulation, instances: instances, of: owner)
        }
        return Int(numbers[sort])
    }

    /// Adds a sort whose first device is the one that was made.
    private func addClass<Rules: DevicePlatform>(
        _ simulation: UnsafeMutablePointer<Simulation<Rules>>, instances: Int, of owner: DeviceOwner
    ) {
        let own = DeviceMemory(for: prepared, head: head, instances: instances)
        let words = memory.words(instances: instances)
        move(simulation, to: own, words: words)
        let image = UnsafeMutableBufferPointer(start: own.bytes.assumingMemoryBound(to: UInt64.self), count: words)
        let fieldBytes = fieldBytes(of: own, Rules.self, instances: instances, words: words)
        let template = SnapshotTemplate(
            number: sorts.count, UnsafeBufferPointer(image), ofPerson: owner.traits.number, fieldBytes: fieldBytes)
        sorts.append(Sort(template: template, memory: own, rules: prepared.rules(of: owner), image: image))
    }

    /// Ones in each byte of a device's memory that is part of a field. The bytes between fields hold whatever the
    /// compiler left there.
    private func fieldBytes<Rules: DevicePlatform>(
        of memory: DeviceMemory, _ rules: Rules.Type, instances: Int, words: Int
    ) -> [UInt64] {
        var bytes = FieldBytes(count: 8 * words)
        func mark<Value>(_ values: UnsafeMutablePointer<Value>, _ count: Int) {
            let offset = UnsafeRawPointer(values) - UnsafeRawPointer(memory.bytes)
            bytes.mark(UnsafeBufferPointer(start: values, count: count), at: offset)
        }
        mark(life(in: memory.bytes, Rules.self), 1)
        mark(memory.instances, instances)
        mark(memory.briefs, instances)
        mark(memory.kindStates, prepared.plan.kinds.count)
        mark(memory.stacks, prepared.mostStacks)
        mark(memory.campaigns, prepared.campaigns.count)
        if prepared.hasAndroid {
            mark(memory.providers, prepared.plan.kinds.count)
            mark(memory.jobs, prepared.plan.apps.count)
        }
        return bytes.words
    }

    /// Writes down the state of a suspended device.
    func write(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) {
        precondition(store.contains(device.index), "device \(device.index) is not suspended")
        let number = wake(device)
        // Writing leaves the simulation as it is once it has been read: not the one that is stored.
        defer { sorts[number].isPrepared = false }
        let bytes = sorts[number].memory.bytes
        let state =
            switch sorts[number].rules {
            case .widgetKit: written(life(in: bytes, WidgetKitRules.self))
            case .android: written(life(in: bytes, AndroidRules.self))
            case .tiles: written(life(in: bytes, TileRules.self))
            }
        var count = UInt32(state.count)
        try stream.code(&count)
        try stream.code(bytes: UnsafeMutableRawBufferPointer(mutating: state))
    }

    private func written<Rules: DevicePlatform>(_ simulation: UnsafeMutablePointer<Simulation<Rules>>)
        -> UnsafeRawBufferPointer
    {
        var writer = StateWriter(near: simulation.pointee.now, into: stateMemory)
        simulation.pointee.code(&writer)
        return UnsafeRawBufferPointer(
            writer.finish(
                header: simulation.pointee.now.microseconds << 1 | (simulation.pointee.person.countsPerson ? 1 : 0)))
    }

    /// Reads the state of a device back that has none yet: one that its device can have come to.
    ///
    /// - Returns: when the device does something next by itself, and how many instances it has.
    func read(_ device: DeviceAddress, _ stream: StateStream) throws(StateProblem) -> (nextAt: Instant, instances: Int)
    {
        precondition(!store.contains(device.index), "device \(device.index) is suspended twice")
        var count: UInt32 = 0
        try stream.code(&count)
        guard count > 12, Int(count) <= stateMemory.bytes.count else {
            throw StateProblem("a suspended device in \(count) bytes")
        }
        let bytes = UnsafeMutableRawBufferPointer(rebasing: stateMemory.bytes[..<Int(count)])
        try stream.code(bytes: bytes)
        let header = bytes.loadUnaligned(as: Int64.self)
        let now = Instant(microseconds: header >> 1)
        let traits = PersonTraits(number: UInt64(device.person), prepared.population)
        guard prepared.population.habits(of: traits).pointee.devices.indices.contains(device.slot) else {
            throw StateProblem("a device that nobody has")
        }
        let owner = DeviceOwner(traits, slot: UInt8(device.slot), prepared.population)
        guard owner.hasDevice, now >= .start, now < prepared.plan.end else {
            throw StateProblem("a device that nobody has, or outside of the run")
        }
        let state = UnsafeRawBufferPointer(rebasing: bytes[8...])
        return switch prepared.rules(of: owner) {
        case .widgetKit: try read(state, at: now, of: owner, WidgetKitRules(), device, isFirst: header & 1 != 0)
        case .android: try read(state, at: now, of: owner, AndroidRules(owner), device, isFirst: header & 1 != 0)
        case .tiles: try read(state, at: now, of: owner, TileRules(), device, isFirst: header & 1 != 0)
        }
    }

    private func read<Rules: DevicePlatform>(
        _ state: UnsafeRawBufferPointer, at now: Instant, of owner: DeviceOwner, _ rules: Rules,
        _ device: DeviceAddress, isFirst: Bool
    ) throws(StateProblem) -> (nextAt: Instant, instances: Int) {
        let simulation = make(owner, rules, isFirst: isFirst, isResumed: true)
        var reader = CheckedStateReader(near: now, state)
        simulation.pointee.code(&reader)
        reader.finish()
        if let problem = reader.problem {
            simulation.deinitialize(count: 1)
            throw StateProblem("person \(device.person), device \(device.slot): \(problem)")
        }
        let found = (simulation.pointee.nextAt, simulation.pointee.instanceCount)
        keepFirst(owner, simulation, at: device.index, isSuspended: true)
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
            most: Self.numbersOfDevice + Self.numbersOfInstance * plan.mostInstances + 24 * shared,
            mostFlags: Self.flagsOfDevice + Self.flagsOfInstance * plan.mostInstances + 4 * shared)
    }
}
