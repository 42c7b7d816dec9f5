import Basics
import RefreshService
import TestSupport
import Testing
@testable import Fleet

@Suite struct NetworkQueueTests {
    private static func request(_ at: Int64, person: UInt32, sequence: UInt32 = 0) -> ServiceRequest {
        ServiceRequest(
            arrival: .start + Duration(microseconds: at), key: 0, person: person, sequence: sequence, out: 0, back: 0,
            patience: 0, endpoint: 0, region: 0,
            instance: 0, slot: 0, attempt: 1, cause: 0, isPrivate: false)
    }

    /// As a herd sends them: as many as microseconds, thousands at each instant, or few and far between.
    @Test(arguments: [0, 20, 5_000, 3_600_000_000] as [Int64])
    func `thousands of one window are in the order of their service`(span: Int64) {
        var numbers = TestNumbers(seed: UInt64(span))
        let sent = NetworkQueue(lead: .zero)
        var requests: [ServiceRequest] = []
        for sequence in 0..<5_000 as Range<UInt32> {
            let at = numbers.below(span + 1)
            requests.append(Self.request(at, person: UInt32(numbers.below(900)), sequence: sequence))
            sent.add(requests[Int(sequence)])
        }
        var taken: [ServiceRequest] = []
        sent.take(before: .start + Duration(microseconds: span + 1), into: &taken) { _ in }
        requests.sort { $0.arrivesBefore($1) }
        #expect(taken.map(\.sequence) == requests.map(\.sequence))
    }

    /// Beside a sorted list: windows of milliseconds, with requests that arrive long before what was made ready, and
    /// many at one instant.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `windows hold the requests that arrive in them, in the order of their service`(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        let sent = NetworkQueue()
        var waiting: [ServiceRequest] = []
        var expected: [UInt32: Int] = [:]
        var sequence: UInt32 = 0
        var clock: Int64 = 0
        for _ in 0..<3_000 {
            for _ in 0..<numbers.below(6) {
                let at = clock + (numbers.below(3) == 0 ? numbers.below(1_000) : numbers.below(2_000_000)) / 500 * 500
                let request = Self.request(at, person: UInt32(numbers.below(50)), sequence: sequence)
                sequence += 1
                sent.add(request)
                waiting.append(request)
            }
            let limit = clock + numbers.below(20_000)
            let due = Instant.start + Duration(microseconds: limit)
            #expect(sent.nextAt == waiting.map(\.arrival).min() ?? .never)
            var taken: [ServiceRequest] = []
            sent.take(before: due, into: &taken) { expected[$0.sequence, default: 0] += 1 }
            let right = waiting.filter { $0.arrival < due }.sorted {
                ($0.arrival, $0.person, $0.slot, $0.sequence) < ($1.arrival, $1.person, $1.slot, $1.sequence)
            }
            #expect(taken.map(\.sequence) == right.map(\.sequence))
            waiting.removeAll { $0.arrival < due }
            clock = limit
        }
        // One that comes when its time was made ready already is not told of.
        #expect(expected.values.allSatisfy { $0 == 1 } && expected.count > Int(sequence) / 2)
        var left: Set<UInt32> = []
        sent.forEach { left.insert($0.sequence) }
        #expect(left == Set(waiting.map(\.sequence)))
        var (lists, listed) = (0, 0)
        sent.forEachList { list in (lists, listed) = (lists + 1, listed + list.count) }
        #expect(lists == NetworkQueue.lists && listed == waiting.count)
    }
}
