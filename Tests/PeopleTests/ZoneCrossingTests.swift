import Basics
import Testing
import WidgetPlatform

@testable import People

/// People who travel between New York, London and Tokyo thirty times a year.
///
/// Rules: F4.
@Suite struct ZoneCrossingTests {
    static let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 23))

    /// The events of the first people, each with its instant and the world after it.
    static func events(people: Range<UInt64>, _ visit: (UInt64, Instant, WorldEvent, DrawnWorld) -> Bool) {
        let memory = TestPopulation.appMemory()
        for person in people {
            var world = DrawnWorld(
                PersonTraits(number: person, prepared), slot: 0, prepared, cell: 10_000_000, in: memory)
            while world.nextAt < TestPopulation.end {
                let at = world.nextAt
                let event = world.next()
                if !visit(person, at, event, world) { return }
            }
        }
    }

    @Test
    func
        `an arrival in another zone is a move and, at once, a change of the zone, and requests come from the new region`()
    {
        var crossings = 0
        var last: (person: UInt64, at: Instant, wasMove: Bool, zone: Int)?
        Self.events(people: 0..<150) { person, at, event, world in
            var zone = last?.person == person ? last!.zone : PersonTraits(number: person, Self.prepared).zone
            let city = Self.prepared.plan.cities[world.journey.city]
            guard Self.prepared.plan.regions[world.region] == city.region else {
                Issue.record("person \(person): in \(city.name), served by \(Self.prepared.plan.regions[world.region])")
                return false
            }
            if case .environment(let change, let newZone) = event {
                crossings += 1
                #expect(change == .timeZone && newZone != zone && Self.prepared.zones[newZone].name == city.zone)
                guard let last, last.wasMove, last.at == at else {
                    Issue.record("person \(person): a crossing without an arrival")
                    return false
                }
                zone = newZone
            }
            if let last, last.person == person, at < last.at {
                Issue.record("person \(person): \(at.microseconds) after \(last.at.microseconds)")
                return false
            }
            var isMove = false
            if case .move = event { isMove = true }
            last = (person, at, isMove, zone)
            return true
        }
        #expect(crossings > 300)
    }

    @Test func `days and nights go on across zones, and no session outlasts the day`() {
        var person: UInt64?
        var (asleep, inSession, since) = (false, false, Instant.start)
        var nights = 0
        Self.events(people: 0..<150) { number, at, event, world in
            if person != number {
                person = number
                (asleep, inSession, since) = (world.startsAsleep, false, .longAgo)
                if case .wake = event { asleep = true }
            }
            switch event {
            case .pickup, .glance:
                guard !asleep, !inSession else {
                    Issue.record("person \(number): a pickup at \(at.microseconds), asleep: \(asleep)")
                    return false
                }
                if case .pickup = event { inSession = true }
            case .lock: inSession = false
            case .sleep:
                // A day across zones lasts at most a day longer than it would have.
                guard !asleep, !inSession, since == .longAgo || at - since >= .hours(1),
                    since == .longAgo || at - since <= .hours(48)
                else {
                    Issue.record(
                        "person \(number): asleep at \(at.microseconds), awake since \(since.microseconds), in session: \(inSession)"
                    )
                    return false
                }
                (asleep, since) = (true, at)
            case .wake:
                guard asleep, since == .longAgo || (Duration.hours(3)...Duration.hours(14)).contains(at - since) else {
                    Issue.record("person \(number): a night of \((at - since).inSeconds) s")
                    return false
                }
                nights += 1
                (asleep, since) = (false, at)
            default: break
            }
            return true
        }
        #expect(nights > 8_000)
    }

    @Test func `after a crossing people keep their hours on the new clock`() {
        var late = 0
        var nights = 0
        var crossedAt: [UInt64: Instant] = [:]
        Self.events(people: 0..<200) { person, at, event, world in
            if case .environment = event { crossedAt[person] = at }
            guard case .sleep = event, let crossing = crossedAt[person], at - crossing > .days(1) else { return true }
            let zone = Self.prepared.zones[Self.prepared.cities[world.journey.city].zone]
            let usual = PersonTraits(number: person, Self.prepared).sleepTimes
            let clock = zone.localTime(at: at).clock.microseconds
            // The test plan's nights lie one hour (standard deviation) round the usual onsets, which differ little
            // between workdays and free days.
            let apart = [usual.onsetWorkday, usual.onsetFree].map { onset in
                let difference =
                    ((clock - onset.microseconds) % ClockTime.microsecondsPerDay + ClockTime.microsecondsPerDay)
                    % ClockTime.microsecondsPerDay
                return min(difference, ClockTime.microsecondsPerDay - difference)
            }.min()!
            nights += 1
            if apart > 5 * 3_600_000_000 { late += 1 }
            return true
        }
        #expect(nights > 3_000 && Double(late) < 0.03 * Double(nights), "\(late) of \(nights)")
    }

    @Test func `a move within a night leaves the night, one by day sets a coming night within a day`() {
        let tokyo = Self.prepared.zones.baseAddress! + 2
        for person in 0..<200 as Range<UInt64> {
            let traits = PersonTraits(number: person, Self.prepared)
            var sleep = SleepSchedule(
                traits, Self.prepared.habits(of: traits).pointer(to: \.sleep.nights)!,
                zone: Self.prepared.zones.baseAddress! + traits.zone)
            for step in 0..<40 as Range<Int64> {
                sleep.advance()
                var moved = sleep
                let now = sleep.isAsleep ? sleep.nextAt - .minutes(90) : sleep.nextAt - .minutes(1 + 20 * step)
                moved.move(to: tokyo, at: now)
                if sleep.isAsleep {
                    #expect(moved.nextAt == sleep.nextAt && moved.isAsleep)
                } else {
                    #expect(moved.nextAt >= now + .hours(1) && moved.nextAt <= now + .days(1))
                    var after = moved
                    after.advance()
                    #expect((Duration.hours(3)...Duration.hours(14)).contains(after.nextAt - moved.nextAt))
                }
            }
        }
    }
}
