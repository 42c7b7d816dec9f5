import Basics
import DeviceStorage
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// A stack on one device.
struct StackState: BitwiseCopyable {
    private(set) var order: SmartStack
    let rotationsPerDay: Int
    /// How often a person who sees it turns it; nil if never by chance.
    let flips: StackFlips?
    /// The pickup at which they turn it next, and how many such pickups have been drawn.
    private var flipAt: UInt64 = 0
    private var flipNumber: UInt64 = 0
    private(set) var surface = Surface.homeFirst
    /// The indices of its instances, by their places.
    private var members = SIMD16<Int16>(repeating: -1)

    var count: Int { order.count }

    init(_ plan: StackPlan, count: Int, flips: StackFlips?) {
        order = SmartStack(count: count)
        rotationsPerDay = plan.rotationsPerDay
        self.flips = flips
    }

    /// The instance that is seen.
    var top: Int { Int(members[order.top]) }

    /// An instance lies in the stack.
    mutating func add(_ i: Int, at place: Int, on surface: Surface) {
        members[place] = Int16(i)
        self.surface = surface
    }

    mutating func beginDay() { order.beginDay() }

    /// The system turns the stack by relevance; returns whether it does.
    @inline(__always) mutating func rotate(relevance: (Int) -> Double) -> Bool {
        let members = members
        return order.rotate(most: rotationsPerDay) { relevance(Int(members[$0])) }
    }

    /// A widget that is not there yet cannot be on top: the next one is.
    mutating func skip(missing: (Int) -> Bool) {
        for _ in 0..<count where missing(top) { order.flip() }
    }

    /// The person turns the stack; returns whether another widget comes up.
    mutating func flip(missing: (Int) -> Bool) -> Bool {
        let before = order.top
        order.flip()
        skip(missing: missing)
        return order.top != before
    }

    /// A recorded view of a widget brings it to the top.
    mutating func show(_ place: Int) { order.show(place) }

    /// Whether the person would turn the stack at a pickup if they saw it: pickups are counted, so that what they see
    /// moves none.
    mutating func isTurned(atPickup pickup: UInt64, _ flips: StackFlips, _ draws: RandomStream) -> Bool {
        while flipAt < pickup {
            flipAt += flips.first.draw(draws.value(at: flipNumber))
            flipNumber += 1
        }
        return flipAt == pickup
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var (top, rotations) = (order.top, order.rotations)
        coder.code(&top, in: 0...max(0, order.count - 1), "a widget that is not in its stack")
        coder.code(&rotations, in: 0...1 << 30, "more turns of a stack than a day has")
        if Coder.isReading { order = SmartStack(count: order.count, top: top, rotations: rotations) }
        coder.code(&flipAt)
        coder.code(&flipNumber)
    }
}

/// The stacks of a device.
struct DeviceStacks {
    private var states: UnsafeMutablePointer<StackState>
    let count: Int
    /// The surfaces with a stack of several widgets.
    private(set) var surfaces = SurfaceSet()

    /// The stacks with their instances, each in its place.
    init(
        _ plans: [StackPlan], flips: [StackFlips?], _ memory: DeviceMemory, _ schedule: inout InstanceSchedule
    ) {
        (states, count) = (memory.stacks, plans.count)
        for (stack, plan) in plans.enumerated() {
            let members = (0..<schedule.count).filter { memory.instances[$0].stack == stack }
            states[stack] = StackState(plan, count: members.count, flips: flips.isEmpty ? nil : flips[stack])
            for (place, i) in members.enumerated() {
                schedule.place(i, at: place)
                states[stack].add(i, at: place, on: memory.instances[i].surface)
                if members.count > 1 { surfaces.insert(SurfaceSet(memory.instances[i].surface)) }
            }
        }
    }

    mutating func adopt(_ memory: DeviceMemory) { states = memory.stacks }

    subscript(stack: Int) -> StackState {
        @inline(__always) _read { yield states[stack] }
        @inline(__always) nonmutating _modify { yield &states[stack] }
    }
}
