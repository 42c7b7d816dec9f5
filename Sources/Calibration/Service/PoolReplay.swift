import Basics
import RefreshService
import Statistics

/// The requests of a record sent again, to a pool of the program's own service (S2): what the fitted pool would have
/// done with this very load.
package struct PoolReplay: Sendable {
    /// With the latencies and outcomes that the pool gives.
    package let record: RequestRecord

    package static let seed: UInt64 = 1

    /// - Parameters:
    ///   - requests: their starts are used; the earliest of them is when the pool starts.
    ///   - timeout: when clients give up; nil for never.
    ///   - way: added to every answer.
    package init(
        _ requests: [RecordedRequest], pool: OriginPool, timeout: Duration?, way: Duration = .zero, seed: UInt64 = seed
    )
        throws(DistributionProblem)
    {
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [.besideOrigin])
        let first = requests.map(\.start).min() ?? 0
        let length = (requests.map(\.start).max() ?? 0) - first
        // Every answer comes by then, unless the pool is far too small for the load.
        let end = Instant(microseconds: length) + .days(1)
        // Measures take memory for every minute, and nobody reads them here: the report has the last instant alone,
        // whatever span the record has.
        let service = try RefreshService(plan, seed: seed, reportFrom: end - Duration(microseconds: 1), end: end)
        let patience = timeout.map { UInt32(cutting: Double($0.microseconds)) } ?? .max
        let sent = requests.enumerated().map { index, request in
            ServiceRequest(
                arrival: Instant(microseconds: request.start - first), key: 0, person: UInt32(index), sequence: 0,
                out: 0, back: 0,
                patience: patience, endpoint: 0, region: 0, instance: 0, slot: 0, attempt: 1, cause: 0, isPrivate: true)
        }
        var answers: [ServiceAnswer] = []
        sent.withUnsafeBufferPointer { service.advance($0, to: end, answers: &answers) }
        service.finish()
        // A request without an answer has its client's patience for a latency.
        var made = requests.map { RecordedRequest(start: $0.start, latency: Int64(patience), status: 0) }
        for answer in answers {
            let index = Int(answer.person)
            let latency = (answer.at - sent[index].arrival + way).microseconds
            made[index] = RecordedRequest(
                start: made[index].start, latency: latency,
                status: answer.isError ? RecordedRequest.serviceUnavailable : 200)
        }
        record = RequestRecord(made)
    }
}
