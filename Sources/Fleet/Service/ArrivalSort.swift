import RefreshService

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
