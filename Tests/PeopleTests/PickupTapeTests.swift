import SimulatedTime
import Stochastics
import Testing

@testable import People

/// Pickups that are drawn a block ahead are those that are drawn one after another.
@Suite struct PickupTapeTests {
    static let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 31))

    /// A person's process twice: as it draws one by one, and behind a tape.
    struct Pair {
        var process: PickupProcess
        var tape: PickupTape

        init(person: UInt64) {
            let owner = DeviceOwner(PersonTraits(number: person, PickupTapeTests.prepared), slot: 0, PickupTapeTests.prepared)
            process = PickupProcess(owner.streams, owner.use, owner.device)
            tape = PickupTape(process)
        }

        mutating func wake(at instant: Instant, onset: Instant, day: Int64) {
            let date = CivilDate(dayNumber: 20_500 + day)
            process.wake(at: instant, date: date, onset: onset)
            tape.wake(at: instant, date: date, onset: onset)
        }

        /// Takes what comes before `limit` from both; returns how much that was.
        mutating func take(before limit: Instant, _ seed: inout RandomStream) -> Int {
            var count = 0
            while process.nextAt < limit {
                guard tape.nextAt == process.nextAt else {
                    Issue.record("\(tape.nextAt.microseconds) in place of \(process.nextAt.microseconds)")
                    return count
                }
                // Whole pickups now and then, as a device takes those that lead to nothing.
                if !process.inSession, seed.next() % 2 == 0 {
                    let isGlance = tape.nextIsGlance
                    let pickup = tape.takePickup()
                    #expect(pickup.isGlance == isGlance && pickup.at == process.nextAt)
                    Self.expect(process.advance(), isGlance ? .glance : .pickup(shown: pickup.surfaces))
                    if !isGlance { #expect(pickup.until == process.nextAt && tape.inSession) }
                } else {
                    Self.expect(tape.advance(), process.advance())
                }
                count += 1
            }
            #expect(tape.nextAt == process.nextAt && tape.inSession == process.inSession)
            return count
        }

        private static func expect(_ event: WorldEvent, _ other: WorldEvent) { #expect("\(event)" == "\(other)") }
    }

    @Test func `a tape gives what its process gives one by one, whatever moves the bedtime and whenever it rests`() {
        var seed = RandomStream(seed: 5, person: 0, purpose: .pickup)
        var (taken, moved) = (0, 0)
        for person: UInt64 in 0..<60 {
            var pair = Pair(person: person)
            for day: Int64 in 0..<6 {
                let wake = Instant.start + .days(day) + .hours(7)
                var onset = wake + .hours(16)
                pair.wake(at: wake, onset: onset, day: day)
                var at = wake
                for _ in 0..<3 {
                    at = at + Duration(microseconds: Int64(seed.next() % 18_000_000_000))
                    taken += pair.take(before: at, &seed)
                    guard at < onset else { continue }
                    switch seed.next() % 4 {
                    case 0:
                        onset = max(at + .minutes(1), onset + Duration(microseconds: Int64(seed.next() % 36_000_000_000) - 18_000_000_000))
                        #expect(pair.tape.move(onset: onset, at: at) == pair.process.move(onset: onset, at: at))
                        moved += 1
                    case 1:
                        let end = max(at + .minutes(1), onset - .hours(2))
                        #expect(pair.tape.end(by: end) == pair.process.end(by: end))
                        moved += 1
                    case 2: pair.rest(at: at, onset: onset)
                    default: break
                    }
                }
                taken += pair.take(before: onset, &seed)
                pair.tape.sleep()
                pair.process.sleep()
            }
        }
        #expect(taken > 20_000 && moved > 400)
    }
}

extension PickupTapeTests.Pair {
    /// The tape is written down and read back behind a process that knows nothing of what came before.
    mutating func rest(at instant: Instant, onset: Instant) {
        var writer = StateWriter(near: instant, into: StateMemory(most: 100, mostFlags: 64))
        tape.code(&writer, onset: onset)
        let bytes = writer.finish(header: 0)
        var reader = CheckedStateReader(near: instant, UnsafeRawBufferPointer(rebasing: bytes[8...]))
        tape.code(&reader, onset: onset)
        reader.finish()
        #expect(reader.problem == nil, "\(reader.problem ?? "")")
    }
}
