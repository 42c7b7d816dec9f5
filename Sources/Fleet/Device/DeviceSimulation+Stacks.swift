import Basics
import People
import Statistics
import WidgetPlatform

/// Stacks: which widget is on top, by relevance and by hand (V3).
extension DeviceSimulation {
    /// The system looks at the stacks of the surfaces that come on the screen, and turns them by relevance.
    mutating func rotateStacks(on surfaces: SurfaceSet) {
        for stack in 0..<stackCount where stacks[stack].count > 1 && surfaces.contains(stacks[stack].surface) {
            // The day's turns are used up: no widget need be looked at.
            if stacks[stack].order.rotations >= stacks[stack].rotationsPerDay { continue }
            let local = zoneTable.localTime(at: now)
            let turned = stacks[stack].order.rotate(most: stacks[stack].rotationsPerDay) { place in
                let i = Int(stacks[stack].members[place])
                return instances[i].isInstalled ? relevance(i, local: local) : -.infinity
            }
            guard turned else { continue }
            count(.rotations)
            let top = Int(stacks[stack].members[stacks[stack].order.top])
            if Observer.isWatching {
                note(
                    .rotation, instance: top,
                    detail:
                        "relevance \(relevance(top, local: local)), rotation \(stacks[stack].order.rotations) of the day"
                )
            }
        }
    }

    /// The relevance of what an instance shows now.
    private mutating func relevance(_ i: Int, local: LocalTime) -> Double {
        let kind = kinds + instances[i].kind
        if instances[i].content.kind == .placeholder { return kind.pointee.relevance.base }
        let isEventOn =
            kind.pointee.relevance.event != nil && kind.pointee.source.isEventOn(at: now, key: contentKey(i))
        return kind.pointee.relevance.score(
            at: now, local: local, newSince: instances[i].newSince, isEventOn: isEventOn)
    }

    /// Whether an instance can be seen when its surface is: it stands alone or is on top of its stack.
    mutating func isOnTop(_ i: Int) -> Bool {
        let stack = Int(schedule.briefs[i].stack)
        if stack < 0 { return true }
        return stacks[stack].order.top == Int(schedule.briefs[i].stackPlace)
    }

    /// A widget that is not there yet cannot be on top: the next one is.
    mutating func settleStacks(on surfaces: SurfaceSet) {
        for stack in 0..<stackCount where surfaces.contains(stacks[stack].surface) { skipMissing(in: stack) }
    }

    private mutating func skipMissing(in stack: Int) {
        for _ in 0..<stacks[stack].count
        where !instances[Int(stacks[stack].members[stacks[stack].order.top])].isInstalled {
            stacks[stack].order.flip()
        }
    }

    /// The person who sees stacks turns them, perhaps, and sees what comes up (V3).
    mutating func flipStacks(on surfaces: SurfaceSet) {
        for stack in 0..<stackCount where stacks[stack].count > 1 && surfaces.contains(stacks[stack].surface) {
            guard let flips = stacks[stack].flips else { continue }
            findFlip(of: stack, flips)
            if stacks[stack].flipAt > person.pickupNumber { continue }
            let draws = streams[.stackFurtherFlip, sub: stack]
            for turn in 0..<stacks[stack].count - 1 {
                if turn > 0 && !flips.further.holds(draws.value(at: person.pickupNumber * 16 + UInt64(turn))) { break }
                let before = stacks[stack].order.top
                stacks[stack].order.flip()
                if missingCount > 0 { skipMissing(in: stack) }
                if stacks[stack].order.top == before { break }
                count(.flips)
                let i = Int(stacks[stack].members[stacks[stack].order.top])
                if Observer.isWatching { note(.flip, instance: i) }
                view(i)
            }
        }
    }

    /// The pickup from this one on at which the person would turn the stack if they saw it: pickups are counted, so
    /// that what they see moves none.
    private mutating func findFlip(of stack: Int, _ flips: StackFlips) {
        let draws = streams[.stackFlip, sub: stack]
        while stacks[stack].flipAt < person.pickupNumber {
            stacks[stack].flipAt += flips.first.draw(draws.value(at: stacks[stack].flipNumber))
            stacks[stack].flipNumber += 1
        }
    }

    /// A recorded view of a widget in a stack brings it to the top.
    mutating func bringToTop(_ i: Int) {
        let stack = instances[i].stack
        if stack >= 0 && instances[i].isInstalled { stacks[stack].order.show(Int(schedule.briefs[i].stackPlace)) }
    }
}

/// A stack on one device.
struct StackState: BitwiseCopyable {
    var order: SmartStack
    let rotationsPerDay: Int
    /// How often a person who sees it turns it; nil if never by chance.
    let flips: StackFlips?
    /// The pickup at which they turn it next, and how many such pickups have been drawn.
    var flipAt: UInt64 = 0
    var flipNumber: UInt64 = 0
    var surface = Surface.homeFirst
    /// The indices of its instances, by their places.
    var members = SIMD16<Int16>(repeating: -1)

    var count: Int { order.count }

    init(_ plan: StackPlan, count: Int, flips: StackFlips?) {
        order = SmartStack(count: count)
        rotationsPerDay = plan.rotationsPerDay
        self.flips = flips
    }
}
