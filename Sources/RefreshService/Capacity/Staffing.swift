import Statistics

/// How many servers a load needs, by the closed forms of `ServerQueue` and by the square-root rule.
public enum Staffing {
    /// The bound that the servers must hold.
    public enum Target: Hashable, Sendable {
        /// Each is busy at most this share of its time, above 0 and below 1.
        case utilisation(Double)
        /// At most this share of requests waits, above 0 and below 1.
        case waitingShare(Double)
        /// This share of requests, 0 or more and below 1, waits at most so many seconds, 0 or more.
        case wait(quantile: Double, atMost: Double)
    }

    /// A load above this many erlangs has no answer: it is due to a distribution whose rare draws are longer than any
    /// service.
    static let mostLoad = 1e7

    /// The least servers, 1 or more, that hold a target in the steady state; nil for a load above ten million erlangs.
    /// O(servers): one pass of Erlang's recursion.
    ///
    /// - Parameters:
    ///   - arrivalRate: requests a second, 0 or more.
    ///   - serviceTime: mean seconds, above 0.
    ///   - failed: the target still holds with so many of them out (N + k).
    public static func leastServers(for target: Target, arrivalRate: Double, serviceTime: Double, failed: Int = 0)
        -> Int?
    {
        precondition(arrivalRate >= 0 && arrivalRate.isFinite, "\(arrivalRate) requests a second")
        precondition(serviceTime > 0 && serviceTime.isFinite, "a service time of \(serviceTime) s")
        precondition(failed >= 0, "\(failed) failed servers")
        let load = arrivalRate * serviceTime
        if load > mostLoad { return nil }
        var servers = 0
        var blocking = 1.0
        repeat {
            servers += 1
            blocking = Erlang.next(blocking, servers: servers, load: load)
        } while !holds(target, servers, blocking, load, serviceTime)
        return servers + failed
    }

    private static func holds(
        _ target: Target, _ servers: Int, _ blocking: Double, _ load: Double, _ serviceTime: Double
    ) -> Bool {
        // A queue that grows without end holds nothing.
        if load >= Double(servers) { return false }
        let waiting = Erlang.waiting(blocking: blocking, servers: servers, load: load)
        switch target {
        case .utilisation(let most):
            precondition(most > 0 && most < 1, "a utilisation of \(most)")
            return load / Double(servers) <= most
        case .waitingShare(let most):
            precondition(most > 0 && most < 1, "a share of \(most)")
            return waiting <= most
        case .wait(let quantile, let seconds):
            precondition(quantile >= 0 && quantile < 1 && seconds >= 0, "the quantile \(quantile) within \(seconds) s")
            return waiting * DeterministicMath.exp(-(Double(servers) - load) / serviceTime * seconds) <= 1 - quantile
        }
    }

    /// The servers of the square-root rule, ⌈a + β√a⌉: near the least for a share of waiting requests, the nearer the
    /// larger the load (Halfin and Whitt 1981). At least 1.
    ///
    /// - Parameters:
    ///   - load: erlangs, 0 or more.
    ///   - waitingShare: above 0 and below 1.
    public static func squareRootServers(load: Double, waitingShare: Double) -> Int {
        precondition(load >= 0 && load.isFinite, "a load of \(load) erlangs")
        return max(1, Int(cutting: (load + spareFactor(waitingShare: waitingShare) * load.squareRoot()).rounded(.up)))
    }

    /// β of the square-root rule: the spare servers over the root of the load at which the share waits, from 1 / (1 +
    /// β·Φ(β)/φ(β)) by bisection.
    public static func spareFactor(waitingShare: Double) -> Double {
        precondition(waitingShare > 0 && waitingShare < 1, "a share of \(waitingShare)")
        func share(_ beta: Double) -> Double {
            let density = DeterministicMath.exp(-beta * beta / 2) / (2 * Double.pi).squareRoot()
            return 1 / (1 + beta * SpecialFunctions.normalBelow(beta) / density)
        }
        // At 37 the share is below the least normal number.
        var (low, high) = (0.0, 37.0)
        while true {
            let middle = low + (high - low) / 2
            if middle == low || middle == high { return high }
            if share(middle) > waitingShare { low = middle } else { high = middle }
        }
    }
}

/// Erlang's two formulas for requests that arrive at random and are served one a server.
///
/// Loads are in erlangs: arrivals a second times the mean seconds of one service. Source: A. K. Erlang 1917; the
/// recursion as in ITU-T E.501.
public enum Erlang {
    /// Erlang B: the share of requests that find every server busy, where such requests are lost. It holds for any
    /// distribution of service times.
    ///
    /// By B(0) = 1, B(k) = a·B(k − 1) / (k + a·B(k − 1)), which neither overflows nor cancels. O(servers).
    ///
    /// - Parameters:
    ///   - servers: 0 or more.
    ///   - load: erlangs, 0 or more and finite.
    public static func blocking(servers: Int, load: Double) -> Double {
        precondition(servers >= 0, "\(servers) servers")
        precondition(load >= 0 && load.isFinite, "a load of \(load) erlangs")
        var blocking = 1.0
        for k in 0..<servers { blocking = next(blocking, servers: k + 1, load: load) }
        return blocking
    }

