import Statistics
import WidgetPlatform

/// A person's whereabouts on the days before the run, which nobody simulates, by their habits: where they were at some
/// instant, and how much an app of theirs was used (T4).
package struct UsualWhereabouts {
    private let owner: DeviceOwner
    private let population: PreparedPopulation

    package init(_ owner: DeviceOwner, _ population: PreparedPopulation) {
        (self.owner, self.population) = (owner, population)
    }

    /// The last waking hours before the start are spent at home. Assumption.
    private static var hoursAtHome: Double { 3 }
    private static var workdayShare: Double { 5.0 / 7 }

    /// The waking hours of a workday.
    package var wakingHours: Double { owner.traits.sleepTimes.usualWaking.workday.length.inSeconds / 3_600 }

    /// Openings a day of an app on the device, and the share of the waking time that it is in the foreground.
    package func use(ofApp app: Int) -> (openings: Double, foregroundShare: Double) {
        let habits = owner.habits.pointee.apps.baseAddress! + app
        guard owner.use.unlocksPerDay > 0 else { return (0, 0) }
        let openings = population.openingsPerDay(ofApp: app, segment: owner.traits.segment, owner.streams)
        return (openings, min(1, openings * habits.pointee.meanForegroundTime / (wakingHours * 3_600)))
    }

    /// The ways of a day on which an app navigates, which nobody does with a Mac.
    package func navigatedWays(byApp app: Int) -> Double {
        if owner.device.pointee.kind == .mac { return 0 }
        let commute = owner.traits.isCommuter ? 2 * Self.workdayShare : 0
        return owner.habits.pointee.apps[app].navigationShare * (owner.habits.pointee.movement.meanOutingWays + commute)
    }

    /// How often a day the page of widgets is shown on a car's display, on trips of 20 minutes each. Assumption.
    package var pagesPerDay: Double {
        let habits = owner.device.pointer(to: \.openings.drives)!
        guard habits.pointee.owned.holds(owner.streams.number(.carOwner)) else { return 0 }
        let commute = owner.traits.isCommuter ? 2 * Self.workdayShare : 0
        let trips = owner.habits.pointee.movement.meanOutingWays + commute
        return habits.pointee.showings(trips: trips, seconds: trips * 1_200)
    }

    /// The content cell where the person was at an instant of a day: at home in the last hours, otherwise at work, at a
    /// known place or at home by how long people are there. A device that stays was where it stands (L1).
    ///
    /// - Parameters:
    ///   - hours: waking hours between the instant and the start.
    ///   - numbers: which sort of place, and which of the known ones.
    ///   - cell: the side of a cell, millimetres.
    package func cell(wakingHoursBefore hours: Double, _ numbers: (sort: UInt64, place: UInt64), side cell: Int64)
        -> Int64
    {
        DrawnWorld.place(point(wakingHoursBefore: hours, numbers), cell: cell)
    }

    private func point(wakingHoursBefore hours: Double, _ numbers: (sort: UInt64, place: UInt64)) -> Point {
        if owner.isStationary {
            return owner.stand(Journey(owner.traits, owner.habits, cities: population.cities.baseAddress!))
        }
        let home = owner.traits.home
        if hours < Self.hoursAtHome { return home }
        let movement = UnsafePointer(owner.habits).pointer(to: \.movement)!
        let waking = wakingHours * 3_600
        let work = owner.traits.isCommuter ? min(1, Self.workdayShare * movement.pointee.meanWorkStay / waking) : 0
        let sort = RandomStream.uniform(numbers.sort)
        if sort >= work + movement.pointee.meanTimeOut / waking { return home }
        let journey = Journey(owner.traits, owner.habits, cities: population.cities.baseAddress!)
        if sort < work { return journey.work }
        guard journey.known > 0 else { return home }
        return journey.point(
            of: Journey.priority(
                RandomStream.uniform(numbers.place), of: journey.known, exponent: movement.pointee.returnExponent))
    }
}

extension PreparedPopulation {
    /// Openings a day of an app on a device of a segment, whose draws these are.
    package func openingsPerDay(ofApp app: Int, segment: Int, _ streams: RandomStreams) -> Double {
        max(
            0,
            habits(ofSegment: segment).pointee.apps[app].openingsPerDay.draw(streams.number(.appOpeningRate, sub: app)))
    }
}
