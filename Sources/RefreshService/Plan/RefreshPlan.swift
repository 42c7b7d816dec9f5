import Basics
import Statistics

/// The service that a fleet's requests meet (S2): edge caches by region, origin pools behind them, and what concerns
/// both.
///
/// Endpoints and regions are those of the fleet's plan, in its order, and named by their index. A plan that exists has
/// been checked.
public struct RefreshPlan: Sendable {
    public var pools: [OriginPool]
    /// One for each endpoint of the fleet.
    public var endpoints: [ServiceEndpoint]
    /// One for each region of the fleet.
    public var regions: [EdgeRegion]
    /// In any order.
    public var events: [ServiceEvent]
    /// The requests from outside the fleet.
    public var background: [BackgroundTraffic]
    /// At most one for each region.
    public var failovers: [Failover]
    /// When clients give a try up.
    public var abandonment: Abandonment
    public var prices: ServicePrices
    /// Its promises to its clients.
    public var objectives: [ServiceObjective]
    /// For servers of a user's own.
    public var names: ServiceNames

    public init(
        pools: [OriginPool], endpoints: [ServiceEndpoint], regions: [EdgeRegion], events: [ServiceEvent] = [],
        background: [BackgroundTraffic] = [], failovers: [Failover] = [], abandonment: Abandonment = .always,
        prices: ServicePrices = .none, objectives: [ServiceObjective] = [], names: ServiceNames? = nil
    ) {
        self.pools = pools
        self.endpoints = endpoints
        self.regions = regions
        self.events = events
        self.background = background
        self.failovers = failovers
        self.abandonment = abandonment
        self.prices = prices
        self.objectives = objectives
        self.names =
            names
            ?? ServiceNames(endpoints: endpoints.indices.map(String.init), regions: regions.indices.map(String.init))
    }

    /// The pool of requests of a region to an endpoint.
    public func pool(endpoint: Int, region: Int) -> Int {
        endpoints[endpoint].regionalPools[region] ?? endpoints[endpoint].pool
    }

    /// The regions whose requests to an endpoint go to a pool.
    public func regions(ofPool pool: Int, endpoint: Int) -> [Int] {
        regions.indices.filter { self.pool(endpoint: endpoint, region: $0) == pool }
    }

    /// The pools that serve requests of a region, to whatever endpoint.
    public func pools(ofRegion region: Int) -> [Int] {
        let its = Set(endpoints.indices.map { pool(endpoint: $0, region: region) })
        return pools.indices.filter(its.contains)
    }

    /// Those of them that serve no other region: they are lost with it.
    public func ownPools(ofRegion region: Int) -> [Int] {
        let others = Set(regions.indices.filter { $0 != region }.flatMap(pools(ofRegion:)))
        return pools(ofRegion: region).filter { !others.contains($0) }
    }

    /// The regions that others fail over to, in ascending order.
    public var receivers: [Int] { Set(failovers.map(\.to)).sorted() }
}

/// The names by which a server of a user's own knows what others know by a number.
public struct ServiceNames: Sendable {
    public var endpoints, regions: [String]
    /// By the number of the cause in the load (`LoadCurve`), a further try under that of its reload.
    public var causes: [String]

    /// - Parameter causes: nil for their numbers.
    public init(endpoints: [String], regions: [String], causes: [String]? = nil) {
        (self.endpoints, self.regions) = (endpoints, regions)
        self.causes = causes ?? (0..<LoadCurve.retryCause(of: LoadCurve.causes)).map(String.init)
    }
}

/// The parts of the service behind one endpoint: its pool, and whether edges keep its answers.
public struct ServiceEndpoint: Sendable {
    /// The index of its pool.
    public var pool: Int
    /// The pools of regions that have another one, by the region's index.
    public var regionalPools: [Int: Int]
    /// Nil if every request passes to the origin.
    public var cache: EdgeCache?
    /// Bytes of one answer, with its headers.
    public var responseBytes: Int64
    /// The answer to who asks for content that it has already; nil for all of it again.
    public var notModified: NotModified?
    /// The time to the next reload that its answers state; nil if they state none.
    public var pace: ServedPace?

    public init(pool: Int, regionalPools: [Int: Int] = [:], cache: EdgeCache? = nil, responseBytes: Int64 = 4_096) {
        (self.pool, self.regionalPools, self.cache, self.responseBytes) = (pool, regionalPools, cache, responseBytes)
    }
}

/// The answer to a conditional request whose content is in force (S10): that nothing has changed.
public struct NotModified: Hashable, Sendable {
    /// The share of those who have any content that is answered so, 0 to 1; nil for those who have the version in
    /// force.
    public var share: Double?
    /// Bytes of the answer, with its headers; below 2³².
    public var bytes: Int64 = 250
    /// Seconds on a server; nil for those of any answer of the pool.
    public var serviceTime: Distribution?

    public static let usual = NotModified()
}

/// The time to the next reload that an endpoint's answers state (S11), as they were made.
public struct ServedPace: Hashable, Sendable {
    /// From an instant on, a distribution of seconds.
    public struct Step: Hashable, Sendable {
        public var from: Instant
        public var time: Distribution

