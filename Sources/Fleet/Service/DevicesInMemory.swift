import Basics
import People
import RefreshService

/// Devices whose whole state stays in memory: recorded ones, and those that are observed.
final class DevicesInMemory: PartitionDevices {
    /// Makes a person's devices, before their first events, each with its slot.
    private let make: (_ person: Int) -> [(slot: Int, device: any ResidentDevice)]
    private let address: (Int, Int) -> Int
    private(set) var devices: [Int: any ResidentDevice] = [:]

    init(
        address: @escaping (_ person: Int, _ slot: Int) -> Int,
        make: @escaping (_ person: Int) -> [(slot: Int, device: any ResidentDevice)]
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
protocol ResidentDevice {
    /// Runs to the first suspension.
    func begin() -> Suspension?
    func advance(after answer: ServiceAnswer?, windowEnd: Instant) -> Suspension?
    /// The notes of its observer.
    var observed: ObservedDevice { get }
}

private final class PlatformDevice<World: SimulatedWorld, Rules: DevicePlatform>: ResidentDevice {
    private var simulation: DeviceSimulation<World, Rules>
    private let memory: DeviceMemory
    /// The events of a recorded device.
    private let steps: UnsafeMutableBufferPointer<ReplayWorld.Step>?
    private let identify: (DeviceSimulation<World, Rules>) -> ObservedDevice

    init(
        _ simulation: DeviceSimulation<World, Rules>, _ memory: DeviceMemory,
        steps: UnsafeMutableBufferPointer<ReplayWorld.Step>? = nil,
        identify: @escaping (DeviceSimulation<World, Rules>) -> ObservedDevice
    ) {
        (self.simulation, self.memory, self.steps, self.identify) = (simulation, memory, steps, identify)
    }

    deinit { steps?.deallocate() }

    func begin() -> Suspension? {
        simulation.begin()
        return simulation.runUntilSuspended(looksAhead: false)
    }

    func advance(after answer: ServiceAnswer?, windowEnd: Instant) -> Suspension? {
        simulation.advance(after: answer, windowEnd: windowEnd, looksAhead: false)
    }

    var observed: ObservedDevice { identify(simulation) }
}

extension DevicesInMemory {
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
            func device<Rules: DevicePlatform>(_ rules: Rules) -> any ResidentDevice {
                let simulation = worker.begin(replay: person, rules, UnsafeBufferPointer(steps), observer: observer)
                return PlatformDevice(simulation, worker.memory, steps: steps) {
                    worker.identified($0, replay: person)
                }
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
            worker.countedDevices(ofDrawn: person).map { owner, isFirst in
                worker.memory = DeviceMemory(for: prepared)
                func device<Rules: DevicePlatform>(_ rules: Rules) -> any ResidentDevice {
                    let simulation: DeviceSimulation<World, _> = worker.begin(
                        owner, rules, observer: observer(), isFirst: isFirst)
                    return PlatformDevice(simulation, worker.memory) { worker.identified($0, owner) }
                }
                switch prepared.rules(of: owner) {
                case .widgetKit: return (Int(owner.slot), device(WidgetKitRules()))
                case .android: return (Int(owner.slot), device(AndroidRules(owner)))
                case .tiles: return (Int(owner.slot), device(TileRules()))
                }
            }
        }
    }
}
