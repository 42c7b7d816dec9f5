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
