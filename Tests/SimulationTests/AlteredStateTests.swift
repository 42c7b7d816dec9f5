import RunLaws
import ScenarioFiles
import Simulation
import Statistics
import Testing

/// A state that was altered and signed again is refused, or is one that a run can have come to: then the run continues
/// from it to its end.
///
/// A number that stands for another possible one cannot be told apart from it: what is held here is that nothing ends
/// but in a sentence or in a result.
@Suite struct AlteredStateTests {
    /// One alteration of some bytes: a byte, a bit, or a number of 2, 4 or 8 bytes at the ends of what it can be.
    private static func altered(_ bytes: [UInt8], _ number: Int, from first: Int) -> [UInt8] {
        var stream = RandomStream(seed: 20_261_122, person: UInt64(number), purpose: .runResampling)
        func index(_ count: Int) -> Int { Int(stream.nextIndex(below: UInt64(count))) }
        var bytes = bytes
        // Half of them where the service and the devices are: most of a state is counts.
        let from = index(2) == 0 ? 0 : first
        let place = from + index(bytes.count - from)
        switch index(4) {
        case 0: bytes[place] = UInt8(index(256))
        case 1: bytes[place] ^= 1 << UInt8(index(8))
        case 2: bytes[place] = [0, 1, 2, 127, 128, 255][index(6)]
        default:
            let width = [2, 4, 8][index(3)]
            let ends: [Int64] = [
                0, 1, -1, .max, .min, 1 << 62, 1 << 40, -1 << 40, 255, 65_535, 1 << 31, 1_000, 1_000_000_000_000,
            ]
            let value = ends[index(ends.count)]
            for byte in 0..<width where place + byte < bytes.count {
                bytes[place + byte] = UInt8(truncatingIfNeeded: value >> Int64(8 * byte))
            }
        }
        return bytes
    }

    /// A run with a service that is under way, as bytes, and a run of the same scenario.
    private static func kept() throws -> (run: ScenarioRun, bytes: [UInt8]) {
        let run = try ScenarioRun(ServiceFixtures.everything(people: 30, clients: ServiceFixtures.clients[0]))
        let first = run.begin(threads: 1)
        first.advance(until: { $0 >= 200 })
        return (run, try KeptRun.bytes(of: first))
    }

    @Test func `a state of a run with a service is read or refused whatever is altered in it`() throws {
        let (run, bytes) = try Self.kept()
        try KeptRun.restore(bytes, into: run.begin(threads: 2))
        var refused = 0
        for number in 0..<150 {
            let altered = Self.altered(bytes, number, from: bytes.count / 2)
            do { try KeptRun.restore(altered, into: run.begin(threads: 1)) } catch is StateProblem { refused += 1 }
        }
        // Many alterations meet counts, of which any number can be; and a state says hardly anything twice.
        #expect(refused > 28, "\(refused) of 150 are refused")
    }

    @Test func `a run continues to its end from every altered state that is taken`() async {
        await #expect(processExitsWith: .success) {
            let (run, bytes) = try AlteredStateTests.kept()
            for number in 1_000..<1_030 {
                let resumed = run.begin(threads: 1)
                do {
                    try KeptRun.restore(AlteredStateTests.altered(bytes, number, from: bytes.count / 2), into: resumed)
                } catch is StateProblem { continue }
                _ = resumed.advance()
                _ = resumed.result()
            }
        }
    }

    @Test func `counts of groups that are not those of all people are refused`() throws {
        let run = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 20)))
        let part = run.begin(threads: 1)
        #expect(part.advance())
        let bytes = try KeptRun.bytes(of: part)
        try KeptRun.restore(bytes, into: run.begin(threads: 1))
        // The groups come last.
        var tried = 0
        for place in bytes.count - 2_000..<bytes.count where bytes[place] != 0 {
            var altered = bytes
            altered[place] ^= 1
            tried += 1
            #expect(throws: StateProblem.self, "\(place)") { try KeptRun.restore(altered, into: run.begin(threads: 1)) }
        }
        #expect(tried > 50)
    }

    @Test func `the counts of a shard are counts, whatever is altered in them`() throws {
        let run = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 20)))
        let part = run.begin(threads: 1)
        #expect(part.advance())
        let bytes = try KeptRun.bytes(of: part)
        for number in 0..<150 {
            let whole = run.begin(threads: 1)
            do { try KeptRun.restore(Self.altered(bytes, number, from: 0), into: whole) } catch is StateProblem {
                continue
            }
            if whole.isOver { #expect(whole.result().counts.allSatisfy { $0 >= 0 }) }
        }
    }
}
