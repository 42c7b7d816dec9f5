import Basics
import Testing
import WidgetPlatform

@testable import People

/// Rules: D2.
@Suite struct SleepScheduleTests {
    /// Nights that hardly differ, and nights so different that many are cut.
    static let plans = [600.0, 3_600, 14_400].map {
        try! TestPopulation.prepared(TestPopulation.plan(seed: 7, nightSpread: $0))
    }

    static func schedule(_ person: UInt64, _ prepared: PreparedPopulation) -> SleepSchedule {
        let traits = PersonTraits(number: person, prepared)
        let zone = UnsafePointer(prepared.zones.baseAddress! + traits.zone)
        return SleepSchedule(traits, prepared.habits(of: traits).pointer(to: \.sleep.nights)!, zone: zone)
    }

    @Test(arguments: plans.indices) func `nights last 3 to 14 hours, one after another, each on its own date`(
        index: Int
    ) {
        var cut = 0
        for person in 0..<300 as Range<UInt64> {
            var sleep = Self.schedule(person, Self.plans[index])
            var last = Instant.start
            var onset: Instant? = sleep.isAsleep ? sleep.nextOnset : nil
            #expect(sleep.nextAt > .start)
            #expect(sleep.isAsleep == (sleep.nextOnset <= .start))
            for _ in 0..<60 {
                let (at, wasAsleep, date) = (sleep.nextAt, sleep.isAsleep, sleep.date)
                sleep.advance()
                guard at >= last, sleep.isAsleep != wasAsleep, sleep.nextAt > at else {
                    Issue.record("person \(person): \(at.microseconds) after \(last.microseconds)")
                    return
                }
                if wasAsleep {
                    if let onset, !(Duration.hours(3)...Duration.hours(14)).contains(at - onset) {
                        Issue.record("person \(person): a night of \((at - onset).inSeconds) s")
                        return
                    }
                    #expect(sleep.date == date.advanced(by: 1))
                } else {
                    onset = at
                    if at < last + .hours(1) && last > .start {
                        Issue.record("person \(person): awake for \((at - last).inSeconds) s")
                    }
                }
                last = at
            }
            cut += sleep.cutNights
        }
        #expect((cut > 0) == (index > 0), "\(cut) nights of 9,000 cut")
    }

    @Test func `a person's nights are the same whenever they are asked for, and their own`() {
        func changes(_ person: UInt64, _ count: Int) -> [Instant] {
            var sleep = Self.schedule(person, Self.plans[1])
            return (0..<count).map { _ in
                defer { sleep.advance() }
                // Looking changes nothing.
                _ = (sleep.nextOnset, sleep.cutNights, sleep.isAsleep)
                return sleep.nextAt
            }
        }
        let first = changes(3, 40)
        _ = changes(4, 17)
        #expect(changes(3, 40) == first)
        #expect(Array(changes(3, 80).prefix(40)) == first)
        #expect(changes(4, 40) != first)
    }

    @Test func `nights lie round the person's usual times`() {
        // Every night of a person differs from the usual one by at most six standard deviations of ten minutes.
        let prepared = Self.plans[0]
        for person in 0..<100 as Range<UInt64> {
            let traits = PersonTraits(number: person, prepared)
            var sleep = Self.schedule(person, prepared)
            let zone = prepared.zones[traits.zone]
            for _ in 0..<60 {
                let date = sleep.date
                let usual = traits.sleepTimes
                let expected =
                    sleep.isAsleep
                    ? (date.isWorkday ? usual.wakeWorkday : usual.wakeFree)
                    : (date.isWorkday ? usual.onsetWorkday : usual.onsetFree)
                let local = zone.localTime(at: sleep.nextAt)
                let found =
                    (local.date.dayNumber - date.dayNumber) * ClockTime.microsecondsPerDay + local.clock.microseconds
                // A cut night, or a shift of the clock, may add its own: nights here are cut by the same ten minutes at
                // most.
                let apart = (found - expected.microseconds).magnitude
                #expect(apart < 6 * 2 * 600_000_000 + 3_600_000_000, "person \(person), \(TimeText.date(date))")
                sleep.advance()
            }
        }
    }
}
