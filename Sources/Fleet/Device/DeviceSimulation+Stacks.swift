import Basics
import People
import WidgetPlatform

/// Stacks: which widget is on top, by relevance and by hand (V3).
extension DeviceSimulation {
    /// The system looks at the stacks of the surfaces that come on the screen, and turns them by relevance.
    mutating func rotateStacks(on surfaces: SurfaceSet) {
        for stack in 0..<stacks.count where stacks[stack].count > 1 && surfaces.contains(stacks[stack].surface) {
            // The day's turns are used up: no widget need be looked at.
            if stacks[stack].order.rotations >= stacks[stack].rotationsPerDay { continue }
            let local = zoneTable.localTime(at: now)
            let isTurned = stacks[stack].rotate { i in
                instances[i].isInstalled ? relevance(i, local: local) : -.infinity
            }
            guard isTurned else { continue }
            count(.rotations)
            let top = stacks[stack].top
            if observer.isWatching {
                note(
                    .rotation, instance: top,
                    detail:
                        "relevance \(relevance(top, local: local)), rotation \(stacks[stack].order.rotations) of the day"
                )
            }
        }
    }

    /// The relevance of what an instance shows now.
    ///
    /// - Parameter circumstances: those that clues are about, where they count.
    mutating func relevance(_ i: Int, local: LocalTime, in circumstances: RelevanceRule.Circumstances? = nil) -> Double
    {
        let kind = kinds + instances[i].kind
        if instances[i].content.kind == .placeholder { return kind.pointee.relevance.base }
        if kind.pointee.provider != nil, let own = own.relevance(of: i) { return own }
        let isEventOn =
            kind.pointee.relevance.event != nil && kind.pointee.source.isEventOn(at: now, key: contentKey(i))
        return kind.pointee.relevance.score(
            at: now, local: local, newSince: instances[i].newSince, isEventOn: isEventOn, in: circumstances)
    }

    /// Whether an instance can be seen when its surface is: it stands alone or is on top of its stack.
    mutating func isOnTop(_ i: Int) -> Bool {
        let stack = Int(schedule.briefs[i].stack)
        if stack < 0 { return true }
        return stacks[stack].order.top == Int(schedule.briefs[i].stackPlace)
    }

    /// A widget that is not there yet is not on top of its stack.
    mutating func settleStacks(on surfaces: SurfaceSet) {
        for stack in 0..<stacks.count where surfaces.contains(stacks[stack].surface) {
            stacks[stack].skip { !instances[$0].isInstalled }
        }
    }

    /// The person who sees stacks turns them, perhaps, and sees what comes up (V3).
    mutating func flipStacks(on surfaces: SurfaceSet) {
        for stack in 0..<stacks.count where stacks[stack].count > 1 && surfaces.contains(stacks[stack].surface) {
            guard let flips = stacks[stack].flips else { continue }
            guard stacks[stack].isTurned(atPickup: person.pickupNumber, flips, streams[.stackFlip, sub: stack])
            else { continue }
            let draws = streams[.stackFurtherFlip, sub: stack]
            for turn in 0..<stacks[stack].count - 1 {
                if turn > 0 && !flips.further.holds(draws.value(at: person.pickupNumber * 16 + UInt64(turn))) { break }
                guard stacks[stack].flip(missing: { !instances[$0].isInstalled }) else { break }
                count(.flips)
                let i = stacks[stack].top
                if observer.isWatching { note(.flip, instance: i) }
                view(i)
            }
        }
    }

    /// A recorded view of a widget in a stack brings it to the top.
    mutating func bringToTop(_ i: Int) {
        let stack = instances[i].stack
        if stack >= 0 && instances[i].isInstalled { stacks[stack].show(Int(schedule.briefs[i].stackPlace)) }
    }
}
