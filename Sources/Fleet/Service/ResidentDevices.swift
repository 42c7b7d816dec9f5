import Basics
import People
import RefreshService

/// Devices whose whole state stays in memory: recorded ones, and those that are observed.
final class ResidentDevices: PartitionDevices {
    /// Makes a person's devices, before their first events, each with its slot.
    private let make: (_ person: Int) -> [(slot: Int, device: ResidentDevice)]
    private let address: (Int, Int) -> Int
    private(set) var devices: [Int: ResidentDevice] = [:]

    init(
        address: @escaping (_ person: Int, _ slot: Int) -> Int,
        make: @escaping (_ person: Int) -> [(slot: Int, device: ResidentDevice)]
    ) {
        self.address = address
        self.make = make
    }

    func begin(person: Int, suspended: (_ slot: Int, _ suspension: Suspension?) -> Void) {
        for (slot, device) in make(person) {
            devices[address(person, slot)] = device
            suspended(slot, device.begin())
        }
    }

    func resume(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Suspension? {
        guard let device = devices[device.index] else { preconditionFailure("device \(device.index) has not begun") }
        return device.advance(after: answer, windowEnd: windowEnd)
    }
}

/// A device with room of its own, of whatever platform.
class ResidentDevice {
    fileprivate init() {}

    /// Runs to the first suspension.
    func begin() -> Suspension? { preconditionFailure("a device of no platform") }
    func advance(after answer: ServiceAnswer?, windowEnd: Instant) -> Suspension? {
        preconditionFailure("a device of no platform")
    }
    func identified(by worker: FleetWorker, person: Int, slot: UInt8) -> ObservedDevice {
        preconditionFailure("a device of no platform")
    }
}

private class PlatformDevice<World: SimulatedWorld, Rules: DevicePlatform>: ResidentDevice {
    var simulation: DeviceSimulation<World, Rules>
    private let memory: DeviceMemory

    init(_ simulation: DeviceSimulation<World, Rules>, _ memory: DeviceMemory) {
        self.simulation = simulation
        self.memory = memory
    }

    override func begin() -> Suspension? {
        simulation.begin()
        return simulation.runUntilSuspended(looksAhead: false)
    }

    override func advance(after answer: ServiceAnswer?, windowEnd: Instant) -> Suspension? {
        simulation.advance(after: answer, windowEnd: windowEnd, looksAhead: false)
    }
}

private final class DrawnDevice<World: SimulatedWorld, Rules: DevicePlatform>: PlatformDevice<World, Rules> {
    override func identified(by worker: FleetWorker, person: Int, slot: UInt8) -> ObservedDevice {
        let population = worker.prepared.population
        let traits = PersonTraits(number: UInt64(person), population)
        return worker.identified(simulation, DeviceOwner(traits, slot: slot, population))
    }
}

private final class RecordedDevice<Rules: DevicePlatform>: PlatformDevice<ObservedWorld, Rules> {
    private let steps: UnsafeMutableBufferPointer<ReplayWorld.Step>

    init(
        _ simulation: DeviceSimulation<ObservedWorld, Rules>, _ memory: DeviceMemory,
        steps: UnsafeMutableBufferPointer<ReplayWorld.Step>
    ) {
        self.steps = steps
        super.init(simulation, memory)
    }

    deinit { steps.deallocate() }

    override func identified(by worker: FleetWorker, person: Int, slot: UInt8) -> ObservedDevice {
        worker.identified(simulation, replay: person)
    }
}

extension ResidentDevices {
    /// Recorded devices.
    convenience init(
        recordedBy worker: FleetWorker, address: @escaping (Int, Int) -> Int, observer: NoteKeeper
    ) {
        let prepared = worker.prepared
        self.init(address: address) { person in
            let recorded = ReplayWorld.steps(of: prepared.plan.replay[person])
            let steps = UnsafeMutableBufferPointer<ReplayWorld.Step>.allocate(capacity: recorded.count)
            _ = steps.initialize(from: recorded)
            worker.memory = DeviceMemory(for: prepared)
            func device<Rules: DevicePlatform>(_ rules: Rules) -> ResidentDevice {
                let simulation = worker.begin(replay: person, rules, UnsafeBufferPointer(steps), observer: observer)
                return RecordedDevice(simulation, worker.memory, steps: steps)
            }
            switch prepared.plan.replay[person].rules {
            case .widgetKit: return [(0, device(WidgetKitRules()))]
            case .android: return [(0, device(AndroidRules()))]
            case .tiles: return [(0, device(TileRules()))]
            }
        }
    }

    /// Drawn devices.
    convenience init<World: SimulatedWorld>(
        drawnBy worker: FleetWorker, in _: World.Type, address: @escaping (Int, Int) -> Int,
        observer: @escaping () -> World.Observer
    ) {
        let prepared = worker.prepared
        self.init(address: address) { person in
            let traits = PersonTraits(number: UInt64(person), prepared.population)
            var devices: [(slot: Int, device: ResidentDevice)] = []
            for slot in prepared.population.habits(of: traits).pointee.devices.indices {
                let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
                guard owner.hasDevice else { continue }
                worker.count(owner, isFirst: devices.isEmpty)
                worker.memory = DeviceMemory(for: prepared)
                let isFirst = devices.isEmpty
                func device<Rules: DevicePlatform>(_ rules: Rules) -> ResidentDevice {
                    let simulation: DeviceSimulation<World, _> = worker.begin(
                        owner, rules, observer: observer(), isFirst: isFirst)
                    return DrawnDevice(simulation, worker.memory)
                }
                switch prepared.rules(of: owner) {
                case .widgetKit: devices.append((slot, device(WidgetKitRules())))
                case .android: devices.append((slot, device(AndroidRules(owner))))
                case .tiles: devices.append((slot, device(TileRules())))
                }
            }
            if devices.isEmpty { worker.countWithoutDevice(traits) }
            return devices
        }
    }
}