        public init(from: Instant, time: Distribution) { (self.from, self.time) = (from, time) }
    }

    /// In the order of their beginnings, at least one; the first holds before it, too.
    public var steps: [Step]
    /// Whether the time counts from when the origin made the content, as `max-age` less `Age` does, and not from the
    /// answer's arrival.
    public var countsFromContent: Bool
    /// Whether one draw belongs to an object that an edge keeps, and not to each answer.
    public var isOfObject: Bool

    public init(_ time: Distribution, countsFromContent: Bool = false, isOfObject: Bool = false) {
        steps = [Step(from: .start, time: time)]
        (self.countsFromContent, self.isOfObject) = (countsFromContent, isOfObject)
    }

    /// No client asks again sooner.
    public static let least = Duration.seconds(1)

    /// The length by which timelines live at the start of a run (T4).
    public var usual: Duration {
        get throws(DistributionProblem) { max(Self.least, Duration(seconds: try steps[0].time.mean())) }
    }
}

extension RefreshPlan {
    /// The price of an hour of one of a pool's servers: its part of a machine's, or the price of any.
    public func hourPrice(ofServerIn pool: Int) -> Double {
        guard let machine = pools[pool].machine, let price = machine.hourPrice else { return prices.serverHour }
        return price / Double(machine.slots)
    }

    /// Whether a report of some length has a value of a metric of a month: of whole days any, otherwise the cost of
    /// servers whose number stays, alone or where nothing else has a price.
    public func tells(ofMonth metric: String, span: Duration) -> Bool {
        if MonthlyUse.amount(1, in: span) != nil { return true }
        let isSteady = pools.allSatisfy { $0.autoscaling == nil && $0.server == nil }
        let isAlone = max(prices.millionRequests, prices.gigabyte, prices.millionPushes) == 0
        return isSteady
            && (metric.hasSuffix("cost_servers_per_month") || metric.hasSuffix(".cost_per_month") && isAlone)
    }

    /// Whether anything has a price.
    public var hasPrices: Bool { prices.isAny || pools.contains { $0.machine?.hourPrice ?? 0 > 0 } }
}

/// When the version of an endpoint's content of a key ends that the origin made at an instant: as the next one appears,
/// `never` if none does.
public typealias VersionEnds = @Sendable (_ endpoint: Int, _ key: Int64, _ madeAt: Instant) -> Instant

/// How the edges keep an endpoint's answers, one object a content key and region (S2).
public struct EdgeCache: Hashable, Sendable {
    /// From its arrival at the edge an object is fresh for so many seconds, the last instant included (T6), drawn for
    /// each arrival.
    public var timeToLive: Distribution
    /// Whether requests that miss while the object is being fetched wait for that one fetch.
    public var collapses = true
    /// So long after it was fresh an object is still served at once, while one fetch brings a new one (RFC 5861).
    public var staleWhileRevalidate = Duration.zero
    /// So long after it was fresh an object is served in place of an error of the origin (RFC 5861).
    public var staleIfError = Duration.zero
    /// An edge gives a fetch up after this time; what waits for it gets an error, or the stale object.
    public var fetchTimeout = Duration.seconds(30)

    public init(
        timeToLive: Duration, collapses: Bool = true, staleWhileRevalidate: Duration = .zero,
        staleIfError: Duration = .zero, fetchTimeout: Duration = .seconds(30)
    ) {
        self.timeToLive = Distribution(.constant(timeToLive.inSeconds))
        (self.collapses, self.staleWhileRevalidate) = (collapses, staleWhileRevalidate)
        (self.staleIfError, self.fetchTimeout) = (staleIfError, fetchTimeout)
    }

    /// Edges that keep nothing longer than it takes to fetch it.
    public static let collapsing = EdgeCache(timeToLive: .zero)
}

/// Where requests of a region reach the edge, how much that keeps, and how far the origin is from there.
public struct EdgeRegion: Sendable {
    /// Seconds from the edge to the origin and back; 0 for an edge that stands beside it.
    public var originOut = Distribution(.constant(0))
    public var originBack = Distribution(.constant(0))
    /// Objects of all endpoints that the edge has room for, 1 or more; nil for all. Beyond them the least recently
    /// asked for goes.
    public var capacity: Int?

    /// An edge beside the origin, with room for all.
    public static let besideOrigin = EdgeRegion()
}

/// Prices, in the scenario's own currency.
public struct ServicePrices: Hashable, Sendable {
    public var serverHour = 0.0
    public var millionRequests = 0.0
    public var gigabyte = 0.0
    public var millionPushes = 0.0
    public var currency = "USD"

    /// Whether anything has a price.
    public var isAny: Bool { max(serverHour, millionRequests, gigabyte, millionPushes) > 0 }

    public static let none = ServicePrices()
}

/// A share of the fleet's requests that shall end with content within a time.
public struct ServiceObjective: Hashable, Sendable {
    public var name: String
    /// Below 1.
    public var share: Double
    /// From the sending of a request to its answer at the device; nil for any time.
    public var within: Duration?

    public init(name: String, share: Double, within: Duration? = nil) {
        precondition(share > 0 && share < 1, "an objective of \(share)")
        (self.name, self.share, self.within) = (name, share, within)
    }
}
