import Basics
import RefreshService
import Statistics

/// Requests at the edge of a service without a fleet: eight at a time, as a window of 20 ms brings them from a million
/// phones.
extension PartBenchmark {
    static var service: [PartBenchmark] {
        [
            edge("service.hit", objects: 1, capacity: nil),
            // Objects that the caches of the processor do not hold.
            edge("service.cold_hit", objects: 1_000_000, capacity: nil),
            // An edge with room for half of them: half of the requests fetch theirs again, and throw another one out.
            edge("service.evicted", objects: 1_000_000, capacity: 500_000),
        ]
    }

    private static let gap = Duration(microseconds: 2_500)

    private static func edge(_ title: String, objects: UInt64, capacity: Int?) -> PartBenchmark {
        PartBenchmark(title: title, operation: "request", operations: 1_000_000) { operations in
            let begins = Instant.start + gap * Int64(objects)
            let end = begins + .seconds(3_600)
            let cache = EdgeCache(timeToLive: .days(30))
            var region = EdgeRegion.besideOrigin
            region.capacity = capacity
            let service = try SimulatedService(
                RefreshPlan(
                    pools: [.unlimited], endpoints: [ServiceEndpoint(pool: 0, cache: cache)], regions: [region]),
                seed: 1, reportFrom: end - .seconds(1), end: end)
            var answers: [ServiceAnswer] = []
            let warmUp = (0..<objects).map { request(key: $0, at: .start + gap * Int64($0)) }
            warmUp.withUnsafeBufferPointer { service.advance($0, to: begins, answers: &answers) }
            var stream = RandomStream(seed: 1, person: 2, slot: 0, purpose: .pickup)
            let requests = (0..<operations).map {
                request(key: stream.nextIndex(below: objects), at: begins + gap * Int64($0))
            }
            return {
                var sum = Checksum()
                let window = 8
                requests.withUnsafeBufferPointer { requests in
                    for first in stride(from: 0, to: requests.count, by: window) {
                        answers.removeAll(keepingCapacity: true)
                        let some = UnsafeBufferPointer(rebasing: requests[first..<min(first + window, requests.count)])
                        service.advance(some, to: begins + gap * Int64(first + window), answers: &answers)
                        for answer in answers { sum.add(answer.madeAt.microseconds) }
                    }
                }
                return { [sum] in sum }
            }
        }
    }

    private static func request(key: UInt64, at arrival: Instant) -> ServiceRequest {
        ServiceRequest(
            arrival: arrival, key: Int64(key), person: UInt32(key),
            sequence: UInt32(arrival.microseconds / gap.microseconds), out: 20_000, back: 20_000,
            patience: 10_000_000, endpoint: 0, region: 0, instance: 0, slot: 0, attempt: 1, cause: 0, isPrivate: false)
    }
}
