import Basics
import Statistics
import Testing

@testable import People

@Suite struct EnvironmentProcessTests {
    private static let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 7))

    private static func zone(_ index: Int) -> UnsafePointer<ZoneTable> {
        UnsafePointer(prepared.zones.baseAddress! + index)
    }

    /// An automatic appearance at the start of the test plan: 19:00 in New York, just dark.
    private static func process() throws -> EnvironmentProcess {
        var habits = EnvironmentHabits.still
        habits.appearanceShares = [0, 0, 1]
        var tables = StandardTables()
        let shared = UnsafeMutablePointer<PreparedEnvironment>.allocate(capacity: 1)
        shared.initialize(to: try PreparedEnvironment(habits, &tables))
        return EnvironmentProcess(
            PersonTraits(number: 3, Self.prepared), slot: 0, shared,
            releases: UnsafeBufferPointer(start: nil, count: 0),
            on: .phone, zone: zone(0))
    }

    @Test
    func `an appearance that arrives in daylight switches at the arrival, and one that stays in the dark does not`()
        throws
    {
        let now = Instant.start + .hours(1)
        var tokyo = try Self.process()
        tokyo.move(to: Self.zone(2), at: now)
        #expect(tokyo.nextAt == now, "10:00 in Tokyo")
        guard case .appearance = tokyo.advance(in: Self.zone(2)) else {
            Issue.record("no switch")
            return
        }
        #expect(tokyo.nextAt == .start + .hours(10), "dark at 19:00 in Tokyo")
        var london = try Self.process()
        london.move(to: Self.zone(1), at: now)
        #expect(london.nextAt == .start + .hours(7), "light at 7:00 in London")
    }
}
