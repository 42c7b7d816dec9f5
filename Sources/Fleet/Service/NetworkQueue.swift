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

/// Puts requests in the order of their service (S5).
struct ArrivalSort {
    /// Room for many: the requests themselves, and the place of each span of time.
    private var unordered: [ServiceRequest] = []
    private var spans: [UInt32] = []

    /// - Parameter old: the place of the first of those to be put in order; all before are there by right.
    mutating func sort(_ ready: inout [ServiceRequest], from old: Int) {
        if ready.count - old < Self.many {
            ready.withUnsafeMutableBufferPointer { Self.sort(UnsafeMutableBufferPointer(rebasing: $0[old...])) }
        } else {
            sortMany(&ready, from: old)
        }
    }

    /// From so many on requests are sorted by spans of time first.
    private static let many = 512
    /// Up to so many in a span are sorted by insertion.
    private static let few = 24

    private static func sort(_ requests: UnsafeMutableBufferPointer<ServiceRequest>) {
        var requests = requests
        requests.sort { $0.arrivesBefore($1) }
    }

    /// Puts requests in order: each goes to its span of time, of which there are about as many as requests, and each
    /// span is sorted by itself. A sort by comparison alone guesses badly at every other one.
    private mutating func sortMany(_ ready: inout [ServiceRequest], from old: Int) {
        unordered.removeAll(keepingCapacity: true)
        unordered += ready[old...]
        unordered.withUnsafeBufferPointer { unordered in
            var (earliest, latest) = (Int64.max, Int64.min)
            for request in unordered {
                earliest = min(earliest, request.arrival.microseconds)
                latest = max(latest, request.arrival.microseconds)
            }
            var width: Int64 = 0
            while (latest - earliest) >> width >= unordered.count { width += 1 }
            spans.removeAll(keepingCapacity: true)
            spans.append(contentsOf: repeatElement(0, count: Int((latest - earliest) >> width) + 1))
            spans.withUnsafeMutableBufferPointer { ends in
                for request in unordered { ends[Int((request.arrival.microseconds - earliest) >> width)] += 1 }
                // Each begins where the one before ends. Putting its requests there moves its place to its own end.
                var place: UInt32 = 0
                for span in ends.indices { (ends[span], place) = (place, place + ends[span]) }
                ready.withUnsafeMutableBufferPointer { ready in
                    let sorted = UnsafeMutableBufferPointer(rebasing: ready[old...])
                    for request in unordered {
                        let span = Int((request.arrival.microseconds - earliest) >> width)
                        sorted[Int(ends[span])] = request
                        ends[span] += 1
                    }
                    var first = 0
                    for end in ends {
                        Self.sortSpan(UnsafeMutableBufferPointer(rebasing: sorted[first..<Int(end)]))
                        first = Int(end)
                    }
                }
            }
        }
    }

    @inline(__always) private static func sortSpan(_ requests: UnsafeMutableBufferPointer<ServiceRequest>) {
        if requests.count < 2 { return }
        if requests.count > few { return sort(requests) }
        for index in 1..<requests.count where requests[index].arrivesBefore(requests[index - 1]) {
            let one = requests[index]
            var place = index
            repeat {
                requests[place] = requests[place - 1]
                place -= 1
            } while place > 0 && one.arrivesBefore(requests[place - 1])
            requests[place] = one
        }
    }
}
