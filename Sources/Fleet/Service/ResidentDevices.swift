import Basics
import People
import RefreshService

/// Devices whose whole state stays in memory: recorded ones, and those that are observed.
final class ResidentDevices<World: WorldSource, Observer: DeviceObserver>: PartitionDevices {
    /// A device with room of its own.
    final class Device {
        var simulation: DeviceSimulation<World, Observer>
        private let memory: DeviceMemory
        private let steps: UnsafeMutableBufferPointer<ReplayWorld.Step>?

        init(
            _ simulation: DeviceSimulation<World, Observer>, _ memory: DeviceMemory,
            steps: UnsafeMutableBufferPointer<ReplayWorld.Step>? = nil
        ) {
            self.simulation = simulation
            self.memory = memory
            self.steps = steps
        }

        deinit { steps?.deallocate() }
    }

    /// Makes a person's devices, before their first events, each with its slot.
    private let make: (_ person: Int) -> [(slot: Int, device: Device)]
    private let address: (Int, Int) -> Int
    private(set) var devices: [Int: Device] = [:]

    init(
        address: @escaping (_ person: Int, _ slot: Int) -> Int,
        make: @escaping (_ person: Int) -> [(slot: Int, device: Device)]
    ) {
        self.address = address
        self.make = make
    }

    func begin(person: Int, suspended: (_ slot: Int, _ suspension: Suspension?) -> Void) {
        for (slot, device) in make(person) {
            devices[address(person, slot)] = device
            device.simulation.begin()
            suspended(slot, device.simulation.runUntilSuspended())
        }
    }

    func resume(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Suspension? {
        guard let device = devices[device.index] else { preconditionFailure("device \(device.index) has not begun") }
        return device.simulation.advance(after: answer, windowEnd: windowEnd)
    }
}

extension ResidentDevices where World == ReplayWorld {
    /// Recorded devices.
    convenience init(
        _ worker: FleetWorker, _ prepared: PreparedPlan, address: @escaping (Int, Int) -> Int,
        observer: @escaping () -> Observer
    ) {
        self.init(address: address) { person in
            let recorded = ReplayWorld.steps(of: prepared.plan.replay[person])
            let steps = UnsafeMutableBufferPointer<ReplayWorld.Step>.allocate(capacity: recorded.count)
            _ = steps.initialize(from: recorded)
            worker.memory = DeviceMemory(for: prepared)
            let simulation = worker.begin(replay: person, UnsafeBufferPointer(steps), observer: observer())
            return [(0, Device(simulation, worker.memory, steps: steps))]
        }
    }
}

extension ResidentDevices where World == DrawnWorld {
    /// Drawn devices.
    convenience init(
        _ worker: FleetWorker, _ prepared: PreparedPlan, address: @escaping (Int, Int) -> Int,
        observer: @escaping () -> Observer
    ) {
        self.init(address: address) { person in
            let traits = PersonTraits(number: UInt64(person), prepared.population)
            var devices: [(slot: Int, device: Device)] = []
            for slot in prepared.population.habits(of: traits).pointee.devices.indices {
                let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
                guard owner.hasDevice else { continue }
                worker.count(owner, isFirst: devices.isEmpty)
                worker.memory = DeviceMemory(for: prepared)
                let simulation = worker.begin(owner, observer: observer(), isFirst: devices.isEmpty)
                devices.append((slot, Device(simulation, worker.memory)))
            }
            if devices.isEmpty { worker.countWithoutDevice(traits) }
            return devices
        }
    }
}
