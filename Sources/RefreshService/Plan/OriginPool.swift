import Basics
import Statistics

/// Servers behind one queue (S2): requests are admitted or shed at their arrival, wait in the order of arrival, and are
/// served one a server.
public struct OriginPool: Sendable {
    public var name: String
    /// Requests that are served at one time, at the start of the run; nil for no limit.
    public var servers: Int?
    /// Seconds of one request on its server.
    public var serviceTime = Distribution(.constant(0))
    /// At most so many requests wait; a further one is shed. Nil for no limit.
    public var queueLimit: Int?
    /// Whether a request whose client has given up is dropped when its turn comes; otherwise it is served all the same.
    public var dropsTimedOutWork = false
    /// Admission by a token bucket, before the queue; nil for none.
    public var rateLimit: RateLimit?
    /// The wait that a shed request is told (`Retry-After`); nil if it is told nothing.
    public var retryAfter: Duration?
    /// Nil if the number of servers stays as it is.
    public var autoscaling: Autoscaling?
    /// The machines in which its servers come; nil if each comes alone.
    public var machine: MachineType?
    /// In place of servers behind a queue: one of a user's own; nil for those. Then `servers` is how many it
    /// counts, and of the rest only `serviceTime` and `retryAfter` mean anything.
    public var server: AnyOriginServer?

    /// A pool without a name and without limits, whose service takes no time.
    public static let unlimited = OriginPool(name: "")

    /// The servers with all that its autoscaler may add; nil for no limit.
    public var mostServers: Int? { servers.map { max($0, autoscaling?.most ?? $0) } }
    /// Servers that come and go together: those of a machine, or 1.
    public var slots: Int { machine?.slots ?? 1 }
}

/// A machine, which has room for several servers (S2).
public struct MachineType: Hashable, Sendable {
    /// Its servers, 1 or more.
    public var slots = 1
    /// The price of an hour in the scenario's currency; nil for that of its servers.
    public var hourPrice: Double?

    public init() {}

    /// A number of servers as whole machines, rounded up.
    public func whole(_ servers: Int) -> Int { (servers + slots - 1) / slots * slots }
}

/// A token bucket: in any span of τ seconds at most burst + rate·τ requests are admitted.
public struct RateLimit: Hashable, Sendable {
    /// Millionths of a request a second, above 0.
    public var rate: Int64
    /// Requests that a full bucket admits at once, 1 or more. It is full at the start.
    public var burst: Int64

    public init(rate: Int64, burst: Int64) { (self.rate, self.burst) = (rate, burst) }

    public var perSecond: Double { Double(rate) / 1e6 }
}

/// A horizontal autoscaler on the servers' utilisation, as Kubernetes has it: every `interval` it wants the utilisation
/// of the last interval over `target` times the present servers, rounded up.
public struct Autoscaling: Hashable, Sendable {
    /// The wanted share of busy servers, above 0 to 1.
    public var target: Double
    /// 15 s in Kubernetes.
    public var interval = Duration.seconds(15)
    /// No change while the ratio of measured to wanted utilisation is within so much of 1 (0.1 in Kubernetes).
    public var tolerance = 0.1
    /// From the decision to the first request that a new server takes.
    public var lag: Duration
    public var least, most: Int
    /// Servers are taken away down to the largest number wanted within this time only (300 s in Kubernetes).
    public var scaleDownWindow = Duration.seconds(300)
    /// In one interval the servers grow by at most this share of them or by `growthServers`, whichever is more (1 and 4
    /// in Kubernetes).
    public var growthShare = 1.0
    public var growthServers = 4

    /// The defaults of Kubernetes, for one server that is always busy.
    public static let kubernetes = Autoscaling(target: 1, lag: .zero, least: 1, most: 1)
}

/// The moments of a pool's time of service that the closed forms need. A plan that exists has been checked: a
/// distribution that is wrong is an error of the code.
extension OriginPool {
    /// Mean seconds by the distribution as planned, not clipped and without brown-outs; nil if service takes no time.
    public var meanServiceTime: Double? {
        do {
            let mean = try serviceTime.mean()
            return mean > 0 ? mean : nil
        } catch {
            preconditionFailure("the time of service of the pool \(name): \(error)")
        }
    }

    /// The squared coefficient of variation: 0 for a constant time, 1 for an exponential one; nil if service takes no
    /// time or its distribution has no variance.
    public var serviceTimeVariation: Double? {
        do {
            return try serviceTime.variation()
        } catch {
            preconditionFailure("the time of service of the pool \(name): \(error)")
        }
    }
}
