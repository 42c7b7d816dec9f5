import Basics
import Statistics

/// One try of a device's request, as it reaches the edge.
///
/// Requests are served in the order of their arrival, ties by person, device and sequence (S5).
@frozen public struct ServiceRequest: BitwiseCopyable, Sendable {
    /// When it reaches the edge.
    public var arrival: Instant
    /// Until when what its client has of the key is the version in force; `longAgo` if it has nothing that it can ask
    /// by (S10).
    public var heldUntil: Instant
    /// The key of its answer, within its endpoint: a place, a symbol, 0 for content that all share (S1).
    public var key: Int64
    /// Whose it is: the person's number, the device's slot, and the number of the request among the device's own. Draws
    /// for it are looked up by these.
    public var person, sequence: UInt32
    /// Microseconds: the way here, the way back to the device, and from the arrival until the client gives the try up.
    public var out, back, patience: UInt32
    public var endpoint, region, instance: UInt16
    public var slot: UInt8
    /// The number of the try, from 1 to `mostTold`: more than 1 is a retry. The highest bit says whether the device has
    /// failed over to this region from its own (S7).
    public var attempt: UInt8
    /// The raw value of the reload's cause.
    public var cause: UInt8
    /// Whether the content is the person's own: no edge keeps it.
    public var isPrivate: Bool

    public init(
        arrival: Instant, heldUntil: Instant = .longAgo, key: Int64, person: UInt32, sequence: UInt32, out: UInt32,
        back: UInt32, patience: UInt32,
        endpoint: UInt16,
        region: UInt16, instance: UInt16, slot: UInt8, attempt: UInt8, cause: UInt8, isPrivate: Bool
    ) {
        self.arrival = arrival
        self.heldUntil = heldUntil
        self.key = key
        self.person = person
        self.sequence = sequence
        self.out = out
        self.back = back
        self.patience = patience
        self.endpoint = endpoint
        self.region = region
        self.instance = instance
        self.slot = slot
        self.attempt = attempt
        self.cause = cause
        self.isPrivate = isPrivate
    }

    /// In place of an instance's number: the request is of none, and nothing on its device waits for the answer.
    /// Whether one comes in time is counted all the same.
    public static let noInstance = UInt16.max

    /// In place of an instance's number: the request is of a background fetch, whose answer the app waits for. From
    /// this one on, by the number of the fetch.
    public static let firstFetch = UInt16.max - 0x100

    /// The background fetch that an answer is for; nil for an instance's, and for nobody's.
    public static func fetch(ofInstance instance: UInt16) -> Int? {
        instance >= firstFetch && instance < noInstance ? Int(instance - firstFetch) : nil
    }

    /// When the client gives the try up. An answer that is there at this instant is in time (T6).
    public var deadline: Instant { arrival + Duration(microseconds: Int64(patience)) }

    /// The bit of `attempt` of a request that has failed over.
    public static let movedBit: UInt8 = 0x80
    /// Tries from this one on have the same number.
    public static let mostTold = 0x7f

    var isRetry: Bool { attempt & ~Self.movedBit > 1 }
    /// Whether it comes from a device of another region.
    var isMoved: Bool { attempt & Self.movedBit != 0 }

    /// Whether it comes from outside the fleet: a device's slot is another number.
    var isBackground: Bool { slot == RandomStream.personSlot }

    /// Whether it is served before another that arrives at the same stage at the same instant.
    @inlinable public func precedes(_ other: ServiceRequest) -> Bool {
        (person, slot, sequence) < (other.person, other.slot, other.sequence)
    }

    /// Whether it is served before another at the edge.
    @inlinable public func arrivesBefore(_ other: ServiceRequest) -> Bool {
        arrival == other.arrival ? precedes(other) : arrival < other.arrival
    }
}

/// The outcome of a request, if the device learns of it before it gives up; a request without an answer is given up at
/// its deadline.
@frozen public struct ServiceAnswer: BitwiseCopyable, Sendable {
    /// When the answer reaches the device.
    public var at: Instant
    /// When the origin made the content (C2); `never` in an error.
    public var madeAt: Instant
    public var person, sequence: UInt32
    public var instance: UInt16
    public var slot: UInt8
    public var isError: Bool
    /// Not an answer yet: the request is being served, and its client stays for the answer (S3).
    public var isNotice = false
    /// The answer to a request of which such a notice came before.
    public var followsNotice = false
    /// Of an error: whether the pool has refused the request at its limits, and not failed (S3).
    public var isRefusal = false
    /// The wait that an error tells the client; 0 for nothing.
    public var retryAfter: Duration
}

extension ServiceAnswer {
    /// Which of its bytes are no more than something.
    public static var byteLimits: [ByteLimit] {
        [
            \ServiceAnswer.isError, \ServiceAnswer.isNotice, \ServiceAnswer.followsNotice, \ServiceAnswer.isRefusal,
        ].map { ByteLimit($0, of: Bool.self) }
    }
}
