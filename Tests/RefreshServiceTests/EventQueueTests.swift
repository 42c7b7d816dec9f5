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

    @Test(arguments: [70, 400] as [Int])
    func `a service that is quiet and busy by turns has its events in their order`(most: Int) throws {
        var stream = RandomStream(seed: 52, person: 0, purpose: .resampling)
        var queue = EventQueue()
        var list: [DueEvent] = []
        var now: Int64 = 0
        var number: UInt64 = 0
        for turn in 0..<40 {
            // Each turn ends with so many events.
            let least = [0, 1, 12, 40][turn % 4]
            for isFilling in [true, false] {
                while isFilling ? list.count < most : list.count > least {
                    let u = stream.next()
                    if u % 8 < (isFilling ? 6 : 2) {
                        let event = Self.event(now + Int64(u >> 8 & (1 << (u >> 50 % 24) - 1)), number)
                        number += 1
                        queue.insert(event)
                        list.insert(event, at: list.firstIndex { event < $0 } ?? list.endIndex)
                    } else if let first = list.first {
                        try #require(queue.first == first)
                        now = first.at.microseconds
                        queue.removeFirst()
                        list.removeFirst()
                    }
                }
                let areAllNear = queue.areAllNear
                if isFilling { #expect(!areAllNear) } else if list.count < 2 { #expect(areAllNear) }
            }
            if list.isEmpty { #expect(queue.first.at == .never) }
        }
        var held: [DueEvent] = []
        queue.forEach { held.append($0) }
        #expect(held.sorted { $0 < $1 } == list)
    }
}
