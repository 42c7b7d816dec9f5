import Basics
import Statistics
import Testing

@testable import RefreshService

/// The queue of what is due against a sorted list.
@Suite struct EventQueueTests {
    private static func event(_ at: Int64, _ number: UInt64) -> DueEvent {
        let request = PendingRequest(ServiceHarness.request(at: 0, person: Int(number & 7), sequence: UInt32(number)))
        return DueEvent(
            at: Instant(microseconds: at), number & 1 == 0 ? .answerAtEdge : .originArrival, request,
            index: UInt32(number))
    }

    @Test func `events come in their order, whatever their distances`() {
        var stream = RandomStream(seed: 51, person: 0, purpose: .resampling)
        for steepness in [4, 10, 16, 22, 28] as [UInt64] {
            var queue = EventQueue()
            var list: [DueEvent] = []
            var now: Int64 = 0
            for number in 0..<6_000 as Range<UInt64> {
                let u = stream.next()
                if u % 5 < 3 && number < 4_000 {
                    // At once, or up to a power of two later.
                    let event = Self.event(
                        now + (u >> 8 & 3 == 0 ? 0 : Int64(u >> 10 & (1 << (u >> 50 % (steepness + 1)) - 1))), number)
                    queue.insert(event)
                    list.insert(event, at: list.firstIndex { event < $0 } ?? list.endIndex)
                } else if !list.isEmpty {
                    #expect(queue.first == list[0])
                    now = list[0].at.microseconds
                    queue.removeFirst()
                    list.removeFirst()
                }
                if list.isEmpty { #expect(queue.first.at == .never) } else { #expect(queue.first == list[0]) }
            }
        }
    }
}
