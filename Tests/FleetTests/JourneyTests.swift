import SimulatedTime
import Testing
import WidgetPlatform

@testable import Fleet

@Suite struct JourneyTests {
    static let prepared = try! PreparedPlan(TestPlan.plan(seed: 11))

    /// The legs of the first people's first days.
    static func journeys(people: Range<UInt64>, steps: Int, _ visit: (UInt64, Journey) -> Bool) {
        prepared.segments.withUnsafeBufferPointer { segments in
            for person in people {
                let traits = PersonTraits(number: person, prepared)
                var journey = Journey(traits, segments.baseAddress! + traits.segment, seed: prepared.plan.seed)
                let zone = prepared.zones[traits.zone]
                var at = Instant.start
                var date = zone.localTime(at: at).date
                for _ in 0..<steps {
                    if journey.nextAt == .never || journey.nextAt > at + .hours(24) {
                        // The next morning, at home or wherever the person is.
                        date = date.advanced(by: 1)
                        at = max(at, zone.instant(of: date, at: ClockTime(hour: 7, minute: 0)))
                        journey.wake(at: at, date: date, wakingSeconds: 57_600, zone: zone)
                        if journey.nextAt == .never { continue }
                    }
                    at = journey.nextAt
                    journey.advance(wakingSeconds: 57_600)
                    if !visit(person, journey) { return }
                }
            }
        }
    }

    @Test func `a leg begins where the last one ended, and the clock goes on`() {
        var last: (person: UInt64, leg: Journey.Leg)?
        var legs = 0
        Self.journeys(people: 0..<100, steps: 60) { person, journey in
            let leg = journey.leg
            if let last, last.person == person {
                guard leg.from == last.leg.to || leg.start == last.leg.start, leg.start >= last.leg.start, journey.nextAt >= leg.start
                else {
                    Issue.record("person \(person): \(leg) after \(last.leg)")
                    return false
                }
                if leg.start != last.leg.start {
                    legs += 1
                    #expect(leg.start >= last.leg.end)
                }
            }
            #expect(leg.point(at: leg.start) == leg.from && leg.point(at: leg.end) == leg.to)
            #expect(leg.point(at: leg.start - .days(1)) == leg.from && leg.point(at: leg.end + .days(1)) == leg.to)
            last = (person, leg)
            return true
        }
        #expect(legs > 1_000)
    }

    /// The instant's own place is far, and a microsecond before it is not; by the straight line, whose points are rounded to millimetres, the
    /// distance there is 500 m to 2 mm.
    @Test func `a far instant is where the distance reaches 500 m`() {
        var numbers = TestNumbers(seed: 3)
        var found = 0
        Self.journeys(people: 0..<150, steps: 40) { person, journey in
            let leg = journey.leg
            let span = max(1, (leg.end - leg.start).microseconds)
            for trial in 0..<6 {
                // A last report at the leg's begin, along it, or beside it.
                var place = trial == 0 ? leg.from : leg.point(at: leg.start + Duration(microseconds: numbers.below(span)))
                if trial > 2 {
                    place.x += numbers.below(1_000_000) - 500_000
                    place.y += numbers.below(1_000_000) - 500_000
                }
                let changes = SignificantChanges(at: place, precise: true)
                let from = leg.start + Duration(microseconds: numbers.below(span + 600_000_000) - 300_000_000)
                let far = journey.farInstant(from: from, changes)
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
                let share = Double((far - leg.start).microseconds) / Double(span)
                let dx = Double(leg.from.x - place.x) + Double(leg.to.x - leg.from.x) * share
                let dy = Double(leg.from.y - place.y) + Double(leg.to.y - leg.from.y) * share
                let distance = (dx * dx + dy * dy).squareRoot()
                guard !isFar(far - Duration(microseconds: 1)), (distance - 500_000).magnitude <= 2 else {
                    Issue.record("person \(person): \(distance) mm, leg \(leg), place \(place)")
                    return false
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
}
