import Basics
import DeviceStorage
import Statistics
import Testing

@testable import People

/// Pickups that are drawn a block ahead are those that are drawn one after another.
///
/// Rules: D3.
@Suite struct PickupBufferTests {
    static let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 31))

    /// A person's process twice: as it draws one by one, and behind a buffer.
    struct Pair {
        var process: PickupProcess
        var buffer: PickupBuffer

        init(person: UInt64) {
            let owner = DeviceOwner(
                PersonTraits(number: person, PickupBufferTests.prepared), slot: 0, PickupBufferTests.prepared)
            process = PickupProcess(owner.streams, owner.use, owner.device)
            buffer = PickupBuffer(process)
        }

        mutating func wake(at instant: Instant, onset: Instant, day: Int64) {
            let date = CivilDate(dayNumber: 20_500 + day)
            process.wake(at: instant, date: date, onset: onset)
            buffer.wake(at: instant, date: date, onset: onset)
        }

        /// Nothing but glances and idle sessions comes before the first busy pickup that the buffer knows of, and the
        /// buffer gives the same afterwards; returns whether it is the first busy one of all.
        mutating func look(afterIdle idle: UInt64) -> Bool {
            let settingDue = process.nextAt == .never ? Instant.never : process.nextAt + .hours(3)
            var (ahead, sessions) = (process, UInt64(0))
            while ahead.nextAt < .never {
                let at = ahead.nextAt
                if ahead.inSession {
                    _ = ahead.advance()
                    continue
                }
                guard case .pickup = ahead.advance() else { continue }
                if sessions >= idle || settingDue <= at {
                    let known = buffer.firstBusy(afterIdle: idle, settingDue: settingDue)
                    #expect(known >= process.nextAt && known <= at)
                    return known == at
                }
                sessions += 1
            }
            return false
        }

        /// Takes what comes before `limit` from both; returns how much that was.
        mutating func take(before limit: Instant, _ seed: inout RandomStream) -> Int {
            var count = 0
            while process.nextAt < limit {
                guard buffer.nextAt == process.nextAt else {
                    Issue.record("\(buffer.nextAt.microseconds) in place of \(process.nextAt.microseconds)")
                    return count
                }
                // Whole pickups now and then, as a device takes those that lead to nothing.
                if !process.inSession, seed.next() % 2 == 0 {
                    #expect(buffer.countAhead() > 0)
                    let pickup = buffer[ahead: 0]
                    buffer.take(1, isInSession: !pickup.isGlance)
                    #expect(pickup.at == process.nextAt)
                    Self.expect(process.advance(), pickup.isGlance ? .glance : .pickup(shown: pickup.surfaces))
                    if !pickup.isGlance { #expect(pickup.until == process.nextAt && buffer.inSession) }
                } else {
                    Self.expect(buffer.advance(), process.advance())
                }
                count += 1
            }
            #expect(buffer.nextAt == process.nextAt && buffer.inSession == process.inSession)
            return count
        }

        private static func expect(_ event: WorldEvent, _ other: WorldEvent) { #expect("\(event)" == "\(other)") }
    }

    @Test
    func `a buffer gives what its process gives one by one, whatever moves the bedtime and whenever it is suspended`() {
        var seed = RandomStream(seed: 5, person: 0, purpose: .pickup)
        var (taken, moved, found) = (0, 0, 0)
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
                    if pair.look(afterIdle: seed.next() % 4) { found += 1 }
                    guard at < onset else { continue }
                    switch seed.next() % 4 {
                    case 0:
                        onset = max(
                            at + .minutes(1),
                            onset + Duration(microseconds: Int64(seed.next() % 36_000_000_000) - 18_000_000_000))
                        #expect(pair.buffer.move(onset: onset, at: at) == pair.process.move(onset: onset, at: at))
                        moved += 1
                    case 1:
                        let end = max(at + .minutes(1), onset - .hours(2))
                        #expect(pair.buffer.end(by: end) == pair.process.end(by: end))
                        moved += 1
                    case 2: pair.rest(at: at, onset: onset)
                    default: break
                    }
                }
                taken += pair.take(before: onset, &seed)
                pair.buffer.sleep()
                pair.process.sleep()
            }
        }
        #expect(taken > 20_000 && moved > 400 && found > 200)
    }
}

extension PickupBufferTests.Pair {
    /// The buffer is written down and read back behind a process that knows nothing of what came before.
    mutating func rest(at instant: Instant, onset: Instant) {
        var writer = StateWriter(near: instant, into: StateMemory(most: 100, mostFlags: 64))
        buffer.code(&writer, onset: onset)
        let bytes = writer.finish(header: 0)
        var reader = CheckedStateReader(near: instant, UnsafeRawBufferPointer(rebasing: bytes[8...]))
        buffer.code(&reader, onset: onset)
        reader.finish()
        #expect(reader.problem == nil, "\(reader.problem ?? "")")
    }
}
