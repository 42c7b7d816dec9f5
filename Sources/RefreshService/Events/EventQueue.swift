import Basics
import Statistics

/// The events that are due, earliest first.
///
/// A busy service has tens of thousands of events due within the next seconds, too many for one heap that stays in the
/// cache. Only those of the next quarter of a millisecond are in order, in a small heap; those of the two seconds after
/// lie in a ring of buckets, unsorted; the rest is in a heap of its own. Most events lead to one that follows at once,
/// above all where a way or a service takes no time: such a one is kept in hand and enters nothing. The few events of a
/// quiet service are all in the near heap.
///
/// Invariants: what is in hand comes before all in the near heap; all of this comes before `horizon`, and all else not;
/// neither in hand nor in the near heap is nothing only if nothing is due at all.
struct EventQueue: ~Copyable {
    /// Later than all that is ever due.
    private static let nothing = DueEvent(at: .never, .originArrival, pool: 0)

    private var hand = Self.nothing
    private var isInHand = false
    private var near = EventHeap()
    private var ring = EventRing()
    private var far = EventHeap()
    /// The end of the last bucket that was put in order; `never` while all events are near.
    private var horizon = Instant.never

    /// All events are near until there are more.
    private static let mostNear = 64
    /// All are near again once none is and no more than so many lie beyond the horizon.
    private static let fewFar = 16

    /// Whether no event is in a bucket.
    var areAllNear: Bool { horizon == .never }

    /// The earliest; one at `never` if there is none.
    var first: DueEvent {
        @inline(__always) get { isInHand ? hand : near.count > 0 ? near.top : Self.nothing }
    }

    @inline(__always)
    mutating func insert(_ event: DueEvent) {
        if areAllNear && near.count >= Self.mostNear { spread() }
        if event.at >= horizon {
            insertBeyond(event)
            if !isInHand && near.count == 0 { refill() }
        } else if isInHand {
            if event < hand {
                near.insert(hand)
                hand = event
            } else {
                near.insert(event)
            }
        } else if near.count == 0 || event < near.top {
            hand = event
            isInHand = true
        } else {
            near.insert(event)
        }
        #if DEBUG
            checkInvariants()
        #endif
    }

    /// Takes the first away; there must be one.
    @inline(__always)
    mutating func removeFirst() {
        if isInHand { isInHand = false } else { near.removeTop() }
        if near.count == 0 && !areAllNear { refill() }
        #if DEBUG
            checkInvariants()
        #endif
    }

    /// Checks, in constant time, what the ends of the parts tell.
    func checkInvariants() {
        precondition(!isInHand || near.count == 0 || hand < near.top, "what is in hand does not come first")
        precondition(!isInHand || hand.at < horizon, "in hand beyond the horizon")
        precondition(!areAllNear || ring.count + far.count == 0, "events beyond the near heap though all are near")
        precondition(near.count == 0 || near.top.at < horizon, "the near heap begins beyond the horizon")
        precondition(far.count == 0 || far.top.at >= horizon, "the far heap begins before the horizon")
        precondition(
            isInHand || near.count > 0 || ring.count + far.count == 0, "something is due, and nothing is at hand")
    }

    /// Writes all that is due, or puts what was written into an empty queue. Where an event lies in the queue reaches
    /// no result.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        var events: [DueEvent] = []
        if !stream.isReading {
            if isInHand { events.append(hand) }
            near.forEach { events.append($0) }
            ring.forEach { events.append($0) }
            far.forEach { events.append($0) }
            events.sort { $0 < $1 }
        }
        try stream.code(&events)
        if !stream.isReading { return }
        for event in events { try stream.require(event.isPossible, "something is due that is nothing, or at no time") }
        for (event, next) in zip(events, events.dropFirst()) {
            try stream.require(event < next, "what is due is not in order")
        }
        precondition(!isInHand && near.count == 0, "events are put into a queue that holds some")
        for event in events { insert(event) }
    }

    /// All that is due, in no order.
    func forEach(_ body: (DueEvent) -> Void) {
        if isInHand { body(hand) }
        near.forEach(body)
        ring.forEach(body)
        far.forEach(body)
    }

    @inline(__always)
    private mutating func insertBeyond(_ event: DueEvent) {
        if event.at - horizon < EventRing.span { ring.insert(event) } else { far.insert(event) }
    }

    /// Sets the horizon behind the bucket of the first event in the near heap, and moves later ones beyond it.
    private mutating func spread() {
        horizon = EventRing.start(of: near.top.at) + EventRing.width
        var all = EventHeap()
        swap(&all, &near)
        all.forEach { event in if event.at < horizon { near.insert(event) } else { insertBeyond(event) } }
    }

    /// Puts the next bucket that holds anything in order; or all that is left, if that is little.
    private mutating func refill() {
        if ring.count + far.count <= Self.fewFar {
            ring.empty(from: horizon, into: &near)
            while far.count > 0 {
                near.insert(far.top)
                far.removeTop()
            }
            horizon = .never
            return
        }
        var at = ring.firstBucket(from: horizon)
        if far.count > 0 { at = min(at, EventRing.start(of: far.top.at)) }
        horizon = at + EventRing.width
        ring.empty(at, into: &near)
        while far.count > 0 && far.top.at - horizon < EventRing.span {
            let event = far.top
            far.removeTop()
            if event.at < horizon { near.insert(event) } else { ring.insert(event) }
        }
    }
}

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
