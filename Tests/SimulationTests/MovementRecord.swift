import Basics
import Statistics
import WidgetPlatform

@testable import People

/// The record that a person's phone would have made in some days: ways, stays and significant changes, as the
/// calibration's records have them.
struct MovementRecord {
    struct Trip {
        var minutes: Double
        var changes = 0
        /// The local clock time of the departure, and whether the way leads to work.
        var departure: ClockTime
        var isToWork: Bool
    }

    /// Ways within a city.
    var trips: [Trip] = []
    var changesByDay: [Int]
    var tripsByDay: [Int]
    var placesByDay: [Set<Point>]
    /// Seconds at each place.
    var stays: [Point: Double] = [:]
    var visits = 0
    var returns = 0
    /// Arrivals in another city, and those of them in another zone.
    var travels = 0
    var crossings = 0
    let isCommuter: Bool

    /// - Parameter days: counted from 4 o'clock in New York, when most people in the country are at home.
    init(of person: UInt64, days: Int, _ prepared: PreparedPopulation) {
        changesByDay = Array(repeating: 0, count: days)
        tripsByDay = changesByDay
        placesByDay = Array(repeating: [], count: days)
        let traits = PersonTraits(number: person, prepared)
        isCommuter = traits.isCommuter
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: AppMemory.words(apps: PopulationPlan.mostApps))
        defer { words.deallocate() }
        let memory = AppMemory(words, apps: PopulationPlan.mostApps)
        record(
            DrawnWorld(traits, slot: 0, prepared, cell: 10_000_000, in: memory), zone: traits.zone, days: days, prepared
        )
    }

    private mutating func record(_ start: DrawnWorld, zone: Int, days: Int, _ prepared: PreparedPopulation) {
        var (world, zone) = (start, zone)
        let from = Instant.start + .hours(4)
        let end = from + .days(Int64(days))
        var changes = SignificantChanges(at: world.point(at: .start), precise: true)
        var reportAt = Instant.never
        var stayedSince = from
        var isInTransit = false
        func day(_ at: Instant) -> Int? {
            at < from ? nil : Int((at - from).microseconds / ClockTime.microsecondsPerDay)
        }
        while true {
            let now = min(world.nextAt, reportAt)
            if now >= end { break }
            if reportAt == now {
                changes.report(world.point(at: now), at: now)
                if let day = day(now) {
                    changesByDay[day] += 1
                    if !trips.isEmpty { trips[trips.count - 1].changes += 1 }
                }
            } else {
                let event = world.next()
                switch event {
                case .environment(.timeZone, let newZone):
                    zone = newZone
                    crossings += 1
                case .move:
                    let journey = world.journey
                    let place = journey.leg.to
                    if [.toWork, .toPlace, .toHome, .travelling].contains(journey.phase) {
                        guard let day = day(now) else { break }
                        stays[journey.leg.from, default: 0] += (now - stayedSince).inSeconds
                        placesByDay[day].insert(journey.leg.from)
                        isInTransit = true
                        if journey.phase == .travelling { break }
                        tripsByDay[day] += 1
                        trips.append(
                            Trip(
                                minutes: (journey.nextAt - now).inSeconds / 60,
                                departure: prepared.zones[zone].localTime(at: now).clock,
                                isToWork: journey.phase == .toWork))
                    } else if let day = day(now), isInTransit {
                        isInTransit = false
                        stayedSince = now
                        placesByDay[day].insert(place)
                        visits += 1
                        if stays[place] != nil { returns += 1 }
                    }
                default: break
                }
            }
            reportAt = world.farInstant(from: max(now, changes.earliestReport), changes)
        }
        if !isInTransit { stays[world.journey.leg.to, default: 0] += (end - stayedSince).inSeconds }
    }
}
