import Basics
import Testing
import WidgetPlatform

@testable import People

/// Rules: D1.
@Suite struct PersonTraitsTests {
    static let people = 20_000
    static let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 20_260_301))
    static let everybody = (0..<UInt64(people)).map { PersonTraits(number: $0, prepared) }

    /// Whether a count among `of` agrees with a probability at five standard deviations: a false alarm once in two
    /// million.
    static func agrees(_ count: Int, of total: Int, with probability: Double) -> Bool {
        let deviation = (probability * (1 - probability) * Double(total)).squareRoot()
        return (Double(count) - probability * Double(total)).magnitude <= 5 * deviation
    }

    @Test func `segments, zones, commuters, modes and accuracies hold their shares`() {
        for segment in 0..<2 {
            let members = Self.everybody.filter { $0.segment == segment }
            #expect(Self.agrees(members.count, of: Self.people, with: TestPopulation.shares[segment]))
            for zone in 0..<3 {
                #expect(
                    Self.agrees(
                        members.count { $0.zone == zone }, of: members.count,
                        with: TestPopulation.zoneShares[segment][zone]),
                    "zone \(zone)")
            }
            #expect(
                Self.agrees(
                    members.count(where: \.isCommuter), of: members.count, with: TestPopulation.commuters[segment]))
            for app in 0..<2 {
                for mode in LocationMode.allCases {
                    let count = members.count { $0.mode(ofApp: app) == mode }
                    #expect(
                        Self.agrees(
                            count, of: members.count, with: TestPopulation.modeShares[segment][Int(mode.rawValue)]),
                        "\(mode), app \(app)"
                    )
                }
                let reduced = members.count { $0.hasReducedAccuracy(app: app) }
                #expect(Self.agrees(reduced, of: members.count, with: TestPopulation.reducedAccuracy[segment]))
            }
        }
    }

    @Test func `the draws of a person are independent of one another`() {
        let members = Self.everybody.filter { $0.segment == 0 }
        let both = members.count { $0.isCommuter && $0.zone == 1 }
        #expect(
            Self.agrees(both, of: members.count, with: TestPopulation.commuters[0] * TestPopulation.zoneShares[0][1]))
        let sameMode = members.count { $0.mode(ofApp: 0) == .always && $0.mode(ofApp: 1) == .always }
        #expect(Self.agrees(sameMode, of: members.count, with: 0.16), "two apps have permissions of their own")
        let neighbours = zip(Self.everybody, Self.everybody.dropFirst()).count { $0.segment == 0 && $1.segment == 0 }
        #expect(Self.agrees(neighbours, of: Self.people - 1, with: 0.49))
    }

    @Test func `the mean unlocks over people are near the distribution's mean and variance`() {
        for (segment, mean) in [(0, 60.0), (1, 20.0)] {
            let unlocks = Self.everybody.filter { $0.segment == segment }.map(\.unlocksPerDay)
            let count = Double(unlocks.count)
            let found = unlocks.reduce(0, +) / count
            // A gamma distribution of shape 2: the variance is mean²/2, the fourth central moment 6 times its square.
            let variance = mean * mean / 2
            #expect((found - mean).magnitude < 5 * (variance / count).squareRoot(), "segment \(segment): \(found)")
            let spread = unlocks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
            #expect(
                (spread - variance).magnitude < 5 * variance * (5 / count).squareRoot(), "segment \(segment): \(spread)"
            )
            #expect(unlocks.allSatisfy { $0 >= 0 })
        }
    }

    /// A person is drawn from their number alone: neither the order nor the number of the others matters.
    @Test func `a person's draws do not depend on who else is drawn`() {
        func text(_ traits: PersonTraits) -> String { "\(traits)" }
        for number in [0, 1, 999, 19_999] {
            #expect(text(PersonTraits(number: UInt64(number), Self.prepared)) == text(Self.everybody[number]))
        }
        let homes = Set(Self.everybody.map(\.home))
        #expect(homes.count > Self.people - 5, "homes are people's own")
        #expect(
            text(PersonTraits(number: 5, try! TestPopulation.prepared(TestPopulation.plan(seed: 1))))
                != text(Self.everybody[5]))
    }

    @Test func `another segment's habits change nobody's draws in this one`() throws {
        var plan = TestPopulation.plan(seed: 20_260_301)
        plan.segments[1].habits.movement.commute.share = 1
        plan.segments[1].habits.pickups.unlocksPerDay = TestPopulation.constant(3)
        let other = try TestPopulation.prepared(plan)
        for person in Self.everybody.prefix(2_000) where person.segment == 0 {
            #expect("\(PersonTraits(number: person.number, other))" == "\(person)")
        }
    }

    @Test func `usual nights last 3 to 14 hours and lie on five minutes`() {
        for person in Self.everybody {
            let usual = person.sleepTimes
            for (onset, wake) in [(usual.onsetWorkday, usual.wakeWorkday), (usual.onsetFree, usual.wakeFree)] {
                let night = wake - onset
                let grain = Duration.minutes(5).microseconds
                guard (Duration.hours(3)...Duration.hours(14)).contains(night), onset.microseconds % grain == 0,
                    wake.microseconds % grain == 0
                else {
                    Issue.record("person \(person.number): from \(onset) to \(wake)")
                    return
                }
            }
            #expect(usual.usualWaking.workday.length == .days(1) - (usual.wakeWorkday - usual.onsetWorkday))
        }
    }
}
