import Basics
import Statistics

/// Requests of the service's other clients, which come from outside the fleet (S4): a Poisson process with a rate that
/// may change.
///
/// They reach an edge, and go through edge and pool as any request. They come from no device, are not tried again, and
/// are counted apart.
public struct BackgroundTraffic: Sendable {
    public var name: String
    /// The index of the endpoint that they ask.
    public var endpoint: Int
    /// When rates begin, in ascending order: each holds up to the next one, the last to the end of the run; before the
    /// first there is no request.
    public var rates: [Rate]
    /// The weight of each region of the plan, not all 0.
    public var regionWeights: [Double]
    /// Content keys that they ask for, 1 to 65,536; with one it is the content that all share.
    public var keys: Int
    /// The power of Zipf's law by which they ask for them, 0 or more.
    public var zipfPower: Double
    /// Seconds until a client gives its request up, from its arrival at the edge.
    public var timeout: Distribution

    public struct Rate: Hashable, Sendable {
        public var from: Instant
        /// Requests a second, 0 or more.
        public var perSecond: Double

        public init(from: Instant, perSecond: Double) { (self.from, self.perSecond) = (from, perSecond) }
    }

    public init(
        name: String, endpoint: Int, rates: [Rate], regionWeights: [Double], keys: Int = 1, zipfPower: Double = 0,
        timeout: Distribution = .init(.constant(30))
    ) {
        self.name = name
        self.endpoint = endpoint
        self.rates = rates
        self.regionWeights = regionWeights
        self.keys = keys
        self.zipfPower = zipfPower
        self.timeout = timeout
    }

    /// Requests a second on average from one instant to another; none are sent before the first.
    public func meanRate(from begin: Instant, until end: Instant) -> Double {
        let ends = rates.dropFirst().map(\.from) + [end]
        let sum = zip(rates, ends).reduce(0) { $0 + $1.0.perSecond * max(0, (min($1.1, end) - $1.0.from).inSeconds) }
        return sum / max(1e-6, (end - begin).inSeconds)
    }

    /// At most so many of them in one plan: a request is named by the number of its own.
    public static let most = 256
    /// Above the keys of all places, choices and people.
    static let keyBit: Int64 = 1 << 61
    /// The part of a key that counts the keys of a background, from 0.
    package static let keyNumbers = keyBit - 1
}
