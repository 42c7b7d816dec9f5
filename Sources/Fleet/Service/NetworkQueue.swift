import Basics
import DeviceStorage
import RefreshService
import Statistics

extension ServiceRequest: Timed {
    package var dueAt: Instant { arrival }
    /// Which of its bytes are no more than something.
    static var byteLimits: [ByteLimit] { [ByteLimit(\ServiceRequest.isPrivate, of: Bool.self)] }
}

/// The requests of a fleet that are on their way to the edge.
///
/// Those that arrive soon are out of the queue and in their order, many windows at a time: one sort serves them all,
/// and what is read for each as it arrives can be asked for before. A queue of one type in this module, besides: a
/// generic one that another module calls looks types up as it runs.
package final class NetworkQueue {
    private let queue = RadixHeap<ServiceRequest>()
    /// Those that arrive before `readyBefore`, in order from `first` on.
    private var ready: [ServiceRequest] = []
    private var first = 0
    private var readyBefore: Instant = .longAgo

    private var arrivalSort = ArrivalSort()

    /// So far ahead requests are made ready.
    private let lead: Duration

    /// - Parameter lead: zero where many are sent that arrive within it, since each of those is put in its place.
    package init(lead: Duration = .milliseconds(250)) { self.lead = lead }

    /// Adds what the devices of a partition have sent since the last time.
    package func collect(from partition: FleetPartition) { partition.takeSent { add($0) } }

    func add(_ request: ServiceRequest) {
        // Few arrive so soon: tries that follow one another, mostly.
        if request.arrival < readyBefore { insert(request) } else { queue.add(request) }
    }

    private func insert(_ request: ServiceRequest) {
        var place = ready.count
        while place > first, request.arrivesBefore(ready[place - 1]) { place -= 1 }
        ready.insert(request, at: place)
    }

    /// When the next one arrives; `never` if there is none.
    package var nextAt: Instant { first < ready.count ? ready[first].arrival : queue.nextAt }

    /// Takes those that arrive before an instant, in their order.
    package func take(
        before limit: Instant, into list: inout [ServiceRequest], expecting expect: (ServiceRequest) -> Void
    ) {
        if limit > readyBefore { makeReady(before: limit + lead, expect) }
        while first < ready.count, ready[first].arrival < limit {
            list.append(ready[first])
            first += 1
        }
    }

    /// - Parameter expect: given each request some time before it is taken.
    private func makeReady(before limit: Instant, _ expect: (ServiceRequest) -> Void) {
        ready.removeFirst(first)
        first = 0
        let old = ready.count
        queue.take(before: limit) { ready.append($0) }
        readyBefore = limit
        for request in ready[old...] { expect(request) }
        // All that were ready before arrive earlier.
        arrivalSort.sort(&ready, from: old)
    }

    package func forEach(_ body: (ServiceRequest) -> Void) {
        ready[first...].forEach(body)
        queue.forEach(body)
    }

    /// How many lists `forEachList` hands over.
    static var lists: Int { RadixHeap<ServiceRequest>.lists + 1 }

    /// Hands over all requests, in lists without an order.
    func forEachList<Problem: Error>(_ body: (inout [ServiceRequest]) throws(Problem) -> Void) throws(Problem) {
        var ready = Array(ready[first...])
        try body(&ready)
        try queue.forEachList(body)
    }
}
