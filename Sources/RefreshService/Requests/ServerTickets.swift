import Basics
import Statistics

/// A request as a server of a user's own and a conditional request need it, beside `PendingRequest`, with what the
/// server has answered. It lies at the place of the request in the table of pending requests; without either there are
/// none.
struct ServerTicket: BitwiseCopyable {
    let key: Int64
    /// Until when what its client has is in force, and what the one has who asks the origin: the edge where it fetches
    /// an object, else the client (S10).
    let heldUntil: Instant
    var askedUntil: Instant
    /// When its service is over; `never` while the server has not said so.
    var end = Instant.never
    /// When the content was made; `never` for the end of its service.
    var madeAt = Instant.never
    /// How long an edge keeps the content, and an error tells the client to wait; below 0 for what the plan says.
    var freshFor = Duration(microseconds: -1)
    var retryAfter = Duration(microseconds: -1)
    /// Bytes of the answer; `standardSize` for those of its endpoint.
    var size = Self.standardSize
    /// Told apart from those that had the place before.
    let number: UInt32
    let attempt: UInt8
    var isNotModified = false

    static let standardSize = UInt32.max

    init(_ request: ServiceRequest, number: UInt32) {
        key = request.key
        (heldUntil, askedUntil) = (request.heldUntil, request.heldUntil)
        attempt = request.attempt & ~ServiceRequest.movedBit
        self.number = number
    }

    /// The server has nothing new, and says so in so many bytes.
    mutating func settleNotModified(bytes: Int64) { (isNotModified, size) = (true, UInt32(bytes)) }

    /// The end of its service is settled, and what it answers, which was checked.
    mutating func settle(_ content: ServerContent, until end: Instant) {
        self.end = end
        size = content.bytes.map { UInt32($0) } ?? Self.standardSize
        madeAt = content.madeAt.map { max(.start, $0) } ?? .never
        freshFor = content.freshFor ?? Duration(microseconds: -1)
        isNotModified = content.isNotModified
    }
}

/// The tickets of all pending requests.
struct ServerTickets {
    private var tickets: [ServerTicket] = []
    private var made: UInt32 = 0

    mutating func note(_ request: ServiceRequest, at index: UInt32) {
        made &+= 1
        let ticket = ServerTicket(request, number: made)
        while Int(index) >= tickets.count { tickets.append(ticket) }
        tickets[Int(index)] = ticket
    }

    subscript(index: UInt32) -> ServerTicket {
        get { tickets[Int(index)] }
        _modify { yield &tickets[Int(index)] }
    }

    /// Whether there is one for a place.
    func has(_ index: UInt32) -> Bool { Int(index) < tickets.count }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&made)
        try stream.code(
            &tickets, limits: stream.isReading ? [ByteLimit(\ServerTicket.isNotModified, of: Bool.self)] : [])
    }
}
