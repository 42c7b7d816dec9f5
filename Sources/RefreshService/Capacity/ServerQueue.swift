import Statistics

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
