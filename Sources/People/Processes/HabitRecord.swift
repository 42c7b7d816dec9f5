import Basics
import WidgetPlatform

/// An event of a person's habits that a record of their device would show: no widget is in it, and none changes it.
public struct HabitEvent: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case wake, sleep, unlock, lock, glance
        case tripStart = "trip_start"
        case tripEnd = "trip_end"
        /// A significant change of place is reported (L2).
        case change
    }

    public var time: Instant
    /// The zone in force, by index.
    public var zone: Int
    public var kind: Kind
    /// For a trip, its destination, and at its end, where that is.
    public var destination: Destination?
    public var place: Point?

    public enum Destination: String, CaseIterable, Sendable { case home, work, other, city }
}

/// The traits of a person, as far as their habits tell.
public struct PersonProfile: Sendable {
    public var segment, city, zone: Int
    public var age: String
    public var isDaySleeper, isCommuter: Bool
    /// Mean unlocks a day.
    public var unlocksPerDay: Double
    /// Hours from the midnight before waking: a usual onset of −1 is 23:00.
    public var onsetWorkday, wakeWorkday, onsetFree, wakeFree: Double
}

extension PreparedPopulation {
    /// The traits of a person.
    public func profile(person: Int) -> PersonProfile {
        let traits = PersonTraits(number: UInt64(person), self)
        let usual = traits.sleepTimes
        func hours(_ time: Duration) -> Double { time.inSeconds / 3_600 }
        return PersonProfile(
            segment: traits.segment, city: traits.city, zone: traits.zone,
            age: segments[traits.segment].sleep.ages[usual.age].name,
            isDaySleeper: usual.isDaySleeper, isCommuter: traits.isCommuter, unlocksPerDay: traits.unlocksPerDay,
            onsetWorkday: hours(usual.onsetWorkday), wakeWorkday: hours(usual.wakeWorkday),
            onsetFree: hours(usual.onsetFree),
            wakeFree: hours(usual.wakeFree))
    }

    /// A person's record from the start of the run to its end, on their first device, in order of time.
    ///
    /// - Parameter cell: the side of a content cell in millimetres (L8).
    public func record(person: Int, cell: Int64, _ note: (HabitEvent) -> Void) {
        let traits = PersonTraits(number: UInt64(person), self)
        let apps = habits(of: traits).pointee.apps.count
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: AppMemory.words(apps: apps)) { words in
            record(traits, cell: cell, in: AppMemory(words.baseAddress!, apps: apps), note)
        }
    }

    private func record(_ traits: PersonTraits, cell: Int64, in memory: AppMemory, _ note: (HabitEvent) -> Void) {
        var world = DrawnWorld(traits, slot: 0, self, cell: cell, in: memory)
        var changes = SignificantChanges(at: world.point(at: .start), precise: true)
        var changeAt = world.farInstant(from: max(.start, changes.earliestReport), changes)
        var zone = traits.zone
        while true {
            // At one instant, sleep, use and movement come before the report of a change (T3).
            if changeAt < world.nextAt {
                if changeAt >= plan.end { break }
                changes.report(world.point(at: changeAt), at: changeAt)
                note(HabitEvent(time: changeAt, zone: zone, kind: .change))
                changeAt = world.farInstant(from: max(changeAt, changes.earliestReport), changes)
                continue
            }
            let at = world.nextAt
            if at >= plan.end { break }
            let kind: HabitEvent.Kind?
            var (destination, place): (HabitEvent.Destination?, Point?)
            switch world.next() {
            case .wake: kind = .wake
            case .sleep: kind = .sleep
            case .pickup: kind = .unlock
            case .lock: kind = .lock
            case .glance: kind = .glance
            case .environment(_, zone: let newZone):
                if newZone >= 0 { zone = newZone }
                kind = nil
            case .move:
                destination = world.journey.destinationOfWay
                kind = destination == nil ? .tripEnd : .tripStart
                if destination == nil { (destination, place) = (world.journey.restingPlace, world.journey.leg.to) }
                changeAt = world.farInstant(from: max(at, changes.earliestReport), changes)
            default: kind = nil
            }
            if let kind { note(HabitEvent(time: at, zone: zone, kind: kind, destination: destination, place: place)) }
        }
    }
}

extension Journey {
    /// Where the trip under way leads; nil at a stay.
    fileprivate var destinationOfWay: HabitEvent.Destination? {
        switch phase {
        case .toWork: .work
        case .toHome: .home
        case .toPlace: .other
        case .travelling: .city
        case .home, .work, .place: nil
        }
    }

    /// The kind of place of the present stay.
    fileprivate var restingPlace: HabitEvent.Destination { phase == .home ? .home : phase == .work ? .work : .other }
}
