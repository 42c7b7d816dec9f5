import RefreshService

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