    /// Erlang C: the share of requests that must wait in an endless queue, if times of service are exponential; 1 if
    /// the servers cannot keep up. O(servers).
    ///
    /// - Parameters:
    ///   - servers: 1 or more.
    ///   - load: erlangs, 0 or more and finite.
    public static func waiting(servers: Int, load: Double) -> Double {
        precondition(servers >= 1, "\(servers) servers")
        return waiting(blocking: blocking(servers: servers, load: load), servers: servers, load: load)
    }

    /// Erlang B of one server more than `blocking` is of.
    static func next(_ blocking: Double, servers: Int, load: Double) -> Double {
        load * blocking / (Double(servers) + load * blocking)
    }

    /// Erlang C from Erlang B of the same servers.
    static func waiting(blocking: Double, servers: Int, load: Double) -> Double {
        let utilisation = load / Double(servers)
        if utilisation >= 1 { return 1 }
        return blocking / (1 - utilisation * (1 - blocking))
    }
}

/// The steady state of servers behind one endless queue, if requests arrive at random and times of service are
/// exponential (M/M/c).
///
/// A pool of a run differs from these, because its arrivals come in herds. Reports set the closed form beside the
/// simulated figures.
public struct ServerQueue: Hashable, Sendable {
    /// 1 or more.
    public let servers: Int
    /// Requests a second, 0 or more.
    public let arrivalRate: Double
    /// Mean seconds of one service, above 0.
    public let serviceTime: Double
    /// The share of requests that must wait; 1 if the servers cannot keep up.
    public let waitingShare: Double

    /// O(servers).
    public init(servers: Int, arrivalRate: Double, serviceTime: Double) {
        precondition(arrivalRate >= 0 && arrivalRate.isFinite, "\(arrivalRate) requests a second")
        precondition(serviceTime > 0 && serviceTime.isFinite, "a service time of \(serviceTime) s")
        self.servers = servers
        self.arrivalRate = arrivalRate
        self.serviceTime = serviceTime
        waitingShare = Erlang.waiting(servers: servers, load: arrivalRate * serviceTime)
    }

    /// Erlangs: the servers that are busy on average, if there are enough.
    public var load: Double { arrivalRate * serviceTime }
    /// The share of each server's time that it is busy; 1 or more if the servers cannot keep up.
    public var utilisation: Double { load / Double(servers) }
    public var isStable: Bool { utilisation < 1 }

    /// Requests a second by which the servers outrun the arrivals: how fast waiting requests drain.
    private var spareRate: Double { Double(servers) / serviceTime - arrivalRate }

    /// The mean wait of a request in seconds, those that do not wait included; nil if the queue grows without end.
    public var meanWait: Double? { isStable ? waitingShare / spareRate : nil }

    /// The wait in seconds that the share `q` of requests, 0 up to but not including 1, does not exceed: 0 if so many
    /// do not wait at all, nil if the queue grows without end.
    public func waitQuantile(_ q: Double) -> Double? {
        precondition(q >= 0 && q < 1, "the quantile \(q)")
        if !isStable { return nil }
        return waitingShare <= 1 - q ? 0 : DeterministicMath.log(waitingShare / (1 - q)) / spareRate
    }
}

/// Mean waits if times of service are not exponential. Variation is the squared coefficient of variation: variance over
/// squared mean, 0 for a constant and 1 for an exponential time.
public enum GeneralQueue {
    /// The mean wait in seconds at several servers (G/G/c), an approximation: that of the exponential queue times the
    /// mean of both variations (Allen 1978, after Kingman 1961). Exact for M/M/c and for M/G/1; for M/G/c mostly within
    /// a few percent when servers are busy. Nil if the queue grows without end.
    ///
    /// - Parameters:
    ///   - arrivals: the variation of the gaps between arrivals; 1 at random, more in herds.
    ///   - service: the variation of the time of service.
    public static func approximateMeanWait(_ queue: ServerQueue, arrivals: Double = 1, service: Double) -> Double? {
        precondition(arrivals >= 0 && service >= 0, "variations of \(arrivals) and \(service)")
        return queue.meanWait.map { $0 * (arrivals + service) / 2 }
    }
}

extension Distribution {
    /// Variance over squared mean of the distribution with its shift, not clipped: closed form, or by
    /// the table of quantiles. Nil if it has no
    /// variance, or a mean of 0 or less.
    public func variation() throws(DistributionProblem) -> Double? {
        let mean = try mean()
        if mean <= 0 { return nil }
        let variance: Double
        switch shape {
        case .constant: variance = 0
        case .uniform(let min, let max): variance = (max - min) * (max - min) / 12
        case .exponential(let mean): variance = mean * mean
        case .normal(_, let deviation): variance = deviation * deviation
        case .lognormal(let median, let sigma):
            let spread = DeterministicMath.exp(sigma * sigma)
            variance = median * median * spread * (spread - 1)
        case .gamma(let shape, let mean): variance = mean * mean / shape
        case .quantiles(let curve): variance = max(0, curve.moment(2) - (mean - shift) * (mean - shift))
        case .studentT(_, let scale, let degrees):
            if degrees <= 2 { return nil }
            variance = scale * scale * degrees / (degrees - 2)
        }
        return variance / (mean * mean)
    }
}
