import Basics
import RefreshService
import ScenarioModel
import Statistics

/// The way of a request: the region that serves it, whether that is another one than the device's (S7), and the legs
/// there.
struct RequestWay {
    let region: Int
    let isMoved: Bool
    let out, back: Duration
}

extension PreparedPlan {
    /// The way of a request that is sent now.
    ///
    /// - Parameters:
    ///   - region: the device's.
    ///   - numbers: its own, one for each leg.
    ///   - attempt: the number of the try, from 1 on.
    ///   - draws: the device's numbers for the failover of its region.
    @inline(__always) func way(
        from region: Int, at now: Instant, _ numbers: (UInt64, UInt64), attempt: Int,
        _ draws: @autoclosure () -> RandomStream
    ) -> RequestWay {
        if hasFailovers, let failover = failovers[region], failover.isAway(at: now, attempt: attempt, draws()) {
            let (out, back) = legs[failover.to].draw(numbers)
            return RequestWay(
                region: failover.to, isMoved: true, out: out + failover.detour, back: back + failover.detour)
        }
        let (out, back) = legs[region].draw(numbers)
        return RequestWay(region: region, isMoved: false, out: out, back: back)
    }
}

/// A request that is about to leave.
struct OutgoingRequest {
    let arrival: Instant
    /// The key of its content.
    let key: Int64
    let endpoint: Int
    /// The region that serves it, and whether that is another one than the device's.
    let region: Int
    let isMoved: Bool
    /// The cause under which the load counts it (S3).
    let cause: Int
    let isPersonal: Bool
    /// Until when what its client has of the key is in force; `longAgo` for nothing (S10).
    var heldUntil: Instant = .longAgo
}

extension Arrival {
    /// A request that leaves a device, as the load counts it at the edge.
    ///
    /// - Parameters:
    ///   - slot: the device's.
    ///   - sequence: its number among the device's own.
    init(_ request: OutgoingRequest, of person: UInt32, slot: UInt8, sequence: UInt32) {
        self.init(
            at: request.arrival, key: request.key, person: person, sequence: sequence,
            endpoint: UInt16(request.endpoint), region: UInt16(request.region), slot: slot,
            cause: UInt8(request.cause), isPersonal: request.isPersonal)
    }
}

extension ServiceRequest {
    /// A request that leaves for the service.
    ///
    /// - Parameters:
    ///   - patience: from its sending until the client gives the try up.
    ///   - attempt: the number of the try, from 1 on.
    init(
        _ request: OutgoingRequest, sentAt now: Instant, back: Duration, patience: Duration, person: UInt32,
        slot: UInt8, sequence: UInt32, instance: UInt16, attempt: Int
    ) {
        // A leg that takes longer than any client waits is as good as the longest.
        func short(_ duration: Duration) -> UInt32 { UInt32(min(duration.microseconds, Int64(UInt32.max))) }
        let out = request.arrival - now
        self.init(
            arrival: request.arrival, heldUntil: request.heldUntil, key: request.key, person: person,
            sequence: sequence, out: short(out),
            back: short(back), patience: short(max(.zero, patience - out)), endpoint: UInt16(request.endpoint),
            region: UInt16(request.region), instance: instance, slot: slot,
            attempt: UInt8(min(attempt, Self.mostTold)) | (request.isMoved ? Self.movedBit : 0),
            cause: UInt8(request.cause), isPrivate: request.isPersonal)
    }
}

/// The two legs ready to draw from.
struct PreparedDelays {
    private let out, back: DurationDistribution

    init(_ legs: OneWayDelays, _ tables: inout StandardTables) throws(DistributionProblem) {
        out = try legs.out.preparedDurations(with: &tables)
        back = try legs.back.preparedDurations(with: &tables)
    }

    /// No draw of either is shorter: draws rise with their number.
    var least: Duration {
        let (out, back) = draw((0, 0))
        return min(out, back)
    }

    /// Both legs of one request, each its own draw.
    @inline(__always) func draw(_ numbers: (first: UInt64, second: UInt64)) -> (out: Duration, back: Duration) {
        (out.draw(numbers.first), back.draw(numbers.second))
    }
}
