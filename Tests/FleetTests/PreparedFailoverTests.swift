import Basics
import RefreshService
import Statistics
import Testing

@testable import Fleet

/// When a device is served by another region (S7).
///
/// Rules: S7.
@Suite struct PreparedFailoverTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static func prepared(_ way: Failover.Way) throws -> PreparedFailover {
        var memory: PlanMemory = []
        // Kept to the end of the tests: the loop reads it in place.
        return try PreparedFailover(Failover(region: 0, to: 1, way: way), keeping: &memory)
    }

    private static func draws(_ device: Int) -> RandomStream {
        RandomStream(seed: 9, person: UInt64(device), slot: 0, purpose: .failover)
    }

    /// How many of so many devices are away at each second of a span.
    private static func away(_ names: NameTurns, _ seconds: Range<Int64>, devices: Int = 60_000) throws -> [Int] {
        let failover = try prepared(.name(names))
        return seconds.map { second in
            (0..<devices).count { failover.isAway(at: at(second), attempt: 1, draws($0)) }
        }
    }

    /// Each second of the time to live a sixtieth of the devices turns: a rectangle, within five standard deviations.
    @Test func `devices turn and return evenly over the time to live`() throws {
        let names = NameTurns(turns: [NameTurn(from: Self.at(100), to: Self.at(300))], timeToLive: .seconds(60))
        let leaving = try Self.away(names, 100..<162)
        #expect(leaving[0] < 5 && leaving[60] == 60_000 && leaving[61] == 60_000)
        for (before, after) in zip(leaving.dropFirst(0).prefix(60), leaving.dropFirst(1)) {
            #expect((840...1_160).contains(after - before), "\(after - before) in a second")
        }
        let returning = try Self.away(names, 300..<361)
        #expect(returning[60] == 0)
        for (before, after) in zip(returning, returning.dropFirst()) {
            #expect((840...1_160).contains(before - after), "\(before - after) in a second")
        }
        #expect(try Self.away(names, 99..<100) == [0] && Self.away(names, 250..<251) == [60_000])
    }

    @Test func `a return over a time comes evenly or in equal parts`() throws {
        var names = NameTurns(
            turns: [NameTurn(from: Self.at(0), to: Self.at(100))], timeToLive: .zero, returnSpan: .seconds(40))
        let even = try Self.away(names, 99..<142)
        #expect(even[0] == 60_000 && even[41] == 0)
        for second in 1...40 {
            #expect((59_000 - 1_500 * (second - 1)...61_000 - 1_500 * (second - 1)).contains(even[second]))
        }
        names.returnParts = 5
        let parts = try Self.away(names, 99..<142)
        // A fifth at once, and a further one every ten seconds.
        for (second, left) in [(1, 48_000), (10, 48_000), (11, 36_000), (21, 24_000), (31, 12_000), (41, 0)] {
            #expect((left - 500...left + 500).contains(parts[second]), "\(parts[second]) after \(second) s")
        }
    }

    @Test func `resolvers that ignore the time to live turn later, or never`() throws {
        var names = NameTurns(
            turns: [NameTurn(from: Self.at(0), to: Self.at(100))], timeToLive: .seconds(10), ignoringShare: 0.2,
            ignoredFor: .seconds(1_000))
        let counts = try Self.away(names, 0..<100)
        // At 10 s all others are there, and of a fifth a hundredth.
        #expect((47_500...48_800).contains(counts[10]) && (48_500...49_900).contains(counts[99]))
        // Those who asked again after the end stay; those who left keep the answer for long.
        #expect((500...1_300).contains(try Self.away(names, 111..<112)[0]))
        names.ignoringShare = 1
        #expect(try Self.away(names, 1_101..<1_102) == [0])
    }

    @Test func `each outage has draws of its own, and one that does not end keeps everybody`() throws {
        let names = NameTurns(
            turns: [NameTurn(from: Self.at(0), to: Self.at(100)), NameTurn(from: Self.at(200), to: .never)],
            timeToLive: .seconds(60))
        let failover = try Self.prepared(.name(names))
        func turned(_ device: Int, _ from: Int64) -> Int64? {
            (0..<61).first { failover.isAway(at: Self.at(from + $0), attempt: 1, Self.draws(device)) }
        }
        #expect((0..<100).count { turned($0, 0) == turned($0, 200) } < 10)
        #expect(try Self.away(names, 5_000_000..<5_000_001, devices: 100) == [100])
    }

    @Test func `each further try goes to the next address`() throws {
        let failover = try Self.prepared(.nextAddress)
        #expect(
            (1...6).map { failover.isAway(at: Self.at(5), attempt: $0, Self.draws(1)) } == [
                false, true, false, true, false, true,
            ])
    }
}
