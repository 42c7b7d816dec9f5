import Basics
import Statistics

/// The orders of a server for the requests that it holds, as it is woken or hears of an event: each takes effect as the
/// server returns, at this instant.
///
/// A request is held from the answer `held` until one of these ends it, or an outage. Naming another one ends
/// the run with a sentence.
public struct HeldRequests {
    enum Order {
        case begin(RequestID)
        case serve(RequestID, until: Instant, ServerContent)
        case end(RequestID, ServerContent)
        case drop(RequestID, retryAfter: Duration?)

        var id: RequestID {
            switch self {
            case .begin(let id), .serve(let id, _, _), .end(let id, _), .drop(let id, _): id
            }
        }
    }

    var orders: [Order] = []
    /// For decisions that are no request's own.
    public var draws: ServerDraws

    init(draws: ServerDraws) { self.draws = draws }

    /// Its service begins; its end is still open.
    public mutating func begin(_ id: RequestID) { orders.append(.begin(id)) }

    /// Its service begins, if it has not, and is over at an instant that is settled, now or later.
    public mutating func serve(_ id: RequestID, until end: Instant, _ content: ServerContent = .whole) {
        orders.append(.serve(id, until: end, content))
    }

    /// Its service is over; one that has not begun takes no time.
    public mutating func end(_ id: RequestID, _ content: ServerContent = .whole) { orders.append(.end(id, content)) }

    /// It is given up: an error goes back. It counts under `dropped`.
    public mutating func drop(_ id: RequestID, retryAfter: Duration? = nil) {
        orders.append(.drop(id, retryAfter: retryAfter))
    }
}

/// Random numbers for one decision of a server: looked up by the request, or by the pool and the number of its turn,
/// so that no other decision shares them.
public struct ServerDraws {
    private let stream: RandomStream
    private var next: UInt64
    private let end: UInt64
    /// Whether a decision has drawn more than it has, which ends the run with a sentence (`RunningServer.check`).
    private(set) var isExhausted = false

    /// - Parameter number: of the request or the turn, below 2³².
    init(_ stream: RandomStream, number: UInt64) {
        self.stream = stream
        next = number << Self.bits
        end = next + 1 << Self.bits
    }

    /// So many bits count the draws of one decision.
    private static let bits: UInt64 = 16

    /// 64 random bits. One decision has 65,536 draws; one more ends the run with a sentence.
    public mutating func bits() -> UInt64 {
        if next == end {
            isExhausted = true
            next -= 1 << Self.bits
        }
        defer { next += 1 }
        return stream.value(at: next)
    }

    /// A fraction strictly between 0 and 1.
    public mutating func uniform() -> Double { RandomStream.uniform(bits()) }

    /// A whole number from 0 to below a bound above 0.
    public mutating func index(below bound: Int) -> Int { Int(RandomStream.index(bits(), below: UInt64(bound))) }

    /// Whether something of this probability happens.
    public mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

    /// A length between two, evenly.
    public mutating func uniform(_ range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + Duration(seconds: (range.upperBound - range.lowerBound).inSeconds * uniform())
    }

    /// An exponential number with this mean.
    public mutating func exponential(mean: Double) -> Double { -DeterministicMath.log(uniform()) * mean }

    /// An exponential length with this mean.
    public mutating func exponential(mean: Duration) -> Duration {
        Duration(seconds: exponential(mean: mean.inSeconds))
    }
}

/// Values by a number, as a limit by client: a table that grows, and writes itself down for a checkpoint in the order
/// of its numbers, whatever the order in which it keeps them.
///
/// A number that is not there has the initial value.
public struct KeyedTable<Value: BitwiseCopyable & Sendable>: Sendable {
    private var values: [Int64: Value] = [:]
    private let initial: Value

    /// - Parameter initial: the value of a number that was never set.
    public init(_ initial: Value) { self.initial = initial }

    public subscript(key: some BinaryInteger) -> Value {
        get { values[Int64(key)] ?? initial }
        _modify {
            let initial = initial
            yield &values[Int64(key), default: initial]
        }
    }

    /// How many numbers have a value of their own.
    public var count: Int { values.count }

    /// Forgets all values.
    public mutating func removeAll() { values.removeAll() }

    public mutating func code(_ state: StateStream) throws(StateProblem) {
        var keys = values.keys.sorted()
        var list = keys.map { values[$0]! }
        try state.code(&keys)
        try state.code(&list)
        try state.require(
            keys.count == list.count && zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "a table of a server")
        if state.isReading { values = Dictionary(uniqueKeysWithValues: zip(keys, list)) }
    }
}

/// Ties the instants of a run to the calendar and the clock of UTC, for windows of limits and capacity by the hour.
public struct ServerCalendar: BitwiseCopyable, Sendable {
    private let startUnixMicroseconds: Int64

    /// - Parameter clock: the scenario's; by default a run begins at midnight of the first day of 1970.
    public init(_ clock: ScenarioClock = ScenarioClock(startUnixMicroseconds: 0)) {
        startUnixMicroseconds = clock.startUnixMicroseconds
    }

    /// The number of the window of some length that an instant lies in. Windows of whole hours and days begin with
    /// them.
    public func window(of length: Duration, at now: Instant) -> Int64 {
        let (quotient, rest) = (startUnixMicroseconds + now.microseconds)
            .quotientAndRemainder(dividingBy: length.microseconds)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// How long the window of some length lasts from an instant on, above 0.
    public func left(ofWindow length: Duration, at now: Instant) -> Duration {
        let next = (window(of: length, at: now) + 1) * length.microseconds
        return Duration(microseconds: next - startUnixMicroseconds - now.microseconds)
    }

    /// The time since midnight.
    public func timeOfDay(at now: Instant) -> Duration { .days(1) - left(ofWindow: .days(1), at: now) }

    /// The next instant, later than `now`, at which it is a time of the day.
    public func next(_ timeOfDay: Duration, after now: Instant) -> Instant {
        let wait = timeOfDay - self.timeOfDay(at: now)
        return now + (wait > .zero ? wait : wait + .days(1))
    }
}
