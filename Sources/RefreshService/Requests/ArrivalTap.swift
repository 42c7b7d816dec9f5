import Basics

/// A request at the instant at which the load counts it: at the edge, or at the origin.
@frozen public struct Arrival: BitwiseCopyable, Sendable {
    public var at: Instant
    /// As in `ServiceRequest`.
    public var key: Int64
    /// Whose it is, and its number among the device's own: the request's identity, the same at edge and origin.
    public var person, sequence: UInt32
    public var endpoint, region: UInt16
    /// The device's; `RandomStream.personSlot` for a request from outside the fleet.
    public var slot: UInt8
    /// As the load curve counts it.
    public var cause: UInt8
    /// Whether the key is the person's number.
    public var isPersonal: Bool
    /// Whether it comes from outside the fleet (S4).
    public var isOutside: Bool

    public init(
        at: Instant, key: Int64, person: UInt32, sequence: UInt32, endpoint: UInt16, region: UInt16, slot: UInt8,
        cause: UInt8, isPersonal: Bool,
        isOutside: Bool = false
    ) {
        self.at = at
        self.key = key
        self.person = person
        self.sequence = sequence
        self.endpoint = endpoint
        self.region = region
        self.slot = slot
        self.cause = cause
        self.isPersonal = isPersonal
        self.isOutside = isOutside
    }

    /// Whether it comes before another in an order that depends on no thread.
    public static func precedes(_ one: Arrival, _ other: Arrival) -> Bool {
        (one.at, one.person, one.slot, one.sequence) < (other.at, other.person, other.slot, other.sequence)
    }
}

/// Hands over each request of a span as the load counts it, at the edge those before the report, too. A run without one
/// keeps no requests and asks for nothing.
///
/// Not a part of the run's state: what it sees changes no result. One thread uses it at a time.
public final class ArrivalTap: @unchecked Sendable {
    // Safety: a run gives each tap to one of its threads; they are read after the threads are joined.
    public let from, to: Instant
    private let take: (Arrival) -> Void
    /// The keys of requests on their way to the origin, by their places in the service's table.
    private var keys: [(key: Int64, isPersonal: Bool)] = []

    /// - Parameters:
    ///   - to: exclusive.
    ///   - take: gets the requests of one thread in no order that matters.
    public init(from: Instant, to: Instant, take: @escaping (Arrival) -> Void) {
        (self.from, self.to, self.take) = (from, to, take)
    }

    public func note(_ arrival: Arrival) {
        if arrival.at >= from && arrival.at < to { take(arrival) }
    }

    func remember(_ request: ServiceRequest, at index: UInt32) {
        let index = Int(index)
        if index >= keys.count { keys += Array(repeating: (0, false), count: index + 1 - keys.count) }
        keys[index] = (request.key, request.isPrivate)
    }

    func note(_ request: PendingRequest, index: UInt32, cause: Int, at now: Instant) {
        let known = keys[Int(index)]
        note(
            Arrival(
                at: now, key: known.key, person: request.person, sequence: request.sequence, endpoint: request.endpoint,
                region: request.region,
                slot: request.slot, cause: UInt8(cause), isPersonal: known.isPersonal, isOutside: request.isBackground))
    }
}
