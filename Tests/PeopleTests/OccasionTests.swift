import Basics
import Statistics
import TestSupport
import Testing

@testable import People

@Suite struct OccasionTests {
    @Test func `a run starts in the middle of episodes: as many are under way as at any time`() throws {
        var tables = StandardTables()
        let habits = try PreparedEpisodes(
            EpisodeHabits(perDay: 2, length: Distribution(.lognormal(median: 14_400, sigma: 0.8))), &tables)
        let shared = UnsafeMutablePointer<PreparedEpisodes>.allocate(capacity: 1)
        shared.initialize(to: habits)
        defer { shared.deallocate() }
        let mean = habits.length.seconds.mean
        var underWay = 0
        var overAtEnd = 0.0
        let people: UInt64 = 2_000
        for person in 0..<people {
            func stream(_ purpose: Purpose) -> RandomStream {
                RandomStream(seed: 3, person: person, slot: 0, purpose: purpose)
            }
            var process = EpisodeProcess(shared, starts: stream(.lowPowerStart), lengths: stream(.lowPowerLength))
            if process.nextAt == .start { underWay += 1 }
            var last = Instant.start - .days(1)
            var begins = true
            var isInTurn = true
            for _ in 0..<20 {
                let at = process.nextAt
                let began = process.advance()
                isInTurn = isInTurn && at >= last && began == begins
                if !began { overAtEnd += 1 }
                begins.toggle()
                last = at
            }
            #expect(isInTurn, "episodes and the times between them take turns")
        }
        #expect(overAtEnd == 10 * Double(people))
        let share = mean / (mean + 43_200)
        let deviation = (share * (1 - share) / Double(people)).squareRoot()
        #expect((Double(underWay) / Double(people) - share).magnitude < 5 * deviation, "\(underWay)")
    }

    @Test func `a release is installed on the devices it is for, at any time or in the early morning`() throws {
        var tables = StandardTables()
        let zone = TestPopulation.zones[0]
        func installations(_ overnight: Double) throws -> [Instant] {
            var stated = Release()
            (stated.adoptionShare, stated.meanTime, stated.overnightShare) = (0.8, .days(10), overnight)
            stated.devices = [.phone]
            let release = try PreparedRelease(stated, &tables)
            var numbers = TestNumbers(seed: 5)
            return (0..<2_000).map { _ in
                let draws = (numbers.next(), numbers.next(), numbers.next(), numbers.next(), numbers.next())
                #expect(
                    release.installation(
                        on: .watch, in: zone, adoption: draws.0, time: draws.1, isOvernight: draws.2, minute: draws.3,
                        phase: draws.4)
                        == .never)
                return release.installation(
                    on: .phone, in: zone, adoption: draws.0, time: draws.1, isOvernight: draws.2, minute: draws.3,
                    phase: draws.4)
            }.filter { $0 < .never }
        }
        let chosen = try installations(0)
        #expect((Double(chosen.count) - 1_600).magnitude < 5 * 18)
        let soon = chosen.filter { $0 < .start + .days(10) }.count
        // 1 - 1/e of them within the mean time.
        #expect((Double(soon) / Double(chosen.count) - 0.632).magnitude < 5 * 0.012)
        for at in try installations(1) {
            let local = zone.localTime(at: at)
            // On 8 March there is no such hour: the clocks go forward at two.
            let hours = local.date == CivilDate(year: 2026, month: 3, day: 8)! ? 3..<5 : 2..<4
            #expect(hours.contains(local.clock.hour), "\(local.clock.microseconds)")
        }
    }
}
