import Basics
import DeviceStorage
import RefreshService
import ScenarioModel

/// The device as a client of its service (S1, S3, S5).
struct ServiceLink {
    /// A try is given up after this time (S3); nil if it is drawn for each.
    let timeout: Duration?
    /// Whether a client that hears that its request is being served stays for the answer.
    let staysOnceServed: Bool
    /// When the origin fails (`RequestPlan`).
    private let failing: [(from: Instant, to: Instant)]
    private let failingEndpoints: [(endpoint: Int, region: Int?, from: Instant, to: Instant)]
    /// Requests that leave the device go here; nil without a service.
    let outbox: RequestOutbox?
    /// When the service begins.
    private let begin: Instant
    /// Sees the requests as they are counted; nil if nobody asks.
    let tap: ArrivalTap?
    /// Collects the reloads of a sample, in place of a service; nil for none.
    let sampler: ReloadSampler?
    /// The bound on retries; nil for none.
    private let retryBudget: RetryBudget?
    /// The end of the window in which the fleet and its service are.
    private var windowEnd: Instant = .start
    /// Requests so far, those before it was suspended last, and what is left of the budget of retries, in thousandths.
    private(set) var requestNumber: UInt32 = 0
    private var sentBefore: UInt32 = 0
    private var retryAccount: Int64

    init(
        _ plan: RequestPlan, _ patience: Patience, outbox: RequestOutbox?, tap: ArrivalTap?,
        sampler: ReloadSampler? = nil, begin: Instant = .start
    ) {
        timeout = patience.isConstant ? patience.draw(0) : nil
        staysOnceServed = plan.abandonment == .inQueue
        (failing, failingEndpoints) = (plan.failing, plan.failingEndpoints)
        self.outbox = outbox
        self.begin = begin
        self.tap = tap
        self.sampler = sampler
        retryBudget = plan.retry.budget
        retryAccount = plan.retry.budget?.most ?? 0
    }

    /// Whether the origin fails what arrives then.
    @inline(__always) func fails(endpoint: Int, region: Int, at arrival: Instant) -> Bool {
        failing.contains { $0.from <= arrival && arrival < $0.to }
            || failingEndpoints.contains {
                $0.endpoint == endpoint && ($0.region ?? region) == region && $0.from <= arrival && arrival < $0.to
            }
    }

    /// Whether a service answers what leaves at an instant; else the origin does at once (T4, S6).
    @inline(__always) func isServed(at instant: Instant) -> Bool { outbox != nil && instant >= begin }

    /// The sampler that collects a reload which begins now.
    @inline(__always) func sampler(at instant: Instant) -> ReloadSampler? {
        guard let sampler, instant >= sampler.from else { return nil }
        return sampler
    }

    /// A request has left.
    @inline(__always) mutating func countRequest() { requestNumber += 1 }

    /// Takes a retry out of the client's budget (S3); false if none is there.
    mutating func spendRetry() -> Bool {
        retryBudget == nil || RetryBudget.takeRetry(from: &retryAccount)
    }

    /// A first try pays into the client's budget of retries.
    @inline(__always) mutating func payForRetries() {
        retryBudget?.payFirstTry(into: &retryAccount)
    }

    /// How far the device can run if an answer can come from an instant on: nothing reaches it within the window (S5).
    func horizon(answerFrom instant: Instant) -> Instant { max(windowEnd, instant) }

    /// Whether a request was sent since the device was suspended last.
    func isSentSinceSuspension(_ sequence: UInt32) -> Bool { sequence &- sentBefore < requestNumber &- sentBefore }

    mutating func suspend() { (sentBefore, windowEnd) = (requestNumber, .start) }
    mutating func resume(windowEnd: Instant) { self.windowEnd = windowEnd }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&requestNumber)
        // A device is written down as it is suspended.
        if Coder.isReading { sentBefore = requestNumber }
        if retryBudget != nil { coder.code(&retryAccount) }
    }
}

/// The requests that devices of one thread have sent and that nobody has taken yet.
final class RequestOutbox {
    private(set) var requests: [ServiceRequest] = []

    func add(_ request: ServiceRequest) { requests.append(request) }

    /// Hands every request over, in the order of sending, and forgets them.
    func takeAll(_ body: (ServiceRequest) -> Void) {
        for request in requests { body(request) }
        requests.removeAll(keepingCapacity: true)
    }
}
