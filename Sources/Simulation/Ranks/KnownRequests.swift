import Basics
import Fleet
import RefreshService
import Statistics

/// Requests of which the ranks that share a part of the service have told each other, and the batch of windows in which
/// no other ones arrive (`ServiceRun+Ranks`).
struct KnownRequests {
    /// A batch of windows, and its bounds.
    struct Batch {
        /// No request that is not known arrives before it.
        var end: Instant = .start
        /// A rank has asked for a pause since the last meeting.
        var isPausing = false
        /// No device whose rank has not said otherwise sends anything sooner after an answer.
        let reaction: Duration
        /// Where it begins.
        var start: Instant = .start
    }

    var batch: Batch
    /// The coders of all ranks' requests; none where no other rank serves the same ones.
    var codes: [RequestCode]
    /// Requests of all ranks, in the order of their arrival; so many have arrived.
    private var requests: [ServiceRequest] = []
    private var arrived = 0

    /// - Parameters:
    ///   - slots: of a person's devices.
    ///   - latest: no request arrives after it.
    ///   - serves: whether this rank serves a region.
    init(
        _ prepared: PreparedPlan, people: Int, share: RankShare, slots: Int, latest: Instant, serves: (Int) -> Bool
    ) {
        batch = Batch(reaction: prepared.mostReaction)
        let plan = prepared.plan
        let bounds = RequestCode.Bounds(
            endpoints: plan.endpoints.count, causes: LoadCurve.causes(with: plan.requestClasses), slots: slots,
            regions: plan.regions.indices.map(serves), latest: latest,
            tellsHeld: !plan.requests.conditionalEndpoints.isEmpty)
        codes =
            share.ranks == 1
            ? []
            : (0..<share.ranks).map {
                RequestCode(
                    RankShare(rank: $0, of: share.ranks), people: people, leastLeg: prepared.leastLeg, bounds: bounds)
            }
    }

    /// Those that have not arrived, and when the first of them does.
    var waiting: ArraySlice<ServiceRequest> { requests[arrived...] }
    var firstArrival: Instant { arrived < requests.count ? requests[arrived].arrival : .never }

    /// Adds what this rank and the others have told before a batch.
    ///
    /// - Returns: a rank whose message cannot be read; nil if there is none.
    mutating func take(
        _ own: [ServiceRequest], of rank: Int, _ messages: [ArraySlice<UInt8>], from limit: Instant
    ) -> Int? {
        requests.removeFirst(arrived)
        arrived = 0
        requests += own
        for (other, bytes) in messages.enumerated() where other != rank {
            if !codes[other].read(bytes, from: limit, into: &requests) { return other }
        }
        requests.sort { $0.arrivesBefore($1) }
        return nil
    }

    /// Takes the requests of all ranks that arrive before an instant.
    mutating func take(before limit: Instant, into list: inout [ServiceRequest]) {
        let first = arrived
        while firstArrival < limit { arrived += 1 }
        list += requests[first..<arrived]
    }

    /// An answer of this window can have a request follow.
    mutating func bound(by answer: ServiceAnswer, leastLeg: Duration) {
        let reaction = answer.isError || answer.isNotice || answer.followsNotice ? .zero : batch.reaction
        batch.end = min(batch.end, answer.at + reaction + leastLeg)
    }
}
