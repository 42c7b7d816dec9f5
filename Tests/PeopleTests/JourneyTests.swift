import Basics
import TestSupport
import Testing
import WidgetPlatform

@testable import People

/// Rules: L1.
@Suite struct JourneyTests {
    static let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 11))

    /// The changes of the first people's first days, each with its instant; everybody sleeps from 23 to 7 o'clock.
    static func journeys(
        people: Range<UInt64>, days: Int, _ visit: (UInt64, Instant, Journey, _ bedtime: Instant) -> Bool
    ) {
        for person in people {
            let traits = PersonTraits(number: person, prepared)
            var journey = Journey(
                traits, prepared.habits(of: traits), cities: UnsafePointer(prepared.cities.baseAddress!))
            let first = prepared.zones[traits.zone].localTime(at: .start).date.advanced(by: 1)
            var bedtime = Instant.start
            for day in 0..<Int64(days) {
                let zone = prepared.zones.baseAddress! + prepared.cities[journey.city].zone
                let date = first.advanced(by: day)
                // A person who has come from the west has a short night.
                let wake = max(zone.pointee.instant(of: date, at: ClockTime(hour: 7, minute: 0)), bedtime + .hours(3))
                while journey.nextAt < wake { if !step() { return } }
                bedtime = wake + .hours(16)
                journey.wake(at: wake, date: date, bedtime: bedtime, zone: zone)
                while journey.nextAt < bedtime { if !step() { return } }
                journey.sleep()
            }
            func step() -> Bool {
                let at = journey.nextAt
                journey.advance()
                return visit(person, at, journey, bedtime)
            }
        }
    }

    @Test func `a way begins where the last one ended, and the clock continues`() {
        var last: (person: UInt64, leg: Leg, arrival: Instant)?
        var legs = 0
        Self.journeys(people: 0..<100, days: 40) { person, at, journey, _ in
            let leg = journey.leg
            if let last, last.person == person {
                guard leg.from == last.leg.to || leg.start == last.leg.start, leg.start >= last.leg.start,
                    journey.nextAt >= at
                else {
                    Issue.record("person \(person): \(leg) after \(last.leg)")
                    return false
                }
                if leg.start != last.leg.start {
                    legs += 1
                    #expect(leg.start >= last.arrival && leg.end <= journey.nextAt)
                }
            }
            #expect(leg.start <= leg.end && leg.point(at: leg.end) == leg.to)
            if leg.start < leg.end { #expect(leg.point(at: leg.start) == leg.from) }
            #expect(leg.point(at: leg.start - .days(1)) == leg.from && leg.point(at: leg.end + .days(1)) == leg.to)
            let isInTransit = [.toWork, .toPlace, .toHome, .travelling].contains(journey.phase)
            last = (person, leg, isInTransit ? journey.nextAt : at)
            return true
        }
        #expect(legs > 1_000)
    }

    @Test func `everybody is home at bedtime but for short stays, late work and other cities`() {
        var nights = (home: 0, out: 0)
        Self.journeys(people: 0..<200, days: 30) { _, at, journey, bedtime in
            if journey.phase == .place, journey.nextAt - at > .minutes(5) {
                if journey.nextAt < bedtime { nights.home += 1 } else { nights.out += 1 }
            }
            return true
        }
        #expect(nights.home > 5_000 && nights.out == 0, "\(nights)")
    }

    @Test func `a place is where it was, and people come back to places`() {
        var places: [UInt64: Set<Point>] = [:]
        var visits = 0
        Self.journeys(people: 0..<50, days: 58) { person, _, journey, _ in
            if journey.phase == .place {
                visits += 1
                places[person, default: []].insert(journey.leg.to)
            }
            return true
        }
        let count = places.values.reduce(0) { $0 + $1.count }
        #expect(visits > 2_000 && Double(count) < 0.6 * Double(visits), "\(count) places in \(visits) visits")
    }

    @Test func `priorities are drawn in the shares of a power law`() {
        var counts = [Int](repeating: 0, count: 10)
        for i in 0..<10_000 { counts[Journey.priority((Double(i) + 0.5) / 10_000, of: 10, exponent: 1.2)] += 1 }
        // The whole parts of a continuous distribution: (1 − 2^−.2) / (1 − 11^−.2) = .339 for the first of ten.
        #expect((3_380...3_400).contains(counts[0]), "\(counts)")
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 > $1 })
        #expect(
            Journey.priority(1 - 0x1p-53, of: 10, exponent: 1.2) == 9
                && Journey.priority(0x1p-53, of: 10, exponent: 1) == 0)
        #expect(
            Journey.priority(1 - 0x1p-53, of: 10, exponent: 1) == 9 && Journey.priority(0.5, of: 1, exponent: 1.2) == 0)
    }

    @Test func `the time of a distance and the distance of a time are inverse`() {
        let speed = TripSpeed(atReference: 4_444, slowest: 1_250, fastest: 30_000)
        for kilometres in [0.01, 0.2, 0.395, 0.396, 1, 5, 80, 227, 228, 900] {
            let distance = kilometres * 1e6
            let seconds = speed.seconds(distance)
            #expect((speed.distance(seconds) / distance - 1).magnitude < 1e-9, "\(kilometres) km")
        }
        #expect((speed.seconds(5e6) - 5e6 / 4_444).magnitude < 1e-9)
    }

    /// The instant's own place is far, and a microsecond before it is not; by the straight line, whose points are
    /// rounded to millimetres, the distance there is 500 m to 2 mm.
    @Test func `a far instant is where the distance reaches 500 m`() {
        var numbers = TestNumbers(seed: 3)
        var found = 0
        Self.journeys(people: 0..<150, days: 12) { person, _, journey, _ in
            let leg = journey.leg
            let span = max(1, (leg.end - leg.start).microseconds)
            for trial in 0..<6 {
                // A last report at the leg's begin, along it, or beside it.
                var place =
                    trial == 0 ? leg.from : leg.point(at: leg.start + Duration(microseconds: numbers.below(span)))
                if trial > 2 {
                    place.x += numbers.below(1_000_000) - 500_000
                    place.y += numbers.below(1_000_000) - 500_000
                }
                let changes = SignificantChanges(at: place, precise: true)
                let from = leg.start + Duration(microseconds: numbers.below(span + 600_000_000) - 300_000_000)
                let far = journey.leg.farInstant(from: from, changes)
                func isFar(_ instant: Instant) -> Bool { changes.isFar(leg.point(at: instant)) }
                if far == .never {
                    for step in 0...200 as ClosedRange<Int64> {
                        if isFar(from + Duration(microseconds: step * max(0, (leg.end - from).microseconds) / 200)) {
                            Issue.record("person \(person): never, though far")
                            return false
                        }
                    }
                    continue
                }
                found += 1
                guard far >= from, isFar(far) else {
                    Issue.record("person \(person): not far at \(far.microseconds)")
                    return false
                }
                let before = (far - from).microseconds
                if before == 0 { continue }
                guard !isFar(far - Duration(microseconds: 1)) else {
                    Issue.record("person \(person): far before \(far.microseconds), leg \(leg), place \(place)")
                    return false
                }
                // On the way to another city there is nothing between its ends.
                if leg.start < leg.end {
                    let share = Double((far - leg.start).microseconds) / Double(span)
                    let dx = Double(leg.from.x - place.x) + Double(leg.to.x - leg.from.x) * share
                    let dy = Double(leg.from.y - place.y) + Double(leg.to.y - leg.from.y) * share
                    let distance = (dx * dx + dy * dy).squareRoot()
                    guard (distance - 500_000).magnitude <= 2 else {
                        Issue.record("person \(person): \(distance) mm, leg \(leg), place \(place)")
                        return false
                    }
                }
                for step in 0..<200 as Range<Int64> where isFar(from + Duration(microseconds: step * before / 200)) {
                    Issue.record("person \(person): far in the comb, leg \(leg), place \(place)")
                    return false
                }
            }
            return true
        }
        #expect(found > 2_000)
    }

    @Test func `who travels is in the other city from the arrival on, and comes back`() {
        var trips = (out: 0, back: 0)
        var last: (person: UInt64, city: Int)?
        Self.journeys(people: 0..<60, days: 58) { person, at, journey, _ in
            defer { last = (person, journey.city) }
            guard let last, last.person == person, last.city != journey.city else { return true }
            let home = PersonTraits(number: person, Self.prepared).city
            let leg = journey.leg
            if journey.city == home { trips.back += 1 } else { trips.out += 1 }
            #expect(at == leg.end && leg.start == leg.end && journey.phase == .home)
            let width = City.planeWidth
            #expect(leg.to.x / width == Int64(Self.prepared.plan.cities[journey.city].number))
            #expect(leg.from.x / width == Int64(Self.prepared.plan.cities[last.city].number))
            // The device is at its point of departure until the arrival, and is then far from it at once.
            #expect(leg.point(at: at - Duration(microseconds: 1)) == leg.from && leg.point(at: at) == leg.to)
            #expect(leg.farInstant(from: at - .hours(1), SignificantChanges(at: leg.from, precise: true)) == at)
            return true
        }
        #expect(trips.out > 50 && trips.back > 50 && trips.out >= trips.back, "\(trips)")
    }
}
