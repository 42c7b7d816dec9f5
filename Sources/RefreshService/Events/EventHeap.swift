import Statistics

/// A heap of four children a node.
struct EventHeap: ~Copyable {
    private var entries: UnsafeMutablePointer<DueEvent>
    private var capacity = 256
    private(set) var count = 0

    init() { entries = .large(capacity: capacity, for: "what is due at the service") }

    deinit { LargeMemory.free(entries) }

    /// The earliest; there must be one.
    var top: DueEvent {
        @inline(__always) get {
            assert(count > 0, "nothing is due")
            return entries[0]
        }
    }

    @inline(__always)
    mutating func insert(_ event: DueEvent) {
        if count == capacity { grow() }
        var hole = count
        count += 1
        while hole > 0 {
            let parent = (hole - 1) / 4
            if !(event < entries[parent]) { break }
            entries[hole] = entries[parent]
            hole = parent
        }
        entries[hole] = event
    }

    /// Once in many: it stays out of the way of the loop.
    @inline(never) private mutating func grow() {
        entries.doubleLarge(&capacity, count: count, for: "what is due at the service")
    }

    mutating func removeTop() {
        precondition(count > 0, "nothing is due")
        count -= 1
        let last = entries[count]
        var hole = 0
        while true {
            let firstChild = hole * 4 + 1
            if firstChild >= count { break }
            var least = firstChild
            var child = firstChild + 1
            while child < min(firstChild + 4, count) {
                if entries[child] < entries[least] { least = child }
                child += 1
            }
            if !(entries[least] < last) { break }
            entries[hole] = entries[least]
            hole = least
        }
        entries[hole] = last
    }

    /// Hands over all events, in no order.
    func forEach(_ body: (DueEvent) -> Void) {
        for i in 0..<count { body(entries[i]) }
    }
}
